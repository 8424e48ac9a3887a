"""Questions on the tables of documents, as the ranker of forms learns from them."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from kg.algebra.evaluate import Result
from training.algebra.documents import answers, asked

INNS = """# Inns of Orr

| Inn | Rooms | Double from |
|---|---|---|
| Rho | 24 | £95 |
| The Old Mill | 11 | £120 |

Both inns are shut in January.
"""


def question(id_: str, text: str, said: list[list[str]], evidence: str) -> str:
    return json.dumps({"id": id_, "question": text, "type": "lookup", "answers": said, "evidence": [evidence]})


def test_a_question_is_on_the_table_that_holds_its_evidence(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "inns.md").write_text(INNS, encoding="utf-8")
    lines = [
        question("a", "How many rooms has the Old Mill?", [["11"]], "The Old Mill | 11"),
        question("b", "When are they shut?", [["January"]], "shut in January"),
    ]
    (tmp_path / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    ((example, table),) = asked(tmp_path)
    assert (example.id, example.answers, example.table) == ("a", ("11",), f"{tmp_path.name}/inns.md:0")
    assert table.linked.table.cell(1, 0).text == "The Old Mill"
    assert "orr" in example.about


@pytest.mark.parametrize(
    ("result", "right"),
    [
        (Result(texts=("The Old Mill",)), True),  # it may say more than the form, or less
        (Result(texts=("Mill",)), True),
        (Result(texts=("Rho",)), False),
        (Result(texts=("The Old Mill", "Rho")), False),
        (Result(number=Decimal(11)), False),
    ],
)
def test_a_result_has_to_say_each_thing_and_no_more(result: Result, right: bool) -> None:
    assert answers(result, ("Old Mill",)) == right


def test_every_thing_may_be_said_in_several_ways() -> None:
    assert answers(Result(number=Decimal(11)), ("eleven\x1f11",))
    assert answers(Result(texts=("Rho", "Orr")), ("Orr", "Rho\x1fthe Rho"))
