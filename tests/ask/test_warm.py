"""What is made ready before the first question changes no answer, and spares embedding names of properties then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from kg.ask.engine import Asker
from kg.ask.view import View

QUESTIONS = ("How many cars can the Bryndis take on board?", "Who constructed the Aurelia?")


def test_answers_are_the_same_and_names_are_not_embedded_again(
    ferry_view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    cold, warm = Asker(ferry_view), Asker(ferry_view)
    warm.warm()
    assert warm.graph is not None and ferry_view.encoder is not None
    names = {n for p in warm.graph.graph.schema.properties for n in warm.graph.graph.names(p)}
    texts: list[str] = []
    encode = ferry_view.encoder.encode

    def noted(asked: Sequence[str]) -> np.ndarray:
        texts.extend(asked)
        return encode(asked)

    monkeypatch.setattr(ferry_view.encoder, "encode", noted)
    told = [replace(warm.ask(q), timings_ms={}) for q in QUESTIONS]
    assert names and not names & set(texts)
    assert told == [replace(cold.ask(q), timings_ms={}) for q in QUESTIONS]
    assert names & set(texts)


def test_without_an_encoder_there_is_nothing_to_do(ferry_view: View) -> None:
    asker = Asker(replace(ferry_view, encoder=None))
    asker.warm()
    assert asker.graph is not None
