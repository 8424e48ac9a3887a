from __future__ import annotations

from kg.extract.parsed_sentences import worth_reading
from tests.extract.test_propositions import source_of


def test_sentences_that_may_state_a_fact() -> None:
    text = """# Corran Light

Corran Light stands in Arden. You can visit it. If it burns, call Ada. The lamp should burn paraffin.
This was dropped. Who built it? Of towers. `a -> b` maps the lamp to a tower.

- Ada Wren was born in Arden
- lamps and lenses
- **Height**: 38 m was measured
"""
    assert [read.sentence.text for read in worth_reading(source_of(text))] == [
        "Corran Light stands in Arden.",
        "Ada Wren was born in Arden",
    ]


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
