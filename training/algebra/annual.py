"""Questions on the tables of annual reports (TAT-QA, Zhu et al. 2021, arXiv 2105.07624; data CC BY 4.0).

Each is asked of its context's tables as documents give them, and of those turned, a row a period: what changed, by how
much in per cent, on average, in which year. Only contexts of the *even* half are read (``benchmarks/tatqa.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from benchmarks.evaluation.tatqa import document, load
from kg.algebra import cells
from kg.algebra.documents import Collection
from kg.algebra.evaluate import Result
from kg.algebra.links import Linked
from kg.passages import split
from kg.readers import read
from training.algebra.data import Example, right, same

FILE = "tatqa_dataset_dev.json"
_NEAR = Decimal("0.006")  # answers are given to two decimals


def asked(file: Path) -> list[tuple[Example, Linked]]:
    """The questions of the even half whose answer is from a table, each with every table of its context."""
    return [one for entry in load(file, "even") for one in _context(entry)]


def _context(entry: dict[str, Any]) -> list[tuple[Example, Linked]]:
    name = str(entry["table"]["uid"])
    passages = split(read(document(entry).encode(), f"{name}.md"), name)
    places = [(p, n) for p in passages for n in range(len(p.units))]
    tables = [t for t in Collection(passages).around(places) if not t.listed]
    tables += [t.turned for t in tables if t.turned is not None]
    found = []
    for question in entry["questions"]:
        if "table" not in str(question["answer_from"]):
            continue
        told = question["answer"]
        answers = tuple(map(str, told)) if isinstance(told, list) else (str(told),)
        for n, table in enumerate(tables):
            found.append((Example(f"{question['uid']}-{n}", str(question["question"]), name, answers), table.linked))
    return found


def answers(result: Result, given: Sequence[str]) -> bool:
    """Whether a result is the answer: numbers to two decimals, all else as :func:`training.algebra.data.right`."""
    if result.number is not None and len(given) == 1:
        try:
            return abs(result.number - Decimal(given[0].strip("$£€% ").replace(",", ""))) < _NEAR
        except InvalidOperation:
            return False
    if result.texts:
        return len(result.texts) == len(given) and all(any(_same(t, g) for t in result.texts) for g in given)
    return right(result, given)


def _same(one: str, two: str) -> bool:
    """Whether two cells say the same, marks of money and brackets of what is negative aside."""
    left, right_ = cells.read(one), cells.read(two)
    numbers = left.number is not None and right_.number is not None and left.whole and right_.whole
    return same(one, two) or (numbers and abs(left.number) == abs(right_.number))  # type: ignore[arg-type]
