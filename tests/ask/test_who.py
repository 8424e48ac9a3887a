"""Who did it is somebody of whom the verb is said: no word of a title, no cited line, no one who did another thing."""

from __future__ import annotations

import pytest

from kg.ask.spans import names, says_sort
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

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
    kb = KnowledgeBase.create(tmp_path_factory.mktemp("bricks") / "kb", Settings(build={"ontology": ()}))
    kb.put(BRICKWORKS.encode(), "brickworks.md")
    return kb


@pytest.mark.parametrize(
    ("question", "nobody"),
    [
        ("Who made the Karl press?", "Tile Gazette"),  # a line that cites
        ("Who makes the Norberg extruder?", "Power"),  # a title's words
        ("Who wrote the paper on plastic clays?", "Northern Rivers"),  # a name in a quoted title
        ("What did the brickworks use before the Karl press?", "LED"),  # a sort of lamp; nothing says what was before
        ("Where was the office before Westpit?", "shed"),
    ],
)
def test_who_or_what_is_not_given(kb: KnowledgeBase, question: str, nobody: str) -> None:
    answer = kb.ask(question)
    assert answer.status == "abstained" or not answer.answer.startswith(nobody)


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


def test_an_acronym_before_a_noun_says_a_sort() -> None:
    told = {n.text: says_sort(text, n) for text in ("It has LED lamps", "LED went dark") for n in names(text)}
    assert told == {"LED": False}
    assert [says_sort(t, n) for t in ("It has LED lamps", "It has NATO") for n in names(t)] == [True, False]
