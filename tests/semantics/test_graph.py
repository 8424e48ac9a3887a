"""Triples as the graph that questions are asked of takes them."""

from __future__ import annotations

import pyoxigraph as ox

from kg.semantics.graph import ordered


def test_triples_are_ordered_by_their_text_whatever_the_order_they_come_in() -> None:
    def named(name: str) -> ox.NamedNode:
        return ox.NamedNode(f"http://e.example/{name}")

    triples = [
        ox.Triple(named("a"), named("p"), named("z")), ox.Triple(named("a"), named("q"), ox.Literal("3")),
        ox.Triple(named("a"), named("q"), named("b")), ox.Triple(named("a/b"), named("p"), named("a")),
        ox.Triple(named("b"), named("p"), ox.Literal("x", language="en")),
        ox.Triple(named("b"), named("p"), ox.Literal("x")),
    ]  # fmt: skip
    for given in (triples, triples[::-1], triples[3:] + triples[:3]):
        terms, rows = ordered(given)
        told = [" ".join(str(terms[place]) for place in row) for row in rows]
        assert told == sorted(f"{t.subject} {t.predicate} {t.object}" for t in triples)
    assert ordered([])[1].shape == (0, 3)
