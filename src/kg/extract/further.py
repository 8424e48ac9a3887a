"""Stretches that are read as sentences are: comments of commands, clauses of a bullet, what an opening adds.

Each is given with what it is about; a stretch that leaves its subject out is of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kg.extract.build import About
from kg.extract.bullets import bullets, in_sources, lead, subject_of_bullet
from kg.extract.classify import classes_of
from kg.extract.source import Placed, Source, is_label, sentences
from kg.extract.subjects import carried
from kg.extract.words import WORD
from kg.model import BlockKind, EntityName
from kg.ontology import singular
from kg.text.stretch import Stretch

_COMMENT = re.compile(r"^[ \t]*(?:#|//)\s+(?P<text>[A-Z][^\n]*)$", re.MULTILINE)
_FEWEST_WORDS = 4
_CLAUSE = re.compile(r";\s+(?=(?:led|built|made|wrote|ran|held|began|won|[a-z]{2,}ed)\s)")
_OPENS = re.compile(r"\b(?:one|some)\s+of\s+the\s+(?P<kind>[^,;:]+?)(?P<rest>,\s+[a-z][^:]*)?\s*:?$")


@dataclass(frozen=True, slots=True)
class Further:
    """A stretch to be read as a sentence, in its place."""

    placed: Placed
    body: Stretch
    about: About


def further(source: Source) -> Iterator[Further]:
    """All of them, kind by kind, each in document order."""
    yield from _comments(source)
    yield from _clauses(source)
    yield from _openings(source)


def _comments(source: Source) -> Iterator[Further]:
    """Comments of a line's own in code, of four words or more."""
    for placed in source.placed:
        inline = placed.block.inline
        if placed.block.kind is not BlockKind.CODE or inline is None:
            continue
        section = carried(source, placed)
        for found in _COMMENT.finditer(inline.text):
            body = Stretch(inline, found.start("text"), found.end("text")).strip()
            if len(WORD.findall(body.text)) >= _FEWEST_WORDS:
                yield Further(placed, body, About(section.name, section.spans, section.at))


def _clauses(source: Source) -> Iterator[Further]:
    """What is told of a bullet's name behind a semicolon ("Led the survey; drew the map of Kiel")."""
    for bullet in bullets(source):
        led = lead(bullet.stretch) if bullet.in_list else None
        if led is None or in_sources(source, bullet.placed):
            continue
        about = About(EntityName(led.name.text, classes_of(source, led.name.text)), (led.name.span,), led.name)
        for sentence in sentences(led.rest):
            for clause in list(sentence.split(_CLAUSE))[1:]:
                yield Further(bullet.placed, clause, about)


def _openings(source: Source) -> Iterator[Further]:
    """What is added to "one of the tallest towers, built for Kiel:" before a list: it is of the list's tower."""
    for bullet in bullets(source):
        text = bullet.stretch.text.rstrip()
        opening = _OPENS.search(text) if not bullet.in_list and is_label(bullet.item) else None
        if opening is None or opening["rest"] is None:
            continue
        about = subject_of_bullet(source, bullet)
        if is_one(source, about, opening["kind"]):
            start = opening.start("rest") + len(opening["rest"]) - len(opening["rest"].lstrip(", "))
            yield Further(bullet.placed, bullet.stretch.part(start, opening.end("rest")), about)


def is_one(source: Source, about: About, kind: str) -> bool:
    """Whether a thing is of the class that a noun phrase in the plural names ("top-5 lamps in the world")."""
    if not isinstance(about.name, EntityName):
        return False
    above = {s for c in about.name.classes for s in source.ontology.superclasses(c)}
    words = [singular(word.casefold()) for word in WORD.findall(kind)]
    return any(c.iri in above for word in words for c in source.ontology.by_label(word, "class"))
