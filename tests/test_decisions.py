from __future__ import annotations

import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.decisions import Accept, Decision, Merge, Reject, Split, from_turtle, to_turtle
from kg.errors import BadInput

_words = st.text(min_size=1, max_size=12)
_decisions = st.one_of(
    st.builds(Merge, _words, _words),
    st.builds(Split, _words, _words, st.text(max_size=5), st.text(max_size=5)),
    st.builds(Accept, _words),
    st.builds(Reject, _words),
)


@given(st.lists(_decisions, max_size=5))
@settings(max_examples=60, deadline=None)
def test_decisions_come_back(decisions: list[Decision]) -> None:
    data = to_turtle(decisions)
    assert set(from_turtle(data)) == set(decisions)
    assert to_turtle(from_turtle(data)) == data == to_turtle(decisions[::-1])


def test_people_can_read_and_write_them() -> None:
    text = to_turtle([Merge("Rye", "Rye Bakery"), Reject("c0ffee")]).decode()
    assert 'kg:decidedName "Rye" ;\n    kg:decidedOtherName "Rye Bakery" .' in text
    assert len(rdflib.Graph().parse(data=text, format="turtle")) == 5
    written = b"""@prefix kg: <https://w3id.org/citegraph/kg#> .
        [] a kg:SplitDecision ; kg:decidedName "Rye" ; kg:decidedOtherName "Rye" ; kg:decidedDocument "a.md" .
        <#1> a kg:AcceptDecision ; kg:decidedClaim "c0ffee" ."""
    assert set(from_turtle(written.replace(b"<#1>", b"<urn:x>"))) == {Split("Rye", "Rye", "a.md"), Accept("c0ffee")}
    assert from_turtle(b"") == ()


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ("not turtle", "don't parse"),
        ('<urn:x> kg:decidedName "Rye" .', "exactly one type"),
        ('<urn:x> a kg:MergeDecision, kg:RejectDecision ; kg:decidedClaim "x" .', "exactly one type"),
        ('<urn:x> a kg:MergeDecision ; kg:decidedName "Rye" .', "lacks a property"),
        ('<urn:x> a kg:RejectDecision ; kg:decidedClaim "x", "y" .', "a property too many"),
        ('<urn:x> a kg:RejectDecision ; kg:decidedClaim "x" ; kg:decidedName "Rye" .', "a property too many"),
    ],
)
def test_what_is_no_decision_is_refused(body: str, part: str) -> None:
    with pytest.raises(BadInput, match=part):
        from_turtle(f"@prefix kg: <https://w3id.org/citegraph/kg#> .\n{body}".encode())
