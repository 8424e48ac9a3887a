"""The distributed model: found by its name, put together from its parts, the same each time it is read."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from kg.errors import ModelUnavailable
from kg.relations.encoding import Relation
from kg.relations.examples import opened
from kg.relations.files import GENERAL, NONE, encoder_files, export_hash, model_of, read_about
from kg.relations.scoring import Choice

RELATIONS = (
    Relation("r/keeper", "head gardener", "who is in charge of a garden", "garden", "person"),
    Relation("r/founded", "founded", "when it was founded", "garden", "date"),
)


@pytest.fixture(scope="module")
def general():
    return opened(model_of(GENERAL))


def test_names_stand_for_folders(tmp_path, monkeypatch):
    assert model_of(NONE) is None
    folder = model_of(GENERAL)
    assert {path.name for path in folder.iterdir()} == {"heads.npz", "layers.npz", "model.json"}
    assert model_of(tmp_path / "mine") == tmp_path / "mine"
    monkeypatch.chdir(tmp_path)
    (tmp_path / GENERAL).mkdir()
    assert model_of(GENERAL) == Path(GENERAL)  # a folder of that name goes before


def test_its_weights_are_small_and_it_says_what_it_was_trained_on():
    folder = model_of(GENERAL)
    assert sum(path.stat().st_size for path in folder.iterdir()) < 20 * 2**20
    assert set(read_about(folder).trained_on) == {"knowledgenet", "docred", "text2kgbench", "lexicon"}


def test_it_reads_relations_that_it_is_given(general):
    text = "Rosehall Garden was founded in 1902 by Ina Holt."
    found = general.read(text, general.know(RELATIONS), Choice(threshold=-3.0))
    said = {(one.relation, text[slice(*one.subject)], text[slice(*one.object)]) for one in found}
    assert ("r/founded", "Rosehall Garden", "1902") in said


def test_reading_is_deterministic(general):
    text = "Ina Holt, head gardener of Rosehall Garden, planted it in 1902."
    first, second = (one.scores(text, one.know(RELATIONS)) for one in (general, opened(model_of(GENERAL))))
    assert np.array_equal(first.odds, second.odds)


def test_other_layers_are_another_export_and_damaged_ones_are_refused(tmp_path):
    for path in model_of(GENERAL).iterdir():
        shutil.copy(path, tmp_path)
    same = export_hash(tmp_path)
    assert same == export_hash(model_of(GENERAL))
    (tmp_path / "layers.npz").write_bytes(b"not an archive")
    assert export_hash(tmp_path) != same
    with pytest.raises(ModelUnavailable):
        encoder_files(tmp_path)
    with pytest.raises(ModelUnavailable):
        encoder_files(tmp_path / "nowhere")
