"""An OWL, RDFS or SKOS file as frozen classes, properties and individuals.

Read by pyoxigraph, which neither follows remote JSON-LD contexts nor takes long to load; ``owl:imports`` are not
fetched. The content hash is that of the canonical triples (W3C RDF Dataset Canonicalization, RDFC-1.0).
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType

import pyoxigraph as ox

from kg.errors import BadOntology
from kg.namespaces import DEFAULT_BASE
from kg.ontology.terms import (
    Candidate,
    Example,
    Facts,
    Individual,
    OntologyClass,
    OntologyProperty,
    TermKind,
    ancestors,
    label_from_iri,
    names,
    normalise_label,
    parse_example,
    read_classes,
    read_individuals,
    read_properties,
    singular,
)

__all__ = [
    "Candidate",
    "Example",
    "Individual",
    "Ontology",
    "OntologyClass",
    "OntologyProperty",
    "label_from_iri",
    "load",
    "normalise_label",
    "parse",
    "parse_example",
    "singular",
    "vocabulary",
]

FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".xml": ox.RdfFormat.RDF_XML,
    ".owl": None,  # RDF/XML by custom, Turtle often: looked at
    ".jsonld": ox.RdfFormat.JSON_LD,
    ".json": ox.RdfFormat.JSON_LD,
}
"""How a file is read, by suffix."""


@dataclass(frozen=True, eq=False)
class Ontology:
    """Everything that ontology files declare. ``triples`` are sorted and free of blank nodes.

    ``prefixes`` are those of the files; ``hash`` depends on the triples alone.
    """

    classes: Mapping[str, OntologyClass]
    properties: Mapping[str, OntologyProperty]
    individuals: Mapping[str, Individual]
    triples: tuple[ox.Triple, ...] = field(repr=False)
    prefixes: Mapping[str, str]
    source: str = field(repr=False)
    hash: str

    @classmethod
    def empty(cls) -> Ontology:
        """The ontology that declares nothing."""
        return _build([], {}, DEFAULT_BASE)

    def __bool__(self) -> bool:
        """Whether it declares anything."""
        return bool(self.classes or self.properties or self.individuals)

    # --- hierarchy ---

    @cached_property
    def _superclasses(self) -> dict[str, frozenset[str]]:
        return _closures(self.classes)

    @cached_property
    def _superproperties(self) -> dict[str, frozenset[str]]:
        return _closures(self.properties)

    def superclasses(self, iri: str) -> frozenset[str]:
        """The class itself and all above it, those of other vocabularies too."""
        return self._superclasses.get(iri) or frozenset({iri})

    def subclasses(self, iri: str) -> frozenset[str]:
        """The class itself and all declared below it."""
        return frozenset({iri, *(sub for sub, above in self._superclasses.items() if iri in above)})

    def superproperties(self, iri: str) -> frozenset[str]:
        """The property itself and all above it."""
        return self._superproperties.get(iri) or frozenset({iri})

    def labels(self, classes: Iterable[str]) -> list[str]:
        """What those of the classes are called that are declared here."""
        return [self.classes[iri].label for iri in classes if iri in self.classes]

    def compatible(self, one: str, other: str) -> bool:
        """Whether something can be of both classes: nothing above the one is disjoint with anything above the other."""
        above = self.superclasses(other)
        return not any(
            above.intersection(self.classes[iri].disjoint_with) for iri in self.superclasses(one) if iri in self.classes
        )

    def most_specific(self, classes: Iterable[str]) -> tuple[str, ...]:
        """The classes without those that stand above another of them, sorted."""
        given = set(classes)
        if len(given) < 2:
            return tuple(given)
        above = {
            parent
            for iri in given
            for parent in self.superclasses(iri)
            if parent != iri and iri not in self.superclasses(parent)
        }
        return tuple(sorted(given - above))

    # --- look-up ---

    @cached_property
    def _by_label(self) -> dict[str, tuple[Candidate, ...]]:
        index: dict[str, dict[tuple[str, TermKind], Candidate]] = defaultdict(dict)
        kinds: tuple[tuple[TermKind, Mapping[str, OntologyClass | OntologyProperty | Individual]], ...] = (
            ("property", self.properties),
            ("class", self.classes),
            ("individual", self.individuals),
        )
        for kind, terms in kinds:
            for term in terms.values():
                for label in (term.label, *term.alt_labels):
                    for form in names(label):
                        found = Candidate(term.iri, kind, label, label == term.label)
                        index[form].setdefault((term.iri, kind), found)
        return {
            form: tuple(sorted(found.values(), key=lambda c: (not c.preferred, c.kind != "property", c.kind, c.iri)))
            for form, found in index.items()
        }

    def by_label(self, text: str, kind: TermKind | None = None) -> tuple[Candidate, ...]:
        """Terms that have the text as a label, up to normalisation; without its bracket if the whole fits none.

        Preferred labels come first, then properties, classes, individuals, then by IRI.
        """
        for form in names(text):
            found = tuple(c for c in self._by_label.get(form, ()) if kind in (None, c.kind))
            if found:
                return found
        return ()


def _closures(terms: Mapping[str, OntologyClass] | Mapping[str, OntologyProperty]) -> dict[str, frozenset[str]]:
    """Each term with all above it."""
    return {iri: frozenset(ancestors(iri, terms)) for iri in terms}


# --- reading -------------------------------------------------------------------------------------


def load(paths: Sequence[Path], base: str = DEFAULT_BASE) -> Ontology:
    """The ontology that the files make together; their order doesn't matter, a file given twice counts once.

    ``base`` resolves relative IRIs and names what has no name. Raises BadOntology with file and line.
    """
    files: dict[bytes, Path] = {}
    for path in paths:
        try:
            files.setdefault(path.read_bytes(), path)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise BadOntology(f"the ontology {path} can't be read: {reason}", "check --ontology and kg.toml") from error
    return parse([(str(path), data) for data, path in files.items()], base)


def parse(files: Iterable[tuple[str, bytes]], base: str = DEFAULT_BASE) -> Ontology:
    """The same from names (whose suffix tells the format) and contents."""
    return _together(tuple(_File(name, _format(name, data), data) for name, data in files), base)


@dataclass(frozen=True)
class _File:
    name: str = field(compare=False)  # told in errors only: what the file says doesn't depend on it
    format: ox.RdfFormat
    data: bytes = field(repr=False)


@lru_cache(maxsize=4)  # every commit reads its ontology, which seldom differs from the one before
def _together(files: tuple[_File, ...], base: str) -> Ontology:
    triples: list[ox.Triple] = []
    prefixes: dict[str, set[str]] = defaultdict(set)
    for file in files:
        found, declared = _parse_file(file, base)
        triples += found
        for prefix, iri in declared.items():
            prefixes[prefix].add(iri)
    return _build(triples, {prefix: min(iris) for prefix, iris in sorted(prefixes.items())}, base)


def _format(name: str, data: bytes) -> ox.RdfFormat:
    suffix = Path(name).suffix.lower()
    if suffix not in FORMATS:
        known = ", ".join(sorted(FORMATS))
        raise BadOntology(f"the ontology {name} has an unknown format", f"a file name ending in one of {known}")
    head = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    return FORMATS[suffix] or (ox.RdfFormat.RDF_XML if re.match(rb"<\?xml|<!|<rdf:RDF", head) else ox.RdfFormat.TURTLE)


def _parse_file(file: _File, base: str) -> tuple[list[ox.Triple], dict[str, str]]:
    name = file.name
    try:
        text = file.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = file.data.count(b"\n", 0, error.start) + 1
        raise BadOntology(f"the ontology {name} is not UTF-8 (line {line})", "save it as UTF-8") from error
    if file.format == ox.RdfFormat.RDF_XML and re.search(r"<!\s*(DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise BadOntology(
            f"the ontology {name} has a document type declaration, which is refused (entities can be made to explode)",
            "save it as Turtle, or remove <!DOCTYPE …> and spell the entities out",
        )
    try:
        parser = ox.parse(
            text.encode(), format=file.format, base_iri=base, without_named_graphs=True, rename_blank_nodes=True
        )
        triples = [quad.triple for quad in parser]
        return triples, dict(parser.prefixes)
    except (SyntaxError, ValueError) as error:
        raise _syntax_error(name, error) from error


def _syntax_error(name: str, error: Exception) -> BadOntology:
    line = getattr(error, "lineno", None)
    reason = re.sub(r"^Parser error at .*?: | \(line \d+\)$", "", str(getattr(error, "msg", None) or error))
    where = f"{name}, line {line}" if line else name
    return BadOntology(
        f"the ontology {where} doesn't parse: {reason}", "declare every prefix and end every statement with a full stop"
    )


def _build(triples: Iterable[ox.Triple], prefixes: Mapping[str, str], base: str) -> Ontology:
    dataset = ox.Dataset(ox.Quad(t.subject, t.predicate, t.object) for t in triples)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    canonical = sorted((quad.triple for quad in dataset), key=str)
    facts = Facts(canonical)
    classes, properties = read_classes(facts), read_properties(facts)
    individuals = read_individuals(facts, classes, properties)
    lines = "".join(f"{triple} .\n" for triple in canonical)
    return Ontology(
        classes=MappingProxyType(classes),
        properties=MappingProxyType(properties),
        individuals=MappingProxyType(individuals),
        triples=tuple(sorted((_skolemise(triple, base) for triple in canonical), key=str)),
        prefixes=MappingProxyType(dict(prefixes)),
        source="".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in prefixes.items()) + lines,
        hash=hashlib.sha256(lines.encode()).hexdigest(),
    )


def _skolemise(triple: ox.Triple, base: str) -> ox.Triple:
    """Blank nodes as IRIs after their canonical names: ``…/graph/ontology/c14n0``."""
    subject, object_ = triple.subject, triple.object
    return ox.Triple(
        ox.NamedNode(f"{base}graph/ontology/{subject.value}") if isinstance(subject, ox.BlankNode) else subject,
        triple.predicate,
        ox.NamedNode(f"{base}graph/ontology/{object_.value}") if isinstance(object_, ox.BlankNode) else object_,
    )


def vocabulary(name: str = "kg.ttl") -> bytes:
    """A file of Citegraph's own vocabulary (``kg.ttl``, ``kg-shapes.ttl``), from the package or the checkout."""
    try:
        return resources.files("kg.vocabulary").joinpath(name).read_bytes()
    except (ModuleNotFoundError, FileNotFoundError):
        return (Path(__file__).resolve().parents[3] / "ontology" / name).read_bytes()
