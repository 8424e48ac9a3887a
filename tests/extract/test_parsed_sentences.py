from __future__ import annotations

import pytest

from kg.extract.parsed_sentences import worth_reading
from tests.extract.test_propositions import source_of


def test_sentences_that_may_state_a_fact() -> None:
    text = """# Corran Light

Corran Light stands in Arden. You can visit it. If it burns, call Ada. The lamp could burn paraffin.
This was dropped. Who built it? Of towers. `a -> b` maps the lamp to a tower. The lens should be dry.

- Ada Wren was born in Arden
- lamps and lenses
- **Height**: 38 m was measured
"""
    assert [read.sentence.text for read in worth_reading(source_of(text))] == [
        "Corran Light stands in Arden.",
        "This was dropped.",
        "The lens should be dry.",
        "Ada Wren was born in Arden",
    ]


@pytest.mark.parametrize("modal", ["can", "may", "must", "shall", "should", "will", "cannot"])
def test_what_may_or_has_to_be_is_read_since_its_property_says_so(modal: str) -> None:
    text = f"The lamp {modal} burn paraffin."
    assert [read.sentence.text for read in worth_reading(source_of(text + "\n"))] == [text]


@pytest.mark.parametrize("modal", ["would", "might", "could", "ought to"])
def test_what_is_only_thinkable_is_not(modal: str) -> None:
    assert list(worth_reading(source_of(f"The lamp {modal} burn paraffin.\n"))) == []


def test_the_words_of_a_sentence_have_their_places() -> None:
    (read,) = worth_reading(source_of("Ada Wren didn't build Kestrel Mill.\n"))
    assert [read.sentence.text[a:b] for a, b in read.words] == [
        "Ada",
        "Wren",
        "did",
        "n't",
        "build",
        "Kestrel",
        "Mill",
        ".",
    ]
    assert read.first
