"""Rows compared, folders read, and the three converters; a folder scored end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from benchmarks.evaluation import acme, geoquery, pathquestion
from benchmarks.evaluation.nl2sparql import Cells, Question, Reply, compare, figures, load_graph, load_questions, score
from kg.cli import app
from kg.errors import BadInput
from tests.conftest import SHARED
from tests.semantics.world import SHIPS, store

BENCH = SHARED / "bench"
needs_bench = pytest.mark.skipif(not BENCH.is_dir(), reason="leaves out converting the shared benchmarks: not here")


def folder(path: Path, questions: list[dict[str, object]]) -> Path:
    (path / "graph.ttl").write_text(SHIPS, encoding="utf-8")
    (path / "questions.jsonl").write_text("".join(json.dumps(q) + "\n" for q in questions), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("gold", "rows", "exact", "f1"),
    [
        ((("a",), ("b",)), (("b",), ("a",)), True, 1.0),
        ((("a",), ("b",)), (("a",), ("a",), ("b",)), True, 1.0),
        ((("a",), ("b",)), (("a",),), False, 2 / 3),
        ((("a", "1"),), (("1", "a"),), True, 1.0),
        ((("a", "1"),), (("a", "a", "1"),), True, 1.0),  # a column more that names the same things
        ((("a",),), (("a", "1"),), False, 1.0),  # a column that nobody asked for
        ((("a", "1"),), (("a",),), False, 0.0),
        ((), (), True, 1.0),
        ((), (("a",),), False, 0.0),
        ((("a",),), (), False, 0.0),
    ],
)
def test_compare(gold: tuple[tuple[str, ...], ...], rows: tuple[tuple[str, ...], ...], exact: bool, f1: float) -> None:
    found = compare(gold, rows)
    assert found[0] is exact
    assert found[1] == pytest.approx(f1)


def test_order_counts_where_it_is_asked_for() -> None:
    assert compare((("a",), ("b",)), (("b",), ("a",)), ordered=True)[0] is False
    assert compare((("a",), ("b",)), (("a",), ("b",)), ordered=True)[0] is True


cells = st.sampled_from(["a", "b", "c", "1", "2"])
tables = st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[cells] * n), min_size=1, max_size=6))


@given(tables, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_a_table_equals_itself_in_any_order(rows: list[tuple[str, ...]], random: object) -> None:
    mixed = list(rows)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert compare(tuple(rows), tuple(mixed)) == (True, 1.0)


def test_what_cannot_be_answered_is_counted_apart(tmp_path: Path) -> None:
    made = folder(
        tmp_path,
        [
            {"id": "1", "question": "How deep is it?", "rows": [["900"]]},
            {"id": "2", "question": "Who cooks?", "sparql": None, "rows": None, "answerable": False},
            {"id": "3", "question": "Who sings?", "sparql": None, "rows": None, "answerable": False},
            {"id": "4", "question": "Without gold", "sparql": None, "rows": None},
        ],
    )
    graph_store = load_graph(made)
    questions = load_questions(made / "questions.jsonl", graph_store)
    replies = {"How deep is it?": Reply(((ox.Literal("900"),),)), "Who cooks?": Reply(None)}
    scored = score(questions, lambda text: replies.get(text, Reply(())), Cells(graph_store))
    found = figures(scored, len(questions) - len(scored))
    assert (found["questions"], found["exact"], found["no-gold"]) == (1, 1.0, 1)
    assert (found["unanswerable"], found["unanswerable-declined"]) == (2, 0.5)


def test_cells_are_compared_by_name_and_number() -> None:
    cell = Cells(store(SHIPS)).cell
    assert cell(ox.NamedNode("http://example.com/ships/ada")) == cell("Ada  Thorne") == "ada thorne"
    assert cell(ox.NamedNode("http://example.com/other/Black_Swan")) == "black swan"
    assert cell(ox.Literal("10.0")) == cell(10) == cell("10") == "10"
    assert cell(ox.Literal("0.3333333333")) == cell(1 / 3)
    assert cell(None) == ""


def test_gold_is_given_or_queried(tmp_path: Path) -> None:
    query = "SELECT ?n { ?s <http://example.com/ships/depth> ?n } ORDER BY ?n"
    made = folder(
        tmp_path,
        [
            {"id": 1, "question": "depths in ascending order?", "sparql": query, "rows": None},
            {"id": 2, "question": "which?", "sparql": query, "rows": [["x"]]},
            {"id": 3, "question": "none", "sparql": None, "rows": None},
            {"id": 4, "question": "not SPARQL", "sparql": "SELEKT", "rows": None},
        ],
    )
    first, second, third, fourth = load_questions(made / "questions.jsonl", load_graph(made))
    assert first == Question("1", "depths in ascending order?", query, (("300",), ("900",)), ordered=True)
    assert (second.rows, second.ordered) == ((("x",),), False)
    assert third.rows is None
    assert fourth.rows is None


@pytest.mark.parametrize("text", ["{", '{"id": 1}', "[]"])
def test_lines_that_are_no_question_are_refused(tmp_path: Path, text: str) -> None:
    folder(tmp_path, [])
    (tmp_path / "questions.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match="line 1"):
        load_questions(tmp_path / "questions.jsonl", load_graph(tmp_path))


def test_graphs_that_are_not_there_or_broken_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no graph"):
        load_graph(tmp_path)
    (tmp_path / "graph.ttl").write_text("<a> <b>", encoding="utf-8")
    with pytest.raises(BadInput, match="can't be read"):
        load_graph(tmp_path)


def test_figures_count_exact_wrong_and_declined() -> None:
    questions = [Question(str(i), str(i), None, (("a",),)) for i in range(4)] + [Question("4", "", None, None)]
    replies = {
        "0": Reply(((ox.Literal("a"),),)),
        "1": Reply(((ox.Literal("b"),),)),
        "2": Reply(None),
        "3": Reply(((ox.Literal("a"),), (ox.Literal("b"),))),
    }
    scored = score(questions, replies.__getitem__, Cells(ox.Store()))
    found = figures(scored, 1)
    assert {k: found[k] for k in ("questions", "exact", "declined", "wrong", "no-gold")} == {
        "questions": 4,
        "exact": 0.25,
        "declined": 0.25,
        "wrong": 0.5,
        "no-gold": 1,
    }
    assert found["set-F1"] == pytest.approx((1 + 2 / 3) / 4, abs=1e-4)


def test_the_command_prints_one_line_of_figures(tmp_path: Path) -> None:
    made = folder(
        tmp_path,
        [
            {"id": "a", "question": "What is the deepest sea?", "sparql": None, "rows": [["Brine Sea"]]},
            {"id": "b", "question": "Who is the cook of the Heron?", "sparql": None, "rows": [["nobody"]]},
        ],
    )
    out, figures_file = tmp_path / "out.jsonl", tmp_path / "figures.json"
    result = CliRunner().invoke(
        app, ["evaluate", "nl2sparql", str(made), "--out", str(out), "--json", str(figures_file)]
    )
    assert result.exit_code == 0, result.output
    assert "exact 0.5 set-F1 0.5 declined 0.5 wrong 0" in " ".join(result.output.split())
    assert json.loads(figures_file.read_text())["exact"] == 0.5
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["exact"] for line in lines] == [True, False]
    assert "SELECT" in lines[0]["sparql"]
    assert lines[1]["reason"] == "unknown_relation"


# --- converters ------------------------------------------------------------------------------


def test_walking_a_path() -> None:
    edges = {("a", "r"): {"b", "c"}, ("b", "q"): {"d"}, ("c", "q"): {"e"}}
    assert pathquestion.walked("a#r#b#q#d#<end>#d", edges) == {"d", "e"}
    assert pathquestion.walked("a#r#b#x#d#<end>#d", edges) == set()


def test_triples_become_labelled_rdf() -> None:
    made = ox.Store()
    made.load(pathquestion.graph([["two words_here", "is_of", "ö/2"]]).encode(), ox.RdfFormat.N_TRIPLES)
    labels = {str(q.object) for q in made.quads_for_pattern(None, ox.NamedNode(f"{RDFS}label"), None)}
    assert labels == {'"two words here"', '"is of"', '"ö/2"'}
    assert len(made) == 4


RDFS = "http://www.w3.org/2000/01/rdf-schema#"


def test_a_fifth_is_set_aside_of_training_questions_only() -> None:
    parts = [geoquery.part(f"question {n}", "train") for n in range(1000)]
    assert set(parts) == {"train", "aside"}
    assert 150 < parts.count("aside") < 250
    assert geoquery.part("question 1", "dev") == "dev"
    assert geoquery.part("question 1", "train") == geoquery.part("question 1", "train")


@needs_bench
def test_the_shared_benchmarks_convert(tmp_path: Path) -> None:
    sizes = {part: geoquery.convert(BENCH / "geoquery", tmp_path / part, part) for part in geoquery.PARTS}
    assert sum(sizes.values()) == 595
    assert acme.convert(BENCH / "acme", tmp_path / "acme") == 44
    assert len(load_graph(tmp_path / "acme")) > 300
    gold = load_questions(tmp_path / "acme" / "questions.jsonl", load_graph(tmp_path / "acme"))
    assert sum(q.rows is None for q in gold) == 1
    assert pathquestion.convert(BENCH / "pathquestion", tmp_path / "paths", 2, limit=50) >= 50


@needs_bench
def test_generated_rows_follow_the_schema_and_are_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        acme.convert(BENCH / "acme", tmp_path / name, copies=40)
    assert (tmp_path / "one" / "graph.nt").read_bytes() == (tmp_path / "two" / "graph.nt").read_bytes()
    made = load_graph(tmp_path / "one")
    gold = load_questions(tmp_path / "one" / "questions.jsonl", made)
    assert sum(bool(q.rows) for q in gold) >= 42
