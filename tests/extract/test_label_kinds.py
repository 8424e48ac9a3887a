from __future__ import annotations

import numpy as np
import pytest

from kg.extract.label_kinds import Model, bucket, form, models
from kg.extract.words import Words
from kg.model import Rejected
from tests.extract.reading import extraction, facts

WORDS = Words(frozenset({"lamp", "is"}), frozenset())


def test_the_form_of_a_text() -> None:
    found = set(form("Skerry Lamp 2?", WORDS))
    assert {"length 3", "begins upper", "capitals 2", "digits some", "mark ?", "opening skerry", "closing 2"} <= found
    assert not found & {"verb", "gerund", "all capitals"}
    assert set(form("is", WORDS, "item ")) >= {"item begins lower", "item verb", "item begins small"}


@pytest.mark.parametrize(("count", "step"), [(0, "1"), (2, "2"), (4, "5"), (30, "30"), (31, "more")])
def test_counts_in_steps(count: int, step: str) -> None:
    assert bucket(count) == step


def test_probabilities_add_up_and_unknown_features_weigh_nothing() -> None:
    model = Model(("a", "b"), (0.0, 1.0), {"x": (2.0, 0.0)})
    assert model.likely(["x"]) == pytest.approx({"a": 0.7310585, "b": 0.2689414})
    assert model.likely(["y"]) == model.likely([])
    assert sum(model.likely(["x", "x"]).values()) == pytest.approx(1)


def test_the_packaged_models() -> None:
    assert {name: model.kinds for name, model in models().items()} == {
        "claim": ("useful", "useless"),
        "heading": ("thing", "topic"),
        "item": ("fact", "none"),
        "key": ("neither", "property", "thing"),
        "proposition": ("right", "wrong"),
        "row": ("name", "value"),
    }


def test_an_instruction_is_no_property_and_is_kept_as_refused() -> None:
    text = "# Corran Light\n\n- Height: 38 m\n- If you're visiting: ask the keeper for the key, he'll let you in.\n"
    assert ("Corran Light", "Height", "38 M") in facts(text)
    _, found = extraction(text)
    assert [c.predicate.label for c in found.claims] == ["Height"]
    assert [r.text for r in found.rejected if isinstance(r, Rejected)] == ["If you're visiting"]


def test_a_table_of_contents_tells_nothing() -> None:
    text = "# Corran Light\n\n## Table of Contents\n\n- [Summary](#summary)\n- [Design Details](#design-details)\n"
    assert extraction(text)[1].claims == ()


def test_a_vector_weighs_where_a_model_learned_one() -> None:
    dense = np.array([[1.0, 0.0], [0.0, 2.0]], np.float32)
    model = Model(("a", "b"), (0.0, 0.0), {"x": (1.0, 0.0)}, dense)
    assert model.likely(["x"], np.array([0.0, 0.5], np.float32)) == pytest.approx({"a": 0.5, "b": 0.5})
    assert model.likely([], np.array([1.0, 0.0], np.float32))["a"] == pytest.approx(0.7310585)
    assert model.likely(["x"]) == Model(("a", "b"), (0.0, 0.0), {"x": (1.0, 0.0)}).likely(["x"])


def test_propositions_are_judged_by_six_vectors() -> None:
    dense = models()["proposition"].dense
    assert dense is not None and len(dense[0]) % 6 == 0
    assert np.array_equal(dense[0], -dense[1])
    assert all(model.dense is None for name, model in models().items() if name != "proposition")
