"""Numbers with units in a question that is read compositionally: left out for reading, put into the bounds after."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from kg.ask.graph import Graph
from kg.semantics.engine import SemanticParser
from kg.semantics.logic import And, Bound, Compare, Form, Minus, Or, Path, Things, parts

_FIGURE = re.compile(r"(?<![\w.,])(?P<sign>[$€£¥])?\s?(?P<figure>\d[\d,]*(?:\.\d+)?)(?:[ -](?P<scale>[a-z]+))?")
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
Amount = tuple[int, int, Decimal, str]


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


def without_units(text: str) -> str:
    """The text with those numbers in figures, their units left out: which unit is meant, the property says."""
    for start, end, number, _ in reversed(amounts(text)):
        text = f"{text[:start]}{number.normalize():f}{text[end:]}"
    return text


def in_units(graph: Graph, parser: SemanticParser, text: str, form: Form) -> Form | None:
    """The form with its bounds in the units of their properties; None where one measures something else."""
    said = {float(number): unit for _, _, number, unit in amounts(text)}
    replaced: dict[Compare, Compare] = {}
    for part in parts(form):
        if isinstance(part, Compare) and isinstance(part.bound, Bound) and not part.bound.date:
            bound = _converted(graph, parser, part.path, part.bound, said.pop(part.bound.value, None))
            if bound is None:
                return None
            replaced[part] = replace(part, bound=bound)
    return None if said else _with(form, replaced)


def _converted(graph: Graph, parser: SemanticParser, path: Path, bound: Bound, unit: str | None) -> Bound | None:
    from kg import units, values

    iri = parser.graph.properties[path[-1][0]].iri
    own = {f.unit for f in graph.facts.of_predicate(iri) if f.number is not None and f.asserted}
    known = units.unit_of(next(iter(own)) or "") if len(own) == 1 else None
    if len(own) > 1 or (unit is not None and (known is None or not values.convertible(unit, known))):
        return None
    if unit is None or known is None:
        return bound
    return replace(bound, value=float(units.convert(Decimal(str(bound.value)), unit, known)))


def _with(form: Form, replaced: dict[Compare, Compare]) -> Form:
    """A form with some of its comparisons replaced."""
    match form:
        case Things():
            return form
        case And(left, right) | Or(left, right) | Minus(left, right):
            return replace(form, left=_with(left, replaced), right=_with(right, replaced))  # type: ignore[arg-type]
        case Compare(of):
            return replace(replaced.get(form, form), of=_with(of, replaced))  # type: ignore[arg-type]
        case _ if hasattr(form, "of"):
            return replace(form, of=_with(form.of, replaced))  # type: ignore[arg-type]
    return form
