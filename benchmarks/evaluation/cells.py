"""Values of a graph against the values that a gold table gives: typed comparison, and names brought to one form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

import pyoxigraph as ox

_XSD = "http://www.w3.org/2001/XMLSchema#"
_NUMERIC = frozenset({"integer", "decimal", "double", "float"})
_DATES = {"date": 10, "gYearMonth": 7, "gYear": 4}
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ISO = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_WRITTEN = {
    "%Y-%m-%d": ("%d %B %Y", "%B %d, %Y", "%B %d %Y", "%d %b %Y", "%b %d, %Y", "%b %d %Y", "%Y/%m/%d"),
    "%Y-%m": ("%B %Y", "%b %Y"),
}
_BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True, slots=True)
class Value:
    """An object of a triple: a literal by its lexical form and datatype (local name), or an entity by its names."""

    text: str
    datatype: str = ""
    names: frozenset[str] = frozenset()

    @classmethod
    def of(cls, object_: ox.Literal | ox.NamedNode | object, names: Mapping[str, Iterable[str]]) -> Value:
        """The value of an RDF term; ``names`` are those of entities by IRI."""
        if isinstance(object_, ox.Literal):
            return cls(object_.value, object_.datatype.value.removeprefix(_XSD))
        iri = str(getattr(object_, "value", object_))
        return cls(iri, "", frozenset(names.get(iri, ())))

    @property
    def is_string(self) -> bool:
        """Whether it is a plain string."""
        return self.datatype == "string"


def fold(text: str) -> str:
    """A name or text in one form: links and code marks gone, case and white space evened out."""
    plain = unicodedata.normalize("NFC", _LINK.sub(r"\1", text)).replace("`", "")
    return " ".join(plain.split()).casefold()


def fold_header(text: str) -> str:
    """A header's words in one form: camelCase parted, punctuation gone."""
    return " ".join(re.findall(r"\w+", _CAMEL.sub(" ", fold_case(text)).casefold()))


def fold_case(text: str) -> str:
    """A text without links and code marks, its case kept."""
    return unicodedata.normalize("NFC", _LINK.sub(r"\1", text)).replace("`", "")


def iso_date(text: str) -> str:
    """An ISO day or month of a text that is wholly a date, "" of any other.

    >>> iso_date("3 May 2021"), iso_date("2021-05"), iso_date("2021")
    ('2021-05-03', '2021-05', '')
    """
    plain = " ".join(fold_case(text).split())
    if _ISO.fullmatch(plain):
        return plain
    for form, patterns in _WRITTEN.items():
        for pattern in patterns:
            try:
                return datetime.strptime(plain, pattern).strftime(form)
            except ValueError:
                continue
    return ""


def same_value(value: Value, gold: Any, header: str = "") -> bool:
    """Whether a value is the gold one of a column, in type too (see :mod:`benchmarks.evaluation.tables`)."""
    if isinstance(gold, bool):
        return value.datatype == "boolean" and (value.text in ("true", "1")) is gold
    if isinstance(gold, int | float):
        version = fold_header(header).endswith(("version", "versions"))
        numeric = value.datatype in _NUMERIC or (version and value.is_string)
        return numeric and _number(value.text) == Decimal(str(gold))
    text = fold(str(gold))
    if text in _BOOLEANS:
        return same_value(value, _BOOLEANS[text])
    if date := iso_date(str(gold)):
        return value.datatype in _DATES and len(date) == _DATES[value.datatype] and value.text == date
    if re.fullmatch(r"\d{4}", text) and value.datatype == "gYear":
        return value.text == text
    names = value.names or ({value.text} if value.is_string else ())
    return any(fold(name) == text for name in names)


def same_text(value: Value, gold: Any) -> bool:
    """Whether a value says the same in another type: equal in letters, or as a number."""
    texts = {fold(t) for t in (*value.names, value.text)}
    wanted = fold(str(gold))
    number = _number(wanted)
    same = number is not None and any(_number(t) == number for t in texts)
    flag = isinstance(gold, bool) and any(_BOOLEANS.get(t) is gold for t in texts)
    return same or flag or wanted in texts or (iso_date(str(gold)) or wanted) in texts


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None
