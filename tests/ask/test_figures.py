"""A yes is held against the figures of its own quotation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kg.ask.engine import Asker
from kg.ask.figures import in_any_unit, with_figures_held
from kg.ask.question import analyse
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

HANDBOOK = """# Leave

Up to five unused days are carried over into the next year.

A doctor's note is needed from the fourth day of illness on.
"""


@pytest.fixture(scope="module")
def handbook(tmp_path_factory: pytest.TempPathFactory, by_models: Callable[[KnowledgeBase], Asker]) -> Asker:
    folder = tmp_path_factory.mktemp("handbook")
    (folder / "leave.md").write_text(HANDBOOK, encoding="utf-8")
    base = KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ()}))
    base.add([Path(folder / "leave.md")])
    return by_models(base)


@pytest.mark.parametrize(
    "question",
    ["Are ten unused days carried over into the next year?", "Is a doctor's note needed on the second day of illness?"],
)
def test_no_yes_is_given_against_its_own_figures(handbook: Asker, question: str) -> None:
    assert not handbook.ask(question).answer.startswith("Yes")


def test_what_speaks_for_such_a_yes_speaks_for_its_no(handbook: Asker) -> None:
    question = "Are ten unused days carried over into the next year?"
    asking = handbook.asking(question)
    assert handbook.trained is not None
    found = handbook.candidates(asking, [], handbook.trained.reader)[1]
    polar = [c for c in found if c.draft.kind == "boolean" and "five" in c.draft.evidence[0].plain]
    polar.sort(key=lambda c: c.draft.values[0].label)
    assert [c.draft.values[0].label for c in polar] == ["No", "Yes"]
    assert with_figures_held(question, polar, [0.2, 0.7]) == [0.7, 0.0]
    assert with_figures_held("Are four unused days carried over?", polar, [0.2, 0.7]) == [0.2, 0.7]


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("Is a note needed on Mondays?", []),
        ("Is a note needed on Friday's shift?", []),
        ("Is a note needed in October?", []),
        ("Does Julie need a note?", ["Julie"]),
    ],
)
def test_days_and_months_are_no_names_that_documents_have_to_know(
    handbook: Asker, question: str, unknown: list[str]
) -> None:
    assert [name.text for name in handbook.asking(question).found.unknown_names] == unknown


def test_a_yes_within_the_bounds_is_given(handbook: Asker) -> None:
    answer = handbook.ask("Are four unused days carried over into the next year?")
    assert answer.answer.startswith("Yes")


@pytest.mark.parametrize(
    ("question", "verified"),
    [
        ("How fast is the Tern in km/h?", "How fast is the Tern?"),
        ("How long is the Tern in feet", "How long is the Tern?"),
        ("How many metres is the Tern?", "How many metres is the Tern?"),
        ("How many boats lie in Tarn?", "How many boats lie in Tarn?"),
        ("How long is the pier in Tarn?", "How long is the pier in Tarn?"),
    ],
)
def test_what_is_verified_names_no_unit_to_convert_into(question: str, verified: str) -> None:
    assert in_any_unit(analyse(question)) == verified
