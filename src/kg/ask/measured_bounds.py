"""Numbers with units in a question that is read compositionally: as figures in the units of the graph's properties."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice, product

from kg.ask.graph import Graph
from kg.semantics.engine import SemanticParser
from kg.semantics.logic import Bound, Compare, Form, parts

_FIGURE = re.compile(r"(?<![\w.,])(?P<sign>[$€£¥])?\s?(?P<figure>\d[\d,]*(?:\.\d+)?)(?:[ -](?P<scale>[a-z]+))?")
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
Amount = tuple[int, int, Decimal, str]
Used = dict[float, str]
# Ways to write a question's figures that are tried.
_WAYS = 4


def amounts(text: str) -> list[Amount]:
    """Numbers with a unit: where number and unit stand, the number, the unit (a QUDT local name)."""
    from kg import units

    found = []
    for match in _FIGURE.finditer(text):
        scale = _SCALES.get((match["scale"] or "").casefold(), 0)
        end = match.end() if scale else match.end("figure")
        after = end + len(text[end:]) - len(text[end:].lstrip(" -"))
        sign = units.CURRENCY_SIGNS.get(match["sign"] or "")
        unit = (sign, end) if sign else units.match_unit(text, after)
        if unit is not None:
            number = Decimal(match["figure"].replace(",", "")).scaleb(scale)
            found.append((match.start(), unit[1], number, unit[0]))
    return found


def in_figures(graph: Graph, parser: SemanticParser, text: str) -> Iterator[tuple[str, Used]]:
    """The text with those numbers as figures in units that properties of an excerpt have, each way to do so.

    With each comes the unit (a QUDT IRI) that each figure is in. Nothing comes where no property measures such a thing.
    """
    from kg import literals, units

    found = amounts(text)
    if not found:
        yield text, {}
        return
    known = sorted({u for p in parser.graph.properties.values() if (u := _unit(graph, p.iri)) is not None})
    ways = [[u for u in known if literals.convertible(unit, units.unit_of(u))] for *_, unit in found]
    for way in islice(product(*ways), _WAYS):
        said, used = text, dict[float, str]()
        for (start, end, number, unit), iri in zip(reversed(found), reversed(way), strict=True):
            value = units.convert(number, unit, units.unit_of(iri) or unit)
            said = f"{said[:start]}{value.normalize():f}{said[end:]}"
            used[float(value)] = iri
        yield said, used


def fits(graph: Graph, parser: SemanticParser, form: Form, used: Used) -> bool:
    """Whether every figure with a unit bounds a property that is measured in it."""
    left = dict(used)
    for part in parts(form):
        if isinstance(part, Compare) and isinstance(part.bound, Bound) and not part.bound.date:
            unit = left.pop(part.bound.value, None)
            if unit is not None and unit != _unit(graph, parser.graph.properties[part.path[-1][0]].iri):
                return False
    return not left


def _unit(graph: Graph, predicate: str) -> str | None:
    """The one unit of a property's numbers."""
    own = {f.unit for f in graph.facts.of_predicate(predicate) if f.number is not None and f.asserted}
    return next(iter(own)) if len(own) == 1 else None
