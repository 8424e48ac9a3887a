"""What the verifier learns from, how its questions are batched, and weights that two networks share."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper

from kg.reading import Judge, Reader, Weight
from training.reader.export import share
from training.verifier.articles import line as line_of
from training.verifier.network import loss_of
from training.verifier.pairs import alone, amiss, group, groups, named, whether
from training.verifier.train import batches, tensors


def line(
    kind: str, *candidates: dict[str, Any], answers: Any = (("1888",),), question: str = "Was it built in 1888?"
) -> dict[str, Any]:
    told = {"set": "s", "type": kind, "question": question, "answers": answers, "evidence": ["Built in *1888*."]}
    return told | {"candidates": list(candidates)}


def one(label: str, right: bool = False, exact: bool = False, quoted: bool = True) -> dict[str, Any]:
    return {"pair": [f"? = {label}", "said"], "right": right, "exact": exact, "quoted": quoted}


def test_yes_and_no_are_put_to_the_evidence_alone() -> None:
    made = whether(line("boolean", answers=[["no"]]))
    assert [(pair[0], right) for pair, right in made] == [
        ("Was it built in 1888? = Yes", 0.0), ("Was it built in 1888? = No", 1.0),
    ]  # fmt: skip
    assert {pair[1] for pair, _ in made} == {"Built in  1888 ."}
    assert whether(line("factoid-date")) == []


def test_questions_whether_something_is_so_are_put_to_their_evidence_but_those_known(tmp_path: Path) -> None:
    own = {"match": "any", "docs": ["a.md"], "evidence": ["It was built in 1888."], "answers": [["yes"]]}
    asked = [
        {"id": "1", "type": "boolean", "question": "Was it built in 1888?"} | own,
        {"id": "2", "type": "boolean", "question": "Was it not built in 1888?"} | own,
        {"id": "3", "type": "factoid-date", "question": "When was it built?"} | own,
    ]
    (tmp_path / "mills").mkdir()
    (tmp_path / "mills/questions.jsonl").write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    (made,) = alone([tmp_path / "mills"], {("mills", "2"), ("locks", "1")})
    assert (made["set"], made["id"]) == ("mills", "1")
    assert group(made, 5, random.Random(1)) == [
        (("Was it built in 1888? = Yes", "It was built in 1888."), 1.0),
        (("Was it built in 1888? = No", "It was built in 1888."), 0.0),
    ]


def test_a_question_gives_its_right_pairs_and_some_wrong_ones() -> None:
    wrong = [one(str(n)) for n in range(9)]
    made = group(line("factoid-date", one("1888", True, True), *wrong), 5, random.Random(1))
    assert len(made) == 5 and sum(right for _, right in made) == 1.0
    none = group(
        line("unanswerable", {"pair": None, "right": False, "exact": False, "quoted": False}), 5, random.Random(1)
    )
    assert none == []


def test_a_judge_says_which_wrong_ones_are_taken() -> None:
    judge = Judge({"near": Weight(0.0, 1.0, 1.0), "verified": Weight(0.0, 1.0, -9.0)}, 0.0, 0.5)
    wrong = [one(str(n)) | {"features": {"near": n / 9, "verified": n / 9}} for n in range(9)]
    right = one("1888", True, True) | {"features": {"near": 0.2}}
    drawn = set()
    for seed in range(30):
        made = [pair[0] for pair, _ in group(line("factoid-date", right, *wrong), 5, random.Random(seed), judge)]
        assert made[:3] == ["? = 1888", "? = 8", "? = 7"] and len(made) == len(set(made)) == 5
        drawn.update(made[3:])
    assert drawn == {f"? = {n}" for n in range(7)}


def test_questions_without_pairs_are_left_out_and_the_order_is_drawn() -> None:
    lines = [line("factoid-date", one(str(n), True, True)) for n in range(20)] + [line("list")]
    first, again = (groups(lines, 5, random.Random(seed)) for seed in (1, 1))
    assert first == again and len(first) == 20 and first != groups(lines, 5, random.Random(2))


def test_a_question_is_never_split_over_batches() -> None:
    draw = random.Random(3)
    order = [[([1] * draw.randint(4, 30), [0], 0.0)] * draw.randint(1, 9) for _ in range(60)]
    made = list(batches(order, 400, draw))
    assert sorted(map(id, (q for batch in made for q in batch))) == sorted(map(id, order))
    for batch in made:
        assert len(batch) == 1 or max(len(r[0]) for q in batch for r in q) * sum(map(len, batch)) <= 400


def test_tensors_are_padded_and_know_their_questions() -> None:
    batch = [[([5, 6, 7], [0, 0, 1], 1.0), ([5, 8], [0, 1], 0.0)], [([9], [0], 0.5)]]
    (ids, mask, kinds), right, sizes = tensors(batch)
    assert ids.tolist() == [[5, 6, 7], [5, 8, 0], [9, 0, 0]] and mask.sum(1).tolist() == [3, 2, 1]
    assert kinds.tolist() == [[0, 0, 1], [0, 1, 0], [0, 0, 0]]
    assert right.tolist() == [1.0, 0.0, 0.5] and sizes == [2, 1]


def test_the_loss_is_less_where_the_right_one_is_ahead_of_its_own_question() -> None:
    right, sizes = torch.tensor([1.0, 0.0, 0.0, 0.0]), [2, 2]
    ahead, behind = torch.tensor([2.0, -2.0, -1.0, -1.0]), torch.tensor([-2.0, 2.0, -1.0, -1.0])
    assert loss_of(ahead, right, sizes) < loss_of(behind, right, sizes)
    alone = torch.nn.functional.binary_cross_entropy_with_logits(ahead, torch.zeros(4))
    assert loss_of(ahead, torch.zeros(4), sizes) == pytest.approx(float(alone))


def network(*arrays: np.ndarray) -> onnx.ModelProto:
    held = [numpy_helper.from_array(array, f"w{n}") for n, array in enumerate(arrays)]
    node = helper.make_node("Add", ["w0", "w1"], ["sum"])
    out = helper.make_tensor_value_info("sum", TensorProto.FLOAT, list(arrays[0].shape))
    return helper.make_model(helper.make_graph([node], "sum", [], [out], held))


def test_equal_weights_of_two_networks_are_kept_once(tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    both, first, second = (draw.random((40, 40), np.float32) for _ in range(3))
    models = [network(both, first), network(both, second)]
    share(models, tmp_path / "weights.bin")
    for name, model in zip(("a.onnx", "b.onnx"), models, strict=True):
        onnx.save(model, tmp_path / name)
    assert (tmp_path / "weights.bin").stat().st_size == 3 * both.nbytes
    for name, own in (("a.onnx", first), ("b.onnx", second)):
        held = [numpy_helper.to_array(t) for t in onnx.load(tmp_path / name).graph.initializer]
        assert (held[0] == both).all() and (held[1] == own).all()


def test_a_paragraph_proposes_its_answer_and_what_the_reader_takes_for_one() -> None:
    text = "Corran Light was built by Ada Wren in 1901. It stands on Skerry Point."
    row = {"id": "c1", "article": "Corran", "context": text, "question": "Who built Corran Light?"}
    told = line_of(Reader(), row | {"answers": [{"text": "Ada Wren", "start": text.index("Ada")}]})
    assert told["type"] == "factoid" and {c["label"][0] for c in told["candidates"] if c["right"]} == {"Ada Wren"}
    shown = "Corran\nCorran Light was built by Ada Wren in 1901."
    assert ["Who built Corran Light? = Ada Wren", shown] in [c["pair"] for c in told["candidates"]]
    silent = line_of(Reader(), row | {"answers": []})
    assert silent["type"] == "unanswerable" and not any(c["right"] for c in silent["candidates"])


ASKED = {"Bo Lund": "Who taught Bo Lund?", "Kiel Light": "When was Kiel Light lit?", "1905": "Who died in 1905?"}


@pytest.mark.parametrize("seed", range(8))
def test_a_right_pair_is_made_wrong_by_another_name_or_figure_in_one_of_its_texts(seed: int) -> None:
    known = line("factoid-entity", one("Ada Wren", True, True), question="Who built Corran Light in 1901?")
    names = named([known, *(line("list", question=q) for q in ASKED.values())])
    asked, said = "Who built Corran Light in 1901? = Ada Wren", "Corran Light was built by Ada Wren in 1901."
    made = amiss(known, (asked, said), names, random.Random(seed))
    assert made is not None
    changed = [(a, b) for a, b in zip((asked, said), made, strict=True) if a != b]
    assert len(changed) == 1
    assert changed[0][1] in {
        changed[0][0].replace(old, new)
        for old, new in (("Corran Light", "Bo Lund"), ("Corran Light", "Kiel Light"), ("1901", "1905"))
    }


def test_what_shares_no_name_or_figure_and_a_no_are_not_made_wrong() -> None:
    names = {"s": ["Kiel Light"]}
    pair = ("Was Corran Light lit? = No", "Corran Light was never lit.")
    denied = line("boolean", one("No", True, True), question="Was Corran Light lit?", answers=[["No"]])
    assert amiss(denied, pair, names, random.Random(1)) is None
    plain = line("how-why", one("by oil", True, True), question="How is it lit?")
    assert amiss(plain, ("How is it lit? = by oil", "It burns oil."), names, random.Random(1)) is None


def test_a_question_shows_its_right_pair_amiss_more_often_than_not_and_as_wrong() -> None:
    right = one("Ada Wren", True, True) | {"pair": ["Who built Corran Light? = Ada Wren", "Corran Light: by Ada Wren."]}
    known = line("factoid-entity", right, *(one(str(n)) for n in range(9)), question="Who built Corran Light?")
    names, own = {"s": ["Kiel Light"]}, {(f"? = {n}", "said") for n in range(9)} | {tuple(right["pair"])}
    made = [group(known, 5, random.Random(seed), None, names) for seed in range(60)]
    others = [[worth for pair, worth in group_ if pair not in own] for group_ in made]
    assert {len(group_) for group_ in made} == {5} and all(other in ([], [0.0]) for other in others)
    assert 30 <= sum(map(len, others)) <= 45
    assert all(pair in own for pair, _ in group(known, 5, random.Random(1)))
