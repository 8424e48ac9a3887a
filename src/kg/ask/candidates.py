"""All that may answer one question, each with what speaks for it: read in one step or two, by rules or by queries."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from kg.algebra.answers import Computed, Computer
from kg.algebra.documents import Collection, Place
from kg.algebra.likeness import Likeness
from kg.ask.asked_for import shape_of_question
from kg.ask.drafts import LONG_ROOM, ROOM, Asking, Draft, Value, clip, normal, sentence
from kg.ask.judge import Verdict
from kg.ask.retrieve import Scored
from kg.ask.spans import dates, numbers
from kg.ask.view import View as Base
from kg.reading import Reader, Reading, Span, View
from kg.reading import view as view_of

# Views that are read, spans taken of each, and how likely a word has to be part of the answer to be listed.
VIEWS, SPANS = 6, 2
LISTED = (0.25, 0.5)
CLOSE = 10  # units that are read a second time, alone
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
    close: Mapping[tuple[str, int], tuple[View, Reading]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, asking: Asking, views: Sequence[View], readings: Sequence[Reading]) -> Read:
        """With the units found, by their keys."""
        return cls(asking, tuple(views), tuple(readings), {s.key: s for s in reversed(asking.found.units)})

    def looked_at(self, candidates: Sequence[Candidate], reader: Reader, titles: Mapping[str, str]) -> Read:
        """With a second reading: of each unit that candidates quote, alone, for the first of them."""
        units = list(dict.fromkeys(c.draft.evidence[0] for c in candidates))
        first = list({scored.key: scored for scored in units[::-1]}.values())[::-1][:CLOSE]
        seen = [view_of(s.passage, titles.get(s.passage.document, ""), (s.number,)) for s in first]
        made = reader.read(self.asking.question.text, [v.text for v in seen])
        return replace(self, close={s.key: (v, r) for s, v, r in zip(first, seen, made, strict=True)})

    def scored(self, view: View, number: int) -> Scored | None:
        """A unit as it was scored for the question."""
        known = self.units.get((view.passage.id, number))
        return known or self.asking.retriever.scored_at(
            self.asking.found, view.passage.id, view.passage.units[number].start
        )


def spans(read: Read) -> list[Candidate]:
    """The likeliest spans of each view, each once."""
    found: list[Candidate] = []
    for at, (view, reading) in enumerate(zip(read.views, read.readings, strict=True)):
        for span in reading.spans(SPANS):
            number = view.unit_at(span.start)
            label = view.within(span.start, span.end).strip(" ,;:–-")
            scored = read.scored(view, number) if number is not None and label else None
            if scored is not None:
                text = sentence(label, scored.plain)
                draft = Draft(_kind(label), text, (Value(label),), (scored,), 1.0)
                found.append(Candidate(draft, Source.SPAN, place=(at, span)))
    return found


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
    """Yes and no, each on the views that say so most clearly and on the best, quoted at the best unit found there."""
    found: list[Candidate] = []
    for word, which in (("Yes", 0), ("No", 1)):
        order = sorted(range(len(read.views)), key=lambda n: -leaning(read.readings[n], which))
        for at in sorted({*order[:_LEANING], *range(len(read.views))[:1]}):
            view = read.views[at]
            units = [scored for n in view.numbers if (scored := read.scored(view, n)) is not None]
            if not units:
                continue
            best = max(units, key=lambda scored: scored.score)
            text = f"{word}: “{clip(best.plain, 0, ROOM - 8)}”"
            start = view.start_of(best.number)
            span = Span(start, start + len(best.plain), 0.0)
            draft = Draft("boolean", text, (Value(word),), (best,), 1.0)
            found.append(Candidate(draft, Source.POLAR, place=(at, span)))
    return found


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
    own = polar(read) if whether else spans(read) + lists(read) + options(read)
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
