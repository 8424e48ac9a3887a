"""Who did it and where, as trained models read it beside titles, cited lines and others who did another thing."""

from __future__ import annotations

import pytest

from kg.knowledge_base import KnowledgeBase
from kg.settings import AskSettings, Settings

BRICKWORKS = """# The Brickworks of Oster

## The Hoffmann Kiln

The Hoffmann Kiln burned day and night. Its walls were lime-washed.
Nils Brand joined the works in 1902 to build Ladderdryer, a shed of many floors.

## Clay pits

Before Westpit was opened the works dug clay at Eastpit. The office is in a shed near Westpit.
Ada Roll et al. published "Plastic Clays of Northern Rivers", on how clay shrinks with heat.

## Gear

The brickworks sold its LED lamps to Brevik. It uses LED lamps beside the Karl press.

## Further reading

- Source: Tile Gazette - Karl press
- 40 Norberg extruders: Power, Smoke, Dust — ClayAnalysis

Oil is cheap, but power is dear.
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    kb = KnowledgeBase.create(
        tmp_path_factory.mktemp("bricks") / "kb", Settings(build={"ontology": ()}, ask=AskSettings(reader=""))
    )
    kb.put(BRICKWORKS.encode(), "brickworks.md")
    return kb


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who built Ladderdryer?", "Nils Brand"),
        ("Who wrote the paper on plastic clays?", "Ada Roll"),
        ("Where did the works dig clay before Westpit?", "Eastpit"),
    ],
)
def test_who_or_what_is_given(kb: KnowledgeBase, question: str, said: str) -> None:
    answer = kb.ask(question)
    assert answer.status == "answered"
    assert said in answer.answer[:160]
