"""Query results as Python's own values."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.results import frame, native, rows

XSD = "http://www.w3.org/2001/XMLSchema#"


def literal(text: str, kind: str) -> ox.Literal:
    return ox.Literal(text, datatype=ox.NamedNode(XSD + kind))


@pytest.mark.parametrize(
    ("term", "value"),
    [
        (literal("12000", "integer"), 12000),
        (literal("-3", "nonPositiveInteger"), -3),
        (literal("2.50", "decimal"), Decimal("2.50")),
        (literal("1e3", "double"), 1000.0),
        (literal("true", "boolean"), True),
        (literal("0", "boolean"), False),
        (literal("1871-10-04", "date"), datetime.date(1871, 10, 4)),
        (literal("2020-01-02T03:04:05Z", "dateTime"), datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)),
        (literal("1871", "gYear"), "1871"),
        (literal("twelve", "integer"), "twelve"),
        (literal("1871-13-40", "date"), "1871-13-40"),
        (ox.Literal("Leuchtturm", language="de"), "Leuchtturm"),
        (ox.NamedNode("https://example.org/a"), "https://example.org/a"),
        (ox.BlankNode("b1"), "_:b1"),
        (None, None),
    ],
)
def test_terms_become_values_of_their_type(term: object, value: Any) -> None:
    assert native(term) == value
    assert type(native(term)) is type(value)


@given(st.integers())
def test_integers_come_back(number: int) -> None:
    assert native(literal(str(number), "integer")) == number


def test_each_form_of_query_gives_rows() -> None:
    store = ox.Store()
    assert rows(store.query("SELECT (1 AS ?a) ?b WHERE {}")) == [{"a": 1, "b": None}]
    assert rows(store.query("ASK { ?s ?p ?o }")) == [{"boolean": False}]
    triple = {"subject": "urn:a", "predicate": "urn:b", "object": "c"}
    assert rows(store.query("CONSTRUCT { <urn:a> <urn:b> 'c' } WHERE {}")) == [triple]
    with pytest.raises(BadQuery):
        rows(17)


def test_frames_keep_columns_without_rows() -> None:
    assert list(frame([], ["light", "height"]).columns) == ["light", "height"]
    assert frame([{"light": "Corran", "height": 38}])["height"].sum() == 38
