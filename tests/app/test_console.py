"""What the command line prints of an answer."""

from __future__ import annotations

import pytest

from kg.app.console import complain, show_answer
from kg.model import Answer, Citation


def shown(capsys: pytest.CaptureFixture[str], answer: str, explanation: str) -> list[str]:
    show_answer(Answer("How many isles are there?", "answered", answer, explanation=explanation))
    return capsys.readouterr().out.splitlines()


def test_how_an_answer_was_read_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    read = "Read as: the number of isles."
    assert shown(capsys, f"3. {read}", read) == [f"3. {read}"]
    assert shown(capsys, "3.", read) == ["3.", read]


@pytest.mark.parametrize("message", ["kbr is not empty", "there is no claim x", "Kbr is a folder.", "did you mean kb?"])
def test_a_complaint_keeps_its_case(capsys: pytest.CaptureFixture[str], message: str) -> None:
    complain(message, "kb is one")
    end = "" if message.endswith((".", "?")) else "."
    assert capsys.readouterr() == ("", f"Error: {message}{end}\nHint: kb is one\n")


def test_a_row_of_html_is_shown_without_tags(capsys: pytest.CaptureFixture[str]) -> None:
    quote = "Contact</td>\n<td>Ann Lee"
    cited = Citation("1", "d", "Orr", (), "p", quote, quote, 0, len(quote), 0, plain="Contact; Ann Lee")
    show_answer(Answer("Who?", "answered", "Ann Lee", citations=(cited,)))
    assert capsys.readouterr().out.splitlines()[-2:] == ["[1] Orr", "    Contact; Ann Lee"]
