from __future__ import annotations

import pytest

from kg.extract.values import flag_of
from kg.model import Claim, EntityName, Flag, Quantity, Status, Text
from tests.extract.reading import claims, extraction, facts


def of_cell(cell: str, header: str = "Lit") -> list[Claim]:
    text = f"# Coast\n\n| Station | Keeper | {header} |\n|---|---|---|\n| Fastnet | Ada Holm | {cell} |\n"
    return [c for c in extraction(text)[1].claims if c.predicate.label == header]


@pytest.mark.parametrize("cell", ["Yes", "yes", "TRUE", "✓", "✔️", "✅", "**Yes**", "Yes (EOL)", "Yes, with a crew"])
def test_yes(cell: str) -> None:
    assert [c.object for c in of_cell(cell)] == [Flag(True)]


@pytest.mark.parametrize("cell", ["No", "no.", "false", "✗", "❌", "No (retired)", "No – never"])
def test_no(cell: str) -> None:
    found = of_cell(cell)
    assert [c.object for c in found] == [Flag(False)]
    assert found[0].hedge.polarity == "affirmed"


@pytest.mark.parametrize(
    "cell", ["230 S. Dean St., 35th floor SW, Orr, IL 60604", "Suite 5, Holm House, Orr, CA 94102"]
)
def test_an_address_is_one_place(cell: str) -> None:
    assert [c.object in (Text(cell), EntityName(cell)) for c in of_cell(cell, "Location")] == [True]
    assert len(of_cell("Kiel, Arden, Holm", "Location")) == 3


@pytest.mark.parametrize("text", ["Partial", "No more than five", "Yesterday", "Nope", "yes/no", ""])
def test_other_words_are_no_flags(text: str) -> None:
    assert flag_of(text) is None


@pytest.mark.parametrize("cell", ["", "—", "-", "N/A", "n/a", "none"])
def test_what_doesnt_apply_states_nothing(cell: str) -> None:
    assert of_cell(cell) == []


def test_what_is_to_be_told_is_undisclosed() -> None:
    assert [c.hedge.status for c in of_cell("TBD")] == [Status.UNDISCLOSED]


def test_a_flag_may_hold_for_a_time() -> None:
    for cell in ("Yes (since 2021)", "Yes, since 2021"):
        (claim,) = of_cell(cell)
        assert claim.object == Flag(True)
        assert claim.valid_from and claim.valid_from.value == "2021" and claim.valid_until is None


def test_a_date_that_only_remarks_bounds_nothing() -> None:
    (claim,) = of_cell("Yes (inspected 2021)")
    assert claim.object == Flag(True) and claim.valid_from is None


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("2025-05-27", "2025-05-27"),
        ("27 May 2025", "2025-05-27"),
        ("May 27, 2025", "2025-05-27"),
        ("27.05.2025", "2025-05-27"),
        ("May 2025", "2025-05"),
        ("2025-05", "2025-05"),
        ("2024-01-01 (EOL)", "2024-01-01"),
        ("27 May 2025[^2]", "2025-05-27"),
    ],
)
def test_dates_keep_their_precision(cell: str, value: str) -> None:
    (claim,) = of_cell(cell)
    assert claim.object is not None and claim.object.kind == "date" and claim.object.value == value


def test_a_word_in_a_bracket_is_the_standing() -> None:
    (estimated,) = of_cell("Dec 2027 (estimated)")
    assert estimated.hedge.status is Status.ESTIMATED
    (planned,) = of_cell("40 km (planned)")
    assert planned.hedge.status is Status.PLANNED


def test_a_links_text_is_the_value() -> None:
    (name,) = of_cell("[Muckle Flugga](https://example.org/muckle)")
    assert isinstance(name.object, EntityName) and name.object.surface == "Muckle Flugga"
    (text,) = of_cell("[Muckle Flugga](https://example.org/muckle)", "Basis")
    assert text.object == Text("Muckle Flugga")


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("Fails [the test](https://example.org/t)", ["Fails the test"]),
        ("See [the log](https://example.org/l) of May", ["See the log of May"]),
        ("[Flugga](https://example.org/f), [Skerry](https://example.org/s) and [Holm](https://example.org/h)",
         ["Flugga", "Skerry", "Holm"]),
    ],
)  # fmt: skip
def test_links_are_the_value_where_nothing_is_said_of_them(cell: str, told: list[str]) -> None:
    objects = [c.object for c in of_cell(cell, "State")]
    assert [o.surface if isinstance(o, EntityName) else o.value for o in objects] == told  # type: ignore[union-attr]


def test_a_word_among_flags_is_no_name() -> None:
    text = "| Station | Lit |\n|---|---|\n| Fastnet | Yes |\n| Skerry | No |\n| Flugga | Partial |\n"
    assert ("Flugga", "Lit", "Partial") in claims(text)
    assert isinstance(claims(text)["Flugga", "Lit", "Partial"].object, Text)


@pytest.mark.parametrize(("text", "shown"), [("$(89.7)", "-89.7 CCY_USD"), ("(5.7)", "-5.7"), ("(13%)", "-13 PERCENT")])
def test_figures_in_brackets_are_negative(text: str, shown: str) -> None:
    page = f"# Kiel Yard\n\n| Ship | Change |\n|---|---|\n| Skerry Lass | {text} |\n| Isla Bay | 4 |\n"
    assert ("Skerry Lass", "Change", shown) in claims(page)


def _column(cells: list[str], header: str) -> list[object]:
    rows = "".join(f"| Mill {n} | {cell} |\n" for n, cell in zip("ABCDEFG", cells, strict=False))
    text = f"# Mills\n\n| Mill | {header} |\n|---|---|\n{rows}"
    return [c.object for c in extraction(text)[1].claims if c.predicate.label in (header, header.split(" (")[0])]


def _shown(values: list[object]) -> list[str]:
    return [
        v.value if isinstance(v, Text) else f"{v.lower} {v.unit}" if isinstance(v, Quantity) else "?" for v in values
    ]


@pytest.mark.parametrize(
    "cell",
    [
        "2 kg of barley or three geese",
        "1 lb. of wax",
        "3 cups of rye, ground",
        "20 + wind bonus (at most 4)",
        "18F or the council",
    ],
)
def test_what_an_amount_is_of_is_kept(cell: str) -> None:
    assert [c.object for c in of_cell(cell, "Toll")] == [Text(cell)]


def test_an_amount_of_what_its_label_says_stays_one() -> None:
    assert _shown(_column(["2 kg of barley", "3 kg of barley", "4 kg"], "Barley")) == [
        "2 KiloGM",
        "3 KiloGM",
        "4 KiloGM",
    ]


@pytest.mark.parametrize("cell", ["12 or more", "12 or fewer", "5+", "about 30 kg", "7 kg (of wax)"])
def test_open_ends_and_remarks_leave_a_figure(cell: str) -> None:
    assert [type(c.object) for c in of_cell(cell, "Toll")] == [Quantity]


def test_lists_of_numbers_are_no_decimals() -> None:
    assert _shown(_column(["2,5", "1,2,5", "15,30,60", "5"], "Stones (kg)")) == ["2,5", "1,2,5", "15,30,60", "5 KiloGM"]
    assert _shown(_column(["2,5", "3,1", "4,7"], "Stones (kg)")) == ["2.5 KiloGM", "3.1 KiloGM", "4.7 KiloGM"]


def test_sums_leave_the_figures_beside_them() -> None:
    assert _shown(_column(["12 + wind bonus", "18", "13 + wind bonus"], "Power")) == [
        "12 + wind bonus",
        "18 None",
        "13 + wind bonus",
    ]


def test_a_list_that_its_first_words_govern_stays_whole() -> None:
    text = "# Orr 2.1\n\n- signs: Repaint boards for Kiel, Arden, Corran\n- keepers: Ada Holm, Bo Lind, Ilse Krag\n"
    found = facts(text)
    assert ("Orr 2.1", "keepers", "Bo Lind") in found
    assert {v for _, p, v in found if p == "signs"} <= {"Repaint boards for Kiel, Arden, Corran"}


def test_sides_of_one_place_are_not_parted() -> None:
    cells = ["Upper and Lower Arden", "Kiel and Eastern Arden", "Corran"]
    assert [v.surface for v in _column(cells, "Markets") if isinstance(v, EntityName)] == [
        "Upper and Lower Arden",
        "Kiel",
        "Eastern Arden",
        "Corran",
    ]
