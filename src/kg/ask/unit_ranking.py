"""Which of the units that were read say what is asked: ranked by what retrieval and the reader make of each.

Weights over the features below are learned from questions whose evidence is known (``training/judge/units.py``), so
that of all units read together those that are evidence get the greatest share of a softmax.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.ask.drafts import Asking
from kg.ask.question_kinds import shape_of_question
from kg.ask.retrieve import Scored
from kg.model import UnitKind
from kg.reading import Judge, Reading, View, bounded

Told = Sequence[tuple[int, Scored]]  # units, each with the number of its view

_POLAR = ("yes", "no", "unsaid")
# What counts otherwise where it is asked whether something is so.
_CROSSED = (*_POLAR, "score", "strict", "own", "cosine", "rank", "view", "start", "start_behind", "inside", "answers")
# Rows of one table differ in what they name, not in what is said of it.
_OF_ROWS = ("share", "strict", "own", "names", "cosine", "start", "inside")
_UNRANKED = 100  # the place of a unit that was read beside one that was found


@dataclass(frozen=True, slots=True)
class UnitRead:
    """A unit that was read. ``at``: the number of its view; ``share``: the logarithm of its share among all units."""

    at: int
    scored: Scored
    share: float


def ranked(
    asking: Asking, told: Told, views: Sequence[View], readings: Sequence[Reading], ranker: Judge
) -> tuple[UnitRead, ...]:
    """The units told by views, the likeliest evidence first, equals in the order read."""
    odds = [ranker.odds(row) for row in unit_features(asking, told, views, readings)]
    most = max(odds, default=0.0)
    total = most + math.log(sum(math.exp(x - most) for x in odds)) if odds else 0.0
    made = [UnitRead(at, scored, bounded(x - total)) for (at, scored), x in zip(told, odds, strict=True)]
    return tuple(sorted(made, key=lambda one: -one.share))


def unit_features(
    asking: Asking, told: Told, views: Sequence[View], readings: Sequence[Reading]
) -> Iterator[dict[str, float]]:
    """Of each unit what speaks for its being evidence, by name."""
    whether = bool(shape_of_question(asking.question.text)["whether"])
    places = {scored.key: place for place, scored in enumerate(asking.found.units)}
    best = max((scored.score for _, scored in told), default=0.0)
    for at, scored in told:
        found = _found(scored, best, places.get(scored.key, _UNRANKED)) | _read(scored, views[at], readings[at])
        found["view"] = math.log1p(at)
        found |= {f"whether*{name}": found[name] for name in _CROSSED} if whether else {}
        found |= {f"row*{name}": found[name] for name in _OF_ROWS} if scored.unit.kind == UnitKind.ROW else {}
        yield found


def _found(scored: Scored, best: float, place: int) -> dict[str, float]:
    return {
        "score": scored.score, "behind": best - scored.score, "share": scored.share, "strict": scored.strict,
        "own": scored.own, "names": scored.names, "focus": scored.focus, "cosine": scored.cosine, "near": scored.near,
        "rank": math.log1p(place), "first": float(place == 0), "asks": float(scored.asks),
        "length": math.log1p(len(scored.plain)), f"kind_{scored.unit.kind}": 1.0,
    }  # fmt: skip


def _read(scored: Scored, view: View, reading: Reading) -> dict[str, float]:
    stretch = view.stretch(scored.number)
    start = bounded(reading.best_start(*stretch))
    most = max(bounded(reading.best_start(*view.stretch(number))) for number in view.numbers)
    polar = dict(zip(_POLAR, map(bounded, reading.polar), strict=True))
    return polar | {
        "start": start, "start_none": bounded(start - reading.none), "start_behind": most - start,
        "inside": bounded(reading.likeliest_inside(*stretch)), "answers": bounded(reading.answers),
        "none": bounded(reading.none), "units": math.log(len(view.numbers)),
    }  # fmt: skip
