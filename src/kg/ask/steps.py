"""Questions of two steps: what describes a thing by what it did is read first, then the question with its name."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kg.ask.candidates import Candidate, Look, Read, Source, spans
from kg.ask.drafts import Asking
from kg.ask.question import Question
from kg.ask.question_kinds import shape_of_question
from kg.reading import bounded
from kg.text import terms as w
from kg.text.asking_clause import WH
from kg.text.terms import Token, participles

# A noun phrase of at most four words, none of which joins it to another.
_PLAIN = r"(?!(?:of|in|on|at|by|for|from|to|with|and|or|the|that|which|who|was|were|is|are|did|does|do)\b)[\w’'-]+"
_NOUN = rf"(?P<noun>{_PLAIN}(?:\s+{_PLAIN}){{0,3}}?)"
_CLAUSE = re.compile(
    rf"\b(?:the|that|an?)\s+{_NOUN},?\s+(?:(?P<prep>in|at|on|to|from|by|for|with|of)\s+)?"
    r"(?P<pronoun>that|which|whom?|whose|where)\s+(?P<rest>.+?)[?.\s]*$",
    re.IGNORECASE,
)
_REDUCED = re.compile(
    rf"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )\b(?:the|an?)\s+{_NOUN}\s+(?P<done>[a-z]+)\s+"
    r"(?P<rest>(?:by|in|for|at|with|from|on|to)\s+.+?)[?.\s]*$",
    re.IGNORECASE,
)
_OPENS = re.compile(r"^(?:which(?:\s+one)?\s+of|what|who|which)(?:'s|\s+(?:is|was|are|were))?\s*$", re.IGNORECASE)
_ASKING = re.compile(rf"\b{WH}\b", re.IGNORECASE)
# After a form of these the question's own verb still has to come.
_HELPING = w.AUXILIARIES - w.words("have has had having")
_DETERMINERS = w.words("the a an his her its their my our your this these those he she it they we you i")
_BE = w.words("is are was were be been")
_ANYBODY = w.words("person people man men woman women individual individuals somebody one")


@dataclass(frozen=True, slots=True)
class Description:
    """``[start, end)`` of a question describes what ``asks`` asks for, by what it did."""

    start: int
    end: int
    asks: str


def descriptions(question: Question) -> Iterator[Description]:
    """What the question describes, the likeliest reading first."""
    text = question.text
    for pattern, asks in ((_CLAUSE, _clause_asks), (_REDUCED, _reduced_asks)):
        for match in _nearest(pattern, text):
            before = text[: match.start()]
            if _OPENS.match(before) or not _ASKING.search(before):
                continue  # it is what the question asks for, or stands before its question word
            for end in _ends(question, match.start(), match.start("rest"), match.end("rest")):
                if inner := asks(match, text[match.start("rest") : end].rstrip(" ,")):
                    yield Description(match.start(), end, inner)


def _nearest(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Matches that begin at each place, the last first: what stands innermost is described first."""
    places = [m.start() for m in re.finditer(r"\b(?:the|that|an?)\b", text, re.IGNORECASE)]
    found = [m for at in places if (m := pattern.match(text, at)) is not None]
    yield from reversed(found)


def _ends(question: Question, start: int, first: int, last: int) -> Iterator[int]:
    """Where a clause may end: before the question's own verb if that is still to come, else at the end."""
    before = [t for t in question.tokens if t.end <= start]
    inside = [t for t in question.tokens if first <= t.start < last]
    helping = next((t for t in reversed(before) if t.lower in _HELPING), None)
    if helping is not None:
        be = helping.lower in _BE
        cuts = [i for i in range(len(inside) - 1, 1, -1) if _is_own_verb(inside, i, be)]
        yield from (inside[i - 1].end for i in cuts[:3])
        if cuts and not be:
            return
    yield last


def _is_own_verb(inside: Sequence[Token], at: int, be: bool) -> bool:
    """Whether a word after a noun may be the verb that the question's helping verb waits for."""
    word, before = inside[at], inside[at - 1]
    if word.capital or word.digits or word.lower in w.FUNCTION or before.lower in w.FUNCTION | w.PREPOSITIONS:
        return word.lower == "have" and before.lower not in w.FUNCTION
    if be:
        return word.lower.endswith("ed") or word.lower in participles()
    return not word.lower.endswith(("ed", "ing", "ly", "er")) and not re.search(r"[^s]s$", word.lower)


def _clause_asks(match: re.Match[str], rest: str) -> str:
    noun, pronoun, prep = match["noun"], match["pronoun"].casefold(), match["prep"]
    which = _which(noun)
    if noun.split()[-1].casefold() in w.DATE_NOUNS:
        return f"In which {noun} {rest}?"
    if pronoun == "whose":
        return f"{which} has {rest}?"
    words = rest.split()
    if not words:
        return ""
    done = "" if {x.casefold() for x in words[:-1]} & (_BE | w.AUXILIARIES) else "did "
    if prep or pronoun == "where":
        return f"{(prep or 'in').capitalize()} which {noun} {done}{rest}?"
    if words[0].casefold() in _DETERMINERS or words[0][0].isupper() or words[0].endswith(("'s", "’s")):
        return f"{which} {done}{rest}?"
    return f"{which} {rest}?"


def _reduced_asks(match: re.Match[str], rest: str) -> str:
    done = match["done"].casefold()
    if not (done.endswith("ed") or done in participles()) or done in w.AUXILIARIES:
        return ""
    return f"{_which(match['noun'])} was {done} {rest}?"


def _which(noun: str) -> str:
    return "Who" if noun.split()[-1].casefold() in _ANYBODY | w.PERSON_NOUNS else f"Which {noun}"


# Descriptions that are tried, things that each may describe, and answers taken of each of these.
_DESCRIPTIONS, _THINGS, _ANSWERS = 2, 2, 1
_LONGEST = 60  # characters of what may be the name of a thing


def stepped(asking: Asking, look: Look) -> list[Candidate]:
    """Answers to the question with each description replaced by what it may describe. ``look``: reads a question."""
    if shape_of_question(asking.question.text)["whether"]:
        return []
    found: list[Candidate] = []
    for described in itertools.islice(descriptions(asking.question), _DESCRIPTIONS):
        inner = asking.about(described.asks)
        if inner.found.unknown_names:
            continue
        for first in _likeliest(look(inner), _THINGS):
            label = re.sub(r"^(?:the|an?)\s+|[.,;:]+$", "", first.draft.values[0].label, flags=re.IGNORECASE)
            if label and len(label) <= _LONGEST and not asking.mentions(label):
                onward = _onward(asking, described, label, look)
                found += [_joined(asking, described, first, label, last) for last in onward]
    return found


def _onward(asking: Asking, described: Description, label: str, look: Look) -> list[Candidate]:
    """What is read for the question asked of a thing by its name."""
    text = asking.question.text
    outer = asking.about(text[: described.start] + label + text[described.end :])
    return [c for c in _likeliest(look(outer), _ANSWERS) if c.label not in ("", label.casefold())]


def _likeliest(read: Read, most: int) -> list[Candidate]:
    """The best spans of all views, each label once."""
    once: dict[str, Candidate] = {}
    for candidate in sorted(spans(read), key=lambda c: c.score, reverse=True):
        once.setdefault(candidate.label, candidate)
    return list(once.values())[:most]


def _joined(asking: Asking, described: Description, first: Candidate, label: str, last: Candidate) -> Candidate:
    """The second step's answer, quoting both, with how sure each step was."""
    evidence = (*last.draft.evidence, *first.draft.evidence)
    values = tuple(replace(v, evidence=(0, 1)) for v in last.draft.values)
    via = f"{asking.question.text[described.start : described.end]}: {label}"
    draft = replace(last.draft, values=values, evidence=tuple(dict.fromkeys(evidence)), via=(via,))
    sure = {"step_first": bounded(first.score), "step_last": bounded(last.score)}
    sure |= {"step_least": min(sure.values()), "step_clause": 1.0}
    return Candidate(draft, Source.STEP, signs=sure)
