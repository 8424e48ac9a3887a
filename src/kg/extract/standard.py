"""Properties of standard vocabularies that documents' own words lead to, whatever the ontology."""

from __future__ import annotations

import re

from kg.extract.labels import Label
from kg.model import Predicate
from kg.namespaces import DCTERMS, SCHEMA, SKOS

DEFINITION = Predicate("definition", SKOS + "definition")
SOURCE = Predicate("source", DCTERMS + "source")
NOTE = Predicate("note", SKOS + "note")
WEB_ADDRESS = Predicate("web address", SCHEMA + "url")
IDENTIFIER = Predicate("identifier", DCTERMS + "identifier")
PUBLISHER = Predicate("publisher", "http://purl.org/dc/elements/1.1/publisher")  # of DCMI's two the one for names
PUBLISHED = Predicate("publication date", DCTERMS + "issued")
RELATED = Predicate("related document", DCTERMS + "relation")

_SOURCES = re.compile(
    r"(?:(?:external|further|key|main|selected|primary|data|information)\s+)?"
    r"(?:sources?|references?|refs?\.?|reading|bibliography|citations?|works\s+cited|footnotes)"
    r"(?:\s+of\s+(?:information|data))?",
    re.IGNORECASE,
)
_NOTES = re.compile(r"(?:(?:additional|further|other|editor['’]s)\s+)?(?:notes?|remarks?|comments?)", re.IGNORECASE)
_RELATED = re.compile(r"see(?:\s+also)?|related(?:\s+(?:documents?|notes?|pages?|topics?|articles?))?", re.IGNORECASE)


def predicate_of_label(label: Label) -> Predicate:
    """The standard property that a label words, else the open one that it names."""
    for pattern, predicate in ((_SOURCES, SOURCE), (_NOTES, NOTE), (_RELATED, RELATED)):
        if pattern.fullmatch(label.text):
            return predicate
    return Predicate(label.text)
