"""What the encoder of questions learns from, how units rank by it, and the layers that it has of the reader."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from kg.ask.engine import Asker
from kg.ask.view import view
from kg.indexes.embedding import model_folder
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings
from training.queries.found import MOST, Found, collected
from training.queries.network import SHARED, Queries
from training.queries.train import Asked, asked, batches, loss_of, recall
from training.reader import export
from training.reader.network import Reader

MILLS = """# Mills

The Hask mill grinds rye.

The Orm mill grinds wheat, and was built in 1888.

Nobody knows who built the third mill.
"""


def made(worth: list[list[float]], evidence: list[list[bool]]) -> Found:
    """Questions on three units whose vectors are the axes; the first has none of its own."""
    rows = np.tile(np.array([-1, 0, 1]), (len(worth), 1))
    at = np.zeros((len(worth), 3), dtype=np.int64)
    units, passages = np.eye(3, dtype=np.float16)[1:], np.zeros((1, 3), dtype=np.float16)
    return Found(
        tuple(f"q{n}" for n in range(len(worth))), rows, at, np.array(worth, np.float32), np.array(evidence), units,
        passages,
    )  # fmt: skip


class Fixed(nn.Module):
    """The vector of every question is the third axis."""

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        return torch.tensor([[0.0, 0.0, 1.0]]).expand(len(ids), 3)


def test_units_are_worth_what_they_were_with_the_cosines_of_the_question() -> None:
    one = Asked([[101, 102]], made([[0.5, 0.2, 0.1]], [[False, False, True]]))
    worth = one.worth([0], torch.tensor([[0.0, 0.0, 1.0]]))
    assert worth.tolist() == [pytest.approx([0.5, 0.2, 1.1])]  # what has no vector has no cosine


def test_the_loss_is_least_where_evidence_is_worth_most() -> None:
    evidence = torch.tensor([[True, False, True]])
    high, low = (loss_of(torch.tensor([worth]), evidence) for worth in ([1.0, 0.0, 1.0], [0.0, 1.0, 0.0]))
    assert float(high) == pytest.approx(np.log1p(np.exp(-10.0) / 2), abs=1e-5)
    assert float(low) > 9
    gone = torch.tensor([[1.0, -torch.inf, -torch.inf]])
    assert float(loss_of(gone, torch.tensor([[True, False, False]]))) == 0


def test_recall_is_the_mean_of_the_sets() -> None:
    first = Asked([[101, 102]], made([[0.0, 0.0, 0.0]], [[False, False, True]]))
    last = Asked([[101, 102], [101, 9, 102]], made([[0.5] * 3, [0.5, 2.0, 0.5]], [[False, True, False]] * 2))
    # Of the second set the evidence comes third, and first.
    assert recall(Fixed(), [first, last]) == {1: 0.75, 3: 1.0, 6: 1.0, 10: 1.0, 20: 1.0, 40: 1.0}


def test_every_question_is_in_one_batch_and_those_of_a_batch_are_of_one_set() -> None:
    sets = [Asked([[1]] * size, made([[0.0] * 3] * size, [[True] * 3] * size)) for size in (70, 5)]
    plan = batches(sets, random.Random(3))
    every = [(0, n) for n in range(70)] + [(1, n) for n in range(5)]
    assert sorted((number, n) for number, at in plan for n in at) == every
    assert max(len(at) for _, at in plan) == 32
    assert plan == batches(sets, random.Random(3))


def test_what_is_found_for_questions_is_kept_with_its_evidence(tmp_path: Path) -> None:
    (tmp_path / "mills.md").write_text(MILLS, encoding="utf-8")
    base = KnowledgeBase.create(tmp_path / "kb", Settings(build={"ontology": ()}))
    base.add([tmp_path / "mills.md"])
    questions = [
        {"type": "factoid", "question": "Which mill grinds wheat?", "evidence": ["The Orm mill grinds wheat"]},
        {"type": "unanswerable", "question": "Who owns the mills?", "evidence": []},
        {"type": "factoid", "question": "What is it?", "evidence": ["Said nowhere at all in these."]},
    ]
    asker = Asker(view(base.snapshot))
    found = collected(asker, questions)
    scored = next(s for s in asker.asking("Which mill grinds wheat?").found.units if "Orm" in s.plain)
    found.save(tmp_path / "mills.npz")
    one = asked(tmp_path / "mills.npz", model_folder(""))
    assert found.questions == one.found.questions == ("Which mill grinds wheat?",)
    assert found.worth.shape == (1, MOST) and found.evidence.sum() == 1
    assert not np.isfinite(found.worth[0]).all()
    # With the vector that it was found by, evidence is worth what it was then.
    vector = torch.from_numpy(asker.asking("Which mill grinds wheat?").found.vector)[None]
    place = int(found.evidence[0].argmax())
    assert float(one.worth([0], vector)[0, place]) == pytest.approx(scored.score, abs=2e-3)


def test_no_encoder_of_questions_is_packaged_for_another_encoder_of_texts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["export", "reader.pt", "out", "--queries", "queries.pt", "--encoder", "mine"])
    with pytest.raises(SystemExit):
        export.main()
    assert "leave --encoder or --queries out" in capsys.readouterr().err


def test_its_lowest_layers_are_the_readers_and_stay_so(tmp_path: Path) -> None:
    folder = model_folder("")
    reader = Reader(folder)
    with torch.no_grad():
        for weights in reader.parameters():
            weights.add_(1.0)
    torch.save({"network": reader.state_dict()}, tmp_path / "checkpoint.pt")
    network, plain = Queries(folder, tmp_path / "checkpoint.pt"), Queries(folder)
    own, theirs, packaged = network.encoder.encoder.layer, reader.encoder.encoder.layer, plain.encoder.encoder.layer
    for n in range(6):
        same, other = (theirs, packaged) if n < SHARED else (packaged, theirs)
        name = own[n].output.dense.weight
        assert torch.equal(name, same[n].output.dense.weight) and not torch.equal(name, other[n].output.dense.weight)
        assert name.requires_grad == (n >= SHARED)
    assert not any(p.requires_grad for p in network.encoder.embeddings.parameters())
    torch.save({"network": {"head.weight": torch.zeros(1)}}, tmp_path / "other.pt")
    with pytest.raises(ValueError, match="no checkpoint of a reader"):
        Queries(folder, tmp_path / "other.pt")
    ids = torch.tensor([[101, 7592, 102, 0]])
    made_of = plain(ids, (ids > 0).long(), torch.zeros_like(ids))
    assert made_of.norm(dim=1).tolist() == pytest.approx([1.0])
    short = plain(ids[:, :3], torch.ones_like(ids[:, :3]), torch.zeros_like(ids[:, :3]))
    assert torch.allclose(made_of, short, atol=1e-5)  # what only fills up says nothing
