"""What an ontology declares, as frozen values, and the normal form under which labels are compared."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from kg.errors import BadOntology

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
    transitive: bool = False
    symmetric: bool = False
    inverse: str | None = None
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
