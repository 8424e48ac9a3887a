"""Who says what: quotations and reports give their claims a speaker, or none where that isn't plain."""

from __future__ import annotations

import pytest

from tests.extract.reading import extraction, ontology, shown

SEA = ontology("""
:Body a owl:Class ; rdfs:label "organisation" .
:Person a owl:Class ; rdfs:label "person" .
:Light a owl:Class ; rdfs:label "light" .
:lamps a owl:DatatypeProperty ; rdfs:label "lamps" ; rdfs:range xsd:integer ; rdfs:domain :Light ;
  kg:phrase "{subject} has {object} lamps" .
""")
KELL = "Mara Kell"
LONG = "After all these years on the rock I can say that Corran Light has 40 lamps"


def speakers(text: str) -> list[tuple[str, str | None]]:
    """Number of lamps and speaker of the claims about Corran Light or Skerry Light."""
    claims = extraction(f"# Notes\n\n{text}", known=SEA)[1].claims
    told = [(shown(c), c.speaker) for c in claims if c.predicate.iri.endswith("lamps")]
    return [(value, who.surface if who else None) for (subject, _, value), who in told if subject.endswith("Light")]


@pytest.mark.parametrize(
    "text",
    [
        f"“{LONG},” said Mara Kell.",
        f"“{LONG},” said the old keeper Mara Kell, who lives there.",
        f"“{LONG},” Mara Kell said.",
        f"“It is very old indeed,” said Mara Kell. “{LONG}.”",
        f"Mara Kell said: “{LONG}.”",
        f"Mara Kell told the Kiel Council, “{LONG}.”",
        "Mara Kell told the Kiel Council that Corran Light has 40 lamps.",
        "Mara Kell argues that Corran Light has 40 lamps.",
        "Mara Kell, the keeper of the station, says that Corran Light has 40 lamps.",
        "Mara Kell wrote a book. Mara Kell has often said that Corran Light has 40 lamps.",
        "Mara Kell said in a letter that Corran Light has 40 lamps.",
        "Mara Kell said Corran Light has 40 lamps.",
        "Corran Light has 40 lamps, Mara Kell said.",
        "Mara Kell wrote a book. According to Mara Kell, Corran Light has 40 lamps.",
        "Mara Kell wrote a book. Corran Light has 40 lamps, according to Mara Kell.",
        "Mara Kell wrote a book. She said that Corran Light has 40 lamps.",
        "Mara Kell wrote a book. In it Kell said that Corran Light has 40 lamps.",
    ],
)
def test_what_somebody_says_is_theirs(text: str) -> None:
    assert speakers(text) == [("40", KELL)]


def test_a_body_speaks_too() -> None:
    told = speakers("The Kiel Harbour Authority reported that Corran Light has 40 lamps.")
    assert told == [("40", "Kiel Harbour Authority")]


@pytest.mark.parametrize(
    "text",
    [
        "Mara Kell and Ola Brandt said that Corran Light has 40 lamps.",
        "A spokesman for the Kiel Harbour Authority said that Corran Light has 40 lamps.",
        "Mara Kell said the sea was rough. Corran Light has 40 lamps.",
        "Corran Light, where Mara Kell said little, has 40 lamps.",
        "Corran Light has 40 lamps. Mara Kell said so.",
        "Mara Kell wrote to Ola Brandt. Ola Brandt wrote back. She said that Corran Light has 40 lamps.",
        "They said that Corran Light has 40 lamps.",
        "The old survey says that Corran Light has 40 lamps.",
        "Mara Kell wrote a book. According to Mara Kell and Ola Brandt, Corran Light has 40 lamps.",
        "Mara Kell wrote a book. With Mara Kell, the keepers agreed, Corran Light has 40 lamps.",
        f"Mara Kell wrote a book. The Kiel Council met with Mara Kell, “{LONG}.”",
    ],
)
def test_where_it_is_not_plain_nobody_is_named(text: str) -> None:
    assert speakers(text) == [("40", None)]


@pytest.mark.parametrize("turn", [", but", "; ", ", while", ", although", ".", ", and"])
def test_a_report_ends_where_the_document_speaks_again(turn: str) -> None:
    told = speakers(f"Mara Kell says that Corran Light has 40 lamps{turn} Skerry Light has 9 lamps.")
    assert told == [("40", KELL), ("9", None)]


def test_a_denial_reported_is_the_speakers() -> None:
    claims = extraction("# Notes\n\nMara Kell says that Corran Light never had a horn.", known=SEA)[1].claims
    assert all(c.speaker is None or c.speaker.surface == KELL for c in claims)


def test_a_question_gives_no_claim() -> None:
    assert speakers("Did Mara Kell say that Corran Light has 40 lamps?") == []


@pytest.mark.parametrize(
    "text",
    [
        "Mara Kell denied that Corran Light has 40 lamps.",
        "The keepers doubted that Corran Light has 40 lamps.",
        "If Mara Kell says that Corran Light has 40 lamps, ships turn.",
    ],
)
def test_what_is_denied_or_supposed_to_be_said_is_no_claim(text: str) -> None:
    assert speakers(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Nobody denied that Corran Light has 40 lamps.",
        "It is untrue that Mara Kell said that Corran Light has 40 lamps.",
    ],
)
def test_it_is_nobodys_saying(text: str) -> None:
    assert speakers(text) == [("40", None)]
