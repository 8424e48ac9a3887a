from __future__ import annotations

import pytest

from kg.model import EntityName
from tests.extract.reading import OBSERVATION, extraction, facts

LAMPS = """# Aurora Lamp

## Versions

| Version | Released | Latest | Certified |
|---|---|---|---|
| 1.0 | 2021-05-03 | 1.0.4 | Yes |
| 1.1 | 2022-05-01 | 1.1.12 | No |
| 1.10 | 2025-05-27 | 1.10.0 |  |
"""


def test_versions_are_versions_of_what_the_section_is_about() -> None:
    found = facts(LAMPS)
    assert {
        ("Aurora Lamp 1.0", "Released", "2021-05-03"),
        ("Aurora Lamp 1.1", "Released", "2022-05-01"),
        ("Aurora Lamp 1.10", "Released", "2025-05-27"),
        ("Aurora Lamp", "Version", "Aurora Lamp 1.10"),
    } <= found


def test_versions_in_cells_are_texts() -> None:
    claims = [c for c in extraction(LAMPS)[1].claims if c.predicate.label == "Latest"]
    assert {(c.object.kind, c.object.value) for c in claims if c.object and c.object.kind == "text"} == {
        ("text", "1.0.4"),
        ("text", "1.1.12"),
        ("text", "1.10.0"),
    }
    assert len(claims) == 3


def test_evidence_of_a_version_names_both_its_parts() -> None:
    claim = next(c for c in extraction(LAMPS)[1].claims if c.predicate.label == "Released")
    assert {e.exact for e in claim.evidence if e.role.value == "subject"} == {"Aurora Lamp", "1.0"}


def test_the_purpose_of_the_owner_is_part_of_its_name() -> None:
    text = "# Lantern Depot for Kiel\n\n| Release | Opened |\n|---|---|\n| 8.0 | 2021-05-03 |\n"
    assert ("Lantern Depot for Kiel 8.0", "Opened", "2021-05-03") in facts(text)


def test_without_a_heading_a_version_is_the_documents_own() -> None:
    text = "| Release | Opened |\n|---|---|\n| 8.0 | 2021-05-03 |\n"
    assert facts(text, "lantern.md") == {("lantern 8.0", "Opened", "2021-05-03")}


def test_names_in_the_first_column_stay_as_they_are() -> None:
    text = (
        "# Aurora Lamp\n\n| Release | Opened |\n|---|---|\n| harbour-light | 2021-05-03 |\n| sea-light | 2022-01-02 |\n"
    )
    assert facts(text) == {
        ("harbour-light", "Opened", "2021-05-03"),
        ("sea-light", "Opened", "2022-01-02"),
    }


def test_years_name_rows_only_where_nothing_else_does() -> None:
    alone = "# Aurora Lamp\n\n| Release | Until |\n|---|---|\n| 2019 | 2021-05-03 |\n| 2022 | 2025-01-02 |\n"
    assert ("Aurora Lamp 2019", "Until", "2021-05-03") in facts(alone)
    named = "# Aurora\n\n| Release | Name | Beam |\n|---|---|---|\n| 2019 | Gleam | 10 km |\n| 2022 | Glare | 9 km |\n"
    assert {("Gleam", "Release", "2019"), ("Glare", "Beam", "9 KiloM")} <= facts(named)


def test_measured_numbers_name_nothing() -> None:
    text = "# Fastnet\n\n| Depth (m) | Salinity |\n|---|---|\n| 10 | 35.1 |\n| 20 | 35.10 |\n"
    found = extraction(text)[1].claims
    assert {c.subject.cls for c in found if c.subject.kind == "event"} == {OBSERVATION}
    about = [c for c in found if c.predicate.iri.endswith("observationAbout")]
    assert [c.object for c in about] == [EntityName("Fastnet")] * 2
    assert {c.object.kind for c in found if c.object and c not in about} == {"quantity"}


def test_a_changelog_tells_of_its_versions() -> None:
    text = "# Aurora Lamp\n\n| Version | Date | Changes |\n|---|---|---|\n| 1.0 | 2021-05-03 | First lamp |\n"
    assert ("Aurora Lamp 1.0", "Changes", "First lamp") in facts(text)


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("Skerry¹", "Skerry"),
        ("Skerry²", "Skerry"),
        ("Skerry[^1]", "Skerry"),
        ("Skerry [a]", "Skerry"),
        ("Skerry*", "Skerry"),
        ("Skerry †‡", "Skerry"),
        ("A\\*", "A*"),
    ],
)
def test_marks_of_footnotes_are_no_part_of_names(cell: str, name: str) -> None:
    text = f"| Station | Built |\n|---|---|\n| {cell} | 1901 |\n| Fastnet | 1904 |\n"
    assert (name, "Built", "1901") in facts(text)


def test_powers_of_units_are_no_footnotes() -> None:
    text = "| Station | Area |\n|---|---|\n| Skerry | 40 km² |\n| Fastnet | 12 km²* |\n"
    assert {("Skerry", "Area", "40 KiloM2"), ("Fastnet", "Area", "12 KiloM2")} <= facts(text)


def test_dates_under_a_blank_corner_go_on_with_the_header() -> None:
    text = (
        "# Kiel Yard\n\n|  |  | Years ended 30 June |  |\n|---|---|---|---|\n|  | 2019 | 2018 | 2017 |\n"
        "|  |  | (audited) |  |\n| Lamps sold | £31 | £27 | £12 |\n| Share abroad | 4% | 5% | 6% |\n"
    )
    found = {
        (c.predicate.label, c.stated_value, c.valid_from.value if c.valid_from else "")
        for c in extraction(text)[1].claims
    }
    assert found == {
        ("Lamps sold", "£31", "2019-06-30"),
        ("Lamps sold", "£27", "2018-06-30"),
        ("Lamps sold", "£12", "2017-06-30"),
        ("Share abroad", "4%", "2019-06-30"),
        ("Share abroad", "5%", "2018-06-30"),
        ("Share abroad", "6%", "2017-06-30"),
    }


def test_groups_of_columns_are_not_mixed() -> None:
    heads = "|  | Inland |  | Abroad |  |\n|---|---|---|---|---|\n|  | 2019 | 2018 | 2019 | 2018 |\n"
    text = f"{heads}| Lamps | 1 | 2 | 3 | 4 |\n"
    found = {
        (c.predicate.label, c.stated_value, c.valid_from and c.valid_from.value) for c in extraction(text)[1].claims
    }
    assert found == {("Inland", "1", "2019"), ("Inland", "2", "2018"), ("Abroad", "3", "2019"), ("Abroad", "4", "2018")}


def test_units_in_square_brackets_are_no_footnotes() -> None:
    text = "| Station | Height [m] |\n|---|---|\n| Skerry | 48 |\n| Fastnet | 54 |\n"
    assert ("Skerry", "Height", "48 M") in facts(text)


RELEASES = """# Skerry OS

## Releases

| Version | LTS | Released | Support | Latest | State | Runs on |
|---|---|---|---|---|---|---|
| 7.x | ✅ | 1 year ago (25 Apr 2024) | Ends in 2 years (25 Apr 2029) | 7.4.3 (7 Aug 2025) | Pending | 2.9 |
| 6.x | :x: | 12 October 2023 | Ended 3 months ago (11 Jul 2024) | 6.10.1 (May 2024) | Archived | 2.10 |
| 5.x[*](#n) | No | 3 May 2021 | Ended May 2023 | 5.0.9 | Retired | 1.4 |
"""


def test_releases_with_spans_of_time_marks_and_dated_versions() -> None:
    found = facts(RELEASES)
    assert {
        ("Skerry OS 7.x", "LTS", "True"),
        ("Skerry OS 6.x", "LTS", "False"),
        ("Skerry OS 7.x", "Released", "2024-04-25"),
        ("Skerry OS 7.x", "Support", "2029-04-25"),
        ("Skerry OS 6.x", "Support", "2024-07-11"),
        ("Skerry OS 5.x", "Support", "2023-05"),
        ("Skerry OS 7.x", "Latest", "7.4.3"),
        ("Skerry OS 7.x", "State", "Pending"),
        ("Skerry OS 6.x", "Runs on", "2.10"),
    } <= found
    since = {c.stated_value: c.valid_from.value for c in extraction(RELEASES)[1].claims if c.valid_from}
    assert since == {"7.4.3": "2025-08-07", "6.10.1": "2024-05"}


def test_spans_of_time_alone_stay_spans() -> None:
    text = "| Lamp | Age | Warranty |\n|---|---|---|\n| Skerry | 3 years | 2 years (parts) |\n"
    assert {("Skerry", "Age", "3 YR"), ("Skerry", "Warranty", "2 YR")} <= facts(text)


def test_columns_printed_twice_whose_rows_nothing_tells_apart_state_nothing() -> None:
    rows = "| Monday | 4 | Monday | 7 |\n| Tuesday | 5 | Tuesday | 6 |\n"
    text = f"# Tides\n\n| Day | Hours | Day | Hours |\n|---|---|---|---|\n{rows}"
    assert extraction(text)[1].claims == ()
    assert len(extraction(text.replace("| Monday | 7 |", "| Friday | 7 |"))[1].claims) == 2
