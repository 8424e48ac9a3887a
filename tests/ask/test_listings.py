"""Whole lists as answers, and how many items they have."""

from __future__ import annotations

import re

import numpy as np
import pytest

from kg.algebra.documents import Collection
from kg.ask.candidates import Candidate, Read, Source
from kg.ask.computed import listings
from kg.ask.drafts import Asking
from kg.ask.question import analyse
from kg.ask.retrieve import Found, Scored
from kg.model import Passage
from kg.readers import read as document
from kg.reading import Reading, View, view
from kg.text.passages import split

TEXT = """# Depot

The depot keeps three stores:

- oil, in barrels
- rope
- paint

What to bring:

- Boots: for the mud
- A lamp: it is dark
"""


def reading(shown: View, likely: str) -> Reading:
    words = list(re.finditer(r"\w+", shown.text))
    inside = np.array([4.0 if word[0] in likely.split() else -4.0 for word in words])
    size, offsets = len(words), np.array([word.span() for word in words])
    return Reading(np.zeros(size), np.zeros(size), inside, 1.0, offsets, np.arange(size), 0.0, (0, 0, 0))


class _Retriever:
    """Scores any unit alike."""

    def __init__(self, passages: tuple[Passage, ...]) -> None:
        self.passages = {p.id: p for p in passages}

    def scored_at(self, found: Found, passage: str, place: int) -> Scored | None:
        own = self.passages[passage]
        number = next((n for n, u in enumerate(own.units) if u.start <= place < u.end), None)
        return None if number is None else Scored(own, number, *[0.5] * 8)


def asked(question: str, likely: str = "") -> list[Candidate]:
    passages = split(document(TEXT.encode(), "depot.md"), "depot")
    shown = tuple(view(p, "", range(len(p.units))) for p in passages)
    asking = Asking(analyse(question), None, _Retriever(passages))  # type: ignore[arg-type]
    readings = tuple(reading(v, likely) for v in shown)
    return listings(Read(asking, shown, readings, {}), Collection(passages))


def test_a_list_is_told_with_all_its_items_and_cites_them() -> None:
    stores, *_ = asked("What does the depot keep?")
    assert stores.source is Source.ITEMS and stores.draft.kind == "list"
    assert [v.label for v in stores.draft.values] == ["oil, in barrels", "rope", "paint"]
    assert [scored.plain for scored in stores.draft.evidence] == ["oil, in barrels", "rope", "paint"]
    assert [v.evidence for v in stores.draft.values] == [(0,), (1,), (2,)]
    assert stores.draft.text.startswith("oil, in barrels; rope; paint")


def test_a_list_of_keys_is_told_by_them_and_as_a_whole() -> None:
    _, keys, whole = asked("Which things should I bring?")
    assert [v.label for v in keys.draft.values] == ["Boots", "A lamp"]
    assert [v.label for v in whole.draft.values] == ["Boots: for the mud", "A lamp: it is dark"]
    assert (keys.signs["items_by_key"], whole.signs["items_by_key"]) == (1.0, 0.0)


@pytest.mark.parametrize("question", ["How many stores are kept?", "How many things should I bring?"])
def test_how_many_items_a_list_has(question: str) -> None:
    assert [c.draft.values[0].label for c in asked(question)] == ["3", "2"]
    assert {c.draft.kind for c in asked(question)} == {"count"}


@pytest.mark.parametrize(
    "question", ["Is there rope in the depot?", "Who keeps the depot?", "When was the rope bought?", "What is paint?"]
)
def test_what_asks_for_one_thing_is_answered_by_no_list(question: str) -> None:
    assert asked(question) == []


def test_what_the_reader_takes_for_the_answer_goes_with_a_list() -> None:
    stores, keys, _ = asked("What does the depot keep?", "oil rope paint lamp")
    assert (stores.signs["items_told"], keys.signs["items_told"]) == (1.0, 0.5)
    assert stores.signs["items_read"] == 1.0
    assert stores.signs["items_inside"] > 0.9 > 0.5 > keys.signs["items_inside"] - 0.05


def test_every_item_of_a_long_list_cites_its_own_place(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["amber", "birch", "cedar", "dogwood", "elm", "fir", "birch", "gorse", "hazel"]
    monkeypatch.setattr(
        f"{__name__}.TEXT", "# Woods\n\nThe yard keeps these woods:\n\n" + "".join(f"- {x}\n" for x in names)
    )
    (woods,) = asked("Which woods does the yard keep?")
    told = [(v.label, *(woods.draft.evidence[n].plain for n in v.evidence)) for v in woods.draft.values]
    assert told == [(x, x) for x in dict.fromkeys(names)]


@pytest.mark.parametrize("question", ["How many hours do I need?", "How long is it?", "How many litres must I bring?"])
def test_an_amount_is_no_number_of_items(question: str) -> None:
    assert asked(question, "oil rope") == []
