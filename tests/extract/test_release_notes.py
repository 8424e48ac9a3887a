"""What a version changed is told of the version; times, paragraphs, pictures and words of documents name no thing."""

from __future__ import annotations

from kg.extract.propositions import candidates
from kg.extract.source import Source
from kg.extract.titles import read_title
from kg.extract.words import Words
from kg.model import Inline, Run
from kg.ontology import Ontology
from kg.readers import read
from kg.text.entities import find
from kg.text.passages import split
from kg.text.stretch import Stretch
from tests.extract.reading import claims, extraction, facts


def made(text: str) -> Inline:
    return Inline(text, (Run(0, 0, len(text), len(text)),))


NOTES = """# Lampd notes

## Lampd 2.1 (2023-02-27)

- ssh: Restrict logins to groups root and keeper
- locale: Update translations for Breton, Cornish, Welsh
- wicks: When lighting, trim every wick
"""


def test_under_a_version_a_key_is_the_part_that_was_changed() -> None:
    _, found = extraction(NOTES)
    told = {(c.subject.surface, c.predicate.label, c.stated_value) for c in found.claims if c.predicate.label != "date"}
    assert told <= {
        ("Lampd 2.1", "ssh", "Restrict logins to groups root and keeper"),
        ("Lampd 2.1", "locale", "Update translations for Breton, Cornish, Welsh"),
        ("Lampd 2.1", "wicks", "When lighting, trim every wick"),
    }
    assert ("Lampd 2.1", "ssh", "Restrict logins to groups root and keeper") in told


def test_under_a_numbered_heading_a_key_is_what_it_was() -> None:
    text = NOTES.replace("## Lampd 2.1 (2023-02-27)", "## 2.1. Parts")
    assert not [one for one in facts(text) if one[0].startswith("Lampd 2.1")]


def test_a_time_that_recurs_names_no_thing() -> None:
    _, found = extraction("# Corran Light\n\n## Year\n\n- every third year, from 1920: painting of the whole tower\n")
    assert not found.claims
    assert "its key is judged to name neither a property nor a thing" in {r.reason for r in found.rejected}


def test_an_event_under_a_date_carries_it() -> None:
    told = claims("# Corran Light\n\n## History\n\n- 1911-03-04: Founded\n- 1944-05-06: Painted white by Ada Wren\n")
    events = {fact: claim.context.row for fact, claim in told.items() if fact[1] == "event" and claim.context}
    assert events[("Corran Light", "event", "Painted white by Ada Wren")] == "1944-05-06"


def test_what_a_picture_shows_is_no_fact() -> None:
    shown = "Rolf Wren stands in front of Corran Light. Image A is a view of the Corran Light."
    assert not facts(f"# Corran Light\n\n![{shown}](light.jpg)\n")
    _, found = extraction(f"# Corran Light\n\n![{shown}](light.jpg)\n")
    assert "it tells what a picture shows" in {r.reason for r in found.rejected}


ROWS = """# Corran Light

## Soundings

| Case | Lamp | Power |
|---|---|---|
| Single | Kappa | 34 W |
| Single | Rho | 45 W |
| Double | Rho | 65 W |
"""


def test_observations_with_one_label_are_told_apart_by_their_further_words() -> None:
    labels = {one[0] for one in facts(ROWS) if one[1] == "Power"}
    assert labels == {f"Corran Light, Soundings: {told}" for told in ("Single, Kappa", "Single, Rho", "Double")}


def test_an_observation_is_tied_to_what_it_is_of_by_what_it_measures() -> None:
    assert ("Corran Light, Soundings: Double", "observationAbout", "Corran Light") in facts(ROWS)
    worded = ROWS.replace("34 W", "low").replace("45 W", "high").replace("65 W", "high")
    assert "observationAbout" not in {one[1] for one in facts(worded)}


def test_a_documents_title_that_names_a_part_of_documents_is_no_subject() -> None:
    text = "# NAME\n\nlampd - keeper of lamps\n\n# DETAILS\n\n- Height: 38 m\n- Colour: white\n"
    assert "NAME" not in {one[0] for one in facts(text)}


def test_a_version_of_nothing_names_no_row() -> None:
    rows = "| Release | Year | Owner |\n|---|---|---|\n| 2.1 | 2001 | Rolf Works |\n| 2.0.1 | 2002 | Orr Trust |\n"
    owners = {one for one in facts(f"# History and License\n\n## History of the lamps\n\n{rows}") if one[1] == "Owner"}
    assert owners == {
        ("History of the lamps: Release 2.1", "Owner", "Rolf Works"),
        ("History of the lamps: 2.0.1", "Owner", "Orr Trust"),
    }
    assert ("Corran Lamp 2.1", "Owner", "Rolf Works") in facts(f"# Corran Lamp\n\n## Releases\n\n{rows}")


def test_a_paragraph_names_no_row() -> None:
    told = "Reviews are held half way through the year. Keepers write down what they did in it, and what is left to do."
    row = f"| What | When |\n|---|---|\n| {told} | May 1925 |\n| Painting | June 1925 |\n"
    assert not [one for one in facts(f"# Corran Light\n\n## Dates\n\n{row}") if "Reviews" in one[0]]


def test_a_name_goes_on_behind_its_particle() -> None:
    words = Words(frozenset({"as", "was"}), frozenset())
    assert [n.text for n in read_title(Stretch.whole(made("Ada van As")), words).names] == ["Ada van As"]
    assert "Ada van As" in {found.value.surface for found in find("The tower was painted by Ada van As in 1903.")}
    assert [n.text for n in read_title(Stretch.whole(made("Corran Light as built")), words).names] == ["Corran Light"]


def _proposed(sentence: str) -> set[str]:
    document = read(f"# Corran\n\n{sentence}\n".encode(), "notes.md")
    source = Source(document, "notes", split(document, "notes"), Ontology.empty())
    return {one.claim.subject.surface for one in candidates(source) if one.claim.subject.kind == "entity"}


def test_a_subject_is_whole() -> None:
    assert "Formation" not in _proposed("Formation, upkeep and closing of lamp committees are regulated in Orr's Code.")
    assert not _proposed("Primary tasks include painting of the tower.")
    assert "Corran" in _proposed("Corran and its old keepers stand within the walls of Larnby.")
    assert _proposed("Keepers include painters of the tower.") == {"Keepers"}


PARTS = """# Fish stew

## Ingredients

Broth
- 1/3 cup Hot sauce
- 2 cups Water

Sauce for the bread
- 1 tbsp Hot sauce
- 3 tbsp Mayo
"""


def test_amounts_below_the_name_of_a_part_are_told_with_it() -> None:
    _, found = extraction(PARTS)
    told = {(c.stated_value, c.context.caption) for c in found.claims if c.context and "auce" in c.predicate.label}
    assert ("1 tbsp", "Sauce for the bread") in told
    assert told <= {("1/3 cup", "Broth"), ("1 tbsp", "Sauce for the bread")}
