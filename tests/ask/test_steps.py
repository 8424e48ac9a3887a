"""Questions of two steps: each is read in its own passage, and both are quoted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kg.ask.candidates import Candidate
from kg.ask.engine import Asker
from kg.ask.question import analyse
from kg.ask.steps import descriptions, stepped
from kg.ask.view import view
from kg.reading import Reader

from . import belfry


@pytest.fixture(scope="module")
def toller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    with belfry.build(tmp_path_factory.mktemp("belfry")) as knowledge_base:
        yield Asker(view(knowledge_base.snapshot))


@pytest.mark.parametrize(
    ("question", "inner"),
    [
        ("Who owns the mill that feeds the pond?", "Which mill feeds the pond?"),
        ("Who owns the mill that Ana Roe built?", "Which mill did Ana Roe built?"),
        ("Where did the miller who followed Ana train?", "Which miller followed Ana?"),
        ("In which town is the mill where the fair was held?", "In which mill the fair was held?"),
        ("Who ground the corn sold by the abbey?", "Which corn was sold by the abbey?"),
        ("What opened in the year that Ana died?", "In which year Ana died?"),
    ],
)
def test_descriptions(question: str, inner: str) -> None:
    assert inner in [d.asks for d in descriptions(analyse(question))]


@pytest.mark.parametrize("question", ["Which mill feeds the pond?", "What is the mill that Ana built?"])
def test_what_is_asked_for_is_no_description_of_something_else(question: str) -> None:
    assert [d.asks for d in descriptions(analyse(question))] == []


@pytest.mark.parametrize(
    ("question", "label", "via", "quotes"),
    [
        ("Who built the crane that hauls Little Swift?", "Anders Mott", "the crane that hauls Little Swift: Ox",
         ["built by Anders Mott in 1902", "hauled up by Ox"]),
        ("Where was the blacksmith who founded the foundry born?", "Hvalby",
         "the blacksmith who founded the foundry: Agda Toller", ["born in Hvalby", "founded in 1871"]),
    ],
)  # fmt: skip
def test_both_steps_are_read_and_quoted(toller: Asker, question: str, label: str, via: str, quotes: list[str]) -> None:
    found = read_in_steps(toller, question)
    best = max(found, key=lambda c: c.signs["step_least"])
    assert (best.draft.values[0].label, best.draft.via) == (label, (via,))
    quoted = " | ".join(scored.plain for scored in best.draft.evidence)
    assert all(quote in quoted for quote in quotes), quoted
    assert all(len(scored) == 2 for scored in (value.evidence for value in best.draft.values))


def test_how_sure_a_chain_is_is_how_sure_its_weaker_step_is(toller: Asker) -> None:
    for one in read_in_steps(toller, "Who built the crane that hauls Little Swift?"):
        assert one.signs["step_least"] == min(one.signs["step_first"], one.signs["step_last"])


@pytest.mark.parametrize(
    "question",
    [
        "Who built the crane?",  # nothing is described
        "Was the crane that hauls Little Swift built by Anders Mott?",  # a yes or no is no name
        "Who built the crane that hauls Great Zebulon?",  # no document has that name
    ],
)
def test_nothing_is_read_in_steps_where_nothing_is_described_by_what_it_did(toller: Asker, question: str) -> None:
    assert read_in_steps(toller, question) == []


def read_in_steps(asker: Asker, question: str) -> list[Candidate]:
    reader = Reader()
    return stepped(asker.asking(question), lambda step: asker.read(step, reader, 3))
