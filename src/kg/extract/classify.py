"""Classes that the ontology and the wording vouch for: by known name, name pattern, or head noun."""

from __future__ import annotations

import re

from kg.extract.source import Source
from kg.extract.words import WORD
from kg.mentions.entities import EntityMention
from kg.ontology import Ontology, OntologyClass
from kg.ontology_terms import compiled

_HEAD_END = re.compile(r"\s+(?:at|behind|by|for|from|in|of|on|to|with)\s+|\s*[,(]")


def classes_of(source: Source, name: str) -> tuple[str, ...]:
    """Classes of a name: of an individual so called, by name pattern, or by a head noun that is a class's label.

    The most specific only, sorted; empty if nothing tells.
    """
    ontology = source.ontology
    if not ontology:
        return ()
    known = [t for c in ontology.by_label(name, "individual") for t in ontology.individuals[c.iri].types]
    if known:
        return ontology.most_specific(t for t in known if t in ontology.classes)
    if learned := source.learned.get(name.casefold()):
        return learned
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


def head_classes(ontology: Ontology, name: str) -> tuple[str, ...]:
    """Classes whose label is the end of the name's first noun phrase ("Azure Supercomputer" → Supercomputer)."""
    words = WORD.findall(_HEAD_END.split(name)[0])
    for start in range(len(words)):
        found = ontology.by_label(" ".join(words[start:]), "class")
        if found:
            return ontology.most_specific(c.iri for c in found)
    return ()
