from __future__ import annotations

import pytest

from tests.extract.reading import facts


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Corran Light, a tower of granite, stands on Skerry.", "a tower of granite"),
        ("They saw Corran Light, a tower of granite.", "a tower of granite"),
        ("Corran Light, a gift of St. Johns Parish, is lit.", "a gift of St. Johns Parish"),
        ("They read Corran Log, a concrete lamp.Ray maker.", "a concrete lamp.Ray maker"),
    ],
)
def test_what_a_name_is_ends_where_the_aside_does(sentence: str, told: str) -> None:
    assert {v for _, p, v in facts(f"# Lights of the sea\n\n{sentence}\n") if p == "definition"} == {told}
