from __future__ import annotations

from kg.model import Context, EntityName, Flag, Quantity
from tests.extract.reading import OBSERVATION, extraction, facts

WEEK = """# Corran Light

## Opening hours of Corran Light

Hours of the week:

| Day | Hours | Day | Hours |
|---|---|---|---|
| Monday | 3 | Friday | 6 |
| Tuesday | 4 | Saturday | 7 |
"""


def test_rows_called_by_days_are_observations_however_they_are_printed() -> None:
    claims = [c for c in extraction(WEEK)[1].claims if c.predicate.label == "Hours"]
    assert {c.subject.cls for c in claims if c.subject.kind == "event"} == {OBSERVATION}
    assert {(c.context.row, c.stated_value) for c in claims if c.context} == {
        ("Monday", "3"),
        ("Tuesday", "4"),
        ("Friday", "6"),
        ("Saturday", "7"),
    }
    assert len({c.subject for c in claims}) == 4


def test_a_claim_tells_its_caption_row_and_column() -> None:
    claim = next(c for c in extraction(WEEK)[1].claims if c.stated_value == "7")
    assert claim.context == Context("Hours of the week", "Saturday", "Hours", "Day")


def test_a_table_of_one_row_of_figures_tells_of_its_section() -> None:
    text = "# Skerry Goat\n\n| Speed | Weight |\n|---|---|\n| 8 (-1) | 15 (+2) |\n"
    assert {("Skerry Goat", "Speed", "8"), ("Skerry Goat", "Weight", "15")} <= facts(text)


def test_columns_of_letters_are_yes_and_no() -> None:
    text = "# Lamps\n\n| Lamp | Lit |\n|---|---|\n| Fastnet | Y |\n| Skerry | N |\n"
    claims = {c.stated_value: c.object for c in extraction(text)[1].claims if c.predicate.label == "Lit"}
    assert claims == {"Y": Flag(True), "N": Flag(False)}


def test_kelvin_is_no_thousand_and_a_figure_among_figures_no_year() -> None:
    text = "# Metals\n\n| Metal | Melting point (K) |\n|---|---|\n| Corrite | 1808 |\n| Skerrite | 692 |\n"
    found = [c.object for c in extraction(text)[1].claims if c.predicate.label == "Melting point"]
    assert [(v.value, v.unit) for v in found if isinstance(v, Quantity)] == [(1808, "K"), (692, "K")]


def test_what_stands_under_no_header_tells_nothing() -> None:
    text = "| | | |\n|---|---|---|\n| Kiel | | Orr |\n| Holm | | Larn |\n"
    assert not [c for c in extraction(text)[1].claims if c.predicate.label.startswith("column")]


def test_a_label_of_two_nouns_is_one_thing() -> None:
    text = "| Benefit | Provider |\n|---|---|\n| Dental and Vision Insurance | Orr Bank |\n| Travel | Salt Bank |\n"
    subjects = {c.subject for c in extraction(text)[1].claims}
    assert EntityName("Vision Insurance") not in subjects


def test_one_row_of_figures_tells_of_the_thing_above_it() -> None:
    def table(first: str, second: str) -> str:
        return f"| STR | DEX |\n|---|---|\n| {first} | {second} |\n\n"

    text = (
        f"# Keepers (G)\n\n## Gannets\n\n### Erinyes\n\n{table('7 (-2)', '15 (+2)')}### Xorn\n\n{table('9 (-1)', '3')}"
    )
    found = facts(text)
    assert {("Erinyes", "STR", "7"), ("Erinyes", "DEX", "15"), ("Xorn", "STR", "9"), ("Xorn", "DEX", "3")} <= found
    assert not [subject for subject, _, _ in found if ":" in subject]
    alone = facts(f"# Corran Head Light\n\n## Statistics\n\n{table('7 (-2)', '15')}")
    assert {("Corran Head Light", "STR", "7"), ("Corran Head Light", "DEX", "15")} <= alone


def test_a_figure_names_no_row() -> None:
    found = facts("# Corran Head\n\n| Price | Weight |\n|---|---|\n| $ 5 | 3 kg |\n| $ 6 | 4 kg |\n")
    assert ("Corran Head: Price $ 5", "Weight", "3 KiloGM") in found


def test_a_label_is_a_fact_of_its_row_where_others_have_it_too() -> None:
    rows = "| Quay | Tide |\n|---|---|\n| North wall | 4 m |\n| North wall | 5 m |\n| North wall | 7 m |\n"
    _, found = extraction(f"# Corran Head\n\n## Soundings\n\n{rows}")
    labels = [c.predicate.label for c in found.claims if c.subject.kind == "event"]
    assert {label: labels.count(label) for label in labels} == {"Quay": 3, "Tide": 3, "observation about": 3}
    once = "| Grade | Hours |\n|---|---|\n| Lamplighter | 3 |\n| 1st | 4 |\n| 2nd | 5 |\n| 3rd | 6 |\n"
    _, graded = extraction(f"# Corran Head\n\n## Work\n\n{once}")
    assert {c.predicate.label for c in graded.claims if c.subject.kind == "event"} == {"Hours", "observation about"}
    assert {c.context.row for c in found.claims if c.predicate.label == "Tide" and c.context} == {"North wall"}


def test_rows_with_a_mark_stand_below_the_row_without_values() -> None:
    text = (
        "# Inn\n\n| Service | Pay |\n|---|---|\n| *Coach cab* | |\n| ~ Within a city | 1 cp |\n| Road toll | 2 cp |\n"
    )
    assert {f[0] for f in facts(text) if f[1] == "Pay"} == {"Coach cab: Within a city", "Road toll"}


def test_the_label_of_a_row_is_one_thing() -> None:
    text = "# Pods\n\n| Policy | Outcome |\n|---|---|\n| Recreate + maxSurge | halted |\n| OnDelete | stuck |\n"
    assert {f[0] for f in facts(text) if f[1] == "Outcome"} == {"Recreate + maxSurge", "OnDelete"}


def test_an_address_is_no_count() -> None:
    text = "# Offices\n\n| Office | Address |\n|---|---|\n"
    text += "| Corran | 50 Harbour Plaza 94102 |\n| Kiel | 5 Dock Road 10007 |\n"
    found = [c.object for c in extraction(text)[1].claims if c.predicate.label == "Address"]
    assert found and not any(isinstance(value, Quantity) for value in found)


SIGNS = """# Marks

| What you type | What you get |
|---|---|
| A - B | A and B |
| A -- B | A to B |
| Rex (harbour) | boat |
| Rex (hill) | goat |
| Skerry (old) | rock |
"""


def test_rows_that_only_signs_tell_apart_stay_apart() -> None:
    claims = [c for c in extraction(SIGNS)[1].claims if c.predicate.label == "What you get"]
    dashes = [c.subject for c in claims if c.stated_value in ("A and B", "A to B")]
    assert len(set(dashes)) == 2
    assert {s.kind for s in dashes} == {"event"}


def test_a_bracket_that_alone_tells_two_rows_apart_belongs_to_the_name() -> None:
    found = {(s, v) for s, _, v in facts(SIGNS)}
    assert {("Rex (harbour)", "boat"), ("Rex (hill)", "goat"), ("Skerry", "rock")} <= found


def test_a_column_of_clock_times_names_no_row() -> None:
    text = "# Fair\n\n| Date | Time | What | Where |\n|---|---|---|---|\n"
    text += (
        "| 5 April | 9:00 | spring clean-up of the boats | Pier |\n| 3 May | 10:00 | christening of the Rex | Quay |\n"
    )
    where = {c.stated_value: c.subject for c in extraction(text)[1].claims if c.predicate.label == "Where"}
    assert {v: getattr(s, "surface", None) or s.label for v, s in where.items()} == {
        "Pier": "spring clean-up of the boats",
        "Quay": "christening of the Rex",
    }


def test_a_value_that_tells_its_own_time_doesnt_hold_when_its_row_does() -> None:
    text = "# Room\n\n| Year | Piece | Donor | Shelf |\n|---|---|---|---|\n"
    text += "| 1826 | Kiel jug | gift of Ada Wren, 1961 | top |\n| 1840 | Orr bowl | Bo Lund | low |\n"
    claims = {c.stated_value: c for c in extraction(text)[1].claims}
    assert claims["gift of Ada Wren, 1961"].valid_from is None
    assert claims["top"].valid_from is not None


def test_what_all_figures_are_in_goes_with_each_row() -> None:
    table = "| Route | 20 ft |\n|---|---|\n| Corran – Kiel | 640 |\n"
    text = (
        "# Freight\n\nValid from May. Prices in crowns, without tax.\n\n## A. Boxes\n\nThe sea is wide.\n\n"
        f"{table}\n## B. Cars\n\nAll charges are in pounds.\n\n{table}"
    )
    found = {c.context.caption for c in extraction(text)[1].claims if c.context and c.predicate.label == "20 ft"}
    assert found == {"Prices in crowns, without tax.", "All charges are in pounds."}
    other = text.replace("Prices in crowns", "Trade in crowns").replace(
        "All charges are in pounds", "Charges fell in May"
    )
    assert {c.context.caption for c in extraction(other)[1].claims if c.context} == {""}


def kinds_of_rows(head: str, labels: list[str]) -> dict[str, str]:
    rows = "".join(f"| {label} | {number} |\n" for number, label in enumerate(labels, 3))
    claims = extraction(f"# Yard\n\n## Work\n\n| {head} | Hours |\n|---|---|\n{rows}")[1].claims
    return {c.context.row: c.subject.kind for c in claims if c.context and c.predicate.label.startswith("Hours")}


def test_the_labels_of_a_column_name_things_together_or_not_at_all() -> None:
    posts = ["head keeper", "second keeper", "Lamp Boy", "cook for the crew", "rower, spare"]
    assert kinds_of_rows("Post", posts) == dict.fromkeys(posts, "entity")
    grades = ["Lamplighter", "1st", "2nd", "3rd", "4th"]
    assert kinds_of_rows("Grade", grades) == dict.fromkeys(grades, "event")
    assert kinds_of_rows("Grade", grades[:1]) == {"Lamplighter": "entity"}
    names = ["Lamp Boy", "Orr Keeper", "Fog Bell Hand", "Quay Pilot", "Harbour Clerk"]  # nor does one ordinal undo them
    assert kinds_of_rows("Post", [*names, "1st"]) == dict.fromkeys(names, "entity") | {"1st": "event"}


def test_a_total_is_no_thing_among_things() -> None:
    assert kinds_of_rows("Fund", ["Lamp Fund", "Fog Bell", "Total"]) == {
        "Lamp Fund": "entity", "Fog Bell": "entity", "Total": "event",
    }  # fmt: skip
