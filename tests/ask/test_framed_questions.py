"""Questions that begin with a situation, asked of documents with the packaged models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from kg.ask.engine import Asker
from kg.knowledge_base import KnowledgeBase
from kg.reading import Reader, Reading
from kg.settings import Settings

FERRY = """# Orr ferry

Dogs are carried free of charge. Bicycles cost 4 crowns.

Lost tickets are replaced at the harbour office by Ada Wren.
"""


class Listening(Reader):
    """The packaged reader, which remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def read(self, question: str, texts: Sequence[str]) -> list[Reading]:
        self.asked.append(question)
        return super().read(question, texts)


@pytest.fixture(scope="module")
def ferry(tmp_path_factory: pytest.TempPathFactory, by_models: Callable[[KnowledgeBase], Asker]) -> Asker:
    folder = tmp_path_factory.mktemp("ferry")
    (folder / "ferry.md").write_text(FERRY, encoding="utf-8")
    base = KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ()}))
    base.add([Path(folder / "ferry.md")])
    return by_models(base)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        (
            "I'm off to Orr with my family. Who replaces lost tickets at the harbour?",
            "Who replaces lost tickets at the harbour?",
        ),
        ("My ticket is gone. Who replaces it at the harbour?", "My ticket is gone. Who replaces it at the harbour?"),
    ],
)
def test_the_reader_is_asked_the_clause_that_asks(ferry: Asker, question: str, read: str) -> None:
    reader = Listening()
    ferry.candidates(ferry.asking(question), [], reader)
    assert reader.asked[0] == read


@pytest.mark.parametrize("frame", ["I'm off to Orr with my poodle. ", "If I come along, ", "we'd all like to come. "])
def test_behind_a_situation_yes_or_no_is_proposed_and_nothing_else(ferry: Asker, frame: str) -> None:
    assert ferry.trained is not None
    asking = ferry.asking(f"{frame}are dogs carried free of charge?")
    assert asking.found.unknown_names == ()
    found = ferry.candidates(asking, [], ferry.trained.reader)[1]
    assert {c.draft.values[0].label for c in found} == {"Yes", "No"}


@pytest.mark.parametrize(
    ("question", "queried"),
    [
        (
            "We compare boats of that time. How many cars does the Bryndis carry?",
            "How many cars does the Bryndis carry?",
        ),
        ("I sail on the Bryndis. How many cars does it carry?", "How many cars does Bryndis carry?"),
        ("How many cars does it carry? I mean the Bryndis.", "How many cars does Bryndis carry?"),
        ("I sail on the Bryndis. Is her captain known?", "Is Bryndis's captain known?"),
        # What names two things, or one to which nothing points, may narrow what is asked.
        *(
            (text, text)
            for text in (
                "The Aurelia and the Bryndis are in. How many cars does it carry?",
                "The Aurelia and the Bryndis are in. How many cars are carried by night?",
                "On the Bryndis, how many cars are carried by night?",
                "How many cars does the Bryndis carry?",
            )
        ),
    ],
)
def test_queries_are_made_of_the_clause_and_the_thing_that_it_points_to(
    asker: Asker, question: str, queried: str
) -> None:
    assert asker.graph is not None
    assert asker.graph.asked(asker.asking(question)).question.text == queried


@pytest.mark.parametrize(
    "frame",
    ["We compare boats of that time. How many cars does the Bryndis", "I sail on the Bryndis. How many cars does it"],
)
def test_a_situation_hides_no_answer_of_the_graph(asker: Asker, frame: str) -> None:
    answer = asker.ask(f"{frame} carry?")
    assert (answer.status, [item.value for item in answer.answers]) == ("answered", ["72"])
    assert answer.sparql is not None


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("My colleague O'Brien sails on the Bryndis. How many cars does it carry?", []),
        ("How many cars does the Bryndis carry? O'Brien wants to know.", []),
        # Nothing else is named that may be what is asked about.
        ("We bought a Zorblax. How many cars does it carry?", ["Zorblax"]),
        ("I know the Bryndis. How many cars does the Zorblax carry?", ["Zorblax"]),
        # Days and months are no names; who is called nearly so may be.
        ("Does it sail on Sundays, in February and on Wednesday's tide?", []),
        ("Does Julie sail on it?", ["Julie"]),
    ],
)
def test_a_situation_may_name_what_no_document_does(asker: Asker, question: str, unknown: list[str]) -> None:
    assert [name.text for name in asker.asking(question).found.unknown_names] == unknown
