"""A yes or no that is hardly likelier than the other is not given."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import kg.ask.engine
from kg.ask.candidates import Candidate, Source
from kg.ask.drafts import Draft, Value
from kg.ask.engine import LEAD, Asker, _undecided
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings


def proposed(label: str, kind: str = "boolean") -> Candidate:
    return Candidate(Draft(kind, label, (Value(label),), (), 1.0), Source.POLAR)


@pytest.mark.parametrize(
    ("chances", "undecided"),
    [
        ((0.62, 0.62 - LEAD + 0.01, 0.1), True),
        ((0.62, 0.62 - LEAD - 0.01, 0.1), False),
        ((0.62, 0.1, 0.6), False),  # of the same verdict on another passage
    ],
)
def test_a_yes_has_to_be_clearly_likelier_than_a_no(chances: tuple[float, ...], undecided: bool) -> None:
    candidates = [proposed("Yes"), proposed("No"), proposed("Yes")]
    assert _undecided(candidates, chances, candidates[0], chances[0]) is undecided


def test_other_answers_rival_no_verdict() -> None:
    candidates = [proposed("Yes"), proposed("No", "entity")]
    assert not _undecided(candidates, (0.6, 0.6), candidates[0], 0.6)
    assert not _undecided(candidates, (0.5, 0.6), candidates[1], 0.6)


@pytest.fixture(scope="module")
def moors(tmp_path_factory: pytest.TempPathFactory, by_models: Callable[[KnowledgeBase], Asker]) -> Iterator[Asker]:
    with KnowledgeBase.create(tmp_path_factory.mktemp("moors") / "kb", Settings(build={"ontology": ()})) as base:
        base.put(b"# The moor\n\nDogs are allowed on the moor all year. Cyclists keep to the gravel road.\n", "moor.md")
        yield by_models(base)


def test_what_is_clear_is_given_and_what_is_not_is_declined(moors: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    assert moors.ask("Are dogs allowed on the moor?").answer.startswith("Yes: ")
    monkeypatch.setattr(kg.ask.engine, "LEAD", 1.0)
    assert moors.ask("Are dogs allowed on the moor?").status == "abstained"
