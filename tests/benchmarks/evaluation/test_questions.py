"""Scoring of answers against what a question wants."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.evaluation.questions import load_questions, run, score, summarise
from benchmarks.evaluation.scoring import find_form, is_right, plain, shows_evidence
from kg.errors import BadInput
from kg.model import Answer, AnswerItem, Citation, Reason

PASSAGE = "## Oven 3\n\n| Loaf | Flour |\n|---|---|\n| Rye | 1,250 kg |\n"


def question(**more: Any) -> dict[str, Any]:
    base = {
        "id": "q",
        "question": "How much rye?",
        "type": "factoid-number",
        "match": "all",
        "evidence": ["| Rye | 1,250 kg |"],
    }
    return {**base, "answers": [["1,250 kg", "1.25 t"]], **more}


def reply(text: str, **more: Any) -> dict[str, Any]:
    return {"status": "answered", "answer": text, "answers": [], "citations": [], **more}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**$1,000**", "$1000"),
        ("2.5 billion loaves", "2500000000 loaves"),
        ("175B", "175000000000"),
        ("10 – 12\u00a0kg", "10 - 12 kg"),
        ("version 1.5.2", "version 1.5.2"),
        ("3,14", "3,14"),
        ("5 million-loaf", "5000000-loaf"),
    ],
)
def test_texts_are_evened_out(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("text", "form", "place"),
    [
        ("18 ovens", "8", -1),
        ("1.8 ovens", "8", -1),
        ("8 ovens", "8", 0),
        ("8.5 ovens", "8", -1),
        ("baker's ovens", "oven", 8),
        ("ovenware", "oven", -1),
        ("two mk4s", "MK4", 4),
        ("anything", "", -1),
    ],
)
def test_forms_are_found_as_whole_words(text: str, form: str, place: int) -> None:
    assert find_form(text, form) == place


def test_numbers_are_right_by_value_and_within_room() -> None:
    assert is_right(question(), reply("1250 kg of rye"))
    assert is_right(question(), reply("1.25 t"))
    assert not is_right(question(), reply("11,250 kg"))
    assert not is_right(question(), reply("x" * 200 + " 1250 kg"))
    assert not is_right(question(), reply("1250 kg", status="abstained"))


def test_lists_want_all_or_any_and_not_much_more() -> None:
    wanted = question(type="list", answers=[["rye"], ["spelt"]])
    assert is_right(wanted, reply("spelt and rye"))
    assert not is_right(wanted, reply("spelt"))
    assert is_right({**wanted, "match": "any"}, reply("spelt"))
    labels = [{"label": name} for name in ("rye", "spelt", "oats", "corn", "rice")]
    assert not is_right(wanted, reply("", answers=labels))
    assert is_right(wanted, reply("", answers=labels[:4]))
    assert not is_right({**wanted, "ordered": True}, reply("spelt, rye"))
    assert is_right({**wanted, "ordered": True}, reply("rye, spelt"))


def test_a_wrong_option_may_not_come_first() -> None:
    versus = question(type="comparison", answers=[["rye"]], versus=["spelt"])
    assert is_right(versus, reply("Rye: more than spelt"))
    assert not is_right(versus, reply("Spelt is less than rye"))


def test_yes_and_no_stand_first() -> None:
    boolean = question(type="boolean", answers=[["No"]])
    assert is_right(boolean, reply("No, never."))
    assert not is_right(boolean, reply("Yes. No doubt."))


def test_abstentions() -> None:
    assert is_right(question(type="unanswerable", answers=[]), reply("", status="abstained"))
    assert not is_right(question(type="unanswerable", answers=[]), reply("42"))


def test_citations_show_the_evidence() -> None:
    good = {"text": PASSAGE, "quote": "| Rye | 1,250 kg |"}
    assert shows_evidence(question(), reply("", citations=[good])) == (True, True)
    assert shows_evidence(question(), reply("", citations=[{**good, "quote": "Oven 3"}])) == (False, True)
    elsewhere = {"text": "Rye 1,250 kg", "quote": "Rye 1,250 kg"}
    assert shows_evidence(question(), reply("", citations=[elsewhere])) == (True, True)
    other = {"text": "Spelt", "quote": "Spelt"}
    assert shows_evidence(question(), reply("", citations=[other] * 3 + [good])) == (False, False)
    invented = {"text": "Spelt", "quote": "Rye 1,250 kg"}
    assert shows_evidence(question(), reply("", citations=[invented])) == (False, False)
    too_long = {"text": PASSAGE + "x" * 400, "quote": PASSAGE + "x" * 400}
    assert shows_evidence(question(), reply("", citations=[too_long])) == (False, True)


def answer(text: str) -> Answer:
    if "moon" in text:
        return Answer(text, "abstained", "The documents don't say.", reason=Reason.NO_EVIDENCE)
    start = PASSAGE.index("| Rye")
    quote = "| Rye | 1,250 kg |"
    citation = Citation(1, "d", "Ovens", ("Oven 3",), "p", PASSAGE, quote, start, start + len(quote), 0)
    return Answer(text, "answered", "1,250 kg", (AnswerItem("1,250 kg", "1250"),), citations=(citation,))


def test_a_file_is_scored(tmp_path: Path) -> None:
    lines = [
        question(),
        question(id="wrong", answers=[["7"]]),
        question(
            id="none", type="unanswerable", question="On the moon?", answers=[], evidence=[], reason="no_evidence"
        ),
        question(id="x", type="dropped"),
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    figures = summarise(score(load_questions(file), answer))
    assert figures.by_type == {"factoid-number": (1, 2), "unanswerable": (1, 1)}
    wanted = {"right": 0.5, "quoted": 1, "passage": 1, "shy": 0, "declined": 1, "reason": 1, "wrong": 0.3333}
    assert {name: figures.shares[name] for name in wanted} == wanted
    said: list[str] = []

    class Stub:
        ask = staticmethod(answer)

    run(Stub, file, tmp_path / "figures.json", tmp_path / "replies.jsonl", said.append)
    assert said[0].split() == ["factoid-number", "1/2", "50.0%"]
    assert said[-1].startswith("right 0.5 quoted 1 passage 1 shy 0 declined 1 reason 1 wrong 0.3333 ")
    assert json.loads((tmp_path / "figures.json").read_text())["shares"]["right"] == 0.5
    replies = [json.loads(line) for line in (tmp_path / "replies.jsonl").read_text().splitlines()]
    assert [(r["id"], r["right"]) for r in replies] == [("q", True), ("wrong", False), ("none", True)]


@pytest.mark.parametrize("text", ["{", '{"id": 1}', "[1]"])
def test_broken_files_are_refused_with_their_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text("\n" + text, encoding="utf-8")
    with pytest.raises(BadInput, match="line 2"):
        load_questions(file)
    with pytest.raises(BadInput):
        load_questions(tmp_path / "nowhere.jsonl")
