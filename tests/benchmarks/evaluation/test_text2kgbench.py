"""The published metric, the strict one, the layout of the folder, development sentences."""

import json
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.evaluation.relations.canonical import Canonicaliser, Stated
from benchmarks.evaluation.relations.priors import Weights
from benchmarks.evaluation.text2kgbench import Case, Task, averaged, declared, examples, load, scored
from benchmarks.evaluation.text2kgbench_run import (
    Options,
    Read,
    chosen,
    commonest_dates,
    few,
    labels_of,
    objects_shown,
    prepare,
    read,
    split,
)
from kg.errors import BadInput
from kg.indexes.embedding import model_folder
from kg.reading import Verifier
from kg.relations.encoding import Relation, encode
from kg.relations.examples import opened
from kg.relations.files import GENERAL, model_of
from kg.relations.scoring import Choice, Scores, decode
from kg.syntax.parser import tokenizer

GOLD = [("Holm Light", "keeper", "Ada Wren")]
KEPT = [
    ("Holm", "Ada Wren"),
    ("Skara", "Tomas Reyle"),
    ("Gannet", "Ellen Marr"),
    ("Corran", "John Orde"),
    ("Brough", "Mary Tain"),
    ("Ense", "Otto Falk"),
]


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


def test_relations_that_only_training_rows_state_are_asked_for_too(folder):
    (task,) = load(folder)
    assert declared(task).relations == task.relations
    more = replace(task, train=(*task.train, Stated("Holm is 30 m high.", "height ", "Holm", "30 m")))
    assert [(r.key, r.label, r.domain) for r in declared(more).relations[2:]] == [("ont_1_light/height", "height", "")]


def test_development_shares_no_entity_with_training(folder):
    (task,) = load(folder)
    kept, cases = split(task, (), 7)
    used = {name for one in kept for name in (one.subject, one.object)}
    assert cases
    assert not used & {name for case in cases for triple in case.gold for name in (triple[0], triple[2])}
    extra = [Stated("Light 1 was kept by Zoe.", "keeper", "Light 1", "Zoe"), Stated("A kept by B", "keeper", "A", "B")]
    kept, cases = split(task, extra, 7)
    assert kept == [*task.train, extra[0]]  # it shares no entity with the development sentences
    assert [case.text for case in cases] == ["A kept by B"]
    extra.append(Stated("A was kept by Ada 1.", "keeper", "A", "Ada 1"))
    assert extra[2] not in split(task, extra, 7)[0]


def test_few_shots_are_the_same_for_a_seed(folder):
    (task,) = load(folder)
    assert few(task, 5, 1) == few(task, 5, 1)
    assert len(few(task, 5, 1)) == 5
    assert few(task, 0, 1) == []


def test_no_passes_need_a_model(folder):
    with pytest.raises(BadInput, match="no passes"):
        prepare(folder, Options(epochs=0), print)


@pytest.mark.parametrize(("forgiven", "said"), [(False, ["l/keeper"]), (True, ["l/keeper", "l/built"])])
def test_untrained_runs_say_what_comes_near_the_best_of_a_sentence(folder, forgiven, said):
    _, _, choice = prepare(folder, Options(mode="zero-shot", model=model_of(GENERAL), forgiven=forgiven), print)
    text = "Holm was kept by Ada and built in 1871."
    spans = np.array([[0, 0], [4, 4], [8, 8]])  # Holm, Ada, 1871
    relations = (Relation("l/keeper", "keeper"), Relation("l/built", "built"))
    odds = np.full((3, 3, 2), -20, np.float32)
    odds[0, 1, 0], odds[0, 2, 1] = -3.0, -5.0
    scores = Scores(encode(text, tokenizer(model_folder())), spans, odds)
    assert [fact.relation for fact in decode(scores, relations, choice)] == said


@pytest.mark.parametrize(("metric", "said"), [("strict", 1), ("published", 2)])
def test_a_decision_rule_is_chosen_by_the_figure_that_is_asked_for(metric, said):
    text = "Holm was kept by Ada and built in 1871."
    spans = np.array([[0, 0], [4, 4], [8, 8]])  # Holm, Ada, 1871
    relations = (Relation("l/keeper", "keeper"), Relation("l/built", "built"))
    odds = np.full((3, 3, 2), -20, np.float32)
    odds[0, 1, 0], odds[0, 2, 1] = 3.0, -0.5
    scores = Scores(encode(text, tokenizer(model_folder())), spans, odds)
    gold = (*[(("Holm", "keeper", "Ada"),)] * 3, (("Holm", "built", "1871"),))
    cases = tuple(Case(str(at), text, one) for at, one in enumerate(gold))
    read = Read(Task("l", relations, (), cases), Canonicaliser(), cases, (scores,) * 4, 1.0)
    assert [len(read.said(Choice(threshold=-1, behind=behind))[0]) for behind in (3, 4)] == [1, 2]
    # Both said: strict ⅔, published 1; the surer one alone: three of four by either.
    assert {len(one) for one in read.said(chosen([read], metric))} == {said}


def test_other_folders_are_refused(tmp_path):
    with pytest.raises(BadInput, match="has no ontologies"):
        load(tmp_path)
    (tmp_path / "ontologies").mkdir()
    (tmp_path / "ontologies" / "x.json").write_text("{}")
    with pytest.raises(BadInput, match="is no ontology"):
        load(tmp_path)


def test_dates_are_written_as_told_where_no_sentence_shows_it():
    task = Task(
        "o", (Relation("o/built", "year built", "", "tower"), Relation("o/k", "keeper", "", "", "person")), (), ()
    )
    text = "Holm Light was built in 1871."
    at = (text.index("1871"), text.index("1871") + 4)
    told, untold = labels_of(task, "long"), labels_of(task, "")
    assert told.label(text, at, "year built", "object") == "01 January 1871"
    assert told.label(text, at, "keeper", "object") == untold.label(text, at, "year built", "object") == "1871"
    shown = Stated("Ness Tower rose in 1850.", "year built", "Ness Tower", "1850")
    assert labels_of(replace(task, train=(shown,)), "long").label(text, at, "year built", "object") == "1871"


def test_a_few_sentences_show_objects_and_how_dates_are_written():
    built, keeper = Relation("l/year built", "year built"), Relation("l/keeper", "keeper")
    kept = Stated("Ada Wren kept Holm Light.", "keeper", "Holm Light", "Ada Wren")
    dated = Stated("Skara Light was lit on 3 May 1871.", "year built", "Skara Light", "03 May 1871")
    task = Task("lights", (built, keeper), (kept, dated), ())
    assert objects_shown(task) == {"l/keeper": ["Ada Wren"], "l/year built": ["03 May 1871"]}
    assert commonest_dates([task, replace(task, train=(kept,))]) == "long"
    assert commonest_dates([replace(task, train=(kept,))]) == ""
    text = "Orr Light was lit on 5 June 1902."
    taught = labels_of(replace(task, train=(kept,)), commonest_dates([task]))
    assert taught.label(text, (21, 32), "year built", "object") == "05 June 1902"


def test_sentences_read_together_are_scored_by_what_all_of_them_show(folder):
    task = load(folder)[0]
    model, labels = opened(model_of(GENERAL)), Canonicaliser()
    cases = [Case(str(at), f"{light} Light was kept by {keeper}.", ()) for at, (light, keeper) in enumerate(KEPT)]
    alone = read(model, task, cases, labels, 3.0, Weights())
    together = read(model, task, cases, labels, 3.0, Weights(), bootstrap=True)
    few = read(model, task, cases[:4], labels, 3.0, Weights(), bootstrap=True)
    for one, other in zip(alone.scores, together.scores, strict=True):
        assert np.array_equal(one.spans, other.spans) and not np.array_equal(one.odds, other.odds)
    for one, other in zip(alone.scores, few.scores, strict=False):
        assert np.array_equal(one.odds, other.odds)
    keeper = task.relations[0].label
    said = together.said(Choice(threshold=-6.0, margin=1.5, least=-9.0))
    assert [(f"{light} Light", keeper, who) in row for (light, who), row in zip(KEPT, said, strict=True)] == [True] * 6


def test_what_untrained_runs_read_is_asked_of_the_verifier_in_the_light_of_all_sentences(folder):
    (task,) = load(folder)
    cases = [Case(str(at), f"{light} was kept by {keeper}.", ()) for at, (light, keeper) in enumerate(KEPT)]
    model, bare = opened(model_of(GENERAL)), replace(task, train=())
    read_ = read(model, bare, cases, labels_of(bare, ""), 3.0, Weights(), bootstrap=True, verifier=Verifier(workers=1))
    said = read_.said(Choice(threshold=-9.0, margin=1.5, least=-9.0, behind=1.5))
    assert [[triple for triple in one if triple[1] == "keeper"] for one in said] == [
        [(light, "keeper", keeper)] for light, keeper in KEPT
    ]
