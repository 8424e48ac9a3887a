from __future__ import annotations

import pytest

from tests.extract.reading import claims, facts, ontology

BODY = "\n\nThe lamp burned and the sea was calm, as the launch of the boat showed in the history of the coast.\n"


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Aurora-2 (May 1999)", ("Aurora-2", "date", "1999-05")),
        ("3. Aurora-2 Launch (May 1999)", ("Aurora-2", "launch date", "1999-05")),
        ("Phase 2: The Corran Light (1871-1875)", ("Corran Light", "date", "1871")),
        ("Orr Bank £2 million Loan (3 June 1999)", ("Orr Bank £2 million Loan", "date", "1999-06-03")),
        ("Orr Bank £2 million Loan (3 June 1999)", ("Orr Bank £2 million Loan", "amount", "2000000 CCY_GBP")),
    ],
)
def test_dates_and_sums_in_headings(heading: str, expected: tuple[str, str, str]) -> None:
    assert expected in facts(f"# The Northern Coast\n\n## {heading}{BODY}")


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Bread and Compass (May 1999)", "Bread and Compass"),
        ("Tide Tables for Northern Harbour Pilots (January 2004)", "Tide Tables for Northern Harbour Pilots"),
        ("Baking Tins for Small Wooden Ovens (January 2004)", "Baking Tins for Small Wooden Ovens"),
        ("Favourable tides (2013)", "Favourable tides"),
    ],
)
def test_a_dated_work_is_called_by_its_whole_title(heading: str, name: str) -> None:
    assert {f[0] for f in facts(f"# The Northern Coast\n\n## {heading}{BODY}")} == {name}


@pytest.mark.parametrize("heading", ["Partnership with Orr Bank (2019)", "Launch of Aurora-2 (May 1999)"])
def test_an_act_is_no_works_title(heading: str) -> None:
    assert {f[0] for f in facts(f"# The Northern Coast\n\n## {heading}{BODY}")} <= {"Orr Bank", "Aurora-2"}


@pytest.mark.parametrize(
    "heading", ["Overview", "Key Figures (2023)", "Notes", "What We Learned", "History (1871-1999)"]
)
def test_headings_for_aspects_state_nothing(heading: str) -> None:
    assert facts(f"# The Northern Coast\n\n## {heading}{BODY}") == set()


def test_the_ontologys_property_of_an_aspect_takes_its_date() -> None:
    known = ontology("""
    :Ship a owl:Class ; rdfs:label "ship" ; kg:namePattern "^Aurora" .
    :launched a owl:DatatypeProperty ; rdfs:label "launch date" ;
      skos:altLabel "launch" ; rdfs:domain :Ship ; rdfs:range xsd:date .
    """)
    assert ("Aurora-2", "launched", "1999-05") in facts(f"# Coast\n\n## Aurora-2 Launch (May 1999){BODY}", known=known)


@pytest.mark.parametrize(
    ("headings", "subject"),
    [
        (["Corran Head Light", "Architecture"], "Corran Head Light"),
        (["Corran Head Light", "Lamp Timeline"], "Corran Head Light"),
        (["The History of Corran Head", "Key Metrics"], "Corran Head"),
        (["Custom lamp: Aurora-2"], "Aurora-2"),
        (["Board's Corran-7 Report", "Not Publicly Known"], "Corran-7"),
        (["Corran-7", "The Kestrel-9 Report (1999)"], "Corran-7"),
        (['"Lamps and Compute"'], "Lamps and Compute"),
        (["Bakery of Holm", "Sourdough rye", "Overview"], "Sourdough rye"),
        (["Corran Head Light", "At the peak"], "Corran Head Light"),
        (["Corran Head Light", "Between the wars"], "Corran Head Light"),
        (["Corran Head Light", "Scale in 1999"], "Corran Head Light"),
        (["Corran Head Light", "Growth in five lines"], "Corran Head Light"),
        (["Northern Coast", "Corran Head Light", "Water"], "Corran Head Light"),
        (["Annual report of the Orr Valley Ferries"], "Orr Valley Ferries"),
        (["Up and down: the ferries for visitors"], "Up and down: the ferries for visitors"),
        (["Moderation Team", "Overview"], "Moderation Team"),
        (["Guilds and Boards", "Overview"], "Guilds and Boards"),
        (["Ada's Harbour Soup"], "Ada's Harbour Soup"),
        (["lampd - Keeper for Linux"], "lampd"),
        (["Harbour Pie", "Ingredients", "Custom rye layer"], "Harbour Pie"),
    ],
)
def test_the_subject_that_a_section_carries(headings: list[str], subject: str) -> None:
    text = "\n\n".join(f"{'#' * (n + 1)} {h}" for n, h in enumerate(headings)) + "\n\n- **Height**: 38 m\n"
    text += "\nThe custom sourdough rye, the lamp and the timeline of architecture, said the report and the board.\n"
    assert {f[0] for f in facts(text) if f[1] == "Height"} == {subject}


def test_a_date_behind_two_things_dates_neither() -> None:
    text = "# Corran Head Light\n\n## Fastnet and the oil lamps (1902-1910)\n\nThe keepers lit oil lamps.\n"
    assert not [f for f in facts(text) if f[1] == "date"]


def test_of_a_period_the_start_is_its_first_date() -> None:
    known = ontology(
        ':Ship a owl:Class ; rdfs:label "ship" ; kg:namePattern "^Skerry" . :begun a owl:DatatypeProperty ; '
        'rdfs:label "construction start" ; skos:altLabel "construction date" ; rdfs:domain :Ship ; '
        "rdfs:range xsd:gYear ."
    )
    text = "# Fleet\n\n## Skerry Lass Construction (March-August 1902)\n\nShe was built.\n"
    assert ("Skerry Lass", "begun", "1902-03") in facts(text, known=known)


def test_a_gerund_that_sentences_write_with_a_capital_is_part_of_a_name() -> None:
    text = "# Corran Head Light\n\n## Mentoring Chair\n\nThe board elects a Mentoring Chair.\n\n- **Term**: 2 years\n"
    assert ("Mentoring Chair", "Term", "2 YR") in facts(text)


@pytest.mark.parametrize(
    ("heading", "name", "date"),
    [
        ("[2.4.0] - 2024-11-28", "2.4.0", "2024-11-28"),
        ("1.2 (2021-03-04)", "1.2", "2021-03-04"),
        ("v3.0 — May 2024", "v3.0", "2024-05"),
        ("Version 2.4.0-rc.1 / 3 May 2024 [YANKED]", "2.4.0-rc.1", "2024-05-03"),
    ],
)
def test_the_heading_of_a_version_tells_its_date(heading: str, name: str, date: str) -> None:
    text = f"# Changelog\n\n## {heading}\n\n### Added\n\n- Slow start of the lamp (#655)\n- Oil gauge.\n"
    assert facts(text) == {
        (name, "release date", date),
        (name, "Added", "Slow start of the lamp (#655)"),
        (name, "Added", "Oil gauge"),
    }
    told = claims(text)[(name, "release date", date)]
    assert text[told.quote_start : told.quote_end] == f"## {heading}"


@pytest.mark.parametrize("heading", ["1.3 Aurora-2", "1.3 - Aurora-2", "12.05.2024 - 13.05.2024"])
def test_numbered_headings_and_spans_of_days_are_no_versions(heading: str) -> None:
    assert "release date" not in {p for _, p, _ in facts(f"# The Northern Coast\n\n## {heading}{BODY}")}
