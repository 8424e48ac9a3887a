"""Citegraph's own vocabulary: documented term by term, and exactly what the code writes and reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.model import Mood, Polarity, Role, Status
from kg.namespaces import KG, RDF, RDFS, SKOS, Namespaces
from kg.ontology import parse, vocabulary
from kg.units import MINTED
from tests.conftest import REPOSITORY

VOCABULARY = parse([("kg.ttl", vocabulary("kg.ttl"))])
TERMS = sorted(
    {
        t.subject.value
        for t in VOCABULARY.triples
        if isinstance(t.subject, ox.NamedNode) and t.subject.value.startswith(KG) and t.predicate.value == RDF + "type"
    }
)
NAMES = {iri.removeprefix(KG) for iri in TERMS}
PREFIXES = "".join(f"PREFIX {prefix}: <{iri}>\n" for prefix, iri in Namespaces().prefixes().items())


def values(iri: str, *predicates: str) -> list[str]:
    """Literals of a term."""
    return [
        t.object.value
        for t in VOCABULARY.triples
        if str(t.subject) == f"<{iri}>" and t.predicate.value in predicates and isinstance(t.object, ox.Literal)
    ]


@pytest.mark.parametrize("iri", [pytest.param(iri, id=iri.removeprefix(KG)) for iri in TERMS])
def test_every_term_is_documented(iri: str) -> None:
    assert values(iri, RDFS + "label")
    (definition,) = values(iri, SKOS + "definition")
    assert definition.rstrip('")').endswith("."), definition
    (query,) = values(iri, KG + "exampleQuery")
    ox.Store().query(PREFIXES + query)  # parses
    assert re.search(rf"kg:{iri.removeprefix(KG)}\b", query)


def test_values_of_the_model_are_concepts() -> None:
    schemes = {
        "Status": [status.value for status in Status],
        "Polarity": [polarity.value for polarity in Polarity],
        "Mood": [mood.value for mood in Mood],
        "Role": [f"{role.value}Role" for role in Role],
    }
    for cls, names in schemes.items():
        declared = {iri for iri, individual in VOCABULARY.individuals.items() if KG + cls in individual.types}
        assert declared == {KG + name for name in names}, cls


def test_units_that_qudt_lacks_are_declared() -> None:
    assert set(MINTED) <= NAMES


USED = re.compile(
    r"""\bkg:(?P<prefixed>[A-Za-z][\w-]*[A-Za-z0-9])     # in SPARQL and in comments
      | \bKG\s*\+\s*["'](?P<added>[A-Za-z][\w-]*)["']    # KG + "term"
      | \{KG\}(?P<filled>[A-Za-z][\w-]*)                 # f"{KG}term"
      | \b_?kg\(["'](?P<called>[A-Za-z][\w-]*)["']\)     # kg("term"), a helper's call""",
    re.VERBOSE,
)


def used_terms() -> Iterator[tuple[str, str]]:
    """Names of kg: terms in the sources, with the file of each."""
    for folder in ("src/kg", "api"):
        for path in sorted((REPOSITORY / folder).rglob("*")):
            if path.suffix in (".py", ".rq", ".ttl", ".js", ".html"):
                for found in USED.finditer(path.read_text(encoding="utf-8")):
                    yield next(name for name in found.groups() if name), str(path.relative_to(REPOSITORY))


def test_the_code_uses_declared_terms_only() -> None:
    unknown = {(name, path) for name, path in used_terms() if name not in NAMES}
    assert not unknown


def test_every_declared_term_is_used() -> None:
    shapes = (Path(REPOSITORY) / "ontology" / "kg-shapes.ttl").read_text(encoding="utf-8")
    generated = {value for enum in (Status, Polarity, Mood) for value in enum} | {f"{role}Role" for role in Role}
    documentation = {"exampleQuery", "statuses"}  # read by people and by these tests
    classes_of_concepts = {"Status", "Polarity", "Mood", "Role"}
    used = {name for name, _ in used_terms()} | generated | MINTED | documentation | classes_of_concepts
    assert NAMES - used == set()
    constrained = set(re.findall(r"\bkg:(\w+)", shapes))
    assert constrained <= NAMES
