"""Logical forms as a person would say them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from kg.semantics.graph import Graph
from kg.semantics.logic import (
    Aggregate,
    And,
    Best,
    Bound,
    Compare,
    Count,
    Difference,
    Each,
    Form,
    Join,
    Kind,
    Minus,
    Number,
    Rows,
    Things,
    Truth,
)
from kg.semantics.render import plural, render

NAMES = {1: "ferry", 2: "harbours", 10: "Elsa", 11: "Larn"}
PROPERTIES = [SimpleNamespace(names=[name]) for name in ("berths", "launched", "calls at")]
GRAPH = cast(Graph, SimpleNamespace(name=cast(Any, NAMES.__getitem__), properties=PROPERTIES))
FERRY, HARBOUR, ELSA, LARN = Kind(1), Kind(2), Things((10,), "elsa"), Things((11,), "larn")
BERTHS, LAUNCHED, CALLS = (((0, True),), ((1, True),), ((2, True),))
TWO = Bound(2.0, "2")
MANY = Compare(FERRY, BERTHS, ">", Bound(40, "40"))
OLD = Compare(FERRY, LAUNCHED, "<", Bound(0.0, "1930", date=True))
AT_LARN = And(FERRY, Join((2, False), LARN))


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (FERRY, "every ferry"),
        (Each(FERRY, BERTHS, ""), "for each ferry: “berths”"),
        (Each(HARBOUR, ((2, False),), "COUNT", FERRY), "for each harbour: the number of ferries"),
        (Each(HARBOUR, ((2, False),), "COUNT"), "for each harbour: the number of things tied to it by “calls at”"),
        (Rows(AT_LARN, (BERTHS, LAUNCHED)), "for each ferry whose “calls at” is Larn: “berths”, “launched”"),
        (Count(FERRY), "the number of ferries"),
        (Count(AT_LARN), "the number of ferries whose “calls at” is Larn"),
        (Aggregate("AVG", FERRY, BERTHS), "the average “berths” of all ferries"),
        (Aggregate("SUM", ELSA, BERTHS), "the total “berths” of Elsa"),
        (MANY, "every ferry with “berths” more than 40"),
        (And(MANY, OLD), "every ferry with “berths” more than 40 and with “launched” before 1930"),
        (Compare(FERRY, Number(CALLS, None), ">=", TWO), "every ferry with at least 2 values of “calls at”"),
        (Compare(FERRY, Number(CALLS, HARBOUR), "=", Bound(1.0, "1")), "every ferry with exactly 1 harbour"),
        (Best(FERRY, BERTHS, True), "the ferry with the greatest “berths”"),
        (Best(FERRY, BERTHS, False, 2), "the ferry with the second least “berths”"),
        (Best(FERRY, BERTHS, True, 1, 3), "the 3 ferries with the greatest “berths”"),
        (Best(FERRY, Number(CALLS, HARBOUR), True), "the ferry with the most harbours"),
        (Minus(FERRY, ELSA), "every ferry except Elsa"),
        (Minus(FERRY, MANY), "every ferry except ferries with “berths” more than 40"),
        (Join((0, True), ELSA), "“berths” of Elsa"),
        (Difference(Join((0, True), ELSA), Join((0, True), LARN)),
         "the difference between “berths” of Elsa and “berths” of Larn"),
        (Truth(ELSA, MANY), "whether Elsa is a ferry with “berths” more than 40"),
    ],
)  # fmt: skip
def test_forms_are_said_plainly(form: Form, said: str) -> None:
    assert render(GRAPH, form) == said


def test_plurals() -> None:
    assert [plural(x) for x in ("ferry", "quay", "box", "ferries", "GPU type", "data centre")] == [
        "ferries", "quays", "boxes", "ferries", "GPU types", "data centres",
    ]  # fmt: skip
