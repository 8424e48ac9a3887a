"""How a thing came about, in a few words behind its name: "first lamp in 1901, horns in 1903, totalling 40 lamps".

Each stage names what the thing has since a date, under the one property that leads to such things; a total closes the
list, its figures under the properties that their nouns name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kg.extract.build import About, Frame, Given, Property, claim, scaled
from kg.extract.choices import narrowest
from kg.extract.classify import classes_of_mention
from kg.extract.labels import label_of
from kg.extract.properties import bare_name, by_noun, claims_of, facts
from kg.extract.source import Source
from kg.extract.standing import hedge_of
from kg.extract.values import Part
from kg.model import Claim, EntityName
from kg.text import quantities
from kg.text.cell_values import whole_date
from kg.text.stretch import Stretch

_PIECES = re.compile(r"\s*[,;]\s+(?:and\s+|then\s+)?|\s+(?:—|–|-{2,3})\s+|\s+and\s+then\s+")
_STAGE = re.compile(
    r"(?:(?:the|an?|first|second|then|later|more|further)\s+){0,2}(?P<thing>[^\s].*?)\s+(?:in|from|since)\s+(?P<date>\S.*)",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"(?:totall?ing|in\s+total|for\s+a\s+total\s+of|altogether|in\s+all)\s+(?=\S)", re.IGNORECASE)
_OF_TIME = re.compile(r"\((?P<name>[^()]+?)[\s-](?P<noun>era|period|age|epoch|generation)\)\s*$")


def stages(source: Source, extractor: str, about: About, told: Stretch, frame: Frame) -> Iterator[Claim]:
    """Claims of two or more dated stages, and of the total behind them."""
    classes = about.classes
    pieces = list(told.split(_PIECES))
    dated = [stage for piece in pieces if (stage := _stage(source, piece, classes)) is not None]
    if len(dated) < 2:
        return
    for property_, part in dated:
        since = replace(frame, valid_from=part.since)
        given = Given(part.value, part.at.span, part.at.text, hedge_of(told.text))
        yield claim(source, extractor, about, property_, given, since, scaled(extractor, 0.95))
    for piece in pieces:
        if total := _TOTAL.match(piece.text):
            yield from _figures(source, extractor, about, piece.part(total.end()), frame)


def _stage(source: Source, piece: Stretch, classes: tuple[str, ...]) -> tuple[Property, Part] | None:
    """What a piece says that the thing has since when ("first Kappa-3 lamp in 1901")."""
    found = _STAGE.fullmatch(piece.text)
    date = whole_date(piece.part(found.start("date"))) if found else None
    if found is None or date is None or not classes:
        return None
    thing = piece.part(found.start("thing"), found.end("thing"))
    for mention in source.names_in(thing)[:1]:
        at = bare_name(source, thing.part(mention.start, mention.end))
        kinds = classes_of_mention(source, mention.value, at.text)
        leading = narrowest(source.ontology, classes, kinds) if kinds and mention.start == 0 else None
        if leading is not None:
            return leading, Part(EntityName(at.text, kinds), at, since=date)
    return None


def _figures(source: Source, extractor: str, about: About, piece: Stretch, frame: Frame) -> Iterator[Claim]:
    """Every figure of a total whose noun names a property ("40 lamps across two towers")."""
    classes = about.classes
    for found in quantities.find(piece.text):
        if not found.value.noun:
            continue
        at = piece.part(found.start, found.end)
        part = Part(found.value, at, hedge_of(piece.text, found.start, found.end), noun=found.value.noun)
        told = claims_of(source, extractor, about, by_noun(source, part, classes), frame)
        yield from (own for own in told if own.predicate.iri)


def of_time(source: Source, extractor: str, about: About, told: Stretch, frame: Frame) -> Iterator[Claim]:
    """The time that a bracket at the end names after something ("40 lamps (Kappa-3 era)")."""
    found = _OF_TIME.search(told.text)
    if found is None or not source.words.is_name(found["name"]):
        return
    classes = about.classes
    label = told.part(found.start("noun"), found.end("noun"))
    name = told.part(found.start("name"), found.end("name"))
    yield from claims_of(
        source, extractor, about, facts(source, label_of(label.text, (label.span,)), name, classes), frame
    )
