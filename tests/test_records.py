from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import CorruptKnowledgeBase
from kg.model import (
    Alias,
    DateValue,
    Document,
    EntityName,
    EventName,
    Extraction,
    Mention,
    Participant,
    Passage,
    Quantity,
    Rejected,
    Text,
    Unit,
)
from kg.records import FORMAT, Record, from_json, make, to_json

from .making import Said, libraries, number, record, when

_text = st.text(st.characters(exclude_categories=()), max_size=20)


@given(libraries())
@settings(max_examples=50, deadline=None)
def test_a_record_comes_back_from_its_json(records: list[Record]) -> None:
    for made in records:
        data = to_json(made)
        assert from_json(data) == made
        assert to_json(from_json(data)) == data
        assert data.endswith(b"}\n") and data.count(b"\n") == 1


_numbers = st.none() | st.decimals(allow_nan=False, allow_infinity=False)
_quantities = st.builds(Quantity, _text, _numbers, _numbers, st.booleans(), st.none() | _text, _text, _text)


def test_a_speaker_is_kept_and_claims_without_one_are_written_as_ever() -> None:
    made = record("a.md", [Said("Mill", "Weight", number("4")), Said("Mill", "Opened", when("1931"))])
    assert b"speaker" not in to_json(made)
    claims = made.extraction.claims
    told = (replace(claims[0], speaker=EntityName("Ada Wren", ("ex:Person",))), claims[1])
    spoken = replace(made, extraction=replace(made.extraction, claims=told))
    assert from_json(to_json(spoken)) == spoken
    assert to_json(spoken).count(b'"speaker"') == 1


@given(_quantities, st.from_type(Unit), st.from_type(Rejected), st.from_type(DateValue), _text)
@settings(max_examples=60, deadline=None)
def test_every_field_is_kept(quantity: Quantity, unit: Unit, rejected: Rejected, date: DateValue, text: str) -> None:
    made = record("a.md", [Said("Mill", "Weight", Text(text)), Said("Mill", "Opened", when("1931"))])
    claims = made.extraction.claims
    claims = (
        replace(claims[0], object=quantity, valid_from=date),
        replace(claims[1], subject=EventName(text, text, (Participant(text, EntityName(text, (text,))),), text, text)),
    )
    passage = Passage("p", "a.md", 0, 1, text, (text, "x"), 0, (unit,))
    extraction = Extraction((Mention("p", text, 0, 1),), (Alias(text, "b", "p", 0, 1),), claims, (rejected,))
    full = Record(replace(made.document, metadata=((text, text),), text=text), (passage,), extraction)
    assert from_json(to_json(full)) == full


def test_decimals_keep_their_digits() -> None:
    made = record("a.md", [Said("Mill", "Weight", number("5.10", "1E+30"))])
    assert b'"lower":"5.10","upper":"1E+30"' in to_json(made)
    assert str(from_json(to_json(made)).extraction.claims[0].object.lower) == "5.10"  # type: ignore[union-attr]


def test_findings_are_put_in_document_order() -> None:
    made = record("a.md", [Said("Mill", "Weight", number("5")), Said("Mill", "Doors", number("2"))])
    backwards = Extraction((), (), made.extraction.claims[::-1], ())
    document = Document("a.md", made.document.text, (), "On a.md", "text/plain", made.document.content_hash)
    again = make(document, "a.md", made.passages[::-1], backwards)
    assert to_json(again) == to_json(made)


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "format None"),
        (b'{"format":99}', "format 99"),
        (b'{"format":1}', "damaged at document"),
    ],
)
def test_what_is_no_record_is_refused(data: bytes, part: str) -> None:
    with pytest.raises(CorruptKnowledgeBase, match=part) as caught:
        from_json(data)
    assert "kg build" in caught.value.hint


def test_a_damaged_part_is_named() -> None:
    raw = json.loads(to_json(record("a.md", [Said("Mill", "Weight", number("5"))])))
    assert raw["format"] == FORMAT
    raw["extraction"]["claims"][0]["confidence"] = "high"
    with pytest.raises(CorruptKnowledgeBase, match=r"extraction\.claims\.0\.confidence"):
        from_json(json.dumps(raw).encode())
