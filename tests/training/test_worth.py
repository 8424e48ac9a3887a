"""How right a candidate is."""

from __future__ import annotations

from training.judge.worth import UNSHOWN, worth


def told(kind: str, right: bool, exact: bool, quoted: bool = True) -> float:
    return worth({"type": kind}, {"right": right, "exact": exact, "quoted": quoted})


def test_right_is_right_by_its_value_too() -> None:
    assert told("factoid-date", True, True) == 1.0
    assert told("factoid-date", True, False) == 0.5
    assert told("factoid-date", False, False) == 0.0
    assert told("factoid-date", True, True, quoted=False) == 1.0
    assert told("unanswerable", True, True) == 0.0


def test_a_right_yes_that_quotes_something_else_is_hardly_worth_anything() -> None:
    assert told("boolean", True, True) == 1.0
    assert told("boolean", True, True, quoted=False) == UNSHOWN < 0.5
    assert told("boolean", False, False, quoted=False) == 0.0
