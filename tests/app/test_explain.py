"""What `kg explain` tells beyond claims: what is open, classes that have names, graphs that people bring."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import BytesIO, StringIO
from pathlib import Path

from kg.app.console import show_explanation
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

KILNS = """# Kilns

| Kiln | Potter | Chambers |
|---|---|---|
| Brook Kiln | Ada Wren | 4 |
| Hill Kiln | Brook Kiln | several |
"""
PREFIXES = """@prefix : <https://example.org/kilns#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
ONTOLOGY = """:Kiln a owl:Class ; rdfs:label "kiln" ; rdfs:subClassOf <https://elsewhere.example/Oven> ;
    <https://w3id.org/citegraph/kg#namePattern> "\\\\bKiln$" .
:Person a owl:Class ; rdfs:label "person" ; owl:disjointWith :Kiln .
:potter a owl:ObjectProperty ; rdfs:label "potter" ; rdfs:domain :Kiln ; rdfs:range :Person .
:chambers a owl:DatatypeProperty ; rdfs:label "chambers" ; rdfs:domain :Kiln ; rdfs:range xsd:integer .
"""
GRAPH = """:Kiln a rdfs:Class ; rdfs:label "kiln" .
:fires a <http://www.w3.org/1999/02/22-rdf-syntax-ns#Property> ; rdfs:label "fires" .
:brook a :Kiln ; rdfs:label "Brook Kiln" ; :fires :jars ; :height 9 .
:jars rdfs:label "Jars" .
"""


def built(folder: Path, ontology: str = "") -> KnowledgeBase:
    (folder / "kilns.md").write_text(KILNS, encoding="utf-8")
    (folder / "kilns.ttl").write_text(PREFIXES + ontology, encoding="utf-8")
    settings = Settings(build={"ontology": (folder / "kilns.ttl",) if ontology else ()})
    KnowledgeBase.build(folder / "kb", [folder / "kilns.md"], settings)
    return KnowledgeBase.open(folder / "kb")


SAID = """# Kilns of Brook

Ada Wren wrote a book. Ada Wren says that Brook Kiln was built by Otto Hale.

Hill Kiln was built by Ida Moss.
"""
BUILDER = """:builder a owl:ObjectProperty ; rdfs:label "builder" ; rdfs:domain :Kiln ; rdfs:range :Person ;
    <https://w3id.org/citegraph/kg#phrase> "{subject} was built by {object}" .
"""
_SPEAKERS = "SELECT DISTINCT ?c WHERE { ?c prov:wasAttributedTo ?who . ?who a ?class }"


def test_who_says_so_is_told_exported_checked_and_removed(tmp_path: Path) -> None:
    (tmp_path / "said.md").write_text(SAID, encoding="utf-8")
    built(tmp_path, ONTOLOGY + BUILDER)
    kb = KnowledgeBase.open(tmp_path / "kb", Settings(build={"ontology": (tmp_path / "kilns.ttl",)}))
    before = exported(kb, "nt")
    kb.add([tmp_path / "said.md"])
    said = {c.value: c.said_by for name in ("Brook Kiln", "Hill Kiln") for c in kb.explain(name).claims}
    assert (said["Otto Hale"], said["Ida Moss"], said["4"]) == ("Ada Wren", "", "")
    assert len(set(map(str, kb.query(_SPEAKERS)))) == 1
    assert ",Ada Wren," in exported(kb, "csv")
    assert kb.check().ok
    kb.remove(["said.md"])
    assert exported(kb, "nt") == before
    assert not list(kb.query(_SPEAKERS))


def exported(kb: KnowledgeBase, format: str) -> str:
    stream = BytesIO()
    kb.export(stream, format)
    return stream.getvalue().decode()


def marks(kb: KnowledgeBase, name: str) -> dict[str, bool]:
    return {claim.value: claim.open for claim in kb.explain(name).claims if claim.subject == name}


def test_values_that_the_ontologys_property_does_not_take_are_marked_open(tmp_path: Path) -> None:
    kb = built(tmp_path, ONTOLOGY)
    assert marks(kb, "Brook Kiln") == {"Ada Wren": False, "4": False}
    assert marks(kb, "Hill Kiln") == {"Brook Kiln": True, "several": True}


def test_without_an_ontology_nothing_is_marked(tmp_path: Path) -> None:
    assert marks(built(tmp_path), "Hill Kiln") == {"Brook Kiln": False, "several": False}


def test_types_are_those_with_a_name(tmp_path: Path) -> None:
    assert built(tmp_path, ONTOLOGY).explain("Hill Kiln").types == ("kiln",)


def test_a_graph_of_ones_own_is_told_and_counted(tmp_path: Path) -> None:
    (tmp_path / "own.ttl").write_text(PREFIXES + GRAPH, encoding="utf-8")
    KnowledgeBase.build_graph(tmp_path / "kb", [tmp_path / "own.ttl"], Settings())
    with KnowledgeBase.open(tmp_path / "kb") as kb:
        told = kb.explain("Brook Kiln")
        assert told.types == ("kiln",) and not told.claims
        assert told.triples == (
            ("Brook Kiln", "fires", "Jars"),
            ("Brook Kiln", "https://example.org/kilns#height", "9"),
        )
        assert kb.explain("Jars").triples == (("Brook Kiln", "fires", "Jars"),)
        assert "Jars" in told._repr_html_()
        assert kb.stats()["entities"] == 2


def test_what_a_document_denies_is_told_as_denied(tmp_path: Path) -> None:
    text = "# Heron Tools\n\nHeron Tools doesn't support multithreaded decompression yet.\n"
    (tmp_path / "tools.md").write_text(text, encoding="utf-8")
    KnowledgeBase.build(tmp_path / "kb", [tmp_path / "tools.md"], Settings(build={"ontology": ()}))
    explained = KnowledgeBase.open(tmp_path / "kb").explain("Heron Tools")
    (claim,) = [c for c in explained.claims if "decompression" in c.value]
    assert (claim.denied, claim.asserted) == (True, False)
    said = StringIO()
    with redirect_stdout(said):
        show_explanation(explained)
    assert "[denied, stated, not asserted" in said.getvalue()
