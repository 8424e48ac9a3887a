"""Positions told in a few words: title, organisation, times."""

from __future__ import annotations

import pytest

from kg.extract.positions import positions
from tests.extract.reading import claims, facts, ontology

KNOWN = ontology("""
:Person a owl:Class ; rdfs:label "person" .
:Works a owl:Class ; rdfs:label "works" ; kg:namePattern " (?:Works|Light)$" .
:Horn a owl:Class ; rdfs:label "horn" ; kg:namePattern " Horn$" .
:role a owl:DatatypeProperty ; rdfs:label "role" ; rdfs:domain :Person ; rdfs:range xsd:string .
:at a owl:ObjectProperty ; rdfs:label "works for" ; rdfs:domain :Person ; rdfs:range :Works .
:by a owl:ObjectProperty ; rdfs:label "founded by" ; rdfs:domain :Works ; rdfs:range :Person .
:before a owl:ObjectProperty ; rdfs:label "formerly at" ; rdfs:domain :Person ; rdfs:range :Works .
""")


def read(text: str) -> list[tuple[str, str, str, str, bool]]:
    """Title, organisation, since, until, over."""
    shown = []
    for p in positions(text, lambda name: name in ("Fastnet Works", "Corran Light", "OCL")):
        at = text[p.at[0] : p.at[1]] if p.at else ""
        since, until = (p.since.value if p.since else "", p.until.value if p.until else "")
        shown.append((text[p.title[0] : p.title[1]], at, since, until, p.former))
    return shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("director of Fastnet Works", [("director", "Fastnet Works", "", "", False)]),
        ("Fastnet Works director", [("director", "Fastnet Works", "", "", False)]),
        ("Head of Lamps at Corran Light", [("Head of Lamps", "Corran Light", "", "", False)]),
        ("founder and CEO of OCL", [("founder", "OCL", "", "", False), ("CEO", "OCL", "", "", False)]),
        (
            "Chief Keeper of Corran Light since May 1901, Oil Director before",
            [("Chief Keeper", "Corran Light", "1901-05", "", False), ("Oil Director", "", "", "", True)],
        ),
        ("SVP of Oil since 1901, Chief Lamp Officer since 1910", [
            ("SVP of Oil", "", "1901", "", False),
            ("Chief Lamp Officer", "", "1910", "", False),
        ]),
        ("former Fastnet Works engineer", [("engineer", "Fastnet Works", "", "", True)]),
        ("He became director at OCL (June 1901)", [("director", "OCL", "1901-06", "1901-06", False)]),
        ("CEO of OCL in 1901, speaks for oil", [("CEO", "OCL", "1901", "1901", False)]),
        ("OCL editor in the 1901 lamp booklet", [("editor", "OCL", "", "", False)]),
        ("Captain, Mate/Keeper", [("Captain", "", "", "", False)]),
    ],
)  # fmt: skip
def test_what_a_text_says_of_positions(text: str, expected: list[tuple[str, str, str, str, bool]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    "text",
    ["builder of Corran Light", "the keeper's lamp", "author of the lamp booklet", "lamp oil", "born in 1901", ""],
)
def test_what_is_no_position(text: str) -> None:
    assert read(text) == []


def test_positions_of_bullets_are_taken_apart() -> None:
    text = "# People\n\n- **Ada Wren** — director of Corran Light since 1901. She was Chief Keeper from 1890 to 1895.\n"
    found = claims(text, known=KNOWN)
    assert ("Ada Wren", "at", "Corran Light") in found
    assert found["Ada Wren", "role", "director"].valid_from.value == "1901"  # type: ignore[union-attr]
    keeper = found["Ada Wren", "role", "Chief Keeper"]
    assert keeper.valid_from and keeper.valid_until
    assert (keeper.valid_from.earliest, keeper.valid_until.latest) == ("1890-01-01", "1895-12-31")
    assert not any(p == "role" and "since" in value for _, p, value in found)


def test_names_beside_titles() -> None:
    text = "Fastnet Works director Ada Wren met Bo Lund, the keeper of Corran Light, in May.\n"
    found = facts(text, known=KNOWN)
    assert {
        ("Ada Wren", "at", "Fastnet Works"),
        ("Ada Wren", "role", "director"),
        ("Bo Lund", "at", "Corran Light"),
        ("Bo Lund", "role", "keeper"),
    } <= found


def test_things_have_no_positions_and_things_employ_nobody() -> None:
    text = "# Things\n\n- **Drum Horn** — keeper of Corran Light.\n- **Ada Wren** — keeper of Drum Horn.\n"
    found = facts(text, known=KNOWN)
    assert not any(p == "at" for _, p, _ in found)
    assert not any(s == "Drum Horn" and p == "role" for s, p, _ in found)


def test_a_founder_founded_what_the_title_names() -> None:
    found = facts("Bo Lund and Fastnet Works co-founder Ada Wren met.\n", known=KNOWN)
    assert ("Fastnet Works", "by", "Ada Wren") in found
    assert not any(p == "at" for _, p, _ in found)
    assert {f for f in found if f[1] == "by"} == {("Fastnet Works", "by", "Ada Wren")}
