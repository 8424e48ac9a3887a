"""What is made ready before the first question changes no answer, and spares reading then."""

from __future__ import annotations

from dataclasses import replace

from kg.ask.engine import Asker
from kg.ask.view import View
from kg.reading import Trained

QUESTIONS = ("How many cars can the Bryndis take on board?", "Who constructed the Aurelia?")


def test_answers_are_the_same(ferry_view: View) -> None:
    cold, warm = (Asker(ferry_view, trained=Trained.load()) for _ in range(2))
    warm.warm()
    told = [replace(warm.ask(q), timings_ms={}) for q in QUESTIONS]
    assert told == [replace(cold.ask(q), timings_ms={}) for q in QUESTIONS]
    assert {answer.status for answer in told} == {"answered"}


def test_without_an_encoder_there_is_nothing_to_do(ferry_view: View) -> None:
    asker = Asker(replace(ferry_view, encoder=None))
    asker.warm()
    assert asker.graph is not None


def test_words_are_counted_and_claims_and_neighbourhoods_read_once(ferry_view: View) -> None:
    view = replace(ferry_view)
    asker = Asker(view)
    assert "finder" not in vars(view)
    asker.warm()
    assert {"lexicon", "finder", "unit_words", "unit_vectors"} <= vars(view).keys()
    assert asker.graph is not None
    facts = asker.graph.graph.facts
    assert facts.first == tuple(sorted({iri for iris in facts.things.values() for iri in iris}))
    read = facts.of_subject.cache_info().misses, facts.in_passage.cache_info().misses
    assert read == (len(facts.first), len(ferry_view.passages))
    for thing in facts.first:
        facts.of_subject(thing)
    assert facts.of_subject.cache_info().misses == read[0]
