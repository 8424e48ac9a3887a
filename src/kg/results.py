"""Results of SPARQL queries as Python's own values: rows for programs, a data frame for analysts."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from kg.errors import BadQuery, CitegraphError

if TYPE_CHECKING:
    import pandas as pd

_XSD = "http://www.w3.org/2001/XMLSchema#"
_INTEGERS = frozenset(
    _XSD + name
    for name in (
        "integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger",
        "negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte",
    )
)  # fmt: skip
_READ: Mapping[str, Any] = {
    _XSD + "boolean": lambda text: text in ("true", "1"),
    _XSD + "decimal": Decimal,
    _XSD + "double": float,
    _XSD + "float": float,
    _XSD + "date": datetime.date.fromisoformat,
    _XSD + "dateTime": lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00")),
}

Row = dict[str, Any]


def native(term: object) -> Any:
    """A term as a Python value: numbers, booleans, dates and times by their datatype, None for unbound, else a string.

    IRIs and dates of less than a day ("2019", "2019-07") stay strings, as does what its datatype can't hold.

    >>> native(ox.Literal("12000")), native(ox.Literal("12000", datatype=ox.NamedNode(_XSD + "integer")))
    ('12000', 12000)
    """
    if term is None:
        return None
    if not isinstance(term, ox.Literal):
        return str(term) if isinstance(term, ox.BlankNode | ox.Triple) else term.value  # type: ignore[attr-defined]
    read = int if term.datatype.value in _INTEGERS else _READ.get(term.datatype.value)
    if read is None:
        return term.value
    try:
        return read(term.value)
    except (ValueError, ArithmeticError):
        return term.value


def rows(result: object) -> list[Row]:
    """A SELECT's solutions as dicts by variable; a CONSTRUCT's triples by "subject", "predicate" and "object".

    An ASK is one row with "boolean". Raises BadQuery for anything else.
    """
    if isinstance(result, ox.QuerySolutions):
        names = [variable.value for variable in result.variables]
        return [dict(zip(names, map(native, solution), strict=True)) for solution in result]
    if isinstance(result, ox.QueryTriples):
        return triple_rows(result)
    if isinstance(result, ox.QueryBoolean):
        return [{"boolean": bool(result)}]
    raise BadQuery("this is no result of a query")


def triple_rows(triples: Iterable[ox.Triple | ox.Quad]) -> list[Row]:
    """Triples as dicts with "subject", "predicate" and "object"."""
    parts = ("subject", "predicate", "object")
    return [{part: native(getattr(triple, part)) for part in parts} for triple in triples]


def frame(found: Iterable[Row], columns: Iterable[str] | None = None) -> pd.DataFrame:
    """Rows as a pandas data frame. Raises CitegraphError where pandas isn't installed."""
    try:
        import pandas as pd
    except ImportError as error:
        raise CitegraphError("a data frame needs pandas", "pip install 'citegraph[notebook]'") from error
    return pd.DataFrame(list(found), columns=list(columns) if columns is not None else None)
