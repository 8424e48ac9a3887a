"""What people are told of queries that don't parse."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from kg.app.queries import bad_query

WRONG = [
    ("SELECT * {\n?t a <x:Tram>\nORDER BY ?t", "the { of line 1 is not closed; perhaps a } is missing before ORDER BY"),
    ("SELECT ?t WHERE { ?t a ?kind", "the { of line 1 is not closed; perhaps a } is missing"),
    ("SELECT * { ?t tram:gauge ?g }", "the prefix tram: is not declared"),
    ("SELECT * { ?t :gauge ?g }", "the prefix : is not declared"),
    ("SELECT * { ?t a ?kind }\n}", "the } of line 2 closes nothing"),
    ("SELECT * { ?t ?p ?q FILTER(?q > 3\n}", "the ( of line 1 is not closed before the } of line 2"),
    ('SELECT * { ?t ?p "depot }', "the quotation mark of line 1 is not closed"),
    ("SELECT * { ?t a ;;\n }", "what stands there doesn't fit"),
    # Brackets in strings, comments and IRIs are none.
    ('SELECT * { ?t ?p "}" # it\'s (\n ; ?q <x:()> ?? }', "what stands there doesn't fit"),
    ("SELECT ?y { ?x ?p ?o } GROUP BY ?x", "the SELECT contains a variable that is unbound"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "told"), WRONG)
def test_errors_say_what_to_do(query: str, told: str) -> None:
    with pytest.raises(SyntaxError) as raised:
        ox.Store().query(query)
    error = bad_query(str(raised.value), query)
    assert error.message.endswith(f": {told}")
    assert error.message.startswith("the query doesn't parse at line ")


def test_a_message_without_a_place_is_told_as_it_is() -> None:
    assert bad_query("the store is gone", "ASK {}").message == "the query can't be run: the store is gone"
