"""Answers computed from a document's table as users get them: the values, and the row that is quoted for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kg.ask.engine import Asker
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

HALLS = """# Halls for hire at Castle Orme

The castle lets five halls. Ask the steward for the keys.

| Hall | Floor area (m²) | Seats | Hearing loop | Step-free |
|------|-----------------|-------|--------------|-----------|
| Aspen | 310 | 240 | yes | ✓ |
| Beech | 520 | 400 | no | |
| Cedar | 95 | 60 | yes, on request | ✓ |
| Damson | 180 | 150 | no | |
| Elder | 240 | 210 | no | ✓ |
"""


@pytest.fixture(scope="module")
def orme(tmp_path_factory: pytest.TempPathFactory, by_models: Callable[[KnowledgeBase], Asker]) -> Iterator[Asker]:
    folder: Path = tmp_path_factory.mktemp("halls")
    (folder / "docs").mkdir()
    (folder / "docs" / "halls.md").write_text(HALLS, encoding="utf-8")
    with KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ()})) as base:
        assert base.add([folder / "docs"]).failed == ()
        yield by_models(base)


@pytest.mark.parametrize(
    ("question", "labels", "quoted"),
    [
        ("Which halls have a hearing loop?", ["Aspen", "Cedar"], "Aspen"),
        ("Which halls have no hearing loop?", ["Beech", "Damson", "Elder"], "Beech"),
        ("Which halls are step-free?", ["Aspen", "Cedar", "Elder"], "Aspen"),
        ("Which hall has the second most seats?", ["Aspen"], "Aspen"),
        pytest.param(
            "Which hall has the third most seats?", ["Elder"], "Elder",
            marks=pytest.mark.xfail(strict=True, reason="the judge is sure by .42 only of what is computed rightly"),
        ),
        ("What is the second largest hall by floor area?", ["Aspen"], "Aspen"),
    ],
)  # fmt: skip
def test_values_and_the_row_quoted(orme: Asker, question: str, labels: list[str], quoted: str) -> None:
    answer = orme.ask(question)
    assert [value.label for value in answer.answers] == labels
    assert f"“Hall: {quoted}; " in answer.answer
