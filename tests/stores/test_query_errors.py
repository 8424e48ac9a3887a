"""What people are told of queries that don't parse."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from kg.stores.oxigraph import bad_query

WRONG = [
    ("SELECT * { ?t tram:gauge ?g }", "the prefix tram: is not declared"),
    ("SELECT * { ?t :gauge ?g }", "the prefix : is not declared"),
    ("SELECT * { ?t a ;;\n }", "what stands there doesn't fit"),
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
