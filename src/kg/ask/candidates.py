"""All that may answer one question, each with where it is from, and those that are read from passages."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from kg.algebra.answers import Computed
from kg.algebra.forms import Every, Extreme, parts
from kg.ask.drafts import LONG_ROOM, ROOM, Asking, Draft, Value, Verdict, clip, is_within, listed, normal, sentence
from kg.ask.question import Question
from kg.ask.question_kinds import asks_one, asks_several, asks_to_tell, defined, replied, shape_of_question
from kg.ask.retrieve import SPOKEN, Scored
from kg.ask.unit_ranking import UnitRead, ranked
from kg.model import UnitKind
from kg.reading import PATH, Judge, Reading, Span, View, bounded
from kg.text.spans import dates, numbers
from kg.text.terms import FUNCTION, PREPOSITIONS, tokens

# Views that are read, spans taken of each, and how likely a word has to be part of the answer to be listed.
VIEWS, SPANS = 6, 2
LISTED = (0.25, 0.5)
_DECIDING, _SENTENCES = 4, 2  # units on which yes and no are proposed, and that are proposed as they are
_SHORT = 40  # characters of a label that is a date or a number rather than tells of one
# What stands between the items of a list; and words that an item doesn't begin with.
_BETWEEN = re.compile(r"[^\w\s'’\-]|\n|\b(?:and|or|nor|but)\b", re.IGNORECASE)
_ACROSS = re.compile(r";\s[^;:]+:\s")  # from one cell of a row's "Departs: 16:50; Arrives: 18:05" into the next
_NOT_FIRST = PREPOSITIONS | {"and", "or", "nor", "but", "that", "which", "who", "whom", "whose"}


class Source(StrEnum):
    """Where a candidate comes from."""

    DESCRIBED = "described"
    GRAPH = "graph"
    SPAN = "span"
    LIST = "list"
    POLAR = "polar"
    HEADING = "heading"
    COMPUTED = "computed"
    STEP = "step"
    COMPARED = "compared"
    ITEMS = "items"
    SENTENCE = "sentence"


_READ = (Source.SPAN, Source.LIST, Source.HEADING)
_LIKELY = 0.5  # how sure the parser of tables is of a form that is likelier meant than not


@dataclass(frozen=True, slots=True)
class Candidate:
    """A draft and its source. ``place``: the view and span it was read at; ``computed``: how it was, if it was.

    ``verdict``: how well a query stands for the question; ``signs``: what else it may be judged by, by name.
    """

    draft: Draft
    source: Source
    verdict: Verdict | None = None
    place: tuple[int, Span] | None = None
    computed: Computed | None = None
    signs: Mapping[str, float] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The values together, for comparison."""
        return normal(", ".join(v.label for v in self.draft.values))

    @property
    def score(self) -> float:
        """How sure the reader is of the span that it was read at."""
        return self.place[1].score if self.place is not None else -math.inf


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A question with what was read for it: one reading a view. ``ranked``: the units, likeliest evidence first."""

    asking: Asking
    views: tuple[View, ...]
    readings: tuple[Reading, ...]
    units: Mapping[tuple[str, int], Scored] = field(repr=False)
    ranked: tuple[UnitRead, ...] = ()

    @classmethod
    def of(cls, asking: Asking, views: Sequence[View], readings: Sequence[Reading], ranker: Judge) -> Read:
        """With the units found, by their keys, and ranked."""
        read = cls(asking, tuple(views), tuple(readings), {s.key: s for s in reversed(asking.found.units)})
        return replace(read, ranked=ranked(asking, read.told(), views, readings, ranker))

    def told(self) -> list[tuple[int, Scored]]:
        """The units read, each with the number of its view."""
        each = ((at, self.scored(view, n)) for at, view in enumerate(self.views) for n in view.numbers)
        return [(at, scored) for at, scored in each if scored is not None]

    def scored(self, view: View, number: int) -> Scored | None:
        """A unit as it was scored for the question."""
        known = self.units.get((view.passage.id, number))
        return known or next(iter(self.asking.units_at([(view.passage, number)])), None)


Look = Callable[[Asking], Read]


def spans(read: Read) -> list[Candidate]:
    """The likeliest spans of each view, each once, and what reaches over several stretches of one sentence."""
    found: dict[tuple[int, int, int], Candidate] = {}
    for at, (view, reading) in enumerate(zip(read.views, read.readings, strict=True)):
        likely = [span for span in reading.spans(2 * SPANS) if view.unit_at(span.start) is not None][:SPANS]
        for span in [*likely, *reaching(view, reading)]:
            number = view.unit_at(span.start)
            label = view.within(span.start, span.end).strip(" ,;:–-")
            scored = read.scored(view, number) if number is not None and label else None
            if scored is not None and not scored.asks:
                if scored.unit.kind == UnitKind.ROW:
                    label = _ACROSS.split(label, maxsplit=1)[0]
                text = _told(read.asking.question, label, scored)
                draft = Draft(_kind(label), text, (Value(label),), (scored,), 1.0)
                found.setdefault((at, span.start, span.end), Candidate(draft, Source.SPAN, place=(at, span)))
    return list(found.values())


def _told(question: Question, label: str, scored: Scored) -> str:
    """A value with its quotation; where a thing is asked to be explained the whole sentence that names it."""
    term, plain = normal(defined(question)), scored.plain
    of_it = bool(term) and is_within(term, normal(plain))
    whole = of_it and scored.unit.kind == UnitKind.SENTENCE and len(plain) <= LONG_ROOM
    return plain if whole else sentence(label, plain)


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
            one = _listed(read, view, at, _pieces(view, reading.segments(least)))
            if one is not None:
                found.setdefault((at, one.label), one)
    return list(found.values())


def _pieces(view: View, segments: Sequence[Span]) -> list[Span]:
    """The stretches as items: those that lean on one another with nothing between as one, without words cut loose.

    A network that weighs each word leaves holes: of "a push of metrics" it may be unsure of "of".
    """
    whole: list[Span] = []
    for one in segments:
        if whole and _leans(view, whole[-1], one):
            last = whole.pop()
            one = Span(last.start, one.end, (last.score + one.score) / 2)
        whole.append(one)
    return [kept for span in whole if (kept := _trimmed(view, span)) is not None]


def _trimmed(view: View, span: Span) -> Span | None:
    """A stretch without what no item begins or ends with; None of one that holds nothing else."""
    words = tokens(view.text[span.start : span.end])
    first = next((n for n, word in enumerate(words) if word.lower not in _NOT_FIRST), len(words))
    last = next((n for n in range(len(words) - 1, -1, -1) if words[n].lower not in FUNCTION), -1)
    if words and last < first:
        return None
    start = span.start + words[first].start if first else span.start
    end = span.start + words[last].end if last < len(words) - 1 else span.end
    return replace(span, start=start, end=end)


def _leans(view: View, one: Span, other: Span) -> bool:
    """Whether two stretches are one: nothing parts them, and the first can't end or the other begin there."""
    if _BETWEEN.search(view.text[one.end : other.start]):
        return False
    before = tokens(view.text[one.start : one.end])[-1:]
    after = tokens(view.text[other.start : other.end])[:1]
    return any(t.lower in FUNCTION for t in before) or any(t.lower in PREPOSITIONS for t in after)


def _listed(read: Read, view: View, at: int, segments: Sequence[Span]) -> Candidate | None:
    """Several stretches of one view as a list, each quoted where it stands."""
    pieces = [(view.unit_at(s.start), view.within(s.start, s.end).strip(" ,;:–-.")) for s in segments]
    units = {n: read.scored(view, n) for n, _ in pieces if n is not None}
    said = {n: scored for n, scored in units.items() if scored is not None and not scored.asks}
    kept = [(said[n], label) for n, label in pieces if n in said and len(label) > 1]
    if len({label for _, label in kept}) < 2:
        return None
    evidence = list(dict.fromkeys(scored for scored, _ in kept))
    places = {scored.key: n for n, scored in enumerate(evidence)}
    values = {label: places[scored.key] for scored, label in kept}
    text = listed(list(values), evidence[0].plain)
    draft = Draft("list", text, tuple(Value(x, (n,)) for x, n in values.items()), tuple(evidence), 1.0)
    whole = Span(segments[0].start, segments[-1].end, sum(s.score for s in segments) / len(segments))
    return Candidate(draft, Source.LIST, place=(at, whole))


def polar(read: Read) -> list[Candidate]:
    """Yes and no on each of the units that are likeliest to say which."""
    found: list[Candidate] = []
    for one, word in itertools.product(_telling(read)[:_DECIDING], ("Yes", "No")):
        if replied(one.scored.plain) in ("", word):
            text = f"{word}: “{clip(one.scored.plain, 0, ROOM - 8)}”"
            draft = Draft("boolean", text, (Value(word),), (one.scored,), 1.0)
            place = Span(*read.views[one.at].stretch(one.scored.number), 0.0)
            found.append(Candidate(draft, Source.POLAR, place=(one.at, place)))
    return found


def _telling(read: Read) -> list[UnitRead]:
    """The units likeliest to be evidence; no question tells what is so."""
    return [one for one in read.ranked if not one.scored.asks]


def sentences(read: Read) -> list[Candidate]:
    """Whole sentences and items that are likeliest to tell it."""
    found = []
    for one in _telling(read)[:_SENTENCES]:
        label = " ".join(one.scored.plain.split())
        if one.scored.unit.kind in SPOKEN and len(label) <= LONG_ROOM:
            draft = Draft("sentence", label, (Value(label),), (one.scored,), 1.0)
            span = read.readings[one.at].score(*read.views[one.at].stretch(one.scored.number))
            found.append(Candidate(draft, Source.SENTENCE, place=(one.at, span) if span else None))
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


def everything(read: Read, given: Sequence[Candidate]) -> list[Candidate]:
    """All candidates of a question, ``given`` by queries and tables, and read: of what is so no span."""
    question = read.asking.question
    asked = shape_of_question(question.text)
    if asked["whether"] and not question.options:
        kept, own = [c for c in given if c.draft.kind == "boolean" or c.draft.exact], polar(read)
    else:
        meaning = defined(question) and not asks_several(question)
        several = [] if meaning or asks_one(question) else lists(read)
        whole = sentences(read) if asks_to_tell(question) else []
        kept, own = list(given), spans(read) + several + headings(read) + whole
    found = [c for c in (*kept, *own) if not _leaves_open(question.options, c)]
    return _without_single_rows(found) if asked["most"] else found


def _without_single_rows(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Where an extreme of a table is likely what is asked, what compares all its rows: nothing read off single ones."""
    sure = max((c.computed.confidence for c in candidates if c.computed is not None and likely_extreme(c)), default=0.0)
    if not sure:
        return list(candidates)
    rows = {id(c) for c in candidates if c.source in _READ and c.draft.evidence[0].unit.kind == UnitKind.ROW}
    less = {id(c) for c in candidates if c.computed is not None and c.computed.confidence < sure}
    return [c for c in candidates if id(c) not in rows | less]


def likely_extreme(candidate: Candidate) -> Extreme | None:
    """The extreme of a table's rows that it is, if that is likelier meant than not."""
    computed = candidate.computed
    if computed is None or computed.confidence < _LIKELY:
        return None
    return next((part for part in parts(computed.form) if isinstance(part, Extreme)), None)


def overlooks(candidate: Candidate, other: Candidate) -> bool:
    """Whether a query compared some rows of a table of which likely all are meant: its kind was too narrow."""
    extreme = likely_extreme(other)
    if extreme is None or other.computed is None or not isinstance(extreme.of, Every):
        return False
    rows = {(passage.id, number) for passage, number in other.computed.table.places}
    return 1 < candidate.draft.members < len(rows) and {s.key for s in candidate.draft.evidence} <= rows


def _leaves_open(options: Sequence[str], candidate: Candidate) -> bool:
    """Whether a list names both of what the question lets choose from, and so chooses neither."""
    labels = [normal(value.label) for value in candidate.draft.values]
    named = [option for option in map(normal, options) if any(is_within(option, label) for label in labels)]
    return len(labels) > 1 and len(named) > 1
