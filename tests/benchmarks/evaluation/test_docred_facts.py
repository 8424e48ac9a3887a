"""Facts from raw text: entities met by place or name, each fact once, thresholds never chosen on what they measure."""

import json
import math
from typing import Any

import pytest
from typer.testing import CliRunner

from benchmarks.evaluation.docred_facts import best_threshold, ceilings, counts, crossed, figures, judged
from benchmarks.evaluation.docred_reading import (
    SURE,
    Said,
    Stepwise,
    built,
    entities,
    ontology,
    paper_of,
    read,
    read_together,
    stretches,
)
from kg.cli import app
from kg.errors import BadInput
from kg.relations.examples import opened
from kg.relations.files import GENERAL, model_of
from kg.relations.prose import relations_of
from training.relations.redocred import RELATIONS

SAMPLE: dict[str, Any] = {
    "title": "Ada Wren",
    "sents": [
        ["Ada", "Wren", "(", "1901", ")", "was", "born", "in", "Holmstad", ",", "Norway", "."],
        ["Wren", "wrote", "the", "novel", "Low", "Water", "."],
    ],
    "vertexSet": [
        [
            {"name": "Ada Wren", "pos": [0, 2], "sent_id": 0, "type": "PER"},
            {"name": "Wren", "pos": [0, 1], "sent_id": 1, "type": "PER"},
        ],
        [{"name": "Holmstad", "pos": [8, 9], "sent_id": 0, "type": "LOC"}],
        [{"name": "Norway", "pos": [10, 11], "sent_id": 0, "type": "LOC"}],
        [{"name": "Low Water", "pos": [4, 6], "sent_id": 1, "type": "MISC"}],
        [{"name": "novel", "pos": [3, 4], "sent_id": 1, "type": "MISC"}],
    ],
    "labels": [
        {"h": 0, "r": "P19", "t": 1, "evidence": [0]},
        {"h": 1, "r": "P17", "t": 2, "evidence": []},
        {"h": 3, "r": "P495", "t": 2, "evidence": []},
        {"h": 3, "r": "P31", "t": 4, "evidence": [1]},
    ],
}
PAPER = paper_of(SAMPLE)


def at(*names: str) -> frozenset[tuple[int, int]]:
    return frozenset((PAPER.text.index(name), PAPER.text.index(name) + len(name)) for name in names)


def said(head: str, relation: str, tail: str, odds: float = 0.0) -> Said:
    return Said(at(head), relation, at(tail), odds)


def test_a_document_is_its_text_and_gold():
    assert PAPER.text == "Ada Wren (1901) was born in Holmstad, Norway. Wren wrote the novel Low Water."
    assert PAPER.facts == {(0, "P19", 1), (1, "P17", 2), (3, "P495", 2), (3, "P31", 4)}
    assert PAPER.facts - PAPER.near == {(3, "P495", 2)}


def test_an_entity_is_met_by_place_or_as_written_by_most_of_its_names():
    assert PAPER.met(at("Ada Wren")) == 0
    assert PAPER.met([(0, 3)]) is None  # "Ada" alone is no mention's name
    wren = PAPER.text.index("Wren")
    assert PAPER.met([(wren, wren + 4)]) == 0  # inside "Ada Wren", but written as the second mention is
    assert PAPER.met([*at("Holmstad", "Norway"), (0, 8), (wren, wren + 4)]) == 0
    assert PAPER.met([*at("Norway", "Holmstad")]) == 1


def test_names_are_found_and_joined():
    found = {frozenset(PAPER.text[slice(*span)] for span in spans) for spans in entities(PAPER)}
    assert found == {frozenset({name}) for name in ("Ada Wren", "1901", "Holmstad", "Norway", "Wren", "Low Water")}
    twice = paper_of(SAMPLE | {"sents": [*SAMPLE["sents"], ["Norway", "thanked", "her", "."]]})
    assert sorted(map(len, entities(twice))) == [1, 1, 1, 1, 1, 2]
    assert ceilings([PAPER]) == {"both_found": 0.75, "one_sentence": 0.75, "both_found_in_one_sentence": 0.5}


def test_each_fact_counts_once_and_ends_that_meet_nothing_are_wrong():
    found = judged(
        PAPER,
        [
            said("Ada Wren", "P19", "Holmstad", 1.0),
            said("Wren", "P19", "Holmstad", 2.0),  # the same
            said("Holmstad", "P19", "Ada Wren", 3.0),  # the wrong way round
            said("1901", "P19", "Holmstad", 0.5),
            said("Wren", "P19", "Wren", 0.2),
            said("Holmstad", "P17", "Norway", SURE),
        ],
    )
    assert sorted(found.said) == [(0.2, False), (0.5, False), (2.0, True), (3.0, False), (math.inf, True)]
    assert counts([found], 0.0) == (2, 5, 4)
    assert counts([found], 2.5) == (1, 2, 4)
    assert figures(counts([found], 2.5)) == (0.5, 0.25, pytest.approx(1 / 3))
    assert best_threshold([found]) == 2.0
    assert best_threshold([judged(PAPER, [])]) == 4.0


def test_a_half_is_measured_with_the_others_threshold():
    one = judged(PAPER, [said("Ada Wren", "P19", "Holmstad", 1.0), said("Holmstad", "P17", "Ada Wren", 0.0)])
    other = judged(PAPER, [said("Ada Wren", "P19", "Holmstad", -1.0), said("Holmstad", "P17", "Norway", -1.0)])
    found = crossed([one, other])
    assert found["first_half"] == (-1.0, (0.5, 0.25, pytest.approx(1 / 3)))
    assert found["second_half"] == (1.0, (0.0, 0.0, 0.0))
    assert found["crossed"][1] == (0.5, 0.125, pytest.approx(0.2))


def test_an_ontology_says_what_the_relations_say():
    asked = {relation.key.rpartition("#")[2]: relation for relation in relations_of(ontology(RELATIONS))}
    assert len(asked) == len(RELATIONS)
    for relation in RELATIONS:
        one = asked[relation.key]
        assert (one.label, one.definition) == (relation.label, relation.definition)
        assert (one.domain or "thing", one.range or "thing") == (relation.domain, relation.range)


def test_sentences_are_read_together_in_windows():
    text = "Ada came. Bo left. Cy slept."
    assert stretches(text, 1) == [(0, 9), (10, 18), (19, 28)]
    assert stretches(text, 9) == stretches(text, 0) == [(0, 28)]
    assert stretches("", 2) == []


def test_both_ways_of_reading_say_where_somebody_was_born():
    folder = model_of(GENERAL)
    model = opened(folder)
    known = model.know(RELATIONS)
    for way in (
        built(PAPER, ontology(RELATIONS), Stepwise(folder)),
        read_together(PAPER, model, known, 1),
        read_together(PAPER, model, known, 0),
    ):
        born = [one for one in way if one.relation == "P19" and one.odds >= -1]
        assert {PAPER.met(one.head) for one in born if PAPER.met(one.tail) == 1} == {0}
    apart = {(PAPER.met(one.head), PAPER.met(one.tail)) for one in read_together(PAPER, model, known, 1)}
    together = {(PAPER.met(one.head), PAPER.met(one.tail)) for one in read_together(PAPER, model, known, 0)}
    assert (3, 1) in together - apart  # named in no one sentence


def test_the_command_measures_documents_by_their_numbers(tmp_path):
    path, out = tmp_path / "docs.json", tmp_path / "figures.json"
    path.write_text(json.dumps([{"sents": []}, SAMPLE, SAMPLE, {"sents": []}]), encoding="utf-8")
    with pytest.raises(BadInput, match="DocRED"):
        read(path)
    words = ["evaluate", "docred-facts", str(path), "--first", "1", "--last", "2"]
    words += ["--threshold", "4", "--json", str(out)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "2 documents, 8 facts" in done.output
    found = json.loads(out.read_text("utf-8"))
    assert found["given_f1"] == pytest.approx(1 / 3)  # P19, and P131 for P17
    assert found["best_f1"] == found["crossed_f1"] > 0
    assert found["both_found"] == 0.75
    assert CliRunner().invoke(app, [*words, "--model", "none"]).exit_code != 0
