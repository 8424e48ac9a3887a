"""What is made ready before the first question changes no answer, and spares embedding properties and reading then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from kg.ask.engine import Asker
from kg.ask.facts import by_property
from kg.ask.view import View

QUESTIONS = ("How many cars can the Bryndis take on board?", "Who constructed the Aurelia?")


def test_answers_are_the_same_and_names_are_not_embedded_again(
    ferry_view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    cold, warm = Asker(ferry_view), Asker(ferry_view)
    warm.warm()
    assert warm.graph is not None and ferry_view.encoder is not None
    names = {n for p in warm.graph.graph.schema.properties for n in warm.graph.graph.names(p)}
    facts = warm.graph.graph.facts
    examples = {
        f"{warm.graph.graph.names(p)[0]}: {warm.graph.graph.said(own[0])[:60]}"
        for thing in facts.first
        for p, own in by_property(f for f in facts.of_subject(thing) if not f.denied).items()
    }
    texts: list[str] = []
    encode = ferry_view.encoder.encode

    def noted(asked: Sequence[str]) -> np.ndarray:
        texts.extend(asked)
        return encode(asked)

    monkeypatch.setattr(ferry_view.encoder, "encode", noted)
    told = [replace(warm.ask(q), timings_ms={}) for q in QUESTIONS]
    assert names and not names & set(texts)
    assert examples and not examples & set(texts)
    assert told == [replace(cold.ask(q), timings_ms={}) for q in QUESTIONS]
    assert names & set(texts)
    assert examples & set(texts)


def test_without_an_encoder_there_is_nothing_to_do(ferry_view: View) -> None:
    asker = Asker(replace(ferry_view, encoder=None))
    asker.warm()
    assert asker.graph is not None


def test_claims_and_neighbourhoods_are_read_once(ferry_view: View) -> None:
    asker = Asker(ferry_view)
    asker.warm()
    assert asker.graph is not None
    facts = asker.graph.graph.facts
    assert facts.first == tuple(sorted({iri for iris in facts.things.values() for iri in iris}))
    units = sum(len(p.units) for p in ferry_view.passages.values())
    assert asker.retriever._context.cache_info().currsize == units
    read = facts.of_subject.cache_info().misses, facts.in_passage.cache_info().misses
    assert read == (len(facts.first), len(ferry_view.passages))
    for thing in facts.first:
        facts.of_subject(thing)
    assert facts.of_subject.cache_info().misses == read[0]
