"""What sparsely marked sentences state beside their marked facts, as found by models that never saw them.

Where one fact of several is marked, the others teach a model silence. The sentences are cut in halves, a model is
trained on each half, and each reads the other's half; what it finds there becomes a guess with a chance, which
training then takes for a soft target (cross-fitting keeps a model from being asked what it was told).
"""

from __future__ import annotations

import math
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kg.relations.encoding import Example, Guess, Relation, Span
from kg.relations.examples import Tell, fit, silent
from kg.relations.scoring import Choice, Known, Model, decode

# Marked facts are a sample: of what a model holds for as likely as not to be marked, most is true. Log-odds are raised
# by this to be a chance of truth, and what is below the floor is no guess.
_RAISED, _FLOOR = 1.0, -3.0


def half_of(example: Example) -> int:
    """0 or 1, always the same for a text."""
    return zlib.crc32(example.text.encode()) & 1


def completed(
    examples: Sequence[Example],
    relations: Sequence[Relation],
    epochs: int,
    seed: int = 7,
    start: Path | None = None,
    tell: Tell = silent,
) -> list[Example]:
    """The examples in their order, those whose marking isn't exhaustive with guesses. Raises ModelUnavailable."""
    done: dict[int, Example] = {}
    for half in (0, 1):
        others = [example for example in examples if half_of(example) != half]
        asked = [at for at, e in enumerate(examples) if half_of(e) == half and not e.exhaustive]
        if not others or not asked:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            teacher = fit(others, relations, Path(scratch), epochs, seed, start, tell)
            done |= zip(asked, guessed([examples[at] for at in asked], relations, teacher), strict=True)
    found = [done.get(at, example) for at, example in enumerate(examples)]
    tell(f"{sum(len(e.guesses) for e in found):,} guesses in {len(done):,} sentences")
    return found


def guessed(examples: Sequence[Example], relations: Sequence[Relation], teacher: Model) -> list[Example]:
    """The examples with what a model finds in them beside the marked facts."""
    named = {relation.key: relation for relation in relations}
    known: dict[tuple[str, ...], Known] = {}
    choice = Choice(threshold=_FLOOR, margin=6.0)
    made = []
    for example in examples:
        if example.asked not in known:
            known[example.asked] = teacher.know([named[key] for key in example.asked])
        ready = known[example.asked]
        scores = teacher.scores(example.text, ready)
        found = decode(scores, ready.relations, choice) if scores is not None else []
        guesses = tuple(
            Guess(one.relation, one.subject, one.object, 1 / (1 + math.exp(-one.score - _RAISED)))
            for one in found
            if not _marked(example, one.relation, one.subject, one.object)
        )
        made.append(replace(example, guesses=guesses))
    return made


def _marked(example: Example, relation: str, subject: Span, object_: Span) -> bool:
    """Whether a fact is marked, or one of the same relation and subject whose object it overlaps."""
    return any(
        fact.relation == relation
        and any(place[0] < object_[1] and object_[0] < place[1] for place in fact.objects)
        and (not fact.subjects or any(place[0] < subject[1] and subject[0] < place[1] for place in fact.subjects))
        for fact in example.facts
    )
