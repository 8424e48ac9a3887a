from __future__ import annotations

from kg.model import EntityName, Polarity
from tests.extract.reading import claims, extraction, facts, ontology

GLOSSARY = """Kestrel Observatory

Glossary

Coudé focus — A fixed focus to which light is sent along the polar axis.

Seeing / astronomical blur — The blurring of images by turbulent air.

Adaptive optics (AO) — A technique that corrects the blurring of images in real time.
"""


def test_glossary_lines() -> None:
    found = facts(GLOSSARY, "kestrel.txt")
    assert ("Coudé focus", "definition", "A fixed focus to which light is sent along the polar axis.") in found
    assert {f[0] for f in found} >= {"Seeing", "astronomical blur", "Adaptive optics"}


def test_names_that_the_document_equates() -> None:
    _, found = extraction(GLOSSARY, "kestrel.txt")
    assert {(a.name, a.alias) for a in found.aliases} == {("Seeing", "astronomical blur"), ("Adaptive optics", "AO")}
    _, more = extraction("The Harbour Lights Board (HLB) met. HLB paid.\n")
    assert {(a.name, a.alias) for a in more.aliases} == {("Harbour Lights Board", "HLB")}


def test_defining_sentences() -> None:
    text = (
        "The Kappa-4 is a marine diesel engine. Kestrel was an observatory on Mount Arden. "
        "It is the best. AO stands for adaptive optics.\n"
    )
    found = facts(text)
    assert ("Kappa-4", "definition", "a marine diesel engine") in found
    assert ("Kestrel", "description", "an observatory on Mount Arden") in found
    assert not [f for f in found if f[0] in ("It", "the best")]


def test_bullets_under_a_glossary() -> None:
    found = facts(
        "# Sea words\n\n## Glossary\n\n- **Lee** — the side away from the wind\n- **Fetch** — the run of a wave\n"
    )
    assert ("Lee", "definition", "the side away from the wind") in found


def test_a_denied_definition_is_a_denial() -> None:
    found = claims("Kappa-4 is not a steam engine.\n")
    assert all(c.hedge.polarity is Polarity.NEGATED for c in found.values())


def test_who_is_listed_behind_a_team_is_a_member() -> None:
    watch = "<dt>Night watch team</dt><dd>Ada Wren, Bo Lind, Ilse Krag and others</dd>"
    lens = "<dt>Lens</dt><dd>A glass body that bends light to a beam.</dd>"
    found = facts(f"<h1>Corran Light</h1><p>The lamp was here.</p><h2>Terms</h2><dl>{watch}{lens}</dl>", "a.html")
    assert found == {
        ("Night watch team", "member", "Ada Wren"),
        ("Night watch team", "member", "Bo Lind"),
        ("Night watch team", "member", "Ilse Krag"),
        ("Lens", "definition", "A glass body that bends light to a beam."),
    }


def test_a_kind_of_thing_is_none_of_that_kind() -> None:
    known = ontology(':Kiln a owl:Class ; rdfs:label "kiln" .')
    text = (
        "# Pottery\n\n## Words\n\n**Rotary kiln** — A kiln whose floor turns slowly.\n\n"
        "**Weston Kiln** — A kiln on the hill above the village.\n"
    )
    _, found = extraction(text, known=known)
    classes = {c.subject.surface: len(c.subject.classes) for c in found.claims if isinstance(c.subject, EntityName)}
    assert classes == {"Rotary kiln": 0, "Weston Kiln": 1}


def test_a_definition_ends_before_code_that_begins_the_next_sentence() -> None:
    found = facts(
        "# Tools\n\n`Orrmake` is the builder of the mill. `orrtest` is a checker that tries it, e.g. `quern`.\n"
    )
    assert ("Orrmake", "definition", "the builder of the mill") in found


def test_an_adverb_that_opens_a_sentence_is_no_part_of_a_name() -> None:
    text = "# Clocks\n\nSimilarly Rexclock is a clock for ships. Emily Wren is a maker of clocks.\n"
    assert {s for s, *_ in facts(text)} <= {"Rexclock", "Emily Wren"}
    assert ("Emily Wren", "definition", "a maker of clocks") in facts(text)


def test_a_clause_before_a_dash_is_no_term() -> None:
    text = (
        "# Review\n\nHowever, recall that style is a matter of taste - it may be told, but holds up nothing at all.\n\n"
    )
    text += "However, recall that names are for readers - they may be changed, and that is worth the time it takes.\n"
    assert not {s for s, *_ in facts(text) if s.startswith("However")}


def test_a_sentence_behind_a_term_describes_it_and_defines_nothing() -> None:
    text = "# Glossary\n\n- **Warnings**: new ones may be issued between its releases.\n"
    text += "- **Rex lamp**: a lamp that was made at Orr.\n"
    found = {(s, p) for s, p, _ in facts(text)}
    assert {("Warnings", "description"), ("Rex lamp", "definition")} <= found
