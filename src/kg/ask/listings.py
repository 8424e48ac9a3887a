"""Lists of documents as answers: all items of each list that was read, or how many they are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from kg.algebra.documents import Collection, DocumentTable, Place
from kg.ask.candidates import FAR, Candidate, Read, Source, bounded
from kg.ask.drafts import LONG_ROOM, Draft, Value, listed, sentence
from kg.ask.question_kinds import asks_count, asks_definition, shape_of_question
from kg.ask.retrieve import Scored
from kg.model import UnitKind
from kg.reading import Span

_LISTS = 4  # of those that stand in what was read, the first
_MOST_ITEMS = 25
_LIKELY = 0.25  # of an item's word to belong to the answer, from which the item is said to be read so

Told = dict[str, float]


def listings(read: Read, collection: Collection) -> list[Candidate]:
    """The lists that stand in what was read, each with all its items, and where it is of keys with these alone.

    Where it is asked how many there are, their number; where an amount or one thing is asked for, or what something
    is, none. What introduces a list, and what the reader thinks of its items, goes with it.
    """
    question = read.asking.question
    asked = shape_of_question(question.text)
    counted = asks_count(question)  # not "how many hours": of no list the number of items
    open_to_lists = asked["several"] or (question.opening == "what" and not asks_definition(question))
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
    evidence = _cited(read, made.places)
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
        told: dict[str, int] = {}
        for n, label in enumerate(labels):
            told.setdefault(label, n)
        values = tuple(Value(label, (n,)) for label, n in told.items() if label)
        if len(values) > 1:
            draft = Draft("list", listed([v.label for v in values], ""), values, evidence, 1.0)
            yield Candidate(draft, Source.ITEMS, place=place, signs=signs | {"items_by_key": by_key})


def _cited(read: Read, places: Sequence[Place]) -> tuple[Scored, ...]:
    """The units of all items, so that each is cited where it stands."""
    asking = read.asking
    found = (asking.retriever.scored_at(asking.found, p.id, p.units[n].start) for p, n in places)
    return tuple(scored for scored in found if scored is not None)


def _stretch(read: Read, at: int, places: Sequence[Place]) -> Span:
    """From the first to the last of a list's items in a view, with the mean of what speaks for each."""
    view, reading = read.views[at], read.readings[at]
    own = [view.stretch(n) for p, n in places if p.id == view.passage.id and n in view.numbers]
    inside = [reading.likeliest_inside(start, end) for start, end in own]
    return Span(own[0][0], own[-1][1], sum(map(bounded, inside)) / len(inside))


def _signs(read: Read, places: Sequence[Place]) -> Told:
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
    lead = number - 1 if number and first.units[number - 1].kind is UnitKind.SENTENCE else None
    led = (
        read.asking.retriever.scored_at(read.asking.found, first.id, first.units[lead].start)
        if lead is not None
        else None
    )
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
