"""What the command line prints of an answer."""

from __future__ import annotations

import pytest

from kg.app.console import show_answer
from kg.model import Answer


def shown(capsys: pytest.CaptureFixture[str], answer: str, explanation: str) -> list[str]:
    show_answer(Answer("How many isles are there?", "answered", answer, explanation=explanation))
    return capsys.readouterr().out.splitlines()


def test_how_an_answer_was_read_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    read = "Read as: the number of isles."
    assert shown(capsys, f"3. {read}", read) == [f"3. {read}"]
    assert shown(capsys, "3.", read) == ["3.", read]
