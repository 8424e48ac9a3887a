"""What the graphs of the sample library and of the shared samples hold of the inventory, as values of claims."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from . import once
from .test_corpus import script

inventory = script("benchmarks/inventory.py")
ROWS, DISAGREEMENTS = inventory.load()

HARBOUR = """# Harbours

## Skerry Lamp (May 1901)

- **Lamps**: 8-12
- **Keeper**: Ada Wren
- **Fuel**: not disclosed

Ada Wren never used Kerosene Plus.
"""


@pytest.fixture(scope="module")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[inventory.Graph]:  # type: ignore[name-defined]
    with KnowledgeBase.create(tmp_path_factory.mktemp("kb") / "kb", Settings()) as base:
        base.put(HARBOUR.encode(), "harbours.md")
        yield inventory.Graph(base)


def held(graph: inventory.Graph, line: str) -> inventory.Held | None:  # type: ignore[name-defined]
    return graph.held(inventory.Row("a row", (inventory.fact(line),)))[0]


@pytest.mark.parametrize(
    "line",
    [
        "Skerry Lamp | lamps | 8..12",
        "Skerry Lamp | lamps | 12",
        "Skerry Lamp | keeper | Ada Wren",
        "~skerry | keeper, warden | Bo Ray or Ada Wren",
        "Ada Wren | ^keeper | Skerry Lamp",
        "Skerry Lamp | fuel | ?",
        "Skerry Lamp | date | 1901-05",
        "* | keeper | ~Wren | stated",
    ],
)
def test_a_claim_that_says_it_holds_a_fact(lamps: inventory.Graph, line: str) -> None:  # type: ignore[name-defined]
    found = held(lamps, line)
    assert found is not None
    assert found.document == "harbours.md"
    assert found.quote in HARBOUR


@pytest.mark.parametrize(
    "line",
    [
        "Skerry Lamp | lamps | 8..13",
        "Skerry Lamp | lamps | 9",
        "Skerry Lamp | horns | 12",
        "Other Lamp | lamps | 12",
        "Skerry Lamp | keeper | Ada",
        "Skerry Lamp | keeper | Ada Wren | guessed",
        "Skerry Lamp | keeper | Ada Wren | not",
        "Skerry Lamp | keeper | ?",
        "Skerry Lamp | date | 1901-06",
        "Skerry Lamp | ^keeper | Ada Wren",
    ],
)
def test_a_claim_that_says_something_else_holds_no_fact(lamps: inventory.Graph, line: str) -> None:  # type: ignore[name-defined]
    assert held(lamps, line) is None


def test_what_nobody_gives_is_held_by_giving_none(lamps: inventory.Graph) -> None:  # type: ignore[name-defined]
    silent = held(lamps, "Skerry Lamp | price | ? or none")
    assert silent is not None and silent.stated == "no value"
    assert held(lamps, "Skerry Lamp | lamps | none") is None  # a figure is given
    assert held(lamps, "Other Lamp | price | none") is None  # nothing tells of that lamp


@pytest.mark.parametrize("line", ["GPT-1 | date", "a | b | c | d | e", "a |  | c"])
def test_a_line_without_its_parts_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not a fact"):
        inventory.fact(line)


def test_a_query_holds_the_names_as_strings() -> None:
    row = inventory.Row("a row", (inventory.fact('The "Best" or ~Lamp | * | 1'),))
    assert 'IN ("the \\"best\\"")' in inventory.query(row)
    assert 'CONTAINS(LCASE(STR(?name)), "lamp")' in inventory.query(row)


def test_the_inventory_is_complete() -> None:
    coverage = script("benchmarks/corpus_coverage.py")
    subjects, disagreements = coverage.load()
    assert [row.name for row in ROWS] == [subject.name for subject in subjects]
    assert len(DISAGREEMENTS) == len(disagreements) == 16
    assert all(row.facts for row in (*ROWS, *DISAGREEMENTS))


def figures(built: KnowledgeBase) -> tuple[int, int, int]:
    """Facts held, rows held whole, disagreements held whole."""
    with built as base:
        graph = inventory.Graph(base)
        rows = [graph.held(row) for row in ROWS]
        sides = [graph.held(row) for row in DISAGREEMENTS]
    return sum(map(inventory.count, rows)), sum(None not in r for r in rows), sum(None not in s for s in sides)


def test_the_librarys_graph_holds_what_it_held(tmp_path_factory: pytest.TempPathFactory) -> None:
    facts, rows, disagreements = figures(once.corpus(tmp_path_factory))
    assert (facts, rows, disagreements) == (sum(len(row.facts) for row in ROWS), len(ROWS), len(DISAGREEMENTS))


@pytest.mark.skipif(not once.SEEDS.is_dir(), reason="the shared samples' graph: they are not at hand")
def test_the_shared_samples_graph_holds_what_it_held(tmp_path_factory: pytest.TempPathFactory) -> None:
    facts, rows, disagreements = figures(once.seeds(tmp_path_factory))
    assert (facts >= 539, rows >= 63, disagreements >= 16) == (True, True, True), (facts, rows, disagreements)
