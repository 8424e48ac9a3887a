"""The general model's training sentences: right places, honest about what wasn't read for."""

import json
from pathlib import Path

import pytest

from benchmarks.evaluation.docred_reading import paper_of
from kg.errors import BadInput
from kg.relations.encoding import Relation
from kg.relations.examples import silent, train
from training.relations.documents import grouped
from training.relations.general import gathered, options
from training.relations.redocred import joined, sentences

BORN = Relation("P19", "place of birth", "where a person was born", "person", "place")
DIED = Relation("P20", "place of death", "where a person died", "person", "place")


def document() -> dict[str, object]:
    def mention(sentence: int, start: int, end: int) -> dict[str, object]:
        return {"sent_id": sentence, "pos": [start, end], "name": "", "type": ""}

    return {
        "sents": [["Ada", "Wren", "was", "born", "in", "Holm", "."], ["Ada", "left", "Holm", "."]],
        "vertexSet": [[mention(0, 0, 2), mention(1, 0, 1)], [mention(0, 5, 6), mention(1, 2, 3)]],
        "labels": [{"r": "P19", "h": 0, "t": 1, "evidence": [0]}, {"r": "P20", "h": 0, "t": 1, "evidence": []}],
    }


def test_a_sentence_has_the_facts_that_it_is_evidence_for(tmp_path):
    path = tmp_path / "docs.json"
    path.write_text(json.dumps([document()]))
    first, second = sentences(path, (BORN, DIED))
    assert first.text == "Ada Wren was born in Holm."
    assert [(f.relation, f.subjects, f.objects) for f in first.facts] == [
        ("P19", ((0, 8),), ((21, 25),)),
        ("P20", ((0, 8),), ((21, 25),)),
    ]
    assert [f.relation for f in second.facts] == ["P20"]
    assert second.asked == ("P20",)  # the first relation may or may not be said there
    assert sentences(path, (BORN, DIED), 1) == []
    path.write_text("[{}]")
    with pytest.raises(BadInput, match="DocRED"):
        sentences(path, (BORN,))


def test_data_sets_are_gathered(tmp_path):
    path = tmp_path / "docs.json"
    path.write_text(json.dumps([document()]))
    lots = gathered(options([str(tmp_path / "model"), "--docred", str(path), "--groups", "1"]))
    assert [len(relations) for relations, _ in lots] == [95, 95, 14]
    assert lots[0][1][0].text == "Ada Wren was born in Holm."
    with pytest.raises(BadInput, match="nothing to train on"):
        train([], Path(tmp_path), None, 1, 7, silent)


def test_tokens_become_running_text_with_places():
    text, where = joined(["Ann", "(", "b.", "1900", ")", ",", "cook"])
    assert text == "Ann (b. 1900), cook"
    assert [text[start:end] for start, end in where] == ["Ann", "(", "b.", "1900", ")", ",", "cook"]


def test_a_document_is_learned_from_with_gold_entities_that_no_rule_finds():
    tokens = [["Ada", "Wren", "lives", "in", "Holm", "and", "likes", "tea", "."]]
    vertices = [{"sent_id": 0, "pos": list(pos), "name": "", "type": "PER"} for pos in ((0, 2), (4, 5), (7, 8))]
    labels = [{"r": "P551", "h": 0, "t": 1, "evidence": []}, {"r": "P31", "h": 0, "t": 2, "evidence": []}]
    paper = paper_of({"title": "Ada Wren", "sents": tokens, "vertexSet": [[v] for v in vertices], "labels": labels})
    groups, met = grouped(paper)
    assert [[paper.text[slice(*span)] for span in spans] for spans in groups] == [["Ada Wren"], ["Holm"], ["tea"]]
    assert met == [0, 1, 2]
