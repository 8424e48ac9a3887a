from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import Claim
from kg.records import Record
from kg.resolution.openproperties import OpenProperty, label_key, open_properties, shown

from ..making import Said, libraries, number, record


def found(*said: Said) -> list[OpenProperty]:
    return list(open_properties(record("a", said).extraction.claims).values())


def count(label: str, unit: str | None = None) -> Said:
    return Said("Corn Mill", label, number("3", unit=unit))


def test_ways_to_say_count_are_one() -> None:
    assert found(count("PLC Count"), count("Number of PLCs"), count("Number of PLCs")) == [
        OpenProperty("number-of-plcs", "Number of PLCs", ("PLC Count",))
    ]


def test_the_label_is_the_most_frequent_then_longest_then_first() -> None:
    assert found(count("Sack weight"), count("Sack  Weight"), count("Sack weight"))[0].label == "Sack weight"
    assert found(count("Wheel Count"), count("Number of Wheels"))[0].label == "Number of Wheels"
    assert found(count("Sack weight"), count("Sack Weight"))[0].label == "Sack Weight"


def test_declared_properties_are_none_of_them() -> None:
    assert found(Said("Corn Mill", "stones", number("3"))) == []


def test_other_labels_of_one_slug_are_told_apart() -> None:
    slugs = [p.slug for p in found(count("Speed +"), count("Speed %"))]
    assert len(set(slugs)) == 2 and all(slug.startswith("speed--") for slug in slugs)


def test_a_label_without_letters_is_still_a_name() -> None:
    assert [p.slug for p in found(count("1931"), count("Grain"))] == ["_1931", "grain"]


def test_the_unit_is_the_most_frequent_of_the_most_frequent_kind() -> None:
    weights = [count("Load", "KiloGM"), count("Load", "GM"), count("Load", "GM"), count("Load", "M"), count("Load")]
    assert found(*weights)[0].unit == "GM"
    assert found(count("Load"))[0].unit is None
    assert found(count("Load", "GM"), count("Load", "KiloGM"))[0].unit == "GM"


def test_a_unit_in_which_the_others_are_written_with_few_digits_goes_first() -> None:
    assert found(count("Sugar", "CUP"), count("Sugar", "CUP"), count("Sugar", "TSP"))[0].unit == "TSP"


def test_labels_are_shown_on_one_line() -> None:
    assert shown(" **Sack\n weight**: ") == "Sack weight"
    assert label_key("Sack-Weights") == label_key("sack weight")
    assert label_key("!") == "!"


@given(libraries(), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_order_does_not_matter(records: list[Record], random: object) -> None:
    claims: list[Claim] = [c for r in records for c in r.extraction.claims]
    before = open_properties(claims)
    random.shuffle(claims)  # type: ignore[attr-defined]
    assert open_properties(claims) == before
    assert {label_key(c.predicate.label) for c in claims if not c.predicate.iri} == set(before)
    assert len({p.slug for p in before.values()}) == len(before)
