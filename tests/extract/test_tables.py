from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import EntityName, Mood, Quantity, Status, Text
from tests.extract.reading import EVENT, OBSERVATION, assertable, claims, extraction, facts, ontology, value_span

FLEET = """# Ferry fleet

| Vessel | Built | Capacity | Speed (knots) | Status | Notes |
|---|---|---|---|---|---|
| Isla Bay | 1987 | 320 (+40 cars) | 14 | Confirmed | Refitted 1999 |
| Skerry Lass | 1992 | Unknown (likely hundreds) | ~16 | Estimated | — |
| Northern Tern | under construction | 450-470 | 18 | Planned | Diesel → Electric |
"""


def test_rows_are_entities_and_headers_their_properties() -> None:
    found = facts(FLEET)
    assert {
        ("Isla Bay", "Built", "1987"),
        ("Isla Bay", "Capacity", "320"),
        ("Isla Bay", "cars", "40"),
        ("Isla Bay", "Speed", "14 KN"),
        ("Northern Tern", "Capacity", "450..470"),
        ("Northern Tern", "Built", "under construction"),
        ("Isla Bay", "note", "Refitted 1999"),
    } <= found


def test_what_is_unknown_has_no_value_but_keeps_its_words() -> None:
    claim = claims(FLEET)["Skerry Lass", "Capacity", "undisclosed"]
    assert claim.object is None
    assert claim.hedge.status is Status.UNDISCLOSED
    assert claim.stated_value == "Unknown (likely hundreds)"


def test_a_standing_column_hedges_its_row_and_not_itself() -> None:
    found = claims(FLEET)
    assert found["Isla Bay", "Speed", "14 KN"].hedge.status is Status.CONFIRMED
    assert found["Skerry Lass", "Speed", "16 KN"].hedge.status is Status.ESTIMATED
    assert not assertable(found["Northern Tern", "Speed", "18 KN"])
    assert found["Northern Tern", "Status", "Planned"].hedge.status is Status.STATED
    sure = claims(FLEET.replace("Status", "Confidence"))
    assert sure["Skerry Lass", "Speed", "16 KN"].hedge.status is Status.ESTIMATED
    assert not [key for key in sure if key[1] == "Confidence"]  # nothing is said of the ship itself


def test_a_dash_says_nothing() -> None:
    assert not [f for f in facts(FLEET) if f[:2] == ("Skerry Lass", "Notes")]


def test_evidence_points_at_row_label_header_and_cell() -> None:
    claim = claims(FLEET)["Isla Bay", "Built", "1987"]
    assert {(e.role.value, e.exact) for e in claim.evidence} >= {
        ("subject", "Isla Bay"),
        ("predicate", "Built"),
        ("value", "1987"),
    }


def test_a_year_column_bounds_the_other_facts_of_its_row() -> None:
    text = "| Year | Keeper | Wage |\n|---|---|---|\n| 1901-1910 | Jonas Ward | £80 |\n| 1911+ | Mary Orr | £95 |\n"
    found = claims(text)
    wage = found["Jonas Ward", "Wage", "80 CCY_GBP"]
    assert wage.valid_from and wage.valid_from.value == "1901" and wage.valid_until and wage.valid_until.end == "1910"
    assert found["Mary Orr", "Wage", "95 CCY_GBP"].valid_until is None
    assert ("Mary Orr", "Year", "1911") in found


def test_roles_and_two_people_in_a_cell() -> None:
    text = "| Role | Person |\n|---|---|\n| Head baker | Ines Calder |\n| Night shift | Omar Field, Petra Voss |\n"
    assert facts(text) == {
        ("Ines Calder", "Role", "Head baker"),
        ("Omar Field", "Role", "Night shift"),
        ("Petra Voss", "Role", "Night shift"),
    }


def test_a_title_with_its_period() -> None:
    text = "| Name | Position |\n|---|---|\n| Ada Wren | Keeper (1901-1910), later Director |\n| Bo Lund | Cook |\n"
    found = claims(text)
    keeper = found["Ada Wren", "Position", "Keeper"]
    assert keeper.valid_from and keeper.valid_from.value == "1901"
    assert ("Ada Wren", "Position", "later Director") in found


def test_metrics_and_values_are_about_the_section() -> None:
    text = """# Corran Head Light

## Key Figures (2023)

| Metric | Value | Source |
|---|---|---|
| Visitors | 12,000+ a year | Gate records |
| Running cost | $40K-60K | Estimates |
"""
    found = claims(text)
    visitors = found["Corran Head Light", "Visitors", "12000.."]
    assert visitors.valid_from and visitors.valid_from.value == "2023"
    assert ("Corran Head Light", "Running cost", "40000..60000 CCY_USD") in found
    assert not [key for key in found if key[0] == "Visitors"]  # where a figure is from is said of the claim
    assert "Gate records" in {e.exact for e in visitors.evidence if e.role == "qualifier"}


def test_a_table_on_its_side() -> None:
    text = (
        "| | Vulcan 3 | Ember XL |\n|---|---|---|\n| Capacity | 40 loaves | 65 loaves |\n"
        "| Power (kW) | 12 | 18.5 |\n| Since | 2016 | May 2020 |\n"
    )
    assert {
        ("Vulcan 3", "Capacity", "40"),
        ("Ember XL", "Power", "18.5 KiloW"),
        ("Ember XL", "Since", "2020-05"),
    } <= facts(text)


def test_a_column_of_the_least_or_most_is_no_thing() -> None:
    text = (
        "# Iris plants\n\n| Measure | Min | Max | Std. dev. |\n|---|---|---|---|\n"
        "| petal length | 1.0 | 6.9 | 1.8 |\n| petal width | 0.1 | 2.5 | 0.8 |\n"
    )
    found = facts(text)
    assert {
        ("Iris plants", "petal length, Min", "1"),
        ("Iris plants", "petal length, Max", "6.9"),
        ("Iris plants", "petal width, Std. dev.", "0.8"),
    } <= {(subject, label, value) for subject, label, value in found}
    assert {subject for subject, *_ in found} == {"Iris plants"}


def test_columns_of_years_give_the_tables_topic() -> None:
    text = (
        "## Fares\n\n| Route | 2019 | 2020 |\n|---|---|---|\n| Drum–Skerry | £4 | £4.50 |\n| Skerry–Holm | £7 | £8 |\n"
    )
    claim = claims(text)["Drum–Skerry", "Fares", "4.5 CCY_GBP"]
    assert claim.valid_from and claim.valid_from.value == "2020"


def test_dates_and_events() -> None:
    text = """## Corran Head Light

| Date | Event |
|---|---|
| May 1871 | Lamp lit for the first time; Elspeth Marr appointed keeper |
| 1903 | Tower repaired for $40,000 |
"""
    _, found = extraction(text)
    dated = {
        (c.subject.label, c.object.value)
        for c in found.claims
        if c.subject.kind == "event" and c.object and c.object.kind == "date"
    }
    assert dated == {
        ("Lamp lit for the first time", "1871-05"),
        ("Elspeth Marr appointed keeper", "1871-05"),
        ("Tower repaired for $40,000", "1903"),
    }
    assert {c.subject.cls for c in found.claims if c.subject.kind == "event"} == {EVENT}
    assert ("Tower repaired for $40,000", "amount", "40000 CCY_USD") in facts(text)


def test_rows_about_nothing_named_are_observations() -> None:
    text = (
        "## Weather log\n\n| Era | Wind | Lamp |\n|---|---|---|\n| 1901-1905 | Westerly | Oil |\n"
        "| 1906-1910 | Westerly | Gas → Arc (changed early 1908) |\n"
    )
    _, found = extraction(text)
    rows = {c.subject for c in found.claims}
    assert {r.cls for r in rows} == {OBSERVATION} and len(rows) == 2
    lamps = [c for c in found.claims if c.predicate.label == "Lamp" and c.subject.label.endswith("1906-1910")]
    assert [c.stated_value for c in lamps] == ["Gas", "Arc"]
    assert lamps[0].valid_until and lamps[0].valid_until.value == "1908"
    assert lamps[1].valid_from and lamps[1].valid_from.value == "1908"


def test_part_of_a_number_is_at_most_it() -> None:
    text = "| Ship | Berths |\n|---|---|\n| Aurora 2 | Part of 90 berths |\n| Meteor 5 | 40 |\n"
    assert ("Aurora 2", "Berths", "..90") in facts(text)


def test_the_ontology_tells_properties_classes_and_layout() -> None:
    known = ontology("""
    :Vessel a owl:Class ; rdfs:label "vessel" ; skos:altLabel "ship" .
    :Engine a owl:Class ; rdfs:label "engine" .
    :berths a owl:DatatypeProperty ; rdfs:label "berth count" ;
      skos:altLabel "berths" ; rdfs:domain :Vessel ; rdfs:range xsd:integer .
    :length a owl:DatatypeProperty ; rdfs:label "length" ;
      rdfs:domain :Vessel ; rdfs:range xsd:decimal ; kg:canonicalUnit unit:M .
    :engine a owl:ObjectProperty ; rdfs:label "engine" ; rdfs:domain :Vessel ; rdfs:range :Engine .
    """)
    text = (
        "| Ship | Number of berths | Length (ft) | Engine |\n|---|---|---|---|\n"
        "| Aurora | 90 | 120 | Kappa-4 |\n| Meteor | 40 | unknown | Rolf twin |\n"
    )
    found = claims(text, known=known)
    assert found["Aurora", "berths", "90"].subject == EntityName("Aurora", ("https://example.org/sea#Vessel",))
    assert ("Aurora", "length", "120 FT") in found
    engine = found["Aurora", "engine", "Kappa-4"].object
    assert isinstance(engine, EntityName) and engine.classes == ("https://example.org/sea#Engine",)
    side = "| | Aurora | Meteor |\n|---|---|---|\n| Berths | 90 | 40 |\n| Length | 36 m | 30 m |\n"
    assert ("Meteor", "length", "30 M") in claims(side, known=known)


def test_a_value_that_does_not_fit_keeps_the_documents_wording() -> None:
    known = ontology(
        """:length a owl:DatatypeProperty ; rdfs:label "length" ; rdfs:range xsd:decimal ; kg:canonicalUnit unit:M ."""
    )
    text = "| Ship | Length |\n|---|---|\n| Aurora | 36 m |\n| Meteor | too long for the quay |\n"
    found = claims(text, known=known)
    assert ("Aurora", "length", "36 M") in found
    claim = found["Meteor", "Length", "too long for the quay"]
    assert claim.predicate.iri == ""


_words = st.sampled_from(["Corran", "Fastnet", "Gannet", "Lizard", "Rathlin", "Skerry"])
_cell = st.one_of(
    st.integers(1, 90_000).map(str),
    st.sampled_from(["12 kg", "~40 m", "3-5 days", "May 1931", "Ada Wren", "painted white in spring", "$2M", "80%"]),
)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(_words, min_size=2, max_size=5, unique=True),
    st.lists(st.sampled_from(["Height", "Crew", "Paint", "Lens", "Range"]), min_size=1, max_size=4, unique=True),
    st.data(),
)
def test_every_cell_has_a_claim_whose_value_it_is(names: list[str], heads: list[str], data: st.DataObject) -> None:
    cells = [[data.draw(_cell) for _ in heads] for _ in names]
    lines = ["| Light | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    lines += [f"| {name} | " + " | ".join(row) + " |" for name, row in zip(names, cells, strict=True)]
    document, found = extraction("# Lights\n\n" + "\n".join(lines) + "\n")
    stated = {document.text[slice(*value_span(c))] for c in found.claims if c.subject.surface in names}
    assert {cell for row in cells for cell in row} <= stated
    assert sum(c.extractors == ("tables",) for c in found.claims) >= len(names) * len(heads)


def test_either_or_in_a_cell_is_no_fact() -> None:
    rows = "| Holm-2 | G100 or K200 | 16 or 32 kg |\n| Holm-3 | K4 | 8 kg |\n"
    table = f"# Ovens\n\n| Oven | Grate | Load |\n|---|---|---|\n{rows}"
    found = claims(table)
    assert {o for s, p, o in found if (s, p) == ("Holm-2", "Grate")} == {"G100", "K200"}
    assert all(found[("Holm-2", "Grate", o)].hedge.mood is Mood.ALTERNATIVE for o in ("G100", "K200"))
    assert {o for s, p, o in found if (s, p) == ("Holm-2", "Load")} == {"16 KiloGM", "32 KiloGM"}


def test_a_year_behind_what_rows_are_about_tells_not_when_the_rest_holds() -> None:
    text = (
        "# Lamps\n\n| Lamp | Year | Maker |\n|---|---|---|\n| Rex | 1995 | Orr Works |\n| Kappa | 1998 | Kiel Works |\n"
    )
    assert ("Rex", "Year", "1995") in facts(text)
    made = [c for c in extraction(text)[1].claims if c.predicate.label == "Maker"]
    assert len(made) == 2 and {c.valid_from for c in made} == {None}
    first = (
        "# Lamps\n\n| Year | Lamp | Maker |\n|---|---|---|\n| 1995 | Rex | Orr Works |\n| 1998 | Kappa | Kiel Works |\n"
    )
    held = [c.valid_from for c in extraction(first)[1].claims if c.predicate.label == "Maker"]
    assert [date and date.value for date in held] == ["1995", "1998"]


def test_rows_of_properties_carry_what_stands_in_the_corner() -> None:
    text = "# Orr Bank\n\n| Million crowns | 2021 | 2022 |\n|---|---|---|\n| Fees | 188 | 194 |\n| Costs | 90 | 95 |\n"
    contexts = {c.context for c in extraction(text)[1].claims if c.stated_value in ("188", "95")}
    assert {context.stub for context in contexts if context} == {"Million crowns"}


def test_a_sign_of_money_alone_among_sums_is_no_value() -> None:
    text = "| Lamp | Cost |\n|---|---|\n| Corran Light | $720 |\n| Ness Light | $ |\n| Orr Light | $90 |\n"
    assert {s for s, p, _ in facts(text) if p == "Cost"} == {"Corran Light", "Orr Light"}
    rated = text.replace("$720", "$$").replace("$90", "$$$")
    assert ("Ness Light", "Cost", "$") in facts(rated)


# --- serial numbers beside names ---

TOOLS = "Asset,Item,Room,Weight (kg)\n{rows}"
CODED = [("EQ-001", "Fog bell", "Loft", "80"), ("EQ-002", "Kiln", "Yard", "210"), ("EQ-003", "Lamp", "Yard", "9.5")]


def tools(*rows: tuple[str, ...]) -> set[tuple[str, str, str]]:
    return facts(TOOLS.format(rows="\n".join(map(",".join, rows))), "tools.csv")


def test_what_serial_numbers_stand_for_is_what_rows_are_about() -> None:
    found = tools(*CODED)
    assert {("Kiln", "Asset", "EQ-002"), ("Kiln", "Room", "Yard"), ("Lamp", "Weight", "9.5 KiloGM")} <= found
    assert not any(subject.startswith("EQ") for subject, *_ in found)
    whole = claims(TOOLS.format(rows="\n".join(map(",".join, CODED))), "tools.csv")
    assert whole["Kiln", "Asset", "EQ-002"].object == Text("EQ-002")  # no thing beside the kiln


def test_things_of_one_name_keep_their_serial_numbers() -> None:
    more = [(f"EQ-{n:03}", f"Winch of {dock}", "Quay", "4") for n, dock in enumerate("ABCDEFGHIJKLMNOPQ", 4)]
    found = tools(*CODED, *more, ("EQ-021", "Kiln", "Loft", "150"))
    assert {("Kiln EQ-002", "Weight", "210 KiloGM"), ("Kiln EQ-021", "Weight", "150 KiloGM")} <= found
    assert ("Lamp", "Room", "Yard") in found


def test_serial_numbers_name_rows_where_nothing_else_does() -> None:
    repeated = [(code, "Lamp", room, weight) for code, _, room, weight in CODED]
    assert ("EQ-002", "Item", "Lamp") in tools(*repeated)
    models = [("A100", "Fog bell", "Loft", "80"), ("H100", "Kiln", "Yard", "210"), ("V200", "Lamp", "Yard", "9.5")]
    assert ("H100", "Weight", "210 KiloGM") in tools(*models)


def test_what_several_rows_are_labelled_by_is_told_of_each() -> None:
    rows = "Sort,Day,Spent (€)\nRope,3 May 2024,40\nRope,4 May 2024,30\nLamps,5 May 2024,20\nRope,6 May 2024,10\n"
    found = facts(rows, "spent.csv")
    assert sorted(value for _, label, value in found if label == "Sort") == ["Rope", "Rope", "Rope"]
    assert sorted(value for _, label, value in found if label == "Day")[0] == "2024-05-03"


# --- blank keys ---


def test_a_blank_key_of_comma_separated_rows_repeats_nothing() -> None:
    rows = "Lamp,Reach (km),Hours\nOrr Lamp,12,30\n,14,40\nRho Lamp,16,50\n"
    found = facts(rows, "lamps.csv")
    assert {("Orr Lamp", "Hours", "30"), ("Rho Lamp", "Hours", "50")} <= found
    assert not {("Orr Lamp", "Hours", "40"), ("Orr Lamp", "Reach", "14 KiloM")} & found
    table = "| Lamp | Hours |\n|---|---|\n| Orr Lamp | 30 |\n|  | 40 |\n| Rho Lamp | 50 |\n"
    assert ("Orr Lamp", "Hours", "40") in facts(table)  # pages leave a label blank where it goes on


# --- labels over several rows ---

VOYAGES = """## Voyages

| Port | Ship | Day | Cargo |
|---|---|---|---|
| Kiel | Alder | 3 May 1974 | rope |
|  | Birch | 6 June 1979 | salt |
| Riga | Alder | 9 July 1981 | tar |
"""


def test_rows_below_one_label_that_are_records_are_observations() -> None:
    found = claims(VOYAGES)
    rows = {c.subject for c in found.values()}
    assert {row.cls for row in rows} == {OBSERVATION} and len(rows) == 3
    told = {(label, value) for subject, label, value in found if "Birch" in subject}
    assert told == {("Port", "Kiel"), ("Ship", "Birch"), ("Day", "1979-06-06"), ("Cargo", "salt")}
    port = next(c for (subject, label, _), c in found.items() if "Birch" in subject and label == "Port")
    assert {e.exact for e in port.evidence if e.role.value == "value"} == {"Kiel"}


def test_rows_below_one_label_are_its_own_where_few_labels_reach_so_far() -> None:
    ships = [f"| Ship {name} | {n} | rope |" for n, name in enumerate("ABCDEFGHIJ")]
    table = "\n".join(["| Ship | Crew | Cargo |", "|---|---|---|", *ships, "|  | 12 | salt |"])
    assert ("Ship J", "Cargo", "salt") in facts(table)


# --- sums ---


def test_a_row_of_sums_gives_no_figure_of_one_thing() -> None:
    rows = "Fund,Spent (€),Kept (€)\nLamp Fund,40,10\nFog Fund,30,5\nQuay Fund,20,7\n"
    for label in ("Total", "Total funds", "Summe"):
        found = claims(f"{rows}{label},90,22\n", "funds.csv")
        assert ("Lamp Fund", "Spent", "40 CCY_EUR") in found
        (total,) = [claim for (_, _, value), claim in found.items() if value == "90 CCY_EUR"]
        assert total.predicate.label == f"Spent, {label}" and total.subject.kind == "event"
    assert ("Total Fund", "Spent", "15 CCY_EUR") in facts(f"{rows}Total Fund,15,2\n", "funds.csv")


# --- how a column writes its figures and days ---

STATIONS = "Station;Altitude (m);Mean temp. (°C)\nOrr;412;9,8\nRho;1.774;3,1\nKiel;1.130;10,9\n"


def test_figures_are_read_as_their_file_writes_them() -> None:
    found = claims(STATIONS, "stations.csv")
    assert {("Rho", "Altitude", "1774 M"), ("Rho", "Mean temp.", "3.1 DEG_C")} <= set(found)
    altitude = found["Rho", "Altitude", "1774 M"]
    assert isinstance(altitude.object, Quantity) and altitude.object.stated == altitude.stated_value == "1.774"
    alone = "Station;Altitude (m)\nOrr;412\nRho;1.774\nKiel;1.130\n"
    assert ("Rho", "Altitude", "1.774 M") in facts(alone, "stations.csv")  # nothing tells otherwise


def test_days_are_read_as_their_column_writes_them() -> None:
    rows = "Keeper,Since\nAda Wren,03/01/2025\nBo Ray,22/01/2025\nCy Lund,05/02/2025\n"
    found = claims(rows, "keepers.csv")
    assert {("Ada Wren", "Since", "2025-01-03"), ("Cy Lund", "Since", "2025-02-05")} <= set(found)
    assert found["Cy Lund", "Since", "2025-02-05"].stated_value == "05/02/2025"
    american = facts(rows.replace("22/01", "01/22"), "keepers.csv")
    assert ("Ada Wren", "Since", "2025-03-01") in american
    open_ = facts(rows.replace("22/01", "02/01"), "keepers.csv")
    assert ("Ada Wren", "Since", "03/01/2025") in open_
