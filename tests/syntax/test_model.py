from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from kg.errors import BadInput, ModelUnavailable
from kg.indexes.embedding import model_folder
from kg.syntax.parser import Reader, best_tree, cut, load, path_of, shipped, tokenizer
from tests.syntax.treebank import LIT, conllu, parsed
from training.syntax.train import Plan, fit, prepared, train

TREES = [
    LIT,
    parsed("Ada/PROPN/2/nsubj built/VERB/0/root Corran/PROPN/2/obj ./PUNCT/2/punct"),
    parsed("Corran/PROPN/3/nsubj:pass was/AUX/3/aux:pass built/VERB/0/root by/ADP/5/case Ada/PROPN/3/obl:agent"),
]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parser")
    (folder / "t.conllu").write_text(conllu(*TREES), encoding="utf-8")
    fit(folder / "t.conllu", folder / "p.npz", Plan(epochs=40, batch=3, frozen=1, trained=1), lambda _: None)
    return folder / "p.npz"


def test_what_it_was_trained_on_it_reads(trained: Path) -> None:
    reader = Reader(trained)
    assert [reader.parse(tree.words) for tree in TREES] == TREES
    again = Reader(trained)
    assert again.parse(TREES[0].words) == reader.parse(TREES[0].words)


def test_numpy_and_torch_give_the_same_arcs(trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network, tags, labels = train(TREES, model_folder(), Plan(epochs=2, frozen=1, trained=1), lambda _: None)
    item = prepared(TREES[:1], tags, labels, model_folder(), 1)[0]
    below = torch.from_numpy(item.below).float()[None]
    with torch.no_grad():
        words = network.words(
            below,
            torch.ones(below.shape[:2], dtype=torch.bool),
            torch.from_numpy(item.pieces.first)[None],
            torch.from_numpy(item.pieces.shapes)[None],
        )
        arcs = network.scores(words)[0][0].numpy()
    reader = Reader(trained)
    monkeypatch.setattr(reader, "_weights", {k: v.detach().numpy() for k, v in network.state_dict().items()})
    seen: list[np.ndarray] = []
    monkeypatch.setattr("kg.syntax.parser.best_tree", lambda scores: (seen.append(scores), best_tree(scores))[1])
    reader.parse(TREES[0].words)
    assert np.abs(seen[0] - arcs).max() < 0.02  # the layers below were rounded to 16 bits for training


def test_long_and_odd_sentences(trained: Path) -> None:
    reader = Reader(trained)
    long = reader.parse(("lamp",) * 300)
    assert len(long.words) == len(long.heads) == 300 and long.heads.count(-1) == 1
    assert long.labels[-1] == "dep" and long.heads[-1] == 0
    odd = reader.parse(("\ud800", "\u200b", "lamp"))
    assert len(odd.heads) == 3
    assert reader.parse(("lamp",)).heads == (-1,)


def test_pieces_of_words() -> None:
    pieces = cut(("Corran's", "\u200b", "lamplighter"), tokenizer(model_folder()))
    assert len(pieces.first) == 3 and pieces.first[0] == 1 and pieces.first[2] > pieces.first[0]


def test_no_parser_and_no_treebank(tmp_path: Path, trained: Path) -> None:
    with pytest.raises(ModelUnavailable):
        Reader(tmp_path / "none.npz")
    (tmp_path / "bad.npz").write_bytes(b"PK")
    with pytest.raises(ModelUnavailable):
        load(tmp_path / "bad.npz")
    (tmp_path / "empty.conllu").write_text("")
    with pytest.raises(BadInput):
        fit(tmp_path / "empty.conllu", tmp_path / "p.npz", Plan(), lambda _: None)


def test_the_parser_that_ships() -> None:
    reader = shipped()
    assert reader is not None and path_of().stat().st_size < 12e6
    tree = reader.parse(("The", "lamp", "that", "the", "old", "keeper", "built", "was", "lit", "by", "Ada", "."))
    assert tree.tags[:7] == ("DET", "NOUN", "PRON", "DET", "ADJ", "NOUN", "VERB")
    assert tree.heads == (1, 8, 6, 5, 5, 6, 1, 8, -1, 10, 8, 8)
    assert tree.labels[1:5] == ("nsubj:pass", "obj", "det", "amod")
    assert tree.labels[6:] == ("acl:relcl", "aux:pass", "root", "case", "obl:agent", "punct")


def test_trees_have_vectors_and_stay_the_same_without() -> None:
    parser = shipped()
    assert parser is not None
    sentences = [("Ada", "built", "it", "."), ("Lamps", "burn", ".")]
    trees = list(parser.trees(sentences))
    assert trees == parser.parse_all(sentences)
    assert [len(tree.vectors) for tree in trees if tree.vectors is not None] == [5, 4]
    assert all(tree.vectors is None for tree in parser.parse_all(sentences))
