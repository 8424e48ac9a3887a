"""Questions on the tables of annual reports (TAT-QA, Zhu et al. 2021, arXiv 2105.07624; data CC BY 4.0).

Each is asked of its context's tables as documents give them, and of those turned, a row a period: what changed, by how
much in per cent, on average, in which year. Only contexts of the *even* half are read (``benchmarks/tatqa.md``).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from benchmarks.evaluation.tatqa import document, load
from kg.algebra import source as cells
from kg.algebra.documents import Collection, DocumentTable
from kg.algebra.evaluate import Result
from kg.algebra.links import Linked
from kg.readers import read
from kg.text.passages import split
from training.algebra.data import Example, right, same

FILE = "tatqa_dataset_dev.json"
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NEAR = Decimal("0.006")  # answers are given to two decimals


def asked(file: Path) -> list[tuple[Example, Linked]]:
    """The questions of the even half whose answer is from a table, each with every table of its context."""
    return [one for entry in load(file, "even") for one in _context(entry)]


def phrased(file: Path, seed: int = 7) -> list[tuple[Example, Linked]]:
    """Questions on the same tables in other words (``phrases.json``), with answers computed from their cells."""
    phrases = json.loads(Path(__file__).with_name("phrases.json").read_text(encoding="utf-8"))
    chance = random.Random(seed)
    return [one for entry in load(file, "even") for one in _phrased(entry, phrases, chance)]


def _phrased(
    entry: dict[str, Any], phrases: dict[str, list[str]], chance: random.Random
) -> list[tuple[Example, Linked]]:
    name, tables = _tables(entry)
    found: list[tuple[Example, Linked]] = []
    for table in tables:
        if table.turned is None or (figures := _figures(table.turned)) is None:
            continue
        for kind in chance.sample(sorted(phrases), 4):
            text, answer = _made(kind, chance.choice(phrases[kind]), figures, chance)
            if answer:
                for n, own in enumerate((table, table.turned)):
                    found.append((Example(f"{name}-{kind}-{n}", text, name, (answer,)), own.linked))
    return found


Figures = dict[str, dict[str, Decimal]]
"""By what a row is called and the period."""


def _figures(turned: DocumentTable) -> Figures | None:
    own = turned.linked.table
    times = [own.cell(row, 0).text for row in range(own.size)]
    found: Figures = {}
    for column, about in enumerate(own.columns[1:], start=1):
        values = {t: own.cell(row, column).number for row, t in enumerate(times)}
        if len(about.words) < 9 and not about.head.endswith(":") and None not in values.values():
            found.setdefault(about.head, {t: v for t, v in values.items() if v is not None})
    return found if len(found) > 1 and len(set(times)) == len(times) > 1 else None


def _made(kind: str, phrase: str, figures: Figures, chance: random.Random) -> tuple[str, str]:
    """A question and its answer; no answer where there is none, or two."""
    a, b = chance.sample(sorted(figures), 2)
    one, other = figures[a], figures[b]
    days = {t: day.last for t in one if (day := cells.read(t).day) is not None}
    if len(days) < len(one):
        return "", ""
    earlier, later = sorted(chance.sample(sorted(one), 2), key=days.__getitem__)
    said = {t: (year[0] if (year := _YEAR.search(t)) and chance.random() < 0.7 else t) for t in one}
    if len(set(said.values())) < len(said):
        said = {t: t for t in one}
    text = phrase.format(a=_called(a, chance), b=_called(b, chance), s=said[earlier], t=said[later])
    now, before = one[later], one[earlier]
    values = list(one.values())
    extreme = {"greatest": max, "least": min}
    if kind in extreme:
        at = [t for t, v in one.items() if v == extreme[kind](values)]
        return text, at[0] if len(at) == 1 else ""
    if (kind == "percent" and not before) or (kind == "share" and not other[later]):
        return text, ""
    computed = {
        "cell": now, "change": now - before, "percent": (now - before) / (before or 1) * 100,
        "mean": sum(values, Decimal(0)) / len(values), "mean of two": (now + before) / 2, "total": now + before,
        "share": now / (other[later] or 1) * 100, "apart": abs(now - other[later]), "sum": now + other[later],
    }  # fmt: skip
    return text, str(round(computed[kind], 2))


def _called(label: str, chance: random.Random) -> str:
    """A row's label as a question may have it: without the remark behind it, in small letters but for abbreviations."""
    plain = re.sub(r"\s*\([^()]*\)$", "", label)
    return " ".join(w if w.isupper() else w.lower() for w in plain.split()) if chance.random() < 0.6 else plain


def _tables(entry: dict[str, Any]) -> tuple[str, list[DocumentTable]]:
    name = str(entry["table"]["uid"])
    passages = split(read(document(entry).encode(), f"{name}.md"), name)
    places = [(p, n) for p in passages for n in range(len(p.units))]
    return name, [t for t in Collection(passages).around(places) if not t.listed]


def _context(entry: dict[str, Any]) -> list[tuple[Example, Linked]]:
    name, tables = _tables(entry)
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
