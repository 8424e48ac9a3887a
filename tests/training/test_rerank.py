from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import torch

from kg.algebra.links import Linked
from kg.algebra.parse import Parser
from kg.algebra.source import table
from training.algebra.data import Example, right
from training.algebra.readings import collect, readings
from training.algebra.rerank import group, lines, loss_of

ROOMS = Linked(table(["Hall", "Seats"], [["Ada", "120"], ["Bel", "340"], ["Cor", "90"]]))
BOATS = Linked(table(["Boat", "Crew"], [["Elsa", "4"], ["Tern", "9"]]))
MOST = Example("1", "Which hall has the most seats?", "rooms", ("Bel",))


def test_forms_are_told_with_what_they_give_and_whether_that_answers() -> None:
    told = readings(Parser(), MOST, ROOMS, right, 4)
    meant = "“Hall” of the row with the greatest “Seats” of all rows = Bel"
    assert [one["right"] for one in told if one["reading"] == meant] == [True]
    assert {one["right"] for one in told if not one["reading"].endswith("= Bel")} == {False}
    assert sum(not one["right"] for one in told) == 3  # of four results
    assert sum(one["right"] for one in told) == 3
    assert not any(one["right"] for one in readings(Parser(), MOST, ROOMS, None, 4))


def test_a_collection_that_was_stopped_goes_on(tmp_path: Path) -> None:
    asked = [(MOST, ROOMS), (Example("2", "How big is the crew of Tern?", "boats", ("9",)), BOATS)] * 4
    collect(asked, right, tmp_path, "train", 7)
    (file,) = tmp_path.iterdir()
    first = file.read_text(encoding="utf-8")
    held = [json.loads(line) for line in first.splitlines()]
    assert [one["id"] for one in held] == ["1", "2"] * 4
    assert any(one["astray"] for one in held)
    assert not any(form["right"] for one in held for form in one["astray"])
    file.write_text("kept\n", encoding="utf-8")
    collect(asked, right, tmp_path, "train", 7)
    assert file.read_text(encoding="utf-8") == "kept\n"
    file.unlink()
    collect(asked, right, tmp_path, "train", 7)
    assert file.read_text(encoding="utf-8") == first


def test_tables_that_are_left_out_teach_nothing(tmp_path: Path) -> None:
    made = [{"id": str(n), "held_out": n == 1} for n in range(3)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in made), encoding="utf-8")
    assert [one["id"] for one in lines([tmp_path / "a.jsonl"])] == ["0", "2"]
    assert [one["id"] for one in lines([tmp_path / "a.jsonl"], True)] == ["1"]
    assert len(lines([tmp_path / "a.jsonl"], None)) == 3


def test_a_question_has_its_right_forms_the_likeliest_wrong_ones_and_some_astray() -> None:
    forms = [{"reading": str(n), "right": n in (1, 9, 10, 11)} for n in range(12)]
    astray = [{"reading": f"other {n}", "right": False} for n in range(4)]
    line = {"question": "Which?", "forms": forms, "astray": astray}
    told = group(line, 9, random.Random(3))
    assert [pair for pair, right in told if right] == [("Which?", "1"), ("Which?", "9"), ("Which?", "10")]
    wrong = [pair[1] for pair, right in told if not right]
    assert len(told) == 9
    assert wrong[:2] == ["0", "2"]
    assert wrong[-2:] == ["other 0", "other 1"]


def test_any_right_form_will_do_and_each_is_told_by_itself() -> None:
    logits = torch.tensor([2.0, 0.0, -1.0, 3.0])
    each = torch.nn.functional.binary_cross_entropy_with_logits(logits, torch.tensor([1.0, 1.0, 0.0, 0.0]))
    among = torch.logsumexp(logits[:3], 0) - torch.logsumexp(logits[:2], 0)  # the last has nothing right
    assert loss_of(logits, torch.tensor([1.0, 1.0, 0.0, 0.0]), [3, 1]) == pytest.approx(0.5 * each + among)
    assert loss_of(logits[3:], torch.zeros(1), [1]) == pytest.approx(0.5 * torch.log1p(torch.exp(logits[3])))
