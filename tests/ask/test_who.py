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


BELIEVED = pytest.mark.xfail(strict=True, reason="the judge believes what stands beside the verb")


@pytest.mark.parametrize(
    ("question", "nobody"),
    [
        ("Who made the Karl press?", "Tile Gazette"),  # a line that cites
        ("Who makes the Norberg extruder?", "Power"),  # a title's words
        # Nothing says what was before.
        pytest.param("What did the brickworks use before the Karl press?", "LED", marks=BELIEVED),
        pytest.param("Where was the office before Westpit?", "a shed", marks=BELIEVED),
    ],
)
def test_who_or_what_is_not_given(kb: KnowledgeBase, question: str, nobody: str) -> None:
    answer = kb.ask(question)
    assert answer.status == "abstained" or nobody not in answer.answer.partition(" – ")[0]


def test_a_name_in_a_title_wrote_nothing(kb: KnowledgeBase) -> None:
    assert not kb.ask("Who wrote the paper on plastic clays?").answer.startswith("Northern Rivers")


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
