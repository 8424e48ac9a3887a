"""What a thing is, asked by its name: the claim that says so, quoted and queried, before what merely speaks of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.ask.backing import backed
from kg.ask.drafts import Draft, Value
from kg.ask.engine import Asker
from kg.ask.view import view
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

MILLS = """# The Heron Mill

Heron is released under the Clay 2.0 license. Heron was painted in 1931.
The Night Ferry was written by a man named Jonas Pell.
A marotte is a puppet on a stick. Heron is a mill for grinding barley that was first built in Orsk.
Couscous is known as the national dish in Tunisia, but also in Algeria and Morocco, as well as Mauritania and Libya.
It is a good mill. The Swift is not a fast ferry.

| Band | Description |
|---|---|
| The Who | an English rock band |
| Corran Lamps | probably a band of keepers |
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    kb = KnowledgeBase.create(tmp_path_factory.mktemp("mills") / "kb", Settings(build={"ontology": ()}))
    kb.put(MILLS.encode(), "mills.md")
    return kb


@pytest.fixture(scope="module")
def asker(kb: KnowledgeBase) -> Asker:
    return Asker(view(kb.snapshot))


@pytest.mark.parametrize(
    "question", ["What is Heron?", "heron – what is that?", "Define Heron.", "What does heron mean?", "Who is Heron?"]
)
def test_the_definition_is_quoted_with_its_query(asker: Asker, question: str) -> None:
    assert asker.graph is not None
    draft = asker.graph.described(asker.asking(question))
    assert draft is not None and draft.backing is not None
    assert draft.text == "Heron is a mill for grinding barley that was first built in Orsk."
    assert [row["value"]["value"] for row in draft.backing.written.rows] == [
        "a mill for grinding barley that was first built in Orsk"
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Where is Heron?",
        "When was Heron painted?",
        "What is it?",
        "Which Heron?",
        "What is a falcon?",
        "What is the Swift?",
    ],
)
def test_what_is_asked_of_a_thing_is_no_definition(asker: Asker, question: str) -> None:
    assert asker.graph is not None and asker.graph.described(asker.asking(question)) is None


@pytest.mark.parametrize("question", ["What is a marotte?", "Define marotte."])
def test_what_something_is_is_quoted_with_its_query(
    kb: KnowledgeBase, by_models: Callable[[KnowledgeBase], Asker], question: str
) -> None:
    answer = by_models(kb).ask(question)
    assert answer.answer == "A marotte is a puppet on a stick." and answer.bindings is not None
    assert [row["value"]["value"] for row in answer.bindings["results"]["bindings"]] == ["a puppet on a stick"]


def test_what_no_claim_describes_is_not_made_up(kb: KnowledgeBase, by_models: Callable[[KnowledgeBase], Asker]) -> None:
    assert by_models(kb).ask("What is the Night Ferry?").status == "abstained"


@pytest.mark.parametrize(
    ("question", "labels", "rows"),
    [
        ("Which licence does Heron have?", ["Clay 2.0"], ["the Clay 2.0 license"]),
        ("Who wrote the Night Ferry?", ["Jonas", "Pell"], ["a man named Jonas Pell"]),
        ("Where is couscous the national dish?", ["Tunisia", "Algeria"], None),
        ("Which licence does Heron have?", ["Clay 2"], None),
        ("Which licence does Heron have?", ["Clay 2.0", "Heron"], None),
    ],
)
def test_an_answer_that_is_most_of_what_a_claim_states_has_its_query(
    asker: Asker, question: str, labels: list[str], rows: list[str] | None
) -> None:
    asking = asker.asking(question)
    unit = next(s for s in asking.found.units if all(label in s.plain for label in labels))
    draft = Draft("list", ", ".join(labels), tuple(map(Value, labels)), (unit,), 1.0)
    assert asker.graph is not None
    backing = backed(asker.graph.graph, asking, draft).backing
    assert (backing and [row["value"]["value"] for row in backing.written.rows]) == rows
