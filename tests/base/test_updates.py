"""Updates that come with a dataset, held against what the engine makes of them."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from kg.errors import BadQuery, QueryRefused
from kg.stores.guard import check_update, with_dataset

A, B = "https://lamps.example/a", "https://lamps.example/b"
LAMP = "https://lamps.example/"
DATA = f"""
<{LAMP}s> <{LAMP}p> "default" .
<{LAMP}s> <{LAMP}p> "of a" <{A}> .
<{LAMP}s> <{LAMP}p> "of b" <{B}> .
"""


def after(update: str, default: tuple[str, ...] = (), named: tuple[str, ...] = ()) -> set[str]:
    store = ox.Store()
    store.load(DATA.encode(), ox.RdfFormat.N_QUADS)
    store.update(with_dataset(update, default, named), base_iri=LAMP)
    return {f"{quad.object.value} {getattr(quad.graph_name, 'value', '')}".strip() for quad in store}


WHOLE = {"default", f"of a {A}", f"of b {B}"}


def test_patterns_are_matched_against_the_graphs_named() -> None:
    copy = "INSERT { GRAPH <new> { ?s ?p ?o } } WHERE { ?s ?p ?o }"
    assert after(copy) == WHOLE | {f"default {LAMP}new"}
    assert after(copy, (A,)) == WHOLE | {f"of a {LAMP}new"}
    assert after(copy, (A, B)) == WHOLE | {f"of a {LAMP}new", f"of b {LAMP}new"}
    graphs = "INSERT { GRAPH <new> { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }"
    assert after(graphs, (), (B,)) == WHOLE | {f"of b {LAMP}new"}


def test_every_operation_of_a_request_is_meant() -> None:
    update = "INSERT{GRAPH <x>{?s ?p 'WHERE'}}WHERE{?s ?p ?o}; # WHERE\nDELETE { GRAPH <x> { ?s ?p 'WHERE' } } \
    INSERT { GRAPH <y> { ?s ?p ?o } } where { ?s ?p ?o . FILTER EXISTS { ?s ?p ?o } } ; CLEAR DEFAULT"
    assert after(update, (A,)) == {f"of a {A}", f"of b {B}", f"of a {LAMP}y"}


@pytest.mark.parametrize("words", ["DELETE WHERE", "DELETEWHERE", "delete #x\n where"])
def test_the_short_form_deletes_from_the_default_graph_what_matches_elsewhere(words: str) -> None:
    assert after(f"{words} {{ ?s ?p ?o }}", (A,)) == WHOLE
    same = f"INSERT DATA {{ <s> <p> 'of a' }} ; {words} {{ ?s ?p ?o }}"
    assert after(same, (A,)) == WHOLE
    assert after(f"{words} {{ ?s ?p ?o }}") == WHOLE - {"default"}


def test_prefixes_may_be_called_like_keywords() -> None:
    update = f"PREFIX using: <{LAMP}> PREFIX with: <{LAMP}> INSERT {{ using:s with:p 'x' }} WHERE {{ ?s ?p ?o }}"
    assert "x" in after(update, (A,))


@pytest.mark.parametrize(
    "update",
    [
        "WITH <g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "INSERT { ?s ?p ?o } USING <g> WHERE { ?s ?p ?o }",
        "INSERT { ?s ?p ?o } USINGNAMED<g>WHERE { ?s ?p ?o }",
        f"PREFIX x: <{LAMP}> WITHx:g DELETE {{ ?s ?p ?o }} WHERE {{ ?s ?p ?o }}",
        "CLEAR ALL ; INSERT { ?s ?p ?o } USING NAMED <g> WHERE { ?s ?p ?o }",
    ],
)
def test_two_datasets_contradict_each_other(update: str) -> None:
    with pytest.raises(BadQuery, match="dataset"):
        with_dataset(update, (A,), ())
    assert with_dataset(update, (), ()) == update


@pytest.mark.parametrize(
    "update",
    [
        "LOAD <https://lamps.example/>",
        "load silent <https://lamps.example/> into graph <g>",
        "LOADSILENT<https://lamps.example/>",
        "PREFIX ex: <https://lamps.example/> LOADex:doc",
        "PREFIX ex: <https://lamps.example/>LOAD ex:doc",
        "PREFIX load: <https://lamps.example/> LOAD load:doc",
        "PREFIX load: <https://lamps.example/> CLEAR ALL;loadload:doc",
        "BASE <https://lamps.example/>LOAD<doc>",
        "CLEAR ALL ; # x\nLOAD <https://lamps.example/>",
        "CLEAR ALL;LOAD<https://lamps.example/>",
        "DELETE {} WHERE { FILTER(1<'x>')};LOAD <https://lamps.example/> #'",
        "INSERT DATA { <s> <p> 'it''s' } ; LOAD <https://lamps.example/>",
        "DELETE {} WHERE { SERVICE <https://lamps.example/> { ?s ?p ?o } }",
        "INSERT { ?s ?p ?o } WHERE { { SERVICE SILENT ?x { ?s ?p ?o } } }",
        "INSERT DATA {" + "{" * 200 + "}" * 200 + "}",
    ],
)
def test_what_reaches_out_is_refused(update: str) -> None:
    with pytest.raises(QueryRefused):
        with_dataset(update, (), ())


@pytest.mark.parametrize(
    "update",
    [
        "INSERT DATA { <load> <p> 'LOAD <https://lamps.example/>' }",
        "PREFIX load: <https://lamps.example/> CLEAR SILENT GRAPH load:doc",
        "PREFIX load: <https://lamps.example/> INSERT DATA { load:a load:b load:c }",
        "CLEAR SILENT GRAPH <https://lamps.example/load> # LOAD <https://lamps.example/>",
        "DELETE { ?load ?p ?o } WHERE { ?load ?p ?o }",
        "COPY SILENT DEFAULT TO <https://lamps.example/LOAD>",
    ],
)
def test_the_word_alone_is_harmless(update: str) -> None:
    tokens = check_update(update)
    assert tokens is not None and tokens[0].start == 0
    ox.Store().update(update, base_iri=LAMP)
