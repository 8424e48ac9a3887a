"""Collected candidates → what the verifier learns from: pairs of texts, each with how right it is.

A pair is a question with one answer, and what is quoted for it (:func:`kg.ask.verification.pair`). Those of one
question stay together, so that the right ones are told from the wrong ones of the same question too.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.evaluation.questions import load_questions
from kg.ask.verification import ROOM, asserted
from kg.reading import Judge
from training.judge.worth import worth

Line = Mapping[str, Any]  # of what training.judge.collect writes
Pair = tuple[str, str]
Group = list[tuple[Pair, float]]
_RIGHT, _WRONG = 4, 2  # pairs of a question: at most so many that are right, at least so many that aren't
_SURE, _AMISS = 0.5, 0.6  # of pairs that are right so surely, so many are also shown amiss
_MARKUP = re.compile(r"\]\([^)]*\)|\[[^\]]*\]:|<[^>]*>|[*`#|]+")


def whether(line: Line) -> Group:
    """Yes and no on the evidence alone, for a question whether something is so."""
    if line["type"] != "boolean" or not line["evidence"]:
        return []
    said = _MARKUP.sub(" ", "\n".join(line["evidence"]))[:ROOM]
    right = line["answers"][0][0].casefold()
    return [((asserted(line["question"], word), said), float(word.casefold() == right)) for word in ("Yes", "No")]


def alone(sets: Iterable[Path], known: Container[tuple[str, str]]) -> list[Line]:
    """Questions of sets whether something is so, to be put to their evidence; not ``known`` ones, by set and id."""
    asked = ((folder.name, one) for folder in sets for one in load_questions(folder / "questions.jsonl"))
    return [
        {"set": name, "candidates": []} | {key: one[key] for key in ("id", "type", "question", "answers", "evidence")}
        for name, one in asked
        if one["type"] == "boolean" and (name, one["id"]) not in known
    ]


_NAME = re.compile(r"(?<=[\w,’'\"“] )[A-Z][\w’-]*(?: (?:(?:of|de|van|von|the) )?[A-Z\d][\w’-]*)*")
_FIGURE = re.compile(r"\b\d[\d,.]*\b")
_ASKED_AMISS = 0.5  # else the quotation is
Names = Mapping[str, Sequence[str]]  # by the set that questions ask them in


def named(lines: Iterable[Line]) -> dict[str, list[str]]:
    """The names and figures in the questions of each set, each once."""
    found: dict[str, dict[str, None]] = {}
    for line in lines:
        found.setdefault(line["set"], {}).update(dict.fromkeys(_named(line["question"])))
    return {name: list(told) for name, told in found.items()}


def _named(question: str) -> list[str]:
    return [*_NAME.findall(question), *_FIGURE.findall(question)]


def amiss(line: Line, pair: Pair, names: Names, chance: random.Random) -> Pair | None:
    """A right pair made wrong: a name or figure that question and quotation share is another in one of them.

    What is asked of the wrong thing or year is what documents that say much that is close answer wrongly most.
    """
    asked, said = pair
    question, told = line["question"], said.casefold()
    shared = [name for name in _named(question) if name.casefold() in told]
    if not shared or (line["type"] == "boolean" and line["answers"][0][0].casefold() != "yes"):
        return None
    old = chance.choice(shared)
    held = question.casefold()
    others = [
        name
        for name in names.get(line["set"], ())
        if name[0].isdigit() == old[0].isdigit() and name.casefold() not in told and name.casefold() not in held
    ]
    if not others:
        return None
    new = chance.choice(others)
    if chance.random() < _ASKED_AMISS:
        return asked.replace(old, new), said
    return asked, re.sub(re.escape(old), lambda _: new, said, flags=re.IGNORECASE)


def group(
    line: Line, most: int, chance: random.Random, judge: Judge | None = None, names: Names | None = None
) -> Group:
    """About ``most`` pairs of a question, those that are right among them; with ``names`` one more that is amiss.

    With a judge half of the wrong ones are those that it takes for likely, which are those that a verifier is to see,
    and half are drawn from the rest, without which it forgets how unlike an easy one is; without a judge all are drawn.
    """
    told: dict[Pair, float] = {}
    likely: dict[Pair, float] = {}
    for candidate in line["candidates"]:
        if candidate["pair"]:
            pair = (candidate["pair"][0], candidate["pair"][1])
            told[pair] = max(worth(line, candidate), told.get(pair, 0.0))
            likely[pair] = max(_first(judge, candidate), likely.get(pair, 0.0))
    drawn = list(told.items())
    chance.shuffle(drawn)
    drawn.sort(key=lambda one: -likely[one[0]])  # in the order drawn where nothing says which is likelier
    kept = sorted((one for one in drawn if one[1]), key=lambda one: -one[1])[:_RIGHT]
    wrong = [one for one in drawn if not one[1]]
    room = max(_WRONG, most - len(kept))
    if judge is not None and len(wrong) > room:
        likeliest = room - room // 2
        wrong = wrong[:likeliest] + chance.sample(wrong[likeliest:], room // 2)
    if names is not None and kept and kept[0][1] >= _SURE and chance.random() < _AMISS:
        other = amiss(line, kept[0][0], names, chance)
        wrong = [*([(other, 0.0)] if other is not None else []), *wrong[: room - 1]]
    return kept + wrong[:room] + whether(line)


def _first(judge: Judge | None, candidate: Mapping[str, Any]) -> float:
    """How likely a candidate is before it is verified."""
    if judge is None or "features" not in candidate:
        return 0.0
    return judge.chance({name: value for name, value in candidate["features"].items() if name != "verified"})


def groups(
    lines: Sequence[Line], most: int, chance: random.Random, judge: Judge | None = None, swap: bool = False
) -> list[Group]:
    """The pairs of every question that has some, in an order drawn by chance; ``swap``: some are made wrong."""
    names = named(lines) if swap else None
    found = [made for line in lines if (made := group(line, most, chance, judge, names))]
    chance.shuffle(found)
    return found


def load(files: Sequence[Path]) -> list[Line]:
    """The lines of collected files."""
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
