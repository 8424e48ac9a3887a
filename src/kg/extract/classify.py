"""Classes that the ontology and the wording vouch for: by known name, name pattern, or head noun."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from kg.extract.source import Source
from kg.extract.words import WORD
from kg.ontology import Ontology, OntologyClass
from kg.ontology.terms import compiled
from kg.text.entities import EntityMention
from kg.text.stretch import Found

_HEAD_END = re.compile(r"\s+(?:at|behind|by|for|from|in|of|on|to|with)\s+|\s*[,(]")


def classes_of(source: Source, name: str) -> tuple[str, ...]:
    """Classes of a name: of an individual so called, by name pattern, or by a head noun that is a class's label.

    The most specific only, sorted; empty if nothing tells.
    """
    ontology = source.ontology
    if not ontology:
        return ()
    if (known := _of_individual(ontology, name)) is not None:
        return known
    return source.learned.get(name.casefold()) or _by_wording(ontology, name)


@lru_cache(maxsize=16384)
def _of_individual(ontology: Ontology, name: str) -> tuple[str, ...] | None:
    known = [t for c in ontology.by_label(name, "individual") for t in ontology.individuals[c.iri].types]
    return ontology.most_specific(t for t in known if t in ontology.classes) if known else None


@lru_cache(maxsize=16384)
def _by_wording(ontology: Ontology, name: str) -> tuple[str, ...]:
    # "GPT-3 API" is an API: a pattern that covers the name's end says more than one that knows its beginning.
    by_pattern = {iri: max(ends) for iri, cls in ontology.classes.items() if (ends := _match_ends(cls, name))}
    whole = [iri for iri, end in by_pattern.items() if end == len(name)]
    return ontology.most_specific(whole) or head_classes(ontology, name) or ontology.most_specific(by_pattern)


def _match_ends(cls: OntologyClass, name: str) -> list[int]:
    """Where the class's name patterns end in a name."""
    return [found.end() for pattern in cls.name_patterns if (found := compiled(pattern).search(name))]


def classes_of_mention(source: Source, mention: EntityMention, name: str) -> tuple[str, ...]:
    """Classes of a name found in running text: those of the known name, else what the name itself tells."""
    return tuple(mention.classes) if mention.known else classes_of(source, name) or tuple(mention.classes)


def lineage(ontology: Ontology, classes: Iterable[str]) -> set[str]:
    """Classes with all that stand above them."""
    return {above for cls in classes for above in ontology.superclasses(cls)}


def head_classes(ontology: Ontology, name: str) -> tuple[str, ...]:
    """Classes whose label is the end of the name's first noun phrase ("Azure Supercomputer" → Supercomputer)."""
    words = WORD.findall(_HEAD_END.split(name)[0])
    for start in range(len(words)):
        found = ontology.by_label(" ".join(words[start:]), "class")
        if found:
            return ontology.most_specific(c.iri for c in found)
    return ()


_ARTICLE = re.compile(r"\b(?:the|an?|its|their|our|his|her|single|own)\s+$", re.IGNORECASE)
_HEAD = re.compile(r"\s([a-z]{4,})\b")
_NOUN = re.compile(r"\s(?:[a-z][\w-]*\s)?(?P<head>[a-z]{3,})\b(?!-)")


def with_noun(
    source: Source, text: str, name: Found[EntityMention], classes: Sequence[str]
) -> tuple[int, tuple[str, ...]] | None:
    """Where a noun ends that a name goes with ("the Fastnet lamp fleet"), and its classes: that is no longer Fastnet.

    None where the noun says what the name is anyway ("the Corran Light tower"), or is plural or no class's.
    """
    noun = _NOUN.match(text, name.end) if _ARTICLE.search(text[: name.start]) else None
    if noun is None or name.value.kind in ("person", "title"):
        return None
    if noun["head"].endswith("s"):
        return None
    found = source.ontology.by_label(noun["head"], "class")
    kinds = source.ontology.most_specific(c.iri for c in found)
    spelt = noun[0].strip()
    if not classes and (spelt == noun["head"] or source.ontology.by_label(spelt, "class")):
        return None  # "the Corran tower" may be Corran
    above = lineage(source.ontology, classes)
    if not kinds or above & set(kinds) or not lineage(source.ontology, kinds).isdisjoint(classes):
        return None
    return noun.end(), kinds


def without_kind(source: Source, text: str, name: Found[EntityMention]) -> Found[EntityMention]:
    """A name without its last words where these begin the kind that follows ("Corran AI supercomputer": Corran)."""
    noun = _HEAD.match(text, name.end)
    words = list(WORD.finditer(name.value.surface))
    for word in words[1:] if noun else ():
        tail = name.value.surface[word.start() :]
        whole = source.ontology.by_label(f"{tail} {noun[1] if noun else ''}", "class")
        if whole and not source.ontology.by_label(tail, "class"):
            surface = name.value.surface[: word.start()].strip()
            return Found(name.start, name.start + len(surface), replace(name.value, surface=surface, classes=()))
    return name
