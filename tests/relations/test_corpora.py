"""Training sentences from published layouts and from the lexicon: right places, honest about what wasn't read for."""

import json

import pytest

from kg.cli_relations import folds
from kg.errors import BadInput
from kg.relations.corpora import docred, invented
from kg.relations.fit import brief, silent
from kg.relations.recipe import Recipe, cook, gathered
from kg.relations.schema import Relation

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
    first, second = docred(path, (BORN, DIED))
    assert first.text == "Ada Wren was born in Holm."
    assert [(f.relation, f.subjects, f.objects) for f in first.facts] == [
        ("P19", ((0, 8),), ((21, 25),)),
        ("P20", ((0, 8),), ((21, 25),)),
    ]
    assert [f.relation for f in second.facts] == ["P20"]
    assert second.asked == ("P20",)  # the first relation may or may not be said there
    assert docred(path, (BORN, DIED), 1) == []
    path.write_text("[{}]")
    with pytest.raises(BadInput, match="DocRED"):
        docred(path, (BORN,))


def test_invented_ontologies_are_the_same_for_a_seed_and_mark_what_they_say():
    relations, examples = invented(2, seed=3)
    assert (relations, examples) == invented(2, seed=3)
    assert len(relations) == 28
    keys = {relation.key for relation in relations}
    for example in examples:
        assert set(example.asked) <= keys
        for fact in example.facts:
            assert fact.relation in example.asked
            assert all(example.text[slice(*span)].strip() for span in (*fact.subjects, *fact.objects))
    assert sum(bool(example.facts) for example in examples) > len(examples) / 2
    assert any(not example.facts for example in examples)


def test_brief_relations_have_keys_of_their_own():
    relations, examples = invented(1, seed=3)
    short, renamed = brief(relations, examples)
    assert all(not relation.definition for relation in short)
    assert {key for e in renamed for key in e.asked} == {r.key for r in short}
    assert not {r.key for r in short} & {r.key for r in relations}


def test_a_recipe_gathers_its_files_and_an_empty_one_is_refused(tmp_path):
    path = tmp_path / "docs.json"
    path.write_text(json.dumps([document()]))
    relations, examples = gathered(Recipe(docred=path, groups=1))
    assert len(relations) == 95 * 2 + 14
    assert examples[0].text == "Ada Wren was born in Holm."
    with pytest.raises(BadInput, match="nothing to train on"):
        cook(Recipe(groups=0), tmp_path / "model", None, 1, 7, silent)


def test_folds_are_numbers():
    assert folds("1, 2") == [1, 2]
    assert folds("") == []
    with pytest.raises(BadInput, match="folds"):
        folds("one")
