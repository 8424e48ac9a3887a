"""Facts of passages compared by overlap, each gold fact once, only for properties that a passage was read for."""

import json

import pytest

from benchmarks.evaluation.commands import folds
from benchmarks.evaluation.knowledgenet import best_threshold, compare, examples, in_folds, load, split
from kg.errors import BadInput
from kg.relations.encoding import Marked, Scored

GOLD = [Marked("SPOUSE", ((0, 3),), ((10, 14),)), Marked("CEO", ((0, 3),), ((20, 24),))]


def row(document: int, fold: int = 1) -> dict[str, object]:
    text = f"Anna{document} wed Karl."
    fact = {
        "property": "SPOUSE", "subjectText": f"Anna{document}",
        "subjectStart": 100, "subjectEnd": 100 + text.index(" "),
        "objectStart": 100 + text.index("Karl"), "objectEnd": 104 + text.index("Karl"), "objectText": "Karl",
    }  # fmt: skip
    return {
        "documentId": str(document), "passageId": f"{document}:100", "fold": fold, "passageStart": 100,
        "passageText": text, "properties": ["SPOUSE"], "facts": [fact],
    }  # fmt: skip


def test_overlap_is_enough_but_each_gold_fact_counts_once():
    said = [
        Scored("SPOUSE", (1, 6), (9, 11), 1.0),
        Scored("SPOUSE", (0, 3), (10, 14), 0.5),
        Scored("SPOUSE", (10, 14), (0, 3), 0.4),
        Scored("CEO", (0, 3), (20, 24), 1.0),
    ]
    found = compare([(GOLD, said, ("SPOUSE",))])
    assert (found.hits["SPOUSE"], found.said["SPOUSE"], found.wanted["SPOUSE"]) == (1, 3, 1)
    assert found.said["CEO"] == 0  # not read for
    assert found.figures() == (pytest.approx(1 / 3), 1.0, 0.5)
    assert compare([]).figures() == (0.0, 0.0, 0.0)


def test_the_threshold_is_where_f1_is_best():
    said = [Scored("SPOUSE", (0, 3), (10, 14), 2.0), Scored("SPOUSE", (30, 33), (10, 14), 0.9)]
    assert best_threshold([(GOLD, said, ("SPOUSE",))]) == 1.0


def test_passages_give_examples_with_places_in_the_passage():
    (example,) = examples([row(3)])
    assert example.text[slice(*example.facts[0].subjects[0])] == "Anna3"
    assert example.text[slice(*example.facts[0].objects[0])] == "Karl"


def test_development_documents_share_no_subject():
    rows = [row(n) for n in range(40)] + [row(n) | {"documentId": f"x{n}"} for n in range(40)]
    kept, held = split(rows)
    assert held
    assert not {r["facts"][0]["subjectText"] for r in kept} & {r["facts"][0]["subjectText"] for r in held}


def test_files_are_read_by_fold_and_others_refused(tmp_path):
    path = tmp_path / "passages.jsonl"
    path.write_text("\n".join(json.dumps(row(n, fold=n % 2 + 1)) for n in range(4)))
    assert len(in_folds(load([path]), (1,))) == 2
    path.write_text("{}")
    with pytest.raises(BadInput, match="KnowledgeNet"):
        load([path])


def test_folds_are_numbers():
    assert folds("1, 2") == [1, 2]
    assert folds("") == []
    with pytest.raises(BadInput, match="folds"):
        folds("one")
