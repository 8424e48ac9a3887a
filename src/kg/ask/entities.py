"""Who, which and what: a name, a labelled value or a row's cell of the kind asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.ask import words as w
from kg.ask.drafts import Around, Asking, Choice, Draft, choices, covered, draft_of, matched
from kg.ask.question import Question
from kg.ask.retrieve import Scored
from kg.ask.spans import Span, cells, dates, headed, names, numbers, says_sort
from kg.ask.terms import term, tokens
from kg.model import UnitKind

# A date is no answer, if not when is asked, unless it stands under what is asked for.
_DATED = 0.3
# A line that cites says who wrote of it, and what a title names did nothing.
_CITES = re.compile(r"(?:sources?|references?|see also|further reading|cf\.?)\s*:", re.IGNORECASE)
_TITLE = re.compile(r"[\"“][^\"“”]{2,200}[\"”]")
# "Delivered by: …"
_BY = re.compile(r"[^:.;]*\bby\s?:\s", re.IGNORECASE)


class EntityQuestion:
    """A person, organisation, place or thing; the type that takes what no other does."""

    name = "entity"

    def asks(self, question: Question) -> bool:
        """Anything."""
        return True

    def read(self, asking: Asking) -> Draft | None:
        """The best name or labelled value of the best units, else the best unit's own words."""
        best = best_entity(asking)
        return draft_of(self.name, best, asking) if best is not None else None


def best_entity(asking: Asking) -> Choice | None:
    """The name or labelled value that fits the question best."""
    found = choices(asking, lambda s: _candidates(asking, s))
    return found[0] if found else None


def _candidates(asking: Asking, scored: Scored) -> Iterator[Choice]:
    plain = scored.plain
    person = _is_person(asking.question)
    if (_is_place(asking.question) and _tells_else(plain)) or (person and _CITES.match(plain)):
        return
    titles = [m.span() for m in _TITLE.finditer(plain)] if person else []
    for span, fit in (*_cells(asking, plain), *_headed(asking, plain), *_names(asking, plain)):
        if person and (_figure(span.text) or _ordinary(asking, span.text.split(",")[0])):
            continue
        if any(a <= span.start and span.end <= b for a, b in titles):
            continue
        if dates(span.text) and len(span.text) < len(dates(span.text)[0].text) + 4:
            fit -= 0.4
            if fit < _DATED:
                continue
        if not asking.mentions(span.text):
            yield Choice(scored, span, min(fit, 1.0), _short(span.text))
    if scored.unit.kind != UnitKind.ROW:  # a whole row says no one thing
        yield Choice(scored, Span(0, 0, ""), 0.15, "")


def _tells_else(plain: str) -> bool:
    """Whether a labelled value says who did it, when or how much, but not where."""
    parted = headed(plain)
    return _BY.match(plain) is not None or (parted is not None and _figure(parted[1].text))


def _figure(text: str) -> bool:
    """Whether a text is a date or a number and nothing else."""
    found = dates(text) or numbers(text)
    return bool(found) and len(text) < len(found[0].text) + 4


def _short(text: str) -> str:
    return text if len(text) <= 60 else ""


def _cells(asking: Asking, plain: str) -> Iterator[tuple[Span, float]]:
    """Cells whose label is what was asked for; the row's head when other cells account for the question."""
    focus = asking.focus_terms()
    row = cells(plain)
    for place, (label, cell) in enumerate(row):
        fit = 0.9 * matched(focus, label) if focus else 0.0
        if place == 0 and len(row) > 1:
            fit = max(fit, 0.6 * covered(asking.found.terms, plain[cell.end :]))
        if _is_person(asking.question) and re.fullmatch(r"(?:[A-Z][\w'’.-]+ ){1,3}[A-Z][\w'’.-]+", cell.text):
            fit += 0.4
        yield cell, fit


def _headed(asking: Asking, plain: str) -> Iterator[tuple[Span, float]]:
    """Of ``name — description``: the name when the description fits the question, else the description."""
    parted = headed(plain)
    if parted is None or len(cells(plain)) > 1:
        return
    head, rest = parted
    terms = asking.found.terms
    before, after = covered(terms, head.text), covered(terms, rest.text)
    if after > before:
        if _is_person(asking.question) and _ordinary(asking, head.text):
            return  # a term that is defined did nothing
        if plain[head.end] != ":" or _proper(asking, head.text):
            yield head, 0.3 + 0.5 * after
    else:
        yield rest, 0.3 + 0.5 * before


def _proper(asking: Asking, text: str) -> bool:
    """Whether a text is a name rather than a label."""
    known = asking.retriever.view.lexicon.capitalised
    return any(t.term in known or t.digits for t in tokens(text))


def _ordinary(asking: Asking, text: str) -> bool:
    """Whether the documents also write every word of a text without a capital letter."""
    lexicon = asking.retriever.view.lexicon
    return all(t.term in lexicon.lowercase and t.term not in lexicon.capitalised for t in tokens(text))


def _names(asking: Asking, plain: str) -> Iterator[tuple[Span, float]]:
    question, focus = asking.question, asking.focus_terms()
    around = Around(asking.found.terms, plain)
    for name in real_names(asking, plain):
        fit = 0.35 * around.near(name)
        after = " ".join(re.findall(r"[\w’'-]+", plain[name.end : name.end + 40])[:2])
        fit += 0.4 * max(matched(focus, after), matched(focus, name.text))
        fit += _shape(question, plain, name)
        if says_sort(plain, name):
            fit -= 0.4
        yield name, fit


def real_names(asking: Asking, plain: str) -> Iterator[Span]:
    """Names of a unit without its labels and without ordinary words that merely begin a sentence."""
    ordinary = asking.retriever.view.lexicon.lowercase
    for name in names(plain):
        words = name.text.split()
        opens = name.start == 0 or plain[: name.start].rstrip()[-1:] in '.!?:–—-“"'
        if opens and words[0].isalpha() and term(words[0]) in ordinary:
            if len(words) == 1:
                continue
            cut = len(words[0]) + 1
            name = Span(name.start + cut, name.end, name.text[cut:])
        if not re.match(r"\s*:\s", plain[name.end : name.end + 3]):
            yield name


def _shape(question: Question, plain: str, name: Span) -> float:
    """What a name's form and place say for it being a person or a place."""
    words = name.text.split()
    if _is_person(question):
        return 0.35 if 2 <= len(words) <= 4 and all(x[0].isupper() and x.isalpha() for x in words) else -0.1
    if _is_place(question):
        return 0.3 if re.search(r"\b(?:in|at|near|to|from)\s+(?:the\s+)?[\"“]?$", plain[: name.start]) else 0.0
    return 0.1 if name.start > 0 else 0.0


def _is_person(question: Question) -> bool:
    return question.opening in ("who", "whom") or question.focus_in(w.PERSON_NOUNS)


def _is_place(question: Question) -> bool:
    return question.opening == "where" or question.focus_in(w.PLACE_NOUNS)
