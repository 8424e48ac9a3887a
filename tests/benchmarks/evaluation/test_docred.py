"""Documents in DocRED's layout are read with exact spans; clusterings are scored as published; joins are reported."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.evaluation.docred import agreement, clusters, errors, figures, found_in, ontology, read, story_of
from kg.cli import app
from kg.errors import BadInput
from tests.conftest import SHARED

SAMPLE = {
    "title": "Ada Wren",
    "sents": [
        ["Ada", "Wren", "(", "1901", ")", "was", "born", "in", "Holmstad", "."],
        ["Wren", "'s", "song", '"', "Low", "Water", '"', "came", "out", "in", "1930", ",", "says", "Wren", "Ltd", "."],
    ],
    "vertexSet": [
        [
            {"name": "Ada Wren", "pos": [0, 2], "sent_id": 0, "type": "PER"},
            {"name": "Wren", "pos": [0, 1], "sent_id": 1, "type": "PER"},
        ],
        [{"name": "Holmstad", "pos": [8, 9], "sent_id": 0, "type": "LOC"}],
        [{"name": "Low Water", "pos": [4, 6], "sent_id": 1, "type": "MISC"}],
        [{"name": "1930", "pos": [10, 11], "sent_id": 1, "type": "TIME"}],
        [{"name": "Wren Ltd", "pos": [13, 15], "sent_id": 1, "type": "ORG"}],
    ],
    "labels": [],
}


def test_tokens_become_running_text_with_exact_spans() -> None:
    story = story_of(SAMPLE)
    assert (
        story.text == 'Ada Wren (1901) was born in Holmstad. Wren\'s song "Low Water" came out in 1930, says Wren Ltd.'
    )
    names = ["Ada Wren", "Holmstad", "Wren", "Low Water", "1930", "Wren Ltd"]
    assert [story.surface(m) for m in story.mentions] == names
    assert [story.surface(m) for m in story.things] == [n for n in names if n != "1930"]


def test_a_last_name_is_joined_and_another_type_is_not() -> None:
    story = story_of(SAMPLE)
    ours = clusters(story, ontology(), typed=True)
    by_name = dict(zip([story.surface(m) for m in story.things], ours, strict=True))
    assert by_name["Ada Wren"] == by_name["Wren"] != by_name["Wren Ltd"]
    assert len(set(ours)) == 4
    assert list(errors([story], ontology())) == []


def test_joins_that_gold_has_not_are_reported() -> None:
    parted = SAMPLE | {"vertexSet": [[m] for vertex in SAMPLE["vertexSet"] for m in vertex]}  # type: ignore[attr-defined]
    assert list(errors([story_of(parted)], ontology())) == [
        {"error": "joined", "document": "Ada Wren", "names": ["Ada Wren (PER)", "Wren (PER)"], "pairs": 1}
    ]


def test_agreement_is_pairwise_and_b_cubed() -> None:
    """Worked by hand: gold {a b c} {d e}, ours {a b} {c d} {e}."""
    found = agreement([("aaabb", "xxyyz")])
    assert found.pairs == pytest.approx((1 / 2, 1 / 4, 1 / 3))
    precision, recall = (1 + 1 + 0.5 + 0.5 + 1) / 5, (2 / 3 + 2 / 3 + 1 / 3 + 0.5 + 0.5) / 5
    assert found.b_cubed == pytest.approx((precision, recall, 2 * precision * recall / (precision + recall)))
    assert agreement([("ab", "ab"), ("aa", "zz")]).pairs == (1, 1, 1)
    assert agreement([]).b_cubed == (0, 0, 0)


def test_found_spans_have_types() -> None:
    story = story_of(SAMPLE)
    found = {story.text[slice(*span)]: type_ for span, type_ in found_in(story).items()}
    assert found["Ada Wren"] in ("", "PER") and found["Wren Ltd"] == "ORG" and found["1930"] == "TIME"


@pytest.mark.parametrize("text", ["{", "[{}]", '[{"title": "x", "sents": [], "vertexSet": [[{"name": "y"}]]}]', "3"])
def test_another_layout_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"x\.json"):
        read(path)


def test_an_unknown_half_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="half"):
        read(tmp_path / "x.json", "third")


def test_the_command_prints_names_and_values(tmp_path: Path) -> None:
    path = tmp_path / "dev.json"
    path.write_text(json.dumps([SAMPLE, SAMPLE]))
    figures_file = tmp_path / "figures.json"
    done = CliRunner().invoke(app, ["evaluate", "docred", str(path), "--half", "odd", "--json", str(figures_file)])
    assert done.exit_code == 0, done.output
    assert "1 documents, 5 mentions of things" in done.output
    assert json.loads(figures_file.read_text())["pairs_typed_f1"] == 1


@pytest.mark.skipif(not (SHARED / "bench/redocred").exists(), reason="without the benchmark: figures on real documents")
def test_precision_of_joins_on_real_documents() -> None:
    found = figures(read(SHARED / "bench/redocred/dev_revised.json", "even")[:60])
    assert found["pairs_typed"][0] > 0.95 and found["pairs_typed"][1] > found["pairs_strings"][1]
