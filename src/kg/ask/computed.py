"""Candidates of the tables and lists around what was found: what is computed from them, and whole lists."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from kg.algebra.answers import Computed, Computer
from kg.algebra.documents import Collection, DocumentTable, Place
from kg.algebra.forms import Cells, Every
from kg.algebra.links import Likeness
from kg.ask.candidates import Candidate, Read, Source
from kg.ask.drafts import LONG_ROOM, ROOM, Asking, Draft, Value, clip, listed, sentence
from kg.ask.question import Question
from kg.ask.question_kinds import asks_count, asks_one, defined, expected, shape_of_question
from kg.ask.retrieve import Scored
from kg.ask.view import View
from kg.model import UnitKind
from kg.reading import FAR, Span, bounded

ANSWERS = 3
_TABLES = 8  # around the best units or with fitting heads; of them the few with most of the question's words are read
_CITED = 6
_KINDS = {"Count": "count", "Distinct": "count", "Aggregate": "number", "Difference": "number", "Ratio": "number"}
_WHETHER = ("Holds", "Greater", "Equal")
_NEAR = 20  # units around which tables are looked for


class Tables:
    """The tables of one view's documents; safe to ask from several threads, each question by itself."""

    def __init__(self, base: View) -> None:
        titles = {id_: info.title for id_, info in base.documents.items()}
        self.collection = Collection(base.passages.values(), titles)
        self._computer = Computer(likeness=Likeness.packaged())

    def candidates(self, asking: Asking) -> list[Candidate]:
        """What is computed for a question, the likeliest first."""
        best = [(unit.passage, unit.number) for unit in asking.found.units[:_NEAR]]
        tables = self.collection.tables(asking.question.text, best, _TABLES)
        found = self._computer.answers(asking.question.text, tables, ANSWERS)
        made = (_candidate(asking, one) for one in found if one.values and not _beside(asking.question, one))
        return [one for one in made if one is not None]


def _beside(question: Question, computed: Computed) -> bool:
    """Whether it is none of what is asked: a number of rows for an amount ("how many hours"), all rows for one."""
    if _kind(computed) == "count":
        return bool(expected(question))
    every = isinstance(computed.form, Cells) and isinstance(computed.form.of, Every) and len(computed.values) > 1
    return every and bool(asks_one(question) or shape_of_question(question.text)["most"])


def _candidate(asking: Asking, computed: Computed) -> Candidate | None:
    evidence = asking.units_at(computed.places[:_CITED])
    if not evidence:
        return None
    numbers = {scored.key: n for n, scored in enumerate(evidence)}
    held = {cell.text: numbers.get((cell.place[0].id, cell.place[1]), 0) for cell in computed.evidence}
    values = tuple(Value(text, (held.get(text, 0),)) for text in computed.values)
    draft = Draft(
        _kind(computed), _told(computed, evidence), values, evidence, 1.0,
        members=len(computed.places), reading=computed.reading,
    )  # fmt: skip
    return Candidate(draft, Source.COMPUTED, computed=computed)


def _kind(computed: Computed) -> str:
    if computed.operation in _WHETHER:
        return "boolean"
    return _KINDS.get(computed.operation) or ("list" if len(computed.values) > 1 else "entity")


def _told(computed: Computed, evidence: Sequence[Scored]) -> str:
    """The values, with what was counted or the first row that they rest on."""
    label = ", ".join(computed.values)
    if _kind(computed) == "boolean":
        return f"{label}: “{clip(evidence[0].plain, 0, ROOM - 8)}”"
    return (
        sentence(label, evidence[0].plain) if len(computed.values) < 2 else listed(computed.values, evidence[0].plain)
    )


# --- Lists of documents: all items of each that was read, or how many they are

_LISTS = 4  # of those that stand in what was read, the first
_MOST_ITEMS = 25
_LIKELY = 0.25  # of an item's word to belong to the answer, from which the item is said to be read so


def listings(read: Read, collection: Collection) -> list[Candidate]:
    """The lists that stand in what was read, each with all its items, and where it is of keys with these alone.

    Where it is asked how many there are, their number; where an amount or one thing is asked for, or what something
    is, none. What introduces a list, and what the reader thinks of its items, goes with it.
    """
    question = read.asking.question
    asked = shape_of_question(question.text)
    counted = asks_count(question)  # not "how many hours": of no list the number of items
    open_to_lists = asked["several"] or (question.opening == "what" and not defined(question))
    if asked["whether"] or not (counted or open_to_lists):
        return []
    found: list[Candidate] = []
    seen: set[tuple[str, int]] = set()
    for at, view in enumerate(read.views):
        for made in collection.lists(view.passage, view.numbers):
            if made.key in seen or len(seen) == _LISTS or len(made.places) > _MOST_ITEMS:
                continue
            seen.add(made.key)
            found += _listing(read, at, made, counted)
    return found


def _listing(read: Read, at: int, made: DocumentTable, counted: bool) -> Iterator[Candidate]:
    evidence = read.asking.units_at(made.places)
    if len(evidence) < len(made.places):
        return
    signs = _signs(read, made.places)
    place = at, _stretch(read, at, made.places)
    table = made.linked.table
    keyed = len(table.columns) > 1
    keys = [table.cell(row, 0).text for row in range(table.size)]
    if counted:
        count = str(table.size)
        text = sentence(f"{count}: {', '.join(keys)}", "", LONG_ROOM)
        draft = Draft("count", text, (Value(count, tuple(range(len(evidence)))),), evidence, 1.0)
        yield Candidate(draft, Source.ITEMS, place=place, signs=signs | {"items_counted": 1.0})
        return
    whole = [": ".join(c.text for c in row if c.text) for row in table.rows] if keyed else keys
    for labels, by_key in ((keys, 1.0), (whole, 0.0)) if keyed else ((keys, 0.0),):
        values = tuple(Value(label, (labels.index(label),)) for label in dict.fromkeys(labels) if label)
        if len(values) > 1:
            draft = Draft("list", listed([v.label for v in values], ""), values, evidence, 1.0)
            yield Candidate(draft, Source.ITEMS, place=place, signs=signs | {"items_by_key": by_key})


def _stretch(read: Read, at: int, places: Sequence[Place]) -> Span:
    """From the first to the last of a list's items in a view, with the mean of what speaks for each."""
    view, reading = read.views[at], read.readings[at]
    own = [view.stretch(n) for p, n in places if p.id == view.passage.id and n in view.numbers]
    inside = [reading.likeliest_inside(start, end) for start, end in own]
    return Span(own[0][0], own[-1][1], sum(map(bounded, inside)) / len(inside))


def _signs(read: Read, places: Sequence[Place]) -> dict[str, float]:
    """How many items there are and were read, how many of these the reader takes for the answer, and the lead-in."""
    wanted = {(p.id, n) for p, n in places}
    inside: list[float] = []
    begun = -FAR
    for view, reading in zip(read.views, read.readings, strict=True):
        for number in view.numbers:
            if (view.passage.id, number) in wanted:
                stretch = view.stretch(number)
                inside.append(reading.likeliest_inside(*stretch))
                begun = max(begun, bounded(reading.best_start(*stretch) - reading.none / 2))
    chances = [1 / (1 + math.exp(-bounded(logit))) for logit in inside]
    first, number = places[0]
    leads = number and first.units[number - 1].kind is UnitKind.SENTENCE
    led = next(iter(read.asking.units_at([(first, number - 1)] if leads else ())), None)
    return {
        "items_many": math.log(len(places)),
        "items_read": len(inside) / len(places),
        "items_inside": sum(chances) / max(1, len(chances)),
        "items_told": sum(c >= _LIKELY for c in chances) / max(1, len(chances)),
        "items_begun": begun,
        "items_introduced": float(bool(first.units[number].context)),
        "items_led": float(led is not None),
        "items_led_cosine": led.cosine if led is not None else 0.0,
        "items_led_strict": led.strict if led is not None else 0.0,
        "items_led_score": led.score if led is not None else 0.0,
    }
