"""The chart stays within its bounds, whatever is asked."""

from __future__ import annotations

import pytest

from kg.semantics import chart
from kg.semantics.chart import Chart
from tests.semantics.world import SHIPS, answers, parser

LONG = "Which ships registered in a harbour on the sea of a captain of ships longer than ferries registered in " * 6


def made(monkeypatch: pytest.MonkeyPatch, question: str) -> list[Chart]:
    """The charts of a question."""
    charts: list[Chart] = []

    class Watched(Chart):
        def __init__(self, *given: object) -> None:
            super().__init__(*given)  # type: ignore[arg-type]
            charts.append(self)

    monkeypatch.setattr("kg.semantics.engine.Chart", Watched)
    parser(SHIPS).candidates(question)
    return charts


def test_an_endless_question_is_read_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chart, "MOST_PAIRS", 500)
    widest = chart._CELL**2
    assert all(0 < one.pairs <= 500 + widest for one in made(monkeypatch, LONG))


def test_an_ordinary_question_is_far_from_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    [one] = made(monkeypatch, "Which ships are registered in a harbour that lies on the Amber Sea?")
    assert 0 < one.pairs < chart.MOST_PAIRS / 10
    assert answers("Which ships are registered in a harbour that lies on the Amber Sea?") == ["Tern"]
