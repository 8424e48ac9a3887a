"""Lists of questions and answers: a question is no evidence of what it asks, and what is replied to it is."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kg.ask.candidates import Read, polar, spans
from kg.ask.engine import Asker
from kg.ask.question_kinds import replied
from kg.ask.retrieve import Scored
from kg.ask.unit_ranking import UnitRead
from kg.ask.view import view
from kg.knowledge_base import KnowledgeBase
from kg.reading import Trained
from kg.reading import view as shown
from kg.settings import Settings
from tests.ask.test_reaching import read as reading
from tests.ask.test_reaching import seen as sentences_seen

FAQ = """# Heron lamp

## Does the lamp contain lead?

No. It has none.

## Is the lamp made in Orsk?

Yes, since 1931.

Q: Is the lamp waterproof?
A: No. Keep it dry.

Q: Are there larger lamps?
A: Ask the shop.

Was the mill built in 1901? The mill was built in 1931. What do the letters HL mean? They are short for heron lamp.
"""


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Asker:
    kb = KnowledgeBase.create(tmp_path_factory.mktemp("lamps") / "kb", Settings(build={"ontology": ()}))
    kb.put(FAQ.encode(), "faq.md")
    return Asker(view(kb.snapshot), trained=Trained.load())


@pytest.mark.parametrize(
    ("question", "text"),
    [("Does the lamp contain lead?", "No: “It has none.”"), ("Is the lamp made in Orsk?", "Yes: “Yes, since 1931.”")],
)
def test_the_reply_to_the_same_question_is_given(asker: Asker, question: str, text: str) -> None:
    assert asker.ask(question).answer == text


def test_without_a_reply_a_question_says_nothing(asker: Asker) -> None:
    assert asker.ask("Are there larger lamps?").status == "abstained"


def test_neither_yes_nor_a_span_is_read_in_a_question(asker: Asker) -> None:
    asking = asker.asking("What do the letters HL mean?")
    (unit,) = [s for s in asking.found.units if s.plain.startswith("What do the letters")]
    assert unit.asks
    seen = shown(unit.passage, "", range(len(unit.passage.units)))
    told = Read.of(asking, [seen], [reading(seen, "letters", "mean")], Trained.load().reader.ranker)
    assert not [c for c in spans(told) if c.draft.evidence[0].asks]
    assert polar(told) and not [c for c in polar(told) if c.draft.evidence[0].asks]


@pytest.mark.parametrize(
    ("sentences", "given"),
    [
        (("Q: Is it so?", "A: No."), [("No", "A: No.")]),
        (("It is so.", "Is it so?"), [("Yes", "It is so."), ("No", "It is so.")]),
    ],
)
def test_yes_and_no_are_read_where_something_is_said_and_as_it_says(
    sentences: tuple[str, ...], given: list[tuple[str, str]]
) -> None:
    seen = sentences_seen(*sentences)
    scored = {(seen.passage.id, n): Scored(seen.passage, n, *[0.0] * 8) for n in range(len(sentences))}
    asking = SimpleNamespace(question=SimpleNamespace(text="Is it so?"))
    order = tuple(UnitRead(0, one, -float(n)) for n, one in enumerate(scored.values()))
    told = Read(asking, (seen,), (reading(seen),), scored, order)  # type: ignore[arg-type]
    assert [(c.draft.values[0].label, c.draft.evidence[0].plain) for c in polar(told)] == given


def test_no_date_is_read_in_a_question(asker: Asker) -> None:
    assert [value.label for value in asker.ask("When was the mill built?").answers] == ["1931"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("No.", "No"), ("A: No. Use the other.", "No"), ("Answer: yes", "Yes"), ("Yes – but slowly", "Yes"),
        ("No files are kept.", ""), ("Yesterday.", ""), ("It is so. No.", ""),
    ],
)  # fmt: skip
def test_a_reply_begins_with_yes_or_no(text: str, word: str) -> None:
    assert replied(text) == word
