"""Compound questions: taken apart only where each part asks by itself, answered with all the parts' evidence."""

from __future__ import annotations

import json
from dataclasses import replace

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.ask.compound import answered_in_parts, one_query, parts, readings, together
from kg.ask.engine import Asker
from kg.model import Answer, AnswerItem, Citation, Conflict, ConflictValue, Reason


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "When was the Aurelia built, and how many cars does it carry?",
            ("When was the Aurelia built?", "How many cars does it carry?"),
        ),
        ("Who owns the yard and who runs it?", ("Who owns the yard?", "Who runs it?")),
        (
            "When and where was the Bryndis launched?",
            ("When was the Bryndis launched?", "Where was the Bryndis launched?"),
        ),
        (
            "What does a crossing cost, and is it free for children?",
            ("What does a crossing cost?", "Is it free for children?"),
        ),
        (
            "Is the harbour open in May, and what is it called?",
            ("Is the harbour open in May?", "What is it called?"),
        ),
    ],
)
def test_what_asks_for_several_things_is_taken_apart(question: str, asked: tuple[str, ...]) -> None:
    assert parts(question) == asked


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote the report that says when it sank and why it sank?",
        "Do the papers say who signed it and when it was signed?",
        "Which file system and which rule system were removed?",
        "Which was wider, the tunnel as driven or as finished, and by how much?",
        "Who founded the yard and when?",
        "What can the switch be set to, and what does each setting do?",
        "Who or what may cross first?",
        "What do ferries and what is needed to run them cost?",
        "Which ferries are older than the Corvina and were built at Holm Yard?",
    ],
)
def test_what_asks_for_one_thing_stays_whole(question: str) -> None:
    assert parts(question) == (question,)


@given(st.text())
def test_any_text_has_parts(text: str) -> None:
    assert len(parts(text)) == 1 or all(part.endswith("?") for part in parts(text))


def item(label: str, *citations: int) -> AnswerItem:
    return AnswerItem(label, label, citations=citations)


def cited(number: int, quote: str) -> Citation:
    text = "Made by Marr; Marr again in 1961."
    start = text.index(quote)
    return Citation(number, "d", "Ferries", (), "p", text, quote, start, start + len(quote), 0)


def answered(label: str, *citations: Citation, confidence: float = 0.8, sparql: str | None = None) -> Answer:
    items = (item(label, *(c.id for c in citations)),)
    bindings = {"head": {"vars": ["value"]}, "results": {"bindings": [{"value": {"type": "literal", "value": label}}]}}
    return Answer(
        "?", "answered", f"{label}.", items, sparql, bindings if sparql else None, citations,
        confidence=confidence, explanation="Read.",
    )  # fmt: skip


SILENT = Answer("?", "abstained", "The documents don't say.", reason=Reason.NO_EVIDENCE, confidence=0.9)


def test_a_pronoun_may_mean_what_was_asked_about_or_the_answer() -> None:
    before = [("Which yard built the old ferry?", answered("Holm Yard"))]
    assert readings("When did it close?", before) == ("When did the old ferry close?", "When did Holm Yard close?")
    assert readings("What was its price?", before)[1] == "What was Holm Yard's price?"
    assert readings("Who owns the Corvina?", before) == ("Who owns the Corvina?",)


@pytest.mark.parametrize("label", ["1994", "3 May 2011", "$12 million", "a ship onto which vehicles drive " * 3])
def test_no_pronoun_stands_for_a_figure_or_a_sentence(label: str) -> None:
    before = [("How much did the ferry cost?", answered(label))]
    assert readings("Who built it?", before) == ("Who built the ferry?",)


def test_the_likeliest_reading_of_a_part_is_given() -> None:
    given_ = {
        "Which yard built the old ferry?": answered("Holm Yard"),
        "When did the old ferry close?": SILENT,
        "When did Holm Yard close?": answered("1961"),
    }
    answer = answered_in_parts("Which yard built the old ferry, and when did it close?", given_.__getitem__)
    assert answer is not None and [i.label for i in answer.answers] == ["Holm Yard", "1961"]


def test_the_time_is_that_of_all_that_was_asked() -> None:
    def ask(question: str) -> Answer:
        return replace(answered("Holm Yard"), timings_ms={"find": 2.0, "read": 10.5})

    answer = answered_in_parts("Which yard built the old ferry, and when did it close?", ask)
    assert answer is not None and answer.timings_ms == {"find": 6.0, "read": 31.5}  # "it" is asked in two ways


def test_a_question_without_parts_or_answers_is_left_to_be_asked_whole() -> None:
    assert answered_in_parts("When was the Aurelia built?", lambda _: answered("1994")) is None
    assert answered_in_parts("Who owns the yard and who runs the ferry?", lambda _: SILENT) is None


def test_what_the_documents_do_not_say_of_a_part_is_said() -> None:
    asked = ("Who owns the yard?", "Who runs the ferry?", "When did it open?")
    answer = together("…", asked, [answered("Marr"), SILENT, answered("1961", confidence=0.6)])
    assert answer.answer == "Marr; Who runs the ferry? The documents don't say; 1961."
    assert (answer.status, answer.confidence, answer.reason) == ("answered", 0.6, None)
    assert answer.explanation == "Who owns the yard? Read. When did it open? Read."


def test_citations_are_numbered_anew_each_quotation_once() -> None:
    one = answered("Marr", cited(1, "by Marr"), cited(2, "Marr again"))
    sides = (ConflictValue("1961", "stated", (1,)), ConflictValue("1962", "stated", (2,)))
    two = answered("1961", cited(1, "in 1961"), cited(2, "by Marr"))
    two = Answer(**{**{f: getattr(two, f) for f in two.__slots__}, "conflicts": (Conflict("opened", sides),)})
    answer = together("…", ("Who?", "When?"), [one, two])
    assert [(c.id, c.quote) for c in answer.citations] == [(1, "by Marr"), (2, "Marr again"), (3, "in 1961")]
    assert [i.citations for i in answer.answers] == [(1, 2), (1, 3)]
    assert [v.citations for v in answer.conflicts[0].values] == [(3,), (1,)]
    assert [i.citations for i in together("…", ("Who?", "When?"), [one, two], limit=1).answers] == [(1,), (1,)]


QUERIES = [
    "PREFIX e: <http://x/>\nSELECT ?value WHERE {\n  e:a e:p ?value .\n}",
    "PREFIX e: <http://x/>\nPREFIX f: <http://y/>\nSELECT (COUNT(?o) AS ?count) WHERE {\n  ?thing f:q ?o .\n}",
    "SELECT ?thing ?value WHERE {\n  ?thing <http://x/p> ?value .\n}\nORDER BY DESC(?value)",
]


@given(st.lists(st.sampled_from(QUERIES), min_size=1, max_size=3), st.sets(st.integers(0, 3), max_size=4))
def test_one_query_gives_the_rows_of_all(queries: list[str], numbers: set[int]) -> None:
    store = ox.Store()
    for n in numbers:
        for s, p in (("http://x/a", "http://x/p"), (f"http://x/{n}", "http://x/p"), (f"http://x/{n}", "http://y/q")):
            store.add(ox.Quad(ox.NamedNode(s), ox.NamedNode(p), ox.Literal(n)))

    def rows(query: str) -> list[str]:
        solutions = store.query(query)
        assert isinstance(solutions, ox.QuerySolutions)
        raw = solutions.serialize(format=ox.QueryResultsFormat.JSON)
        assert raw is not None
        return [json.dumps(row, sort_keys=True) for row in json.loads(raw)["results"]["bindings"]]

    assert sorted(rows(one_query(queries))) == sorted(row for query in queries for row in rows(query))


def test_both_parts_are_answered_from_documents_with_one_query(reading_asker: Asker) -> None:
    answer = reading_asker.ask("What did the Bryndis cost, and who is the captain of the Aurelia?")
    assert [i.label for i in answer.answers] == ["$31 million", "Ingrid Solberg"]
    assert [sorted(answer.citations[n - 1].title for n in i.citations) for i in answer.answers]
    assert answer.sparql is not None and answer.sparql.count("UNION") == 1
    assert answer.bindings is not None and len(answer.bindings["results"]["bindings"]) == 2  # type: ignore[index]
