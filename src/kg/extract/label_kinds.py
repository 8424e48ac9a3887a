"""What a label is – a thing, a topic, a property, a value – judged from its form and its place by small trained models.

Four kinds of label are judged, each by a logistic regression of its own over the features below: *headings* (the name
of a thing, or a topic), *keys* of ``key: value`` (a property, a thing that the value tells of, or neither: a note, an
instruction, who speaks), *items* under an introducing label (a fact of what the list stands under, or none) and *rows*
(named by their label, or not: a number, a total, a day). ``training/labels`` makes the weights.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from kg.extract.source import Placed, Source
from kg.extract.values import items
from kg.extract.words import SMALL, WORD, Words
from kg.model import Block, MarkKind, Status
from kg.text import dates, hedges
from kg.text.scales import leading_quantity, whole_date
from kg.text.stretch import Stretch

Features = dict[str, float]

_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)\b", re.IGNORECASE)
_ROMAN = re.compile(r"[IVXLC]+\b")
_MARKS = "?!.:,;()/_\"%&@=<>$#+*–—'’`"
_LENGTHS = (1, 2, 3, 5, 8, 14, 30)
_COUNTS = (1, 2, 3, 6, 12)


def bucket(count: int, steps: Sequence[int] = _LENGTHS) -> str:
    """A count as one of a few steps."""
    return str(next((step for step in steps if count <= step), "more"))


def form(text: str, words: Words, prefix: str = "", worded: bool = True) -> Iterator[str]:
    """Features of a text's form: length, capitals, digits, marks; if ``worded``, first and last words and their use."""
    yield from (prefix + feature for feature in _letters(text))
    if worded:
        yield from (prefix + feature for feature in _wording(text, words))


def _letters(text: str) -> Iterator[str]:
    tokens = WORD.findall(text)
    yield f"length {bucket(len(tokens))}"
    first = text.lstrip()[:1]
    cases = (("upper", first.isupper()), ("lower", first.islower()), ("digit", first.isdigit()))
    yield f"begins {next((name for name, holds in cases if holds), 'mark')}"
    rest = [t for t in tokens[1:] if t.lower() not in SMALL]
    if rest:
        yield f"capitals {round(2 * sum(not t[0].islower() for t in rest) / len(rest))}"
    if len(text) > 1 and text.isupper():
        yield "all capitals"
    digits = sum(c.isdigit() for c in text)
    if digits:
        yield f"digits {'all' if digits == sum(c.isalnum() for c in text) else 'some'}"
    yield from (f"mark {mark}" for mark in _MARKS if mark in text)
    if _ORDINAL.match(text) or _ROMAN.fullmatch(text):
        yield "ordinal"
    if dates.parse(text) is not None:
        yield "date"


def _wording(text: str, words: Words) -> Iterator[str]:
    lower = [t.lower() for t in WORD.findall(text)]
    if lower:
        yield f"ending {lower[-1][-3:]}"
        yield f"opening {lower[0]}"
        yield f"closing {lower[-1]}"
        yield from (
            name for name, holds in (("gerund", lower[0].endswith("ing")), ("begins small", lower[0] in SMALL)) if holds
        )
    small = sum(w in SMALL for w in lower)
    if small:
        yield f"small words {bucket(small, (1, 2, 4))}"
    judged = (("verb", words.has_verb), ("proper", words.has_proper), ("sure", words.sure), ("name", words.is_name))
    yield from (name for name, holds in judged if holds(text))


def counted(name: str, count: int) -> str:
    """A feature of how many there are."""
    return f"{name} {bucket(count, _COUNTS)}"


Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A multinomial logistic regression over features that are there or not, and over a vector where it learned one.

    ``dense``: the weights of the vector's places for each kind, shape (kinds, D).
    """

    kinds: tuple[str, ...]
    constants: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]
    dense: Vector | None = None

    def likely(self, features: Iterator[str] | Sequence[str], vector: Vector | None = None) -> dict[str, float]:
        """The probability of each kind. ``vector``: shape (D,)."""
        sums = list(self.constants)
        if self.dense is not None and vector is not None:
            sums = [one + float(more) for one, more in zip(sums, self.dense @ vector, strict=True)]
        for feature in sorted(set(features)):
            for place, weight in enumerate(self.weights.get(feature, ())):
                sums[place] += weight
        top = max(sums)
        powers = [math.exp(s - top) for s in sums]
        return {kind: power / sum(powers) for kind, power in zip(self.kinds, powers, strict=True)}


@cache
def models() -> Mapping[str, Model]:
    """The trained models by what they judge: ``heading``, ``key``, ``item``, ``row``."""
    held = json.loads(resources.files("kg.extract").joinpath("label_kinds.json").read_text("utf-8"))
    return {name: _model(one) for name, one in held.items()}


def _model(held: Mapping[str, Any]) -> Model:
    packed = np.frombuffer(base64.b64decode(held.get("dense", "")), "<f4").reshape(len(held["kinds"]), -1)
    weights = {feature: tuple(weights) for feature, weights in held["weights"].items()}
    return Model(tuple(held["kinds"]), tuple(held["constants"]), weights, packed if packed.size else None)


# --- What headings, keys, items and row labels are judged by: features of their form and of where they stand

NEITHER = "neither"


def likely(name: str, features: Iterator[str]) -> dict[str, float]:
    """The probability of each kind of what has some features."""
    return models()[name].likely(tuple(features))


def _value(source: Source, value: Stretch) -> Iterator[str]:
    """Features of the text that a label introduces."""
    yield f"value length {bucket(len(WORD.findall(value.text)))}"
    yield f"value is {_kind(value)}"
    if value.text.endswith((".", "!", "?")):
        yield f"value ends {value.text[-1]}"
    kinds = (MarkKind.LINK, MarkKind.STRONG, MarkKind.CODE, MarkKind.EMPHASIS)
    yield from (f"value holds {kind}" for kind in kinds if any(True for _ in value.marked(kind)))
    yield from (
        f"value {name}"
        for name, holds in (
            ("verb", source.words.has_verb(value.text)),
            ("name", source.words.is_name(value.text)),
            ("quoted", value.text[:1] in "\"“'‘"),
            ("lower", value.text[:1].islower()),
            ("sentences", ". " in value.text),
            ("list of names", bool(items(source, value))),
        )
        if holds
    )


def _kind(value: Stretch) -> str:
    if leading_quantity(value.text) is not None:
        return "quantity"
    if whole_date(value) is not None:
        return "date"
    undisclosed = len(WORD.findall(value.text)) <= _SHORT and hedges.hedge(value.text).status is Status.UNDISCLOSED
    return "undisclosed" if undisclosed else "words"


_SHORT = 8


def heading_features(source: Source, heading: Block, above: Sequence[Block], rank: str) -> Iterator[str]:
    """Features of a heading below others. ``rank``: what its words alone say (:class:`kg.extract.titles.Rank`)."""
    assert heading.inline is not None
    text = heading.inline.text.strip()
    yield from form(text, source.words)
    yield f"rank {rank}"
    yield f"depth {min(len(above), 3)}"
    beside = [b for b, over in source.headings if b.level == heading.level and tuple(over) == tuple(above)]
    yield counted("siblings", len(beside))
    texts = (b.inline.text.strip().casefold() for b, _ in source.headings if b.inline is not None)
    alike = source.once("headings by their text", None, lambda: Counter(texts))
    yield counted("as often", alike[text.casefold()])
    yield from (f"sibling {part}" for part in sorted({_begins(b) for b in beside if b is not heading}))
    if any(heading in over for _, over in source.headings):
        yield "has headings below"


def _begins(heading: Block) -> str:
    text = heading.inline.text.strip() if heading.inline is not None else ""
    words = WORD.findall(text)
    return f"{'upper' if text[:1].isupper() else 'other'} {bucket(len(words), (1, 3, 6))}"


def key_features(
    source: Source, key: Stretch, value: Stretch, siblings: Sequence[str], listed: bool, nested: bool
) -> Iterator[str]:
    """Features of a key and its value. ``siblings``: the keys (or nothing) of the bullets of its list."""
    yield from form(key.text, source.words)
    yield from _value(source, value)
    yield f"listed {listed}" + (" nested" if nested else "")
    yield counted("siblings", len(siblings))
    if siblings:
        yield f"keyed siblings {round(4 * sum(map(bool, siblings)) / len(siblings))}"
        yield f"short siblings {round(4 * sum(0 < len(WORD.findall(s)) <= 3 for s in siblings) / len(siblings))}"
    if any(bold.start <= key.start and key.end <= bold.end for bold, _ in key.marked(MarkKind.STRONG)):
        yield "bold"
    if any(True for _ in key.marked(MarkKind.CODE)):
        yield "code"


def item_features(
    source: Source, label: Stretch, item: Stretch, siblings: Sequence[Stretch], where: str
) -> Iterator[str]:
    """Features of an item and the label over it. ``where``: whether that is a ``heading``, ``label`` or ``bullet``."""
    yield f"under {where}"
    yield from form(label.text, source.words)
    yield from form(item.text, source.words, "item ")
    yield from _value(source, item)
    yield counted("siblings", len(siblings))
    if siblings:
        yield from source.once("shares of items", siblings, lambda: tuple(_shares_of_items(source, siblings)))


def _shares_of_items(source: Source, siblings: Sequence[Stretch]) -> Iterator[str]:
    yield f"short siblings {round(4 * sum(len(WORD.findall(s.text)) <= 4 for s in siblings) / len(siblings))}"
    yield f"verb siblings {round(4 * sum(source.words.has_verb(s.text) for s in siblings) / len(siblings))}"
    yield f"name siblings {round(4 * sum(source.words.is_name(s.text) for s in siblings) / len(siblings))}"


def _shares_of_cells(source: Source, cells: Sequence[Stretch]) -> Iterator[str]:
    share = [
        ("digits", sum(any(c.isdigit() for c in s.text) for s in cells)),
        ("capitals", sum(s.text[:1].isupper() for s in cells)),
        ("names", sum(source.words.is_name(s.text) for s in cells)),
        ("short", sum(len(WORD.findall(s.text)) <= 3 for s in cells)),
        ("single", sum(len(WORD.findall(s.text)) <= 1 for s in cells)),
    ]
    yield from (f"column {name} {round(4 * n / max(1, len(cells)))}" for name, n in share)


def row_features(source: Source, head: str, cells: Sequence[Stretch], cell: Stretch, width: int) -> Iterator[str]:
    """Features of a row's label: itself, its column's header and its column's labels, one sequence for all rows."""
    yield from form(cell.text, source.words)
    yield from form(head, source.words, "head ")
    yield counted("rows", len(cells))
    yield counted("columns", width)
    yield from source.once("shares of cells", cells, lambda: tuple(_shares_of_cells(source, cells)))
    if any(True for _ in cell.marked(MarkKind.LINK)):
        yield "link"
    if any(True for _ in cell.marked(MarkKind.STRONG)):
        yield "bold"


def section_of(placed: Placed) -> str:
    """The text of the heading right above a block."""
    last = placed.sections[-1].inline if placed.sections else None
    return last.text.strip() if last is not None else ""
