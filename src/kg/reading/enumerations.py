"""What a sentence or cell enumerates ("oak, ash and elm"), where the reader finds some of it to be an answer.

A network that weighs each word by itself often leaves out one of several that are said alike. What is joined to one
that it finds, with commas or semicolons and a last "and", is of the same kind; only where the first item begins and
the last one ends is left to the reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kg.reading import Reading, Span, View

_JOINS = re.compile(r"\s*[;,](?:\s*(?:and|or|nor|as well as)\b)?\s*|\s+(?:and|or|nor|as well as|&)\s+", re.IGNORECASE)
_APART = re.compile(r"[.:!?](?=\s|$)|\s[-–—]\s|—")
_ASIDE = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_LONGEST = 8  # words of an item between two others
_RULED_OUT = -5.0  # logit below which the reader has no word of a piece belong to the answer
_FEWEST = 3  # items that commas alone join

Place = tuple[int, int]


def enumerations(view: View, reading: Reading, found: Sequence[Span]) -> Iterator[list[Span]]:
    """The items of each enumeration that one of the stretches found stands in, at least two, each enumeration once."""
    seen: set[Place] = set()
    for one in found:
        number = view.unit_at(one.start)
        items = _around(view, reading, one, view.stretch(number)) if number is not None else []
        if len(items) > 1 and (place := (items[0].start, items[-1].end)) not in seen:
            seen.add(place)
            yield items


def _around(view: View, reading: Reading, one: Span, unit: Place) -> list[Span]:
    """The items that stand with one stretch, it among them."""
    text = _ASIDE.sub(lambda m: " " * len(m[0]), view.text[unit[0] : unit[1]])
    cuts = [0, *(at for m in _APART.finditer(text) for at in m.span()), len(text)]
    start, end = next(((a, b) for a, b in pairwise(cuts) if a <= one.start - unit[0] < b), (0, 0))
    joins = [(m.start(), m.end()) for m in _JOINS.finditer(text, start, end)]
    edges = [start, *(at for join in joins for at in join), end]
    pieces = list(zip(edges[::2], edges[1::2], strict=True))
    at = next((n for n, (a, b) in enumerate(pieces) if a <= one.start - unit[0] < b), None)
    if at is None:
        return []
    told = [reading.likeliest_inside(unit[0] + a, unit[0] + b) >= _RULED_OUT for a, b in pieces]
    first, last = (_reach(text, pieces, told, at, step) for step in (-1, 1))
    signs = {text[a:b].strip().casefold() for a, b in joins[first:last]}
    if last - first + 1 < _FEWEST and signs <= {","}:
        return []
    places = [(unit[0] + a, unit[0] + b) for a, b in pieces[first : last + 1]]
    places[0] = (_likeliest(reading, places[0], 0), places[0][1])
    places[-1] = (places[-1][0], _likeliest(reading, places[-1], 1))
    return [Span(a, b, reading.likeliest_inside(a, b)) for a, b in places if view.text[a:b].strip()]


def _reach(text: str, pieces: Sequence[Place], told: Sequence[bool], at: int, step: int) -> int:
    """The outermost piece of the enumeration: the first that is too long to stand between two others, or the last that
    the reader doesn't rule out.
    """
    while 0 <= at + step < len(pieces) and told[at + step] and text[slice(*pieces[at])].count(" ") < _LONGEST:
        at += step
    return at


def _likeliest(reading: Reading, place: Place, side: int) -> int:
    """Where the reader has an answer begin (``side`` 0) or end (1) within a stretch of the text, else its edge."""
    logits = (reading.starts, reading.ends)[side]
    inside = [n for n, (a, b) in enumerate(reading.offsets) if place[0] <= a and b <= place[1]]
    best = max(inside, key=lambda n: logits[n], default=None)
    return place[side] if best is None else int(reading.offsets[best, side])
