"""Collected candidates → what the verifier learns from: pairs of texts, each with how right it is.

A pair is a question with one answer, and what is quoted for it (:func:`kg.ask.verification.pair`). Those of one
question stay together, so that the right ones are told from the wrong ones of the same question too.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kg.ask.verification import ROOM, asserted

Line = Mapping[str, Any]  # of what training.judge.collect writes
Pair = tuple[str, str]
Group = list[tuple[Pair, float]]
_RIGHT, _WRONG = 4, 2  # pairs of a question: at most so many that are right, at least so many that aren't
_MARKUP = re.compile(r"\]\([^)]*\)|\[[^\]]*\]:|<[^>]*>|[*`#|]+")


def target(line: Line, candidate: Mapping[str, Any]) -> float | None:
    """How right a candidate is. None where one can't tell: a yes or no that is right by what it doesn't quote."""
    if line["type"] == "unanswerable":
        return 0.0
    right = 0.5 * candidate["right"] + 0.5 * candidate["exact"]
    if right and line["type"] == "boolean" and not candidate["quoted"]:
        return None
    return float(right)


def whether(line: Line) -> Group:
    """Yes and no on the evidence alone, for a question whether something is so."""
    if line["type"] != "boolean" or not line["evidence"]:
        return []
    said = _MARKUP.sub(" ", "\n".join(line["evidence"]))[:ROOM]
    right = line["answers"][0][0].casefold()
    return [((asserted(line["question"], word), said), float(word.casefold() == right)) for word in ("Yes", "No")]


def group(line: Line, most: int, chance: random.Random) -> Group:
    """About ``most`` pairs of a question, those that are right among them."""
    told: dict[Pair, float] = {}
    for candidate in line["candidates"]:
        right = target(line, candidate) if candidate["pair"] else None
        if right is not None:
            pair = (candidate["pair"][0], candidate["pair"][1])
            told[pair] = max(right, told.get(pair, 0.0))
    right_ones = [one for one in told.items() if one[1]]
    wrong_ones = [one for one in told.items() if not one[1]]
    chance.shuffle(right_ones)
    chance.shuffle(wrong_ones)
    kept = right_ones[:_RIGHT]
    return kept + wrong_ones[: max(_WRONG, most - len(kept))] + whether(line)


def groups(lines: Iterable[Line], most: int, chance: random.Random) -> list[Group]:
    """The pairs of every question that has some, in an order drawn by chance."""
    found = [made for line in lines if (made := group(line, most, chance))]
    chance.shuffle(found)
    return found


def load(files: Sequence[Path]) -> list[Line]:
    """The lines of collected files."""
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
