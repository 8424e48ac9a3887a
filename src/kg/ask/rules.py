"""What rules read in passages: yes or no, definitions, and the names or labelled values that are left."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.ask import words as w
from kg.ask.adjectives import compared
from kg.ask.drafts import (
    LONG_ROOM,
    ROOM,
    Around,
    Asking,
    Choice,
    Draft,
    QuestionType,
    Value,
    choices,
    clip,
    covered,
    draft_of,
    matched,
)
from kg.ask.figures import DateQuestion, DurationQuestion, NumberQuestion
from kg.ask.question import Question, Role
from kg.ask.related_words import family, synonyms
from kg.ask.retrieve import Scored
from kg.ask.spans import Span, cells, dates, headed, names, numbers, says_sort
from kg.ask.terms import bag, term, tokens
from kg.model import UnitKind

_DENIAL = re.compile(
    r"\b(?:nothing|no (?:proof|evidence|sign|indication)|not (?:clear|known|certain|confirmed|proven)|unclear|never|"
    r"no longer|nobody|no one|without|neither|rather than|instead of|except)\b|\b\w+n['’]t\b|\bnot\b|\bno\b",
    re.IGNORECASE,
)
_OPPOSITES = (
    ("share", "own"), ("share", "dedicated"), ("share", "separate"), ("same", "different"), ("all", "part"),
    ("open-source", "proprietary"), ("public", "private"), ("still", "previously"), ("before", "after"),
    ("more", "fewer"), ("first", "last"), ("open", "closed"), ("free", "paid"),
)  # fmt: skip


# What somebody is said to suppose is neither so nor not so.
_SUPPOSED = re.compile(
    r"\b(?:assum(?:e|es|ed|ing)|suppos(?:e|es|ed|ing)|suspect(?:s|ed|ing)?|speculat(?:e|es|ed|ing)|rumou?r(?:s|ed)?|"
    r"guess(?:es|ed)?|believ(?:e|es|ed))\b",
    re.IGNORECASE,
)
# What is said to be possible, wished for or planned is not said to be so.
_POSSIBLE = re.compile(
    r"\b(?:may|might|could|would|should|plan(?:s|ned|ning)?|propos(?:e|es|ed|al)|consider(?:s|ed|ing)?|hop(?:e|es|ed)|"
    r"intend(?:s|ed)?|perhaps|possibly|if)\b"
)
# What would take more than there is, or is too much of something, can't be.
_BEYOND = re.compile(r"\bmore\b.+\bthan\b.+\b(?:any|could|can)\b|\btoo \w+ (?:to|for)\b", re.IGNORECASE)
_CAN = ("can", "could", "able", "possible")
_IDLE = w.words("a an the it its he his she her they their there this that these those ever also still not any some")
# Share of the weight of the question's words, names aside, that a unit must have to bear an answer.
_BORNE_OUT = 0.5


class BooleanQuestion:
    """A question that begins with its verb."""

    name = "boolean"

    def asks(self, question: Question) -> bool:
        """``Is/Did/Can …?`` without alternatives to choose from."""
        first = question.tokens[0].lower if question.tokens else ""
        return first in w.AUXILIARIES and not question.options

    def read(self, asking: Asking) -> Draft | None:
        """ "Yes" or "No" with the unit that says so."""
        units = asking.found.units
        comparing = compared(t.lower for t in asking.question.tokens) and asking.question.has("than")
        if not units or comparing:  # a comparison is computed from both figures or not made
            return None
        best = max(units[:12], key=lambda s: (s.score + _says(asking, s.plain), s.key))
        negative = denied(asking.question, best.plain)
        supposed = bool(_SUPPOSED.search(best.plain)) and not _SUPPOSED.search(asking.question.lower)
        if supposed or _unsaid(asking, best) or (not negative and _only_possible(asking.question, best.plain)):
            return None
        word = "No" if negative else "Yes"
        others = tuple(s for s in units[:3] if s.key != best.key)
        text = f"{word}: “{clip(best.plain, 0, ROOM - 8)}”"
        return Draft(self.name, text, (Value(word),), (best, *others[:2]), best.own)


def _says(asking: Asking, plain: str) -> float:
    return 0.2 if _DENIAL.search(plain) and asking.question.has("proof", "evidence", "really", "certain") else 0.0


def _only_possible(question: Question, plain: str) -> bool:
    """Whether a unit merely says that it may be, or is to be, so, where the question asks whether it is."""
    return bool(_POSSIBLE.search(plain)) and not _POSSIBLE.search(question.lower)


def _unsaid(asking: Asking, best: Scored) -> bool:
    """Whether what the question asks of its names is mostly missing from the unit, so that it bears no answer."""
    asked = [t for t in asking.found.terms if t.word.role in (Role.CONTENT, Role.FOCUS)]
    words = asking.retriever.context_words(best)
    if not asked:
        return _without_verb(asking.question, words)
    weight = sum(t.weight for t in asked)
    return sum(t.weight * t.found(words) for t in asked) < _BORNE_OUT * weight


def _without_verb(question: Question, words: frozenset[str]) -> bool:
    """Whether a unit has none of what the question says of its names ("does X *own* Y?"), though that says little."""
    named = {t.start for t in question.tokens for n in question.names if n.start <= t.start < n.end}
    idle = w.AUXILIARIES | w.PREPOSITIONS | w.LIGHT_VERBS | _IDLE
    said = [t for t in question.tokens[1:] if t.start not in named and t.lower not in idle]
    return bool(said) and not any(t.term in words or family(t.term) & words or synonyms(t.term) & words for t in said)


def denied(question: Question, plain: str) -> bool:
    """Whether a unit denies what the question supposes: by a negation, an opposite, or another number."""
    asked = {t.lower for t in question.tokens}
    said = {t.lower for t in tokens(plain)}
    negated = bool(_DENIAL.search(plain)) or (question.has(*_CAN) and bool(_BEYOND.search(plain)))
    if asked & w.NEGATIONS:
        return not negated
    if negated:
        return True
    if any((a in asked and b in said) or (b in asked and a in said) for a, b in _OPPOSITES if a not in asked & said):
        return True
    wanted = numbers(question.text)
    stated = numbers(plain)
    return bool(wanted) and bool(stated) and not any(s.low <= q.low <= s.high for q in wanted for s in stated)


_ASKS = (
    re.compile(r"^(?:define|explain)\s+(?P<x>.+?)[?.!]*$", re.I),
    re.compile(r"^what\s+(?:do|does|did)\s+(?P<x>.+?)\s+(?:mean|stand for|refer to)\b", re.I),
    re.compile(r"^what(?:'s| is| are| was)\s+(?:meant by|the (?:definition|meaning) of)\s+(?P<x>.+?)[?.!]*$", re.I),
    re.compile(r"^(?P<x>.+?),?\s+(?:definition|meaning)[?.!]*$", re.I),
    re.compile(r"^(?:what is |what's )?(?:the )?(?:definition|meaning) of (?P<x>.+?)[?.!]*$", re.I),
    re.compile(r"^what(?:'s| is| are)\s+(?:an?\s+)?(?P<x>[\w/&.-]+(?:\s[\w/&.-]+){0,2})[?.!]*$", re.I),
)


def defined(question: Question) -> str:
    """The term whose meaning is asked for, or an empty string."""
    for pattern in _ASKS:
        if match := pattern.match(question.text.strip()):
            return match["x"].strip(" '\"‘’“”")
    return ""


class DefinitionQuestion:
    """The meaning of a term."""

    name = "definition"

    def asks(self, question: Question) -> bool:
        """``define X``, ``what does X mean``, ``X definition``, ``what is X``."""
        return bool(defined(question))

    def read(self, asking: Asking) -> Draft | None:
        """The unit that opens with the term and says what it is, with the text that follows in its entry."""
        term = defined(asking.question)
        found = choices(asking, lambda s: [Choice(s, Span(0, 0, ""), _fit(term, s), "")], depth=100)
        if not found:
            return None
        best = max(found, key=lambda c: c.total + c.fit)
        return draft_of(self.name, best, asking, LONG_ROOM)


def _fit(term: str, scored: Scored) -> float:
    """1 for ``term — …`` or ``term is a …``; less where the term merely is the subject."""
    wanted = bag(term)
    plain = scored.plain
    row = cells(plain) if scored.unit.kind == UnitKind.ROW else ()
    if len(row) > 1:  # what happened to it, or its figures, say less of what it is than any sentence
        return 0.2 if wanted and wanted <= bag(row[0][1].text) else -0.5
    entry = re.match(r"(.{2,80}?)\s*(?:—|–|\s-{1,3}\s|:)\s*\S", plain)
    if entry and wanted and wanted <= bag(entry[1]):
        head = bag(re.sub(r"\([^)]*\)?", " ", entry[1]))
        return 0.3 if not wanted <= head else 1.0 if len(head) <= len(wanted) + 2 else 0.7
    says = re.match(
        r"(?:an?\s+|the\s+)?(.{2,80}?)\s+(?:is|are|was|were|means?|refers? to|denotes?|describes?)\s+", plain, re.I
    )
    if says and wanted and wanted <= bag(says[1]):
        return 0.9 if len(bag(says[1])) <= len(wanted) + 1 else 0.6
    named = re.search(rf"(?<!\w){re.escape(term)}(?:\s*\([^)]*\))?,\s+(?:an?|the|one of)\s+\w", plain, re.IGNORECASE)
    if named:  # an apposition: "… X, a …"
        return 0.8
    opening = re.sub(r"^(?:an?|the)\s+", "", plain, flags=re.IGNORECASE).split()
    return 0.6 if wanted and wanted <= bag(" ".join(opening[: len(term.split())])) else 0.0


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


QUESTION_TYPES: tuple[QuestionType, ...] = (
    BooleanQuestion(),
    DefinitionQuestion(),
    DurationQuestion(),
    DateQuestion(),
    NumberQuestion(),
    EntityQuestion(),
)
