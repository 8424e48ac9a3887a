"""From when to when something went on: "one survey run from May 3, 1901 to June 9, 1902 (~13 months)"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.extract.build import About, Frame, Given, Property, claim
from kg.extract.choices import allows, candidates, kind_wanted, predicate_of
from kg.extract.labels import label_of
from kg.extract.source import Source
from kg.extract.standing import hedge_of
from kg.extract.stretch import Stretch
from kg.extract.values import Kind
from kg.extract.words import WORD
from kg.mentions import dates, quantities
from kg.model import Claim, EntityName

NAME = "asides"
_FROM_TO = re.compile(
    r"(?P<noun>(?:[\w-]+\s){1,4}?)from\s+(?P<start>[^()]{4,30}?)\s+(?:to|until|till)\s+(?P<end>[^()]{4,30}?)"
    r"(?:\s*\((?P<length>[^()]{3,30})\))?$"
)


def spans(source: Source, about: About, stretch: Stretch, frame: Frame) -> Iterator[Claim]:
    """Start, end and length, under the properties that the noun before "from" names ("survey start")."""
    text = stretch.text.rstrip(" .")
    found = _FROM_TO.search(text)
    told = [(end, dates.parse(found[end])) for end in ("start", "end")] if found else []
    if found is None or not isinstance(about.name, EntityName) or any(date is None for _, date in told):
        return
    hedge = hedge_of(text)
    classes = about.name.classes
    for end, date in told:
        property_ = _named(source, found["noun"], end, Kind.DATE, classes)
        at = stretch.part(found.start(end), found.end(end))
        if property_ is not None:
            yield claim(source, NAME, about, property_, Given(date, at.span, at.text, hedge), frame)
    for figure in quantities.find(found["length"])[:1] if found["length"] else ():
        property_ = _named(source, found["noun"], "duration", Kind.QUANTITY, classes)
        if property_ is not None:
            at = stretch.part(found.start("length") + figure.start, found.start("length") + figure.end)
            yield claim(source, NAME, about, property_, Given(figure.value, at.span, at.text, hedge), frame)


def _named(source: Source, noun: str, end: str, kind: Kind, classes: tuple[str, ...]) -> Property | None:
    """The property for an end of what a word of the noun phrase names, the last word first."""
    for word in reversed(WORD.findall(noun)):
        for property_ in candidates(source, label_of(f"{word} {end}"), classes):
            if kind_wanted(property_) is kind and allows(source.ontology, property_.domains, classes):
                return Property(predicate_of(property_))
    return None
