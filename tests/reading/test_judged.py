"""What is read, and what is refused before or after it is read, with the packaged models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from kg.ask.candidate_features import features
from kg.ask.candidates import Source, sentences
from kg.ask.compose import explanation
from kg.ask.engine import Asker
from kg.ask.verification import chances, verified
from kg.ask.view import view
from kg.knowledge_base import KnowledgeBase
from kg.model import Reason
from kg.reading import Trained

TEXT = """# The harbour of Tarn

Corran Light was built by Ada Wren in 1901. It has forty lamps and stands on Skerry Point.

Marten Osk paid 4,200 crowns for the Ivory Clock in 1911. The ferry Elsa was sold to Lena Rusk.

## Boats

| Boat | Berths | Built |
|---|---|---|
| Elsa | 40 | 1898 |
| Marta | 12 | 1911 |
| Gull | 55 | 1904 |
"""


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    folder = tmp_path_factory.mktemp("harbour")
    (folder / "harbour.md").write_text(TEXT, encoding="utf-8")
    with KnowledgeBase.create(folder / "kb") as made:
        made.add([folder / "harbour.md"])
        yield Asker(view(made.snapshot), trained=Trained.load())


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Who built Corran Light?", "Ada Wren"), ("When was Corran Light built?", "1901")],
)
def test_what_is_read_is_given_and_quoted(asker: Asker, question: str, answer: str) -> None:
    found = asker.ask(question)
    assert found.status == "answered" and found.answers[0].label == answer
    assert "Corran Light was built by Ada Wren in 1901." in found.citations[0].quote
    assert asker.trained is not None and asker.trained.judge.threshold <= found.confidence <= 1


def test_a_name_that_no_document_has_is_refused_whatever_is_read(asker: Asker) -> None:
    found = asker.ask("Who built Brixholm Light?")
    assert (found.status, found.reason) == ("abstained", Reason.UNKNOWN_ENTITY)


def test_each_candidate_has_features_and_whether_it_is_so_is_answered_yes_or_no(asker: Asker) -> None:
    assert asker.trained is not None
    asking = asker.asking("Was Corran Light built by Ada Wren?")
    read, candidates = asker.candidates(asking, asker.given(asking), asker.trained.reader)
    assert {"Yes", "No"} == {c.draft.values[0].label for c in candidates if c.source == Source.POLAR}
    rows = features(read, candidates)
    assert len(rows) == len(candidates) and all(row["asks_whether"] == 1.0 for row in rows)
    assert asker.ask("Was Corran Light built by Ada Wren?").answer.startswith("Yes")


def test_only_the_likeliest_are_verified_and_may_be_given(asker: Asker) -> None:
    models = asker.trained
    assert models is not None and models.verifier is not None
    asking = asker.asking("Which boat was sold?")
    read, candidates = asker.candidates(asking, asker.given(asking), models.reader)
    found = chances(read, candidates, asker.titles, models)
    plain = chances(read, candidates, asker.titles, replace(models, verifier=None))
    rows, judge = features(read, candidates), models.judge_of(bool(asker.view.ontology))
    assert plain == [judge.chance(row) for row in rows] and len(plain) > 8
    likely = sorted(range(len(plain)), key=lambda n: (-plain[n], n))[:8]
    checked = verified(asking.question.text, candidates, asker.titles, models.verifier)
    assert {n for n, chance in enumerate(found) if chance} == set(likely)
    assert [found[n] for n in likely] == [judge.chance(rows[n] | checked[n]) for n in likely]


def test_a_yes_or_no_is_quoted_from_where_the_reader_has_it_decided(asker: Asker) -> None:
    assert asker.trained is not None
    asking = asker.asking("Was the ferry Elsa sold to Lena Rusk?")
    _, candidates = asker.candidates(asking, asker.given(asking), asker.trained.reader)
    said = {c.draft.evidence[0].plain for c in candidates if c.source == Source.POLAR}
    assert "The ferry Elsa was sold to Lena Rusk." in said


def test_a_sentence_given_whole_is_read_for_what_it_says(asker: Asker) -> None:
    asking = asker.asking("Why was the lighthouse dark?")
    assert asker.trained is not None
    (first, *_) = sentences(asker.read(asking, asker.trained.reader, 6))
    told = explanation(asker.view, None, first.draft)
    assert told.startswith("The passage that fits the question best is read for what it says")


def test_what_a_table_is_asked_for_is_computed_from_its_rows(asker: Asker) -> None:
    found = asker.tables.candidates(asker.asking("Which boat has the most berths?"))
    assert found[0].source == Source.COMPUTED and found[0].label == "gull"
    assert [scored.plain for scored in found[0].draft.evidence] == ["Boat: Gull; Berths: 55; Built: 1904"]
    count = asker.tables.candidates(asker.asking("How many boats were built before 1905?"))
    assert (count[0].draft.kind, count[0].label) == ("count", "2")
