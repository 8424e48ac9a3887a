"""Candidates that reach over several stretches of one sentence, lists of stretches, and headings that are asked for."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pytest

from kg.algebra.answers import Computed
from kg.algebra.forms import Every, Extreme, Form
from kg.ask.candidates import Candidate, Read, Source, everything, headings, lists, reaching, spans
from kg.ask.drafts import Draft, Value
from kg.ask.question import analyse
from kg.ask.retrieve import Scored
from kg.model import Passage, Unit, UnitKind
from kg.reading import Reading, Span, View, view

EXTREME = Extreme(Every(), 1, True)


def seen(*sentences: str) -> View:
    units, at = [], 0
    for text in sentences:
        units.append(Unit(UnitKind.SENTENCE, at, at + len(text), text))
        at += len(text) + 1
    return view(Passage("p", "d", 0, at, " ".join(sentences), (), 0, tuple(units)), "", range(len(units)))


def read(shown: View, *likely: str) -> Reading:
    """A reading whose words belong to the answer where they are among ``likely``."""
    words = list(re.finditer(r"[\w]+", shown.text))
    inside = np.array([4.0 if word[0] in likely else -4.0 for word in words])
    size, offsets = len(words), np.array([word.span() for word in words])
    return Reading(np.arange(float(size)), np.zeros(size), inside, 1.0, offsets, np.arange(size), 0.0, (0, 0, 0))


def test_stretches_of_one_sentence_give_all_between_them() -> None:
    shown = seen("Keepers will be recruited and trained.", "They row.")
    spans = list(reaching(shown, read(shown, "Keepers", "recruited", "trained", "row")))
    assert {shown.text[s.start : s.end] for s in spans} == {"Keepers will be recruited and trained"}
    assert spans[0] == Span(0, 37, -1.0)


def test_one_stretch_a_sentence_gives_nothing_more() -> None:
    shown = seen("Keepers row.", "They swim.")
    assert list(reaching(shown, read(shown, "Keepers", "They"))) == []


def found(question: str, path: tuple[str, ...], title: str = "") -> list[str]:
    text = "It gives an embassy with all players."
    passage = Passage("p", "d", 0, len(text), text, path, 0, (Unit(UnitKind.SENTENCE, 0, len(text), text),))
    shown = view(passage, title, (0,))
    (scored,) = [Scored(passage, 0, *[0.0] * 8)]
    asking = SimpleNamespace(question=SimpleNamespace(text=question))
    told = Read(asking, (shown,), (read(shown),), {scored.key: scored})  # type: ignore[arg-type]
    return [candidate.draft.text for candidate in headings(told)]


def test_what_a_passage_stands_below_may_be_what_is_asked_for() -> None:
    shown = "Marco Polo's Embassy – “It gives an embassy with all players.”"
    assert found("Which wonder lets me meet everybody?", ("Marco Polo's Embassy",), "Wonders") == [shown]


def test_a_heading_answers_neither_how_many_nor_what_names_it() -> None:
    assert found("How many wonders are there?", ("Marco Polo's Embassy",)) == []
    assert found("What does Marco Polo's Embassy give?", ("Marco Polo's Embassy",)) == []


def listed(sentence: str, *likely: str) -> list[list[str]]:
    passage = Passage(
        "p", "d", 0, len(sentence), sentence, (), 0, (Unit(UnitKind.SENTENCE, 0, len(sentence), sentence),)
    )
    shown = view(passage, "", (0,))
    scored = Scored(passage, 0, *[0.0] * 8)
    asking = SimpleNamespace(question=SimpleNamespace(text="?"))
    told = Read(asking, (shown,), (read(shown, *likely),), {scored.key: scored})  # type: ignore[arg-type]
    return [[value.label for value in one.draft.values] for one in lists(told)]


def test_stretches_with_a_comma_or_and_between_them_are_items() -> None:
    assert listed("Ada, then Ben and Cy row.", "Ada", "Ben", "Cy") == [["Ada", "Ben", "Cy"]]


def test_stretches_that_lean_on_one_another_are_one() -> None:
    pushes = "The mill keeps the most recent push of metrics from jobs and the wheel."
    held = ("metrics", "from", "jobs", "wheel")
    assert listed(pushes, "most", "of", *held) == [["most recent push of metrics from jobs", "wheel"]]
    assert listed(pushes, "recent", "of", *held) == [["recent push of metrics from jobs", "wheel"]]
    assert listed(pushes, "push", *held) == [["push", "metrics from jobs", "wheel"]]


def test_a_stretch_that_cannot_end_there_goes_on() -> None:
    armor = "Barding is armor made to guard animals, and a shield."
    assert listed(armor, "armor", "made", "to", "animals", "shield") == [["armor made to guard animals", "shield"]]


def test_stretches_of_two_sentences_are_two() -> None:
    shown = seen("They row to", "old Orsk and Tolm.")
    units = shown.passage.units
    scored = {(shown.passage.id, n): Scored(shown.passage, n, *[0.0] * 8) for n in range(len(units))}
    asking = SimpleNamespace(question=SimpleNamespace(text="?"))
    told = Read(asking, (shown,), (read(shown, "row", "to", "Orsk"),), scored)  # type: ignore[arg-type]
    assert [[value.label for value in one.draft.values] for one in lists(told)] == [["row", "Orsk"]]


def test_words_that_name_nothing_and_questions_give_no_items() -> None:
    assert listed("Ada, then Ben and it.", "Ada", "Ben", "it") == [["Ada", "Ben"]]
    assert listed("Do Ada, then Ben row?", "Ada", "Ben") == []


def test_where_one_only_is_left_there_is_no_list() -> None:
    assert listed("Barding is armor made to guard an animal.", "armor", "made", "to", "an") == []
    assert listed("It is most of it.", "most", "it") == []


def test_items_neither_begin_nor_end_with_words_cut_loose() -> None:
    assert listed("Go by bus, or by train to the coast (daily).", "by", "bus", "train", "to", "the") == [
        ["bus", "train"]
    ]
    assert listed("Ann pays (12 a day), Bo nothing.", "12", "Bo") == [["12 a day", "Bo"]]


def test_a_list_of_both_is_no_choice() -> None:
    asked = SimpleNamespace(question=analyse("Which is wider, Titan or Io?"))
    told = Read(asking=asked, views=(), readings=(), units={})  # type: ignore[arg-type]

    def labels(*candidates: list[str]) -> list[list[str]]:
        drafts = [Draft("list", "", tuple(map(Value, c)), (), 1.0) for c in candidates]
        kept = everything(told, [Candidate(draft, Source.COMPUTED) for draft in drafts])
        return [[value.label for value in one.draft.values] for one in kept]

    assert labels(["Titan", "Io"], ["the moon Titan", "io"]) == []
    fit = [["Titan"], ["Titan is wider than Io"], ["Titan", "Triton"], ["Titan", "Ionia"]]
    assert labels(*fit) == fit


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("How many people took part?", False),
        ("For how long does it row?", False),
        ("Which ferry is the longest?", False),
        ("What is a ferry?", False),
        ("Define ferry.", False),
        ("What are the four ferries?", True),
        ("Which two men row?", True),
        ("Which ferries are there?", True),
        ("Which ferries row?", True),
        ("How many row? The documents disagree.", True),
        ("Who rows?", True),
        ("What does it need?", True),
    ],
)
def test_no_list_is_read_where_one_thing_is_asked(question: str, several: bool) -> None:
    text = "Ada and Ben row."
    passage = Passage("p", "d", 0, len(text), text, (), 0, (Unit(UnitKind.SENTENCE, 0, len(text), text),))
    shown = view(passage, "", (0,))
    scored = Scored(passage, 0, *[0.0] * 8)
    asking = SimpleNamespace(question=analyse(question))
    told = Read(asking, (shown,), (read(shown, "Ada", "Ben"),), {scored.key: scored})  # type: ignore[arg-type]
    assert any(one.source == Source.LIST for one in everything(told, [])) is several


def computed(label: str, confidence: float, form: Form) -> Candidate:
    told = Computed((label,), "", "", (), confidence, {}, SimpleNamespace(), form)  # type: ignore[arg-type]
    return Candidate(
        Draft("entity", label, (Value(label),), (cell(UnitKind.ROW),), 1.0), Source.COMPUTED, computed=told
    )


def cell(kind: UnitKind) -> Scored:
    return Scored(Passage("p", "d", 0, 4, "Moon", (), 0, (Unit(kind, 0, 4, "Moon"),)), 0, *[0.0] * 8)


@pytest.mark.parametrize(
    ("question", "confidence", "form", "kept"),
    [
        ("Which moon is the widest?", 0.7, EXTREME, ["Io", "told"]),
        ("Which moon is the widest?", 0.4, EXTREME, ["Io", "Titan", "row", "told"]),
        ("Which moon is the widest?", 0.7, Every(), ["Io", "Titan", "row", "told"]),
        ("Which moon is wide?", 0.7, EXTREME, ["Io", "Titan", "row", "told"]),
    ],
)
def test_no_extreme_is_read_off_a_row(question: str, confidence: float, form: Form, kept: list[str]) -> None:
    asking = SimpleNamespace(question=analyse(question))
    told = Read(asking=asking, views=(), readings=(), units={})  # type: ignore[arg-type]
    row = Candidate(Draft("entity", "row", (Value("row"),), (cell(UnitKind.ROW),), 1.0), Source.SPAN)
    said = Candidate(Draft("entity", "told", (Value("told"),), (cell(UnitKind.SENTENCE),), 1.0), Source.SPAN)
    every = [computed("Io", confidence, form), computed("Titan", 0.3, Every()), row, said]
    assert [one.draft.values[0].label for one in everything(told, every)] == kept


@pytest.mark.parametrize(
    ("question", "kind", "text"),
    [
        ("What is Kuul?", UnitKind.SENTENCE, "In May Kuul is a name for harbour dues."),
        ("Define Kuul.", UnitKind.SENTENCE, "In May Kuul is a name for harbour dues."),
        ("What is Kuul?", UnitKind.ROW, "dues – “In May Kuul is a name for harbour dues.”"),
        ("What is Orm?", UnitKind.SENTENCE, "dues – “In May Kuul is a name for harbour dues.”"),
        ("Which dues are due in May?", UnitKind.SENTENCE, "dues – “In May Kuul is a name for harbour dues.”"),
    ],
)
def test_what_explains_a_thing_is_told_as_the_sentence_that_names_it(question: str, kind: UnitKind, text: str) -> None:
    said = "In May Kuul is a name for harbour dues."
    assert text in told_spans(question, kind, said)


def test_a_sentence_too_long_to_be_told_is_quoted_in_part() -> None:
    said = f"In May Kuul, as {'the old clerks of the quay wrote, ' * 12}is a name for harbour dues."
    (told,) = [text for text in told_spans("What is Kuul?", UnitKind.SENTENCE, said) if text.startswith("dues")]
    assert len(told) < 200 < len(said)


@pytest.mark.parametrize(("kind", "label"), [(UnitKind.ROW, "06"), (UnitKind.SENTENCE, "06; arrives: 07")])
def test_an_answer_ends_with_its_cell(kind: UnitKind, label: str) -> None:
    said = "Sailing: S3; Departs: 06; Arrives: 07"
    passage = Passage("p", "d", 0, len(said), said, (), 0, (Unit(kind, 0, len(said), said),))
    shown = view(passage, "", (0,))
    scored = Scored(passage, 0, *[0.0] * 8)
    asking = SimpleNamespace(question=analyse("When does S3 leave?"))
    found = spans(Read(asking, (shown,), (read(shown, "06", "07"),), {scored.key: scored}))  # type: ignore[arg-type]
    assert label in {candidate.label for candidate in found}
    assert ("07" in label) is any("06" in candidate.label and "07" in candidate.label for candidate in found)


def told_spans(question: str, kind: UnitKind, said: str) -> list[str]:
    passage = Passage("p", "d", 0, len(said), said, (), 0, (Unit(kind, 0, len(said), said),))
    shown = view(passage, "", (0,))
    scored = Scored(passage, 0, *[0.0] * 8)
    asking = SimpleNamespace(question=analyse(question))
    found = spans(Read(asking, (shown,), (read(shown, "harbour", "dues"),), {scored.key: scored}))  # type: ignore[arg-type]
    return [candidate.draft.text for candidate in found if candidate.label == "dues"]
