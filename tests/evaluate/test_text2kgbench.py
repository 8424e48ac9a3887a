"""The published metric, the strict one, the layout of the folder, development sentences."""

import json

import pytest

from kg.errors import BadInput
from kg.evaluate.text2kgbench import averaged, examples, load, scored
from kg.evaluate.text2kgbench_run import few, split
from kg.relations.canonical import Stated

GOLD = [("Holm Light", "keeper", "Ada Wren")]


def test_the_published_metric_drops_relations_that_gold_hasnt():
    said = [("holm_light", "keeper", "AdaWren"), ("Holm Light", "year built", "1800")]
    assert scored(GOLD, said, published=True) == (1.0, 1.0, 1.0)
    assert scored(GOLD, said, published=False) == (0.5, 1.0, pytest.approx(2 / 3))


def test_silence_counts_nothing():
    assert scored(GOLD, [], True) == (0.0, 0.0, 0.0)
    assert scored([], [], False) == (0.0, 0.0, 0.0)
    assert scored([], GOLD, False) == (0.0, 0.0, 0.0)
    assert averaged([(1.0, 0.5, 0.6), (0.0, 0.5, 0.4)]) == (0.5, 0.5, 0.5)


@pytest.fixture
def folder(tmp_path):
    ontology = {
        "id": "ont_1_light",
        "concepts": [{"qid": "Q1", "label": "lighthouse"}, {"qid": "Q2", "label": "person"}],
        "relations": [
            {"pid": "P1", "label": "keeper", "domain": "Q1", "range": "Q2"},
            {"pid": "P2", "label": "keeper ", "domain": "", "range": "Q99"},
            {"pid": "P3", "label": "year built", "domain": "Q1", "range": ""},
        ],
    }
    rows = [
        {
            "sent": f"Light {at} was kept by Ada {at}.",
            "sub_label": f"Light {at}",
            "rel_label": "keeper",
            "obj_label": f"Ada {at}",
        }
        for at in range(60)
    ] + [{"sent": "Nobody knows.", "sub_label": "X", "rel_label": "keeper", "obj_label": "Y"}]
    truth = [{"id": "t1", "sent": "Holm was kept by Ada.", "triples": [{"sub": "Holm", "rel": "keeper", "obj": "Ada"}]}]
    for name, content in (
        ("ontologies/1_light_ontology.json", json.dumps(ontology)),
        ("train/ont_1_light_train.jsonl", "\n".join(map(json.dumps, rows))),
        ("ground_truth/ont_1_light_ground_truth.jsonl", "\n".join(map(json.dumps, truth))),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path


def test_a_folder_is_read(folder):
    (task,) = load(folder)
    assert [(r.label, r.domain, r.range) for r in task.relations] == [
        ("keeper", "lighthouse", "person"),
        ("year built", "lighthouse", ""),
    ]
    assert task.cases[0].gold == (("Holm", "keeper", "Ada"),)
    found = examples(task, task.train)
    assert len(found) == 60  # what isn't said can't be learned
    assert found[0].facts[0].objects == ((20, 25),)
    assert task.keyed("Year Built") == "ont_1_light/year built"
    assert task.keyed("height") == ""


def test_development_shares_no_entity_with_training(folder):
    (task,) = load(folder)
    kept, cases = split(task, (), 7)
    used = {name for one in kept for name in (one.subject, one.object)}
    assert cases
    assert not used & {name for case in cases for triple in case.gold for name in (triple[0], triple[2])}
    extra = [Stated("Light 1 was kept by Zoe.", "keeper", "Light 1", "Zoe"), Stated("A kept by B", "keeper", "A", "B")]
    kept, cases = split(task, extra, 7)
    assert len(kept) == len(task.train)
    assert [case.text for case in cases] == ["A kept by B"]


def test_few_shots_are_the_same_for_a_seed(folder):
    (task,) = load(folder)
    assert few(task, 5, 1) == few(task, 5, 1)
    assert len(few(task, 5, 1)) == 5
    assert few(task, 0, 1) == []


def test_other_folders_are_refused(tmp_path):
    with pytest.raises(BadInput, match="has no ontologies"):
        load(tmp_path)
    (tmp_path / "ontologies").mkdir()
    (tmp_path / "ontologies" / "x.json").write_text("{}")
    with pytest.raises(BadInput, match="is no ontology"):
        load(tmp_path)
