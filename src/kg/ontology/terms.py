"""What an ontology declares, as frozen values, and the normal form under which labels are compared.

Triples of an ontology → classes, properties and individuals. Pure; reads OWL, RDFS, SKOS and schema.org's habits.

Lenient where people write what they don't mean: several ``rdfs:domain`` of a property are read as alternatives, not
as an intersection. SKOS concepts are individuals (of skos:Concept and any other type they state): known names that a
value can be, never classes; ``skos:broader`` makes no superclass.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import pyoxigraph as ox

from kg.errors import BadOntology
from kg.namespaces import KG, OWL, QUDT, RDF, RDFS, SCHEMA, SH, SKOS, XSD

TermKind = Literal["class", "property", "individual"]
Values = Literal["entity", "literal", "any"]


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence that states a property; ``subject`` and ``object`` are ``(start, end)`` in ``text``."""

    text: str
    subject: tuple[int, int]
    object: tuple[int, int]


@dataclass(frozen=True, slots=True)
class OntologyClass:
    """A class. ``parents``: direct superclasses, also of other ontologies; ``disjoint_with``: declared either way."""

    iri: str
    label: str
    alt_labels: tuple[str, ...] = ()
    definition: str = ""
    parents: tuple[str, ...] = ()
    name_patterns: tuple[str, ...] = ()
    disjoint_with: tuple[str, ...] = ()

    def matches(self, name: str) -> bool:
        """Whether one of the name patterns finds the name (patterns anchor themselves)."""
        return any(compiled(pattern).search(name) for pattern in self.name_patterns)

    def covers(self, name: str) -> bool:
        """Whether what one of the name patterns finds is the whole name."""
        found = (compiled(pattern).search(name) for pattern in self.name_patterns)
        return any(match is not None and match.group() == name for match in found)


@dataclass(frozen=True, slots=True)
class OntologyProperty:
    """A property. ``domains`` and ``ranges`` list classes of which one has to hold (empty: any).

    ``values`` says whether it leads to entities, to literals (then ``datatype`` is an XSD type, or rdfs:Literal
    for any) or to either. ``canonical_unit``: QUDT local name (``GigaBYTE``) of direct triples. Domains, ranges,
    datatype and unit that a property doesn't declare are its nearest superproperty's. ``phrases`` hold
    ``{subject}`` and ``{object}``. ``max_cardinality`` holds within one passage.
    """

    iri: str
    label: str
    alt_labels: tuple[str, ...] = ()
    definition: str = ""
    domains: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    datatype: str | None = None
    values: Values = "any"
    canonical_unit: str | None = None
    functional: bool = False
    parents: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    about_plans: bool = False
    max_cardinality: int | None = None


@dataclass(frozen=True, slots=True)
class Individual:
    """A known entity: a typed individual or a SKOS concept."""

    iri: str
    label: str
    alt_labels: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    definition: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A term that a text may name. ``preferred``: by its label, not by an alternative. ``label`` is the one matched."""

    iri: str
    kind: TermKind
    label: str
    preferred: bool


# --- patterns and examples -----------------------------------------------------------------------


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> re.Pattern[str]:
    """A name pattern, compiled once. Raises BadOntology."""
    try:
        return re.compile(pattern)
    except re.error as error:
        raise BadOntology(
            f"the name pattern {pattern!r} is not a regular expression: {error}", "see kg:namePattern"
        ) from error


_EXAMPLE = re.compile(r"\{(subject|object):([^{}]+)\}")


def parse_example(marked: str) -> Example:
    """The sentence of a ``kg:example`` without its marks. Raises BadOntology unless both arguments are marked once.

    >>> parse_example("{subject:Bo} lit {object:the lamp}.")
    Example(text='Bo lit the lamp.', subject=(0, 2), object=(7, 15))
    """
    text, spans, at = "", {}, 0
    for found in _EXAMPLE.finditer(marked):
        text += marked[at : found.start()]
        if found[1] in spans:
            break
        spans[found[1]] = (len(text), len(text) + len(found[2]))
        text += found[2]
        at = found.end()
    else:
        if len(spans) == 2:
            return Example(text + marked[at:], spans["subject"], spans["object"])
    raise BadOntology(
        f"the example {marked!r} doesn't mark one subject and one object",
        'write kg:example "{subject:Ada} keeps {object:bees}."',
    )


def check_phrase(phrase: str) -> str:
    """The phrase itself. Raises BadOntology unless ``{subject}`` and ``{object}`` each occur once."""
    if phrase.count("{subject}") == 1 == phrase.count("{object}") and phrase.count("{") == 2:
        return phrase
    raise BadOntology(
        f"the phrase {phrase!r} doesn't have one {{subject}} and one {{object}}",
        'write kg:phrase "{subject} is kept by {object}"',
    )


# --- labels --------------------------------------------------------------------------------------

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SINGLE_CAMEL = re.compile(r"[a-z]{2,}[A-Za-z0-9]*[A-Z][A-Za-z0-9]*")
_SEPARATORS = re.compile(r"[\s_/\-\u2010-\u2015]+")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s?\b")
_DROPPED = re.compile(r"[^\w\s%#&+.]|(?<!\d)\.|\.(?!\d)")
_COUNT_OF = re.compile(
    r"(?:total )?(?:(?:number|no|num|nr|count|quantity|amount) of|num|nr|#(?: of)?) (?P<what>[^\W\d].*)"
)
_ARTICLES = frozenset({"a", "an", "the"})
_IRREGULAR = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "criteria": "criterion",
    "indices": "index", "matrices": "matrix", "vertices": "vertex", "analyses": "analysis", "feet": "foot",
    "phenomena": "phenomenon", "series": "series", "species": "species", "lens": "lens", "news": "news",
    "this": "this", "was": "was", "has": "has", "does": "does",
}  # fmt: skip
_SPELLINGS = (
    ("isation", "ization"),
    ("ising", "izing"),
    ("ised", "ized"),
    ("centre", "center"),
    ("programme", "program"),
)


_PLURAL_IN_US = re.compile(r"[^aeiou\W]+us")  # "gpus", not "campus"


def singular(word: str) -> str:
    """A lower-case English noun in the form under which singular and plural meet (a key, not always a word).

    >>> singular("batteries"), singular("gpus"), singular("boxes"), singular("campus")
    ('battery', 'gpu', 'box', 'campus')
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    plural = word.endswith("s") and (_PLURAL_IN_US.fullmatch(word) or not word.endswith(("ss", "us", "is")))
    if len(word) > 3 and plural:
        word = word[:-1]
    # "boxes", "caches" and "batteries" leave an ending that only some singulars have: one form for all.
    if len(word) > 3 and word.endswith(("xe", "che", "she", "sse", "ze")):
        return word[:-1]
    return word[:-2] + "y" if len(word) > 4 and word.endswith("ie") else word


def _word(word: str) -> str:
    lower = singular(word.casefold())
    for british, american in _SPELLINGS:
        lower = lower.replace(british, american)
    return lower


@lru_cache(maxsize=65536)
def normalise_label(text: str) -> str:
    """Normal form of a label, table header, bullet key or name of a property; equal forms mean the same words.

    Case, articles, hyphens, plural, possessive, British spelling and the ways to say "count" don't matter.
    Idempotent. Empty when nothing is left.

    >>> normalise_label("Number of GPUs") == normalise_label("GPU count") == normalise_label("gpuCount")
    True
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    if _SINGLE_CAMEL.fullmatch(plain):
        plain = _CAMEL.sub(" ", plain)
    plain = _DROPPED.sub(" ", _POSSESSIVE.sub("", _SEPARATORS.sub(" ", plain))).replace("#", " # ")
    normal = " ".join(word for word in map(_word, plain.split()) if word not in _ARTICLES)
    while counted := _COUNT_OF.fullmatch(normal):
        normal = f"{counted['what'].removesuffix(' count')} count"
    return normal


def label_from_iri(iri: str, keep_case: bool = False) -> str:
    """A readable label from an IRI's local name, for terms that have none.

    >>> label_from_iri("http://e/x#hasGPUCount"), label_from_iri("http://e/New_York", keep_case=True)
    ('has GPU count', 'New York')
    """
    local = re.split(r"[#/:]", iri.rstrip("#/"))[-1] or iri
    words = " ".join(_SEPARATORS.split(local if keep_case else _CAMEL.sub(" ", local))).strip()
    if keep_case:
        return words or iri
    return " ".join(w if w[1:2].isupper() else w.lower() for w in words.split()) or iri


@lru_cache(maxsize=16384)
def names(label: str) -> tuple[str, ...]:
    """Normal forms under which a label is found: whole, without a bracket, its "/" alternatives, without "has".

    >>> names("traverses / runs through")
    ('traverse run through', 'traverse', 'run through')
    """
    parts = [label, re.sub(r"\s*[(\[][^)\]]*[)\]]\s*", " ", label)]
    parts += re.split(r"\s+/\s+", label)
    forms = [normalise_label(part) for part in parts]
    forms += [form.removeprefix("has ") for form in forms if form.startswith("has ")]
    return tuple(dict.fromkeys(form for form in forms if form))


Node = ox.NamedNode | ox.BlankNode
Term = Node | ox.Literal

_OLD_SCHEMA = "http://schema.org/"
_OBO = "http://purl.obolibrary.org/obo/"
_OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
_ALT_LABELS = (
    SKOS + "altLabel", SKOS + "hiddenLabel", SCHEMA + "alternateName", _OLD_SCHEMA + "alternateName",
    _OBO_IN_OWL + "hasExactSynonym",
)  # fmt: skip
_DEFINITIONS = (
    SKOS + "definition", _OBO + "IAO_0000115", RDFS + "comment", "http://purl.org/dc/terms/description",
    SCHEMA + "description", SKOS + "scopeNote",
)  # fmt: skip
_DOMAINS = (RDFS + "domain", SCHEMA + "domainIncludes", _OLD_SCHEMA + "domainIncludes")
_RANGES = (RDFS + "range", SCHEMA + "rangeIncludes", _OLD_SCHEMA + "rangeIncludes")
_CLASS_TYPES = (OWL + "Class", RDFS + "Class")
_PROPERTY_TYPES = tuple(
    RDF + name if name == "Property" else OWL + name
    for name in (
        "Property", "ObjectProperty", "DatatypeProperty", "FunctionalProperty", "InverseFunctionalProperty",
        "TransitiveProperty", "SymmetricProperty", "AsymmetricProperty", "ReflexiveProperty", "IrreflexiveProperty",
    )
)  # fmt: skip
_META = (OWL, RDF, RDFS, SH, XSD)  # vocabularies that describe ontologies: their terms are nobody's class
_ANY_LITERAL = RDFS + "Literal"
_DATATYPES_ELSEWHERE = {
    _ANY_LITERAL: _ANY_LITERAL, RDF + "langString": XSD + "string", RDF + "PlainLiteral": XSD + "string",
    RDF + "HTML": XSD + "string", RDF + "XMLLiteral": XSD + "string", OWL + "real": XSD + "decimal",
    OWL + "rational": XSD + "decimal",
} | {
    space + name: XSD + datatype
    for space in (SCHEMA, _OLD_SCHEMA)
    for name, datatype in (
        ("Text", "string"), ("URL", "anyURI"), ("Number", "decimal"), ("Integer", "integer"), ("Float", "double"),
        ("Boolean", "boolean"), ("Date", "date"), ("DateTime", "dateTime"), ("Time", "time"),
    )
}  # fmt: skip
_DATES = frozenset(XSD + name for name in ("date", "gYear", "gYearMonth", "dateTime", "dateTimeStamp"))
_NUMBERS = frozenset(
    XSD + name
    for name in (
        "integer", "decimal", "double", "float", "nonNegativeInteger", "positiveInteger", "int", "long", "short",
    )
)  # fmt: skip


class Facts:
    """The triples by subject and predicate, objects in a fixed order."""

    def __init__(self, triples: Iterable[ox.Triple]) -> None:
        """Triples in any order."""
        objects: dict[tuple[str, str], list[Term]] = defaultdict(list)
        self.subjects: dict[str, list[str]] = defaultdict(list)
        for triple in triples:
            subject, predicate, object_ = triple.subject, triple.predicate, triple.object
            if isinstance(subject, ox.Triple) or isinstance(object_, ox.Triple):
                continue  # statements about statements declare nothing
            objects[key(subject), predicate.value].append(object_)
            self.subjects[predicate.value].append(key(subject))
        self._objects = {at: sorted(found, key=str) for at, found in objects.items()}

    def objects(self, subject: str, *predicates: str) -> Iterator[Term]:
        """Objects of a subject's triples, predicate by predicate."""
        for predicate in predicates:
            yield from self._objects.get((subject, predicate), ())

    def iris(self, subject: str, *predicates: str) -> tuple[str, ...]:
        """Those objects that are IRIs."""
        return tuple(dict.fromkeys(o.value for o in self.objects(subject, *predicates) if isinstance(o, ox.NamedNode)))

    def texts(self, subject: str, *predicates: str) -> tuple[str, ...]:
        """Those objects that are literals, the ones without language or in English first."""
        found = [o for o in self.objects(subject, *predicates) if isinstance(o, ox.Literal)]
        return tuple(dict.fromkeys(o.value.strip() for o in sorted(found, key=_foreign) if o.value.strip()))

    def typed(self, *types: str) -> Iterator[str]:
        """Subjects that have one of the types."""
        wanted = set(types)
        for subject in dict.fromkeys(self.subjects.get(RDF + "type", ())):
            if not wanted.isdisjoint(self.iris(subject, RDF + "type")):
                yield subject

    def items(self, head: str) -> Iterator[Term]:
        """Members of an RDF list."""
        seen: set[str] = set()
        while head not in seen and head != RDF + "nil":
            seen.add(head)
            yield from self.objects(head, RDF + "first")
            head = next((key(rest) for rest in self.objects(head, RDF + "rest")), RDF + "nil")


def key(term: Term) -> str:
    """An IRI as it is, a blank node as ``_:name``."""
    return str(term) if isinstance(term, ox.BlankNode) else term.value


def _foreign(literal: ox.Literal) -> int:
    language = (literal.language or "").lower()
    return 0 if not language else 1 if language == "en" else 2 if language.startswith("en-") else 3


def is_blank(name: str) -> bool:
    """Whether a key is a blank node's."""
    return name.startswith("_:")


def is_meta(iri: str) -> bool:
    """Whether an IRI belongs to the languages that ontologies are written in."""
    return iri.startswith(_META)


# --- pieces --------------------------------------------------------------------------------------


def _label(facts: Facts, iri: str, keep_case: bool = False) -> tuple[str, tuple[str, ...]]:
    labels = facts.texts(iri, RDFS + "label")
    preferred = facts.texts(iri, SKOS + "prefLabel")
    everything = dict.fromkeys((*labels, *preferred, *facts.texts(iri, *_ALT_LABELS)))
    label = next(iter(labels or preferred), "") or label_from_iri(iri, keep_case)
    return label, tuple(name for name in everything if name != label)


def _definition(facts: Facts, iri: str) -> str:
    return next((text for predicate in _DEFINITIONS for text in facts.texts(iri, predicate)), "")


def _named_classes(facts: Facts, term: Term, depth: int = 0) -> Iterator[str]:
    """IRIs in a class expression: itself, or the members of its unions and intersections."""
    if isinstance(term, ox.NamedNode):
        yield term.value
    elif isinstance(term, ox.BlankNode) and depth < 16:
        for head in facts.objects(key(term), OWL + "unionOf", OWL + "intersectionOf"):
            for member in facts.items(key(head)):
                yield from _named_classes(facts, member, depth + 1)


def _datatypes(facts: Facts, term: Term, depth: int = 0) -> Iterator[str]:
    """XSD types in a data range: itself, the type that it restricts, those of its members or values."""
    if isinstance(term, ox.NamedNode) and (term.value.startswith(XSD) or term.value in _DATATYPES_ELSEWHERE):
        yield _DATATYPES_ELSEWHERE.get(term.value, term.value)
    elif depth < 16 and not isinstance(term, ox.Literal):
        yield from (
            t for base in facts.objects(key(term), OWL + "onDatatype") for t in _datatypes(facts, base, depth + 1)
        )
        for head in facts.objects(key(term), OWL + "unionOf", OWL + "oneOf"):
            for member in facts.items(key(head)):
                if isinstance(member, ox.Literal):
                    yield member.datatype.value
                else:
                    yield from _datatypes(facts, member, depth + 1)


def _one_datatype(found: set[str]) -> str | None:
    """One type for several: dates take any precision, numbers any kind."""
    if len(found) <= 1:
        return next(iter(found), None)
    return XSD + "date" if found <= _DATES else XSD + "decimal" if found <= _NUMBERS else _ANY_LITERAL


def _restrictions(facts: Facts) -> dict[str, int]:
    """Largest ``owl:maxCardinality`` (or exact cardinality) stated for a property on any class."""
    largest: dict[str, int] = {}
    predicates = [OWL + n for n in ("maxCardinality", "maxQualifiedCardinality", "cardinality", "qualifiedCardinality")]
    for subject in sorted(set(facts.subjects.get(OWL + "onProperty", ()))):
        for limit in facts.texts(subject, *predicates):
            if limit.isdecimal():
                for property_ in facts.iris(subject, OWL + "onProperty"):
                    largest[property_] = max(largest.get(property_, 0), int(limit))
    return largest


# --- classes -------------------------------------------------------------------------------------


def _class_iris(facts: Facts) -> list[str]:
    found = {*facts.typed(*_CLASS_TYPES), *facts.subjects.get(RDFS + "subClassOf", ()), *_disjoint(facts)}
    for predicate in (*_DOMAINS, *_RANGES):
        for subject in facts.subjects.get(predicate, ()):
            for term in facts.objects(subject, predicate):
                if not any(True for _ in _datatypes(facts, term)):
                    found.update(_named_classes(facts, term))
    if any(True for _ in facts.typed(SKOS + "Concept")):
        found.add(SKOS + "Concept")
    datatypes = set(facts.typed(RDFS + "Datatype"))
    return sorted(iri for iri in found if not is_blank(iri) and not is_meta(iri) and iri not in datatypes)


def _disjoint(facts: Facts) -> dict[str, set[str]]:
    pairs: dict[str, set[str]] = defaultdict(set)
    groups: list[list[str]] = []
    for subject in set(facts.subjects.get(OWL + "disjointWith", ())):
        groups += [[subject, other] for other in facts.iris(subject, OWL + "disjointWith")]
    for subject in facts.typed(OWL + "AllDisjointClasses"):
        groups += [[key(m) for m in facts.items(key(head))] for head in facts.objects(subject, OWL + "members")]
    for subject in set(facts.subjects.get(OWL + "disjointUnionOf", ())):
        groups += [[key(m) for m in facts.items(key(h))] for h in facts.objects(subject, OWL + "disjointUnionOf")]
    for group in groups:
        for one in group:
            pairs[one].update(other for other in group if other != one and not is_blank(other))
    return pairs


def read_classes(facts: Facts) -> dict[str, OntologyClass]:
    """Classes by IRI, sorted: declared ones, and those only named as a domain or range."""
    disjoint = _disjoint(facts)
    iris = _class_iris(facts)
    unions = {
        member: iri
        for iri in iris
        for expression in facts.objects(iri, OWL + "disjointUnionOf")
        for member in (key(m) for m in facts.items(key(expression)))
    }
    classes = {}
    for iri in iris:
        label, alternatives = _label(facts, iri)
        parents = {
            parent
            for expression in facts.objects(iri, RDFS + "subClassOf", OWL + "equivalentClass")
            if not (isinstance(expression, ox.BlankNode) and any(facts.objects(key(expression), OWL + "unionOf")))
            for parent in _named_classes(facts, expression)
        } | ({unions[iri]} if iri in unions else set())
        patterns = facts.texts(iri, KG + "namePattern")
        for pattern in patterns:
            compiled(pattern)
        classes[iri] = OntologyClass(
            iri, label, alternatives, _definition(facts, iri),
            tuple(sorted(p for p in parents if p != iri and not is_meta(p))), patterns, tuple(sorted(disjoint[iri])),
        )  # fmt: skip
    return classes


# --- properties ----------------------------------------------------------------------------------


def _unit(facts: Facts, iri: str) -> str | None:
    for term in facts.objects(iri, KG + "canonicalUnit", QUDT + "hasUnit", QUDT + "unit"):
        return re.split(r"[#/]", key(term).rstrip("#/"))[-1]
    return None


def _values(types: tuple[str, ...], ranges: tuple[str, ...], datatype: str | None) -> Values:
    if OWL + "DatatypeProperty" in types or (datatype and not ranges):
        return "literal"
    if OWL + "ObjectProperty" in types or (ranges and not datatype):
        return "entity"
    return "any"


def _property(facts: Facts, iri: str, limits: Mapping[str, int]) -> OntologyProperty:
    label, alternatives = _label(facts, iri)
    types = facts.iris(iri, RDF + "type")
    ranges: dict[str, None] = {}
    datatypes: set[str] = set()
    for term in facts.objects(iri, *_RANGES):
        literal = set(_datatypes(facts, term))
        datatypes |= literal
        if not literal:
            ranges |= dict.fromkeys(_named_classes(facts, term))
    domains = dict.fromkeys(name for term in facts.objects(iri, *_DOMAINS) for name in _named_classes(facts, term))
    datatype = _one_datatype(datatypes)
    functional = OWL + "FunctionalProperty" in types
    parents = facts.iris(iri, RDFS + "subPropertyOf", OWL + "equivalentProperty")
    return OntologyProperty(
        iri=iri,
        label=label,
        alt_labels=alternatives,
        definition=_definition(facts, iri),
        domains=tuple(sorted(d for d in domains if not is_meta(d))),
        ranges=tuple(sorted(r for r in ranges if not is_meta(r))),
        datatype=datatype,
        values=_values(types, tuple(ranges), datatype),
        canonical_unit=_unit(facts, iri),
        functional=functional,
        parents=tuple(sorted(p for p in parents if p != iri and not is_meta(p))),
        phrases=tuple(check_phrase(phrase) for phrase in facts.texts(iri, KG + "phrase")),
        examples=tuple(parse_example(example) for example in facts.texts(iri, KG + "example")),
        about_plans=any(text in ("true", "1") for text in facts.texts(iri, KG + "aboutPlans")),
        max_cardinality=1 if functional else limits.get(iri),
    )


def read_properties(facts: Facts) -> dict[str, OntologyProperty]:
    """Properties by IRI, sorted; annotation properties are none, they describe terms instead of things."""
    found = set(facts.typed(*_PROPERTY_TYPES))
    for predicate in (*_DOMAINS, *_RANGES, RDFS + "subPropertyOf"):
        found.update(facts.subjects.get(predicate, ()))
    annotations = set(facts.typed(OWL + "AnnotationProperty", OWL + "OntologyProperty"))
    limits = _restrictions(facts)
    read = {
        iri: _property(facts, iri, limits)
        for iri in sorted(found - annotations)
        if not is_blank(iri) and not is_meta(iri)
    }
    return {iri: _inherit(property_, read) for iri, property_ in read.items()}


def _inherit(property_: OntologyProperty, all_: Mapping[str, OntologyProperty]) -> OntologyProperty:
    """Domain, range, unit and kind of values of the nearest superproperty, where none are declared."""
    chain = [all_[iri] for iri in ancestors(property_.iri, all_) if iri in all_]
    ranged = next((p for p in chain if p.ranges or p.datatype), property_)
    literal = property_.values == "literal" or (property_.values == "any" and ranged.values == "literal")
    return replace(
        property_,
        domains=next((p.domains for p in chain if p.domains), ()),
        ranges=() if literal else ranged.ranges,
        datatype=(ranged.datatype or _ANY_LITERAL) if literal else ranged.datatype,
        values=next((p.values for p in chain if p.values != "any"), "any"),
        canonical_unit=next((p.canonical_unit for p in chain if p.canonical_unit), None),
        about_plans=any(p.about_plans for p in chain),
    )


# --- individuals ---------------------------------------------------------------------------------


def read_individuals(
    facts: Facts, classes: Mapping[str, OntologyClass], others: Iterable[str]
) -> dict[str, Individual]:
    """Typed individuals and SKOS concepts by IRI, sorted; ``others`` are IRIs of properties, which are none."""
    taken = set(others)
    individuals = {}
    for iri in sorted(set(facts.subjects.get(RDF + "type", ()))):
        stated = facts.iris(iri, RDF + "type")
        types = tuple(sorted(t for t in stated if t in classes or not (is_meta(t) or t == SKOS + "ConceptScheme")))
        if is_blank(iri) or iri in taken or (iri in classes and not any(t in classes for t in types)):
            continue
        if types or OWL + "NamedIndividual" in stated:
            label, alternatives = _label(facts, iri, keep_case=True)
            individuals[iri] = Individual(iri, label, alternatives, types, _definition(facts, iri))
    return individuals


def ancestors(start: str, terms: Mapping[str, OntologyClass] | Mapping[str, OntologyProperty]) -> Iterator[str]:
    """A term, then its parents, theirs and so on, breadth first, each once; cycles are fine."""
    seen, queue = {start}, [start]
    for iri in queue:
        yield iri
        fresh = [parent for parent in (terms[iri].parents if iri in terms else ()) if parent not in seen]
        seen.update(fresh)
        queue += fresh
