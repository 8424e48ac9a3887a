"""All that may answer one question, each with what speaks for it: read in one step or two, by rules or by queries."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from kg.algebra.answers import Computed, Computer
from kg.algebra.documents import Collection, Place
from kg.algebra.links import Likeness
from kg.ask.drafts import LONG_ROOM, ROOM, Asking, Draft, Value, Verdict, clip, normal, sentence
from kg.ask.figures import shape_of_question
from kg.ask.question import Question
from kg.ask.retrieve import Scored
from kg.ask.view import View as Base
from kg.reading import PATH, Reading, Span, View
from kg.text import terms as w
from kg.text.spans import dates, numbers
from kg.text.terms import Token, participles

# Views that are read, spans taken of each, and how likely a word has to be part of the answer to be listed.
VIEWS, SPANS = 6, 2
LISTED = (0.25, 0.5)
_LEANING = 2  # views that lean most to yes, or to no, on which it is proposed
FAR = 12.0  # beyond which a logit says nothing more
_SHORT = 40  # characters of a label that is a date or a number rather than tells of one


class Source(StrEnum):
    """Where a candidate comes from."""

    RULE = "rule"
    GRAPH = "graph"
    SPAN = "span"
    LIST = "list"
    POLAR = "polar"
    OPTION = "option"
    HEADING = "heading"
    COMPUTED = "computed"
    STEP = "step"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A draft and its source. ``verdict``: what rules thought of it; ``place``: the view and span it was read at.

    ``computed``: how it was computed, if it was; ``steps``: how sure each of several steps was, by name.
    """

    draft: Draft
    source: Source
    verdict: Verdict | None = None
    place: tuple[int, Span] | None = None
    computed: Computed | None = None
    steps: Mapping[str, float] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The values together, for comparison."""
        return normal(", ".join(v.label for v in self.draft.values))


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A question with what was read for it: one reading a view."""

    asking: Asking
    views: tuple[View, ...]
    readings: tuple[Reading, ...]
    units: Mapping[tuple[str, int], Scored] = field(repr=False)

    @classmethod
    def of(cls, asking: Asking, views: Sequence[View], readings: Sequence[Reading]) -> Read:
        """With the units found, by their keys."""
        return cls(asking, tuple(views), tuple(readings), {s.key: s for s in reversed(asking.found.units)})

    def scored(self, view: View, number: int) -> Scored | None:
        """A unit as it was scored for the question."""
        known = self.units.get((view.passage.id, number))
        return known or self.asking.retriever.scored_at(
            self.asking.found, view.passage.id, view.passage.units[number].start
        )


def spans(read: Read) -> list[Candidate]:
    """The likeliest spans of each view, each once, and what reaches over several stretches of one sentence."""
    found: dict[tuple[int, int, int], Candidate] = {}
    for at, (view, reading) in enumerate(zip(read.views, read.readings, strict=True)):
        likely = [span for span in reading.spans(2 * SPANS) if view.unit_at(span.start) is not None][:SPANS]
        for span in [*likely, *reaching(view, reading)]:
            number = view.unit_at(span.start)
            label = view.within(span.start, span.end).strip(" ,;:–-")
            scored = read.scored(view, number) if number is not None and label else None
            if scored is not None:
                text = sentence(label, scored.plain)
                draft = Draft(_kind(label), text, (Value(label),), (scored,), 1.0)
                found.setdefault((at, span.start, span.end), Candidate(draft, Source.SPAN, place=(at, span)))
    return list(found.values())


def reaching(view: View, reading: Reading) -> Iterator[Span]:
    """From the first to the last of several stretches that belong to the answer and stand in one unit."""
    for least in LISTED:
        for number, own in itertools.groupby(reading.segments(least), key=lambda s: view.unit_at(s.start)):
            first, *rest = own
            if number is not None and rest and (span := reading.score(first.start, rest[-1].end)) is not None:
                yield span


def _kind(label: str) -> str:
    """What a stretch that was read is: a short one that holds a date or a figure is given as such."""
    if len(label) > _SHORT:
        return "entity"
    return "date" if dates(label) else "number" if numbers(label) else "entity"


def lists(read: Read) -> list[Candidate]:
    """Of each view all stretches that belong to the answer, where there are several: the surer ones, and all likely."""
    found: dict[tuple[int, str], Candidate] = {}
    for at, (view, reading) in enumerate(zip(read.views, read.readings, strict=True)):
        for least in LISTED:
            one = _listed(read, view, at, reading.segments(least))
            if one is not None:
                found.setdefault((at, one.label), one)
    return list(found.values())


def _listed(read: Read, view: View, at: int, segments: Sequence[Span]) -> Candidate | None:
    """Several stretches of one view as a list, each quoted where it stands."""
    pieces = [(view.unit_at(s.start), view.within(s.start, s.end).strip(" ,;:–-.")) for s in segments]
    units = {n: read.scored(view, n) for n, _ in pieces if n is not None}
    kept = [(scored, label) for n, label in pieces if n is not None and (scored := units[n]) and len(label) > 1]
    if len({label for _, label in kept}) < 2:
        return None
    evidence = list(dict.fromkeys(scored for scored, _ in kept))
    places = {scored.key: n for n, scored in enumerate(evidence)}
    values = {label: places[scored.key] for scored, label in kept}
    text = sentence(", ".join(values), evidence[0].plain, LONG_ROOM)
    draft = Draft("list", text, tuple(Value(x, (n,)) for x, n in values.items()), tuple(evidence), 1.0)
    whole = Span(segments[0].start, segments[-1].end, sum(s.score for s in segments) / len(segments))
    return Candidate(draft, Source.LIST, place=(at, whole))


def polar(read: Read) -> list[Candidate]:
    """Yes and no, each on the views that say so most clearly and on the best, quoted where such a view decides it."""
    found: list[Candidate] = []
    for word, which in (("Yes", 0), ("No", 1)):
        order = sorted(range(len(read.views)), key=lambda n: -leaning(read.readings[n], which))
        for at in sorted({*order[:_LEANING], *range(len(read.views))[:1]}):
            view = read.views[at]
            best = _deciding(read, view, read.readings[at])
            if best is None:
                continue
            text = f"{word}: “{clip(best.plain, 0, ROOM - 8)}”"
            start, end = view.stretch(best.number)
            draft = Draft("boolean", text, (Value(word),), (best,), 1.0)
            found.append(Candidate(draft, Source.POLAR, place=(at, Span(start, end, 0.0))))
    return found


def _deciding(read: Read, view: View, reading: Reading) -> Scored | None:
    """The unit of a view that says whether something is so: where the reader has the answer begin."""
    starts = sorted((reading.best_start(*view.stretch(n)), n) for n in view.numbers)
    return next((scored for _, n in reversed(starts) if (scored := read.scored(view, n)) is not None), None)


def options(read: Read) -> list[Candidate]:
    """Of "A or B" each, where the reader likes it best."""
    found: list[Candidate] = []
    for option in read.asking.question.options:
        pattern = re.compile(rf"(?<!\w){re.escape(option)}(?!\w)", re.IGNORECASE)
        places = (
            (at, span)
            for at, (view, reading) in enumerate(zip(read.views, read.readings, strict=True))
            for match in pattern.finditer(view.text)
            if view.unit_at(match.start()) is not None
            and (span := reading.score(match.start(), match.end())) is not None
        )
        at, span = max(places, key=lambda place: place[1].score, default=(0, None))
        if span is None:
            continue
        number = read.views[at].unit_at(span.start)
        scored = read.scored(read.views[at], number) if number is not None else None
        if scored is not None:
            text = sentence(option, scored.plain)
            draft = Draft("entity", text, (Value(option),), (scored,), 1.0)
            found.append(Candidate(draft, Source.OPTION, place=(at, span)))
    return found


def headings(read: Read) -> list[Candidate]:
    """What is asked for by what is said below it: of each view the likeliest of its headings, and stretches of them."""
    found: dict[str, Candidate] = {}
    for at, (view, reading) in enumerate(zip(read.views, read.readings, strict=True)):
        path = view.text.partition("\n")[0] if view.starts[0] else ""
        within = [span for span in reading.spans(2 * SPANS) if span.end <= len(path)][:1]
        likely = [*_whole(read.asking, path, reading), *within]
        told = [scored for n in view.numbers if likely and (scored := read.scored(view, n)) is not None]
        for span in likely if told else ():
            best = max(told, key=lambda s: (s.score, s.key))
            label = path[span.start : span.end].strip(" ,;:–-")
            draft = Draft(_kind(label), sentence(label, best.plain), (Value(label),), (best,), 1.0)
            found.setdefault(normal(label), Candidate(draft, Source.HEADING, place=(at, span)))
    return [candidate for label, candidate in found.items() if label]


def _whole(asking: Asking, path: str, reading: Reading) -> list[Span]:
    """The likeliest of a path's headings, but for what the question names; none is a number or a reason."""
    asked, own = shape_of_question(asking.question.text), normal(asking.question.text)
    parts = path.split(PATH) if not any(asked[name] for name in ("how_many", "when", "reason")) else []
    starts = itertools.accumulate((len(part) + len(PATH) for part in parts), initial=0)
    places = [(start, start + len(x)) for start, x in zip(starts, parts, strict=False) if normal(x) not in own]
    spans = [span for place in places if (span := reading.score(*place)) is not None]
    return [max(spans, key=lambda s: s.score)] if spans else []


def leaning(reading: Reading, which: int) -> float:
    """How much a reading leans to yes (0) or no (1), over the other and over saying nothing."""
    yes, no, unsaid = reading.polar
    return (yes, no)[which] - math.log(math.exp(bounded((no, yes)[which])) + math.exp(bounded(unsaid)))


def bounded(logit: float) -> float:
    """A logit within ±:data:`FAR`."""
    return max(-FAR, min(FAR, logit))


def everything(read: Read, given: Sequence[Candidate]) -> list[Candidate]:
    """All candidates of a question, ``given`` by rules, queries and tables, and read: of what is so no span."""
    asked = shape_of_question(read.asking.question.text)
    whether = asked["whether"] and not read.asking.question.options
    own = polar(read) if whether else spans(read) + lists(read) + options(read) + headings(read)
    kept = [c for c in given if not whether or c.draft.kind == "boolean" or c.draft.exact]
    return [*kept, *own]


ANSWERS = 3
_TABLES = 8  # around the best units or with fitting heads; of them the few with most of the question's words are read
_CITED = 6
_KINDS = {"Count": "count", "Distinct": "count", "Aggregate": "number", "Difference": "number", "Ratio": "number"}
_WHETHER = ("Holds", "Greater", "Equal")
_NEAR = 20  # units around which tables are looked for


class Tables:
    """The tables of one view's documents; safe to ask from several threads, each question by itself."""

    def __init__(self, base: Base) -> None:
        titles = {id_: info.title for id_, info in base.documents.items()}
        self._collection = Collection(base.passages.values(), titles)
        self._computer = Computer(likeness=Likeness.packaged())

    def candidates(self, asking: Asking) -> list[Candidate]:
        """What is computed for a question, the likeliest first."""
        best = [(unit.passage, unit.number) for unit in asking.found.units[:_NEAR]]
        tables = self._collection.tables(asking.question.text, best, _TABLES)
        found = self._computer.answers(asking.question.text, tables, ANSWERS)
        made = (_candidate(asking, one) for one in found if one.values)
        return [one for one in made if one is not None]


def _candidate(asking: Asking, computed: Computed) -> Candidate | None:
    evidence = _cited(asking, computed.places)
    if not evidence:
        return None
    numbers = {scored.key: n for n, scored in enumerate(evidence)}
    held = {cell.text: numbers.get((cell.place[0].id, cell.place[1]), 0) for cell in computed.evidence}
    values = tuple(Value(text, (held.get(text, 0),)) for text in computed.values)
    draft = Draft(
        _kind_computed(computed), _told(computed, evidence), values, evidence, 1.0,
        members=len(computed.places), reading=computed.reading,
    )  # fmt: skip
    return Candidate(draft, Source.COMPUTED, computed=computed)


def _cited(asking: Asking, places: Sequence[Place]) -> tuple[Scored, ...]:
    """The rows or items that are quoted, as units scored for the question."""
    found = (
        asking.retriever.scored_at(asking.found, passage.id, passage.units[number].start)
        for passage, number in places[:_CITED]
    )
    return tuple(scored for scored in found if scored is not None)


def _kind_computed(computed: Computed) -> str:
    if computed.operation in _WHETHER:
        return "boolean"
    return _KINDS.get(computed.operation) or ("list" if len(computed.values) > 1 else "entity")


def _told(computed: Computed, evidence: Sequence[Scored]) -> str:
    """The values, with what was counted or the first row that they rest on."""
    label = ", ".join(computed.values)
    if _kind_computed(computed) == "boolean":
        return f"{label}: “{clip(evidence[0].plain, 0, ROOM - 8)}”"
    return sentence(label, evidence[0].plain)


# --- Questions of two steps: what describes a thing by what it did is read first, then the question with its name

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
_ASKING = re.compile(r"\b(?:what|who|whom|whose|which|when|where|how|why)\b", re.IGNORECASE)
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
            if _asked_itself(text, match.start()):
                continue
            for end in _ends(question, match.start(), match.start("rest"), match.end("rest")):
                if inner := asks(match, text[match.start("rest") : end].rstrip(" ,")):
                    yield Description(match.start(), end, inner)


def _asked_itself(text: str, start: int) -> bool:
    """Whether what begins here is what the question asks for, or stands before its question word."""
    before = text[:start]
    return bool(_OPENS.match(before)) or not _ASKING.search(before)


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
    which = "Who" if _anybody(noun) else f"Which {noun}"
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
    which = "Who" if _anybody(match["noun"]) else f"Which {match['noun']}"
    return f"{which} was {done} {rest}?"


def _anybody(noun: str) -> bool:
    last = noun.split()[-1].casefold()
    return last in _ANYBODY or last in w.PERSON_NOUNS


# Descriptions that are tried, things that each may describe, and answers taken of each of these.
_DESCRIPTIONS, _THINGS, _ANSWERS = 2, 2, 1
_LONGEST = 60  # characters of what may be the name of a thing

Look = Callable[[Asking], Read]


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
    for candidate in sorted(spans(read), key=_score, reverse=True):
        once.setdefault(candidate.label, candidate)
    return list(once.values())[:most]


def _score(candidate: Candidate) -> float:
    return candidate.place[1].score if candidate.place is not None else -math.inf


def _joined(asking: Asking, described: Description, first: Candidate, label: str, last: Candidate) -> Candidate:
    """The second step's answer, quoting both, with how sure each step was."""
    evidence = (*last.draft.evidence, *first.draft.evidence)
    values = tuple(replace(v, evidence=(0, 1)) for v in last.draft.values)
    via = f"{asking.question.text[described.start : described.end]}: {label}"
    draft = replace(last.draft, values=values, evidence=tuple(dict.fromkeys(evidence)), via=(via,))
    sure = {"step_first": bounded(_score(first)), "step_last": bounded(_score(last))}
    sure |= {"step_least": min(sure.values()), "step_clause": 1.0}
    return Candidate(draft, Source.STEP, steps=sure)
