"""WikiTableQuestions in the layout of the folder's README: tables, questions, and whether an answer is right."""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path

from kg.algebra.evaluate import Result
from kg.algebra.forms import figure
from kg.algebra.links import Linked
from kg.algebra.source import table
from kg.text import dates


@dataclass(frozen=True, slots=True)
class Example:
    """A question on a table, with its answers. ``about``: stems of the words that stand above the table."""

    id: str
    question: str
    table: str
    answers: tuple[str, ...]
    about: frozenset[str] = frozenset()


def examples(folder: Path, name: str) -> list[Example]:
    """The questions of ``train`` or ``validation``."""
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    held = (json.loads(line) for line in lines if line.strip())
    return [Example(r["id"], r["question"], r["table"], tuple(r["answers"])) for r in held]


def linked(folder: Path, name: str) -> Linked:
    """A table, ready for questions."""
    with (folder / "tables" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    return Linked(table(head, rows))


# --- the official rule: equal sets, each value by number or date, else as text -----------------------

_DASHES = re.compile(r"[‐‑‒–—−]")
_QUOTES = str.maketrans({"‘": "'", "’": "'", "´": "'", "`": "'", "“": '"', "”": '"', "«": '"', "»": '"'})
_NOTES = re.compile(r"((?<!^)\[[^\]]*\]|\[\d+\]|[•♦†‡*#+])*$")
_BRACKET = re.compile(r"(?<!^)( \([^)]*\))*$")
_QUOTED = re.compile(r'^"([^"]*)"$')


@lru_cache(maxsize=1 << 16)
def normalised(text: str) -> str:
    """As the official evaluator normalises texts (Pasupat and Liang 2015, ``evaluator.py``)."""
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    text = _DASHES.sub("-", text.translate(_QUOTES))
    while True:
        before = text
        text = _NOTES.sub("", text.strip())
        text = _BRACKET.sub("", text.strip())
        text = _QUOTED.sub(r"\1", text.strip())
        if text == before:
            break
    return re.sub(r"\s+", " ", text.removesuffix(".")).casefold().strip()


@lru_cache(maxsize=1 << 16)
def _value(text: str) -> Decimal | str | None:
    """A number, or an ISO date, that the whole text is; None for other text."""
    plain = normalised(text)
    try:
        number = Decimal(plain.replace(",", ""))
        return number if number.is_finite() else None
    except InvalidOperation:
        found = dates.parse(text.strip())
        return found.value if found is not None and not found.end else None


def same(one: str, two: str) -> bool:
    """Whether two values match: equal texts, numbers within a millionth, or equal dates."""
    if normalised(one) == normalised(two):
        return True
    left, right = _value(one), _value(two)
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        return abs(left - right) < Decimal("1e-6")
    return left is not None and left == right


def values(result: Result) -> tuple[str, ...]:
    """A result as the evaluator is given it."""
    if result.truth is not None:
        return ("yes" if result.truth else "no",)
    if result.number is not None:
        return (figure(result.number),)
    return result.texts


def right(result: Result, answers: Sequence[str]) -> bool:
    """Whether a result is the answer: as many different values, each matched."""
    given = values(result)
    if len({normalised(g) for g in given}) != len({normalised(a) for a in answers}):
        return False
    return all(any(same(g, a) for g in given) for a in answers)
