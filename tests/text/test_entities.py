"""Names by shape, by what is known, and what only looks like a name."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import Mark, MarkKind
from kg.ontology import parse
from kg.text import entities
from kg.text.entities import find
from kg.text.gazetteer import Casing, Gazetteer

LAMP = "http://example.org/Lamp"
PLACE = "http://example.org/Place"
KNOWN = Gazetteer(
    {
        "Fresnel lens": (LAMP,),
        "Fastnet": (PLACE,),
        "Argand": (LAMP,),
        "K200": (LAMP,),
        "IT": ("http://example.org/Team",),
    },
    ((re.compile(r"^HX-\d"), LAMP), (re.compile(r"\b(?:Rock|Point)$"), PLACE)),
)


def names(text: str, **more: object) -> list[str]:
    return [f.value.surface for f in find(text, **more)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The lamp was lit by Mary Harlan at Fastnet Rock.", ["Mary Harlan", "Fastnet Rock"]),
        ("Ann Bell, Tom Reed and Joan Vail keep it.", ["Ann Bell", "Tom Reed", "Joan Vail"]),
        ("It uses PyLamp, HX-400 and cuBeam.", ["PyLamp", "HX-400", "cuBeam"]),
        ("Harlan's Fastnet office closed.", ["Fastnet"]),
        ("The board of Trinity House met in May.", ["Trinity House"]),
        ("She studied at the University of Cork.", ["University of Cork"]),
        ("Reed & Sons Ltd. built it.", ["Reed & Sons Ltd"]),
        ("Leonardo da Vinci drew it.", ["Leonardo da Vinci"]),
        ("It replaced Beacon 2 and Lens v3 in June.", ["Beacon 2", "Lens v3"]),
        ("On Monday I saw him. However, it rained.", []),
        ("Lamps are lit. Keepers sleep.", []),
        ("Phase 2 and Section 3 follow.", []),
        ("CEO Jane Holt and Dr. Ito came.", ["Jane Holt", "Ito"]),
        ('He wrote "The Keeping of Lights" there.', ["The Keeping of Lights"]),
        ('a boat called "Petrel"', ["Petrel"]),
        ("40 MW and 5 GB per mast, 10,000 sacks", []),
        ("see https://Example.org/Fastnet and me@Fastnet.org", []),
        ("a Fastnet-based yard, non-NATO ships", ["Fastnet", "NATO"]),
        ("8xKL20 burners", ["KL20"]),
        ("I’ve seen it", []),
        ("It takes 4 kg of steam per kWh at King James Quay.", ["King James Quay"]),
    ],
)
def test_names_in_text(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_a_capital_at_the_start_proves_nothing_unless_the_document_repeats_it() -> None:
    text = "Petrel sank. The crew of Petrel swam. Boats came."
    assert names(text) == ["Petrel", "Petrel"]
    assert names("Petrel sank.") == []
    casing = Casing.of(["The crew of Petrel swam to other boats."])
    assert names("Petrel sank.", casing=casing) == ["Petrel"]
    assert names("Boats came.", casing=casing) == []


def test_headings_shed_common_words() -> None:
    casing = Casing.of(["the training of keepers", "a lamp from Harlan Works"])
    assert names("Harlan Works Training", casing=casing) == ["Harlan Works"]
    assert names("Key Findings", casing=casing) == []
    assert names("Kiln HX-4 Training", casing=casing) == ["Kiln HX-4"]


def test_known_names_come_with_their_classes() -> None:
    found = {
        f.value.surface: f.value for f in find("They put a Fresnel lens on Fastnet, two K200s and IT kept it.", KNOWN)
    }
    assert found["Fresnel lens"].classes == (LAMP,)
    assert found["Fastnet"].classes == (PLACE,)
    assert found["K200s"].classes == (LAMP,)
    assert found["IT"].known
    assert names("it was argand weather", known=KNOWN) == []


def test_a_longer_name_stands_unless_known_names_fill_it() -> None:
    assert names("He left Fastnet Harbour early.", known=KNOWN) == ["Fastnet Harbour"]
    assert names("He left the Fastnet Argand early.", known=KNOWN) == ["Fastnet", "Argand"]


def test_name_patterns_give_classes() -> None:
    found = {f.value.surface: f.value.classes for f in find("From Mizen Point they saw HX-9 fail.", KNOWN)}
    assert found == {"Mizen Point": (PLACE,), "HX-9": (LAMP,)}


def test_an_ontology_is_a_gazetteer() -> None:
    turtle = """@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix owl: <http://www.w3.org/2002/07/owl#> .
        ex:Boat a owl:Class ; rdfs:label "boat" . ex:petrel a ex:Boat ; rdfs:label "Storm Petrel" ."""
    ontology = parse([("boats.ttl", turtle.encode())])
    (found,) = find("They took Storm Petrel out.", ontology)
    assert found.value.classes == ("http://example.org/Boat",)
    assert found.value.known


def test_marks() -> None:
    text = "Lantern keeps logs in lamp-db or L(C) = aC."
    marks = (Mark(MarkKind.STRONG, 0, 7), Mark(MarkKind.CODE, 22, 29), Mark(MarkKind.CODE, 33, 42))
    assert names(text, marks=marks) == ["Lantern", "lamp-db"]
    assert names("Users: 300", marks=(Mark(MarkKind.STRONG, 0, 6),)) == []


@pytest.mark.parametrize(
    ("text", "surface", "kind"),
    [
        ("said Dr. Mary Harlan", "Mary Harlan", "person"),
        ("Mary Harlan joined in 1901", "Mary Harlan", "person"),
        ("by President Holt", "Holt", "person"),
        ("Reed Works Inc. moved", "Reed Works Inc", "organisation"),
        ("the University of Cork", "University of Cork", "organisation"),
        ("near Mizen Island", "Mizen Island", "place"),
        ("built in Cork, Ireland", "Cork", "place"),
        ("an HX-400 lamp", "HX-400", "product"),
        ("the Storm Petrel", "Storm Petrel", ""),
    ],
)
def test_kinds(text: str, surface: str, kind: str) -> None:
    found = {f.value.surface: f.value.kind for f in find(text)}
    assert found[surface] == kind


@given(st.text(alphabet=st.sampled_from("ABab 1.,&'’-–\"“”()/\n"), max_size=50))
@settings(max_examples=60, deadline=None)
def test_spans_never_overlap_and_quote_the_text(text: str) -> None:
    found = find(text, KNOWN)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    assert all(text[f.start : f.end] == f.value.surface for f in found)


def test_the_same_text_gives_the_same_names() -> None:
    text = "Fastnet and K200 and Fresnel lens by Harlan Works"
    assert find(text, KNOWN) == find(text, KNOWN)
    assert entities.find("") == ()
