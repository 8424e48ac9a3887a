"""What a label is – a thing, a topic, a property, a value – judged from its form and its place by small trained models.

Four kinds of label are judged, each by a logistic regression of its own over the features below: *headings* (the name
of a thing, or a topic), *keys* of ``key: value`` (a property, a thing that the value tells of, or neither: a note, an
instruction, who speaks), *items* under an introducing label (a fact of what the list stands under, or none) and *rows*
(named by their label, or not: a number, a total, a day). ``training/labels`` makes the weights.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from kg.extract.words import SMALL, WORD, Words
from kg.text import dates

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


@dataclass(frozen=True, slots=True)
class Model:
    """A multinomial logistic regression over features that are there or not."""

    kinds: tuple[str, ...]
    constants: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]

    def likely(self, features: Iterator[str] | Sequence[str]) -> dict[str, float]:
        """The probability of each kind."""
        sums = list(self.constants)
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
    return {
        name: Model(tuple(one["kinds"]), tuple(one["constants"]), {f: tuple(w) for f, w in one["weights"].items()})
        for name, one in held.items()
    }
