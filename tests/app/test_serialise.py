from __future__ import annotations

import io

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.whole_graph import build
from kg.app.serialise import FORMATS, export, write
from kg.errors import Unsupported
from kg.namespaces import KG, RDF, Namespaces
from kg.ontology import Ontology
from kg.records import Record
from kg.stores.oxigraph import OxigraphStore

from ..making import MILLS, Said, libraries, number, ontologies, record

NS = Namespaces("https://kb.example/")
DEFAULT = ox.DefaultGraph()
RDFLIB = {"turtle": "turtle", "nt": "nt", "jsonld": "json-ld", "rdfxml": "xml", "trig": "trig", "nq": "nquads"}


def exported(quads: frozenset[ox.Quad] | list[ox.Quad], format: str, provenance: str = "full") -> bytes:
    store = OxigraphStore()
    store.change((), quads)
    stream = io.BytesIO()
    export(store, stream, format, provenance, NS)
    return stream.getvalue()


def by_rdflib(data: bytes, format: str) -> set[tuple[str, ...]]:
    """Quads as texts; numbers by value, because rdflib rewrites them."""

    def text(term: object) -> str:
        if isinstance(term, rdflib.Literal):
            value = str(float(term)) if str(term.datatype).endswith(("double", "decimal", "integer")) else str(term)
            return f"{value} {term.datatype or ''} {term.language or ''}"
        return str(term)

    if format in ("trig", "nq"):
        dataset = rdflib.Dataset()
        dataset.parse(data=data, format=RDFLIB[format])
        return {
            (text(s), text(p), text(o), "" if c is None or str(c) == "urn:x-rdflib:default" else str(c))
            for s, p, o, c in dataset.quads()
        }
    graph = rdflib.Graph()
    graph.parse(data=data, format=RDFLIB[format])
    return {(text(s), text(p), text(o), "") for s, p, o in graph}


def as_texts(quads: set[ox.Quad]) -> set[tuple[str, ...]]:
    def text(term: object) -> str:
        if not isinstance(term, ox.Literal):
            return term.value  # type: ignore[attr-defined, no-any-return]
        kind = "" if term.language or term.datatype.value.endswith("#string") else term.datatype.value
        value = str(float(term.value)) if kind.endswith(("double", "decimal", "integer")) else term.value
        return f"{value} {kind} {term.language or ''}"

    return {(text(q.subject), text(q.predicate), text(q.object), getattr(q.graph_name, "value", "")) for q in quads}


@given(libraries(), ontologies, st.sampled_from(sorted(FORMATS)))
@settings(max_examples=40, deadline=None)
def test_the_graph_comes_back_from_every_format(records: list[Record], ontology: Ontology, format: str) -> None:
    quads = build(records, ontology, (), NS)
    data = exported(quads, format)
    expected = quads if format in ("trig", "nq") else {q for q in quads if q.graph_name == DEFAULT}
    assert set(ox.parse(data, format=FORMATS[format])) == expected


@pytest.mark.parametrize("format", sorted(FORMATS))
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_rdflib_reads_it(format: str) -> None:
    said = [
        Said("Corn Mill", "height", number("2.5", unit="M")),
        Said('Corn <&> "Mill"', "2019", "Grind\r\n\twell ü 😀"),
    ]
    quads = build([record("a", said)], MILLS, (), NS)
    expected = quads if format in ("trig", "nq") else {q for q in quads if q.graph_name == DEFAULT}
    assert by_rdflib(exported(quads, format), format) == as_texts(set(expected))


@given(libraries(min_size=2), st.sampled_from(sorted(FORMATS)), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_the_same_graph_gives_the_same_bytes(records: list[Record], format: str, random: object) -> None:
    quads = sorted(build(records, MILLS, (), NS), key=str)
    first = exported(quads, format)
    random.shuffle(quads)  # type: ignore[attr-defined]
    halves = OxigraphStore()
    halves.change((), quads[: len(quads) // 2])
    halves.change((), quads[len(quads) // 2 :])
    stream = io.BytesIO()
    export(halves, stream, format, "full", NS)
    assert stream.getvalue() == first


def test_lines_are_sorted() -> None:
    quads = build([record("a", [Said("Corn Mill", "stones", number("3"))])], MILLS, (), NS)
    for format in ("nt", "nq"):
        lines = exported(quads, format).decode().splitlines()
        assert lines == sorted(lines) and all(line.endswith(" .") for line in lines)


def test_without_provenance_the_facts_are_left() -> None:
    quads = build([record("a", [Said("Corn Mill", "stones", number("3"))])], MILLS, (), NS)
    text = exported(quads, "turtle", "none").decode()
    assert "ent:corn-mill" in text and "3 ." in text and "kg:Claim" not in text and "kg:Passage" not in text
    for format in FORMATS:
        left = set(ox.parse(exported(quads, format, "none"), format=FORMATS[format]))
        assert not any(str(q.subject).startswith((f"<{NS.claim('')}", f"<{NS.passage('')}")) for q in left)
        graphs = {str(q.graph_name) for q in left}
        assert graphs == ({"DEFAULT", f"<{NS.ontology_graph}>"} if format in ("trig", "nq") else {"DEFAULT"})


def test_turtle_is_for_readers() -> None:
    quads = build([record("a", [Said("Corn Mill", "stones", number("3"))])], MILLS, (), NS)
    text = exported(quads, "turtle").decode()
    assert "@prefix ent: <https://kb.example/entity/> ." in text and "@prefix skos:" not in text
    block = text[text.index("ent:corn-mill a") :].split(" .\n")[0]
    assert block.split("\n")[0].startswith("ent:corn-mill a <https://mills.example/Mill>")


def test_blank_nodes_of_peoples_own_graphs_are_named_alike() -> None:
    graph, predicate = ox.NamedNode(f"{NS.user_graphs}notes"), ox.NamedNode("https://mills.example/note")
    nodes = ox.BlankNode("x"), ox.BlankNode("y")
    one, other = ([ox.Quad(n, predicate, ox.Literal("dusty"), graph), ox.Quad(graph, predicate, n)] for n in nodes)
    assert exported(one, "nq") == exported(other, "nq")


@pytest.mark.parametrize("text", ["a\x00b", "page\x0cbreak", "\ufffe"])
def test_what_xml_cannot_hold_is_refused(text: str) -> None:
    node = ox.NamedNode("https://mills.example/x")
    quad = ox.Quad(node, node, ox.Literal(text))
    with pytest.raises(Unsupported, match="RDF/XML can't hold the character"):
        write([quad], io.BytesIO(), "rdfxml", {})
    out = io.BytesIO()
    write([quad], out, "turtle", {})
    assert set(ox.parse(out.getvalue(), format=ox.RdfFormat.TURTLE)) == {quad}


def test_a_property_without_an_xml_name_is_refused() -> None:
    node = ox.NamedNode("https://mills.example/2019")
    with pytest.raises(Unsupported, match="XML name"):
        write([ox.Quad(node, node, ox.Literal("1"))], io.BytesIO(), "rdfxml", {})


@given(
    st.lists(
        st.builds(
            lambda s, p, o: ox.Quad(ox.NamedNode(f"https://mills.example/{s}"), ox.NamedNode(p), o),
            st.sampled_from(("a", "b(c)", "d#e", "ü")),
            st.sampled_from((RDF + "type", KG + "note", "https://mills.example/2019-x", "urn:mill:a.b")),
            st.one_of(
                st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cn")), max_size=8).map(ox.Literal),
                st.sampled_from(("<&>\"'", "a\r\nb\t")).map(ox.Literal),
                st.just(ox.Literal("hi", language="en-gb")),
                st.just(ox.Literal(5)),
                st.sampled_from(('https://mills.example/a?b="c"&d', "urn:mill:e(f)")).map(
                    lambda iri: ox.NamedNode(iri.replace('"', "%22"))
                ),
            ),
        ),
        max_size=6,
    )
)
@settings(max_examples=60, deadline=None)
def test_rdf_xml_comes_back(quads: list[ox.Quad]) -> None:
    out = io.BytesIO()
    write(quads, out, "rdfxml", {"kg": KG, "mill": "https://mills.example/"})
    assert set(ox.parse(out.getvalue(), format=ox.RdfFormat.RDF_XML)) == set(quads)
    assert by_rdflib(out.getvalue(), "rdfxml") == as_texts(set(quads))


@pytest.mark.parametrize(("format", "provenance"), [("csv", "full"), ("turtle", "half"), ("", "none")])
def test_what_is_not_offered_is_refused(format: str, provenance: str) -> None:
    with pytest.raises(Unsupported):
        exported([], format, provenance)
