"""Events: lines that tell what happened when ("May 1951: the new mole opens"), and who took part in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kg.extract.build import About, Frame, Given, Property, claim, scaled
from kg.extract.classify import classes_of_mention
from kg.extract.labels import label_of
from kg.extract.properties import called, claims_of, facts
from kg.extract.source import Source
from kg.extract.values import Part
from kg.extract.words import IRREGULAR
from kg.model import Claim, EntityName, EventName, Predicate
from kg.namespaces import KG
from kg.text import quantities
from kg.text.entities import EntityMention
from kg.text.found import Found
from kg.text.stretch import Stretch, nested

_JOINED = re.compile(r"\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)(?:the\s+)?")
_VERB = re.compile(r"\s+(?:first\s+|then\s+|also\s+|later\s+|\w{2,}ly\s+)?(?P<verb>[a-z]{3,})\b(?!\s*$)")
_OBJECT = re.compile(r"\s+(?:an?|the|its|their|to|on|with|for|[A-Z\d$€£])")  # of a verb
_PLACED = re.compile(r"\b(?:on|in|at|by|via|within|through)\s+(?:the\s+)?$")
_MOST = 5
_NEAR = 40  # characters before a name that are looked at


def event_of(source: Source, stretch: Stretch) -> About:
    """An event told by a stretch of text."""
    passage = source.passage_at(stretch.span[0])
    local = f"{passage.id}:{stretch.span[0] - passage.start}"
    return About(EventName(f"{KG}Event", stretch.text, local=local), (stretch.span,))


def sums(source: Source, extractor: str, about: About, stretch: Stretch, frame: Frame) -> Iterator[Claim]:
    """Sums of money told in an event's text."""
    for found in quantities.find(stretch.text):
        if (found.value.unit or "").startswith("CCY_"):
            at = stretch.part(found.start, found.end)
            yield from claims_of(
                source, extractor, about, facts(source, label_of("amount"), at, (f"{KG}Event",)), frame
            )


def dated_event(
    source: Source, extractor: str, section: About, told: tuple[Stretch, Stretch], frame: Frame
) -> Iterator[Claim]:
    """An event of the section's subject, its date and the sums in its text; ``told`` is when, and what happened."""
    when, event = told
    about = event_of(source, event)
    assert isinstance(about.name, EventName)
    yield claim(
        source, extractor, section, Property(Predicate("event")), Given(about.name, event.span, event.text), frame
    )
    yield from claims_of(source, extractor, about, facts(source, label_of("date"), when, (about.name.cls,)), frame)
    yield from sums(source, extractor, about, event, frame)
    yield from parties(source, extractor, about, event, frame)


def parties(source: Source, extractor: str, event: About, told: Stretch, frame: Frame) -> Iterator[Claim]:
    """The event as one of each thing of known class that its words name, and of its doers, who are participants."""
    assert isinstance(event.name, EventName)
    names = [named(source, told, name) for name in source.names_in(told) if _whole(told, name)]
    doers = _doers(told, names)
    known = [part for part in names if part in doers or (isinstance(part.value, EntityName) and part.value.classes)]
    for part in known[:_MOST]:
        assert isinstance(part.value, EntityName)
        about = About(part.value, (part.at.span,), part.at)
        happened = Given(event.name, told.span, told.text)
        yield claim(source, extractor, about, Property(Predicate("event")), happened, frame, scaled(extractor, 0.9))
    yield from participants(source, extractor, event, doers, frame, 0.9)


def participants(
    source: Source, extractor: str, event: About, doers: Iterable[Part], frame: Frame, factor: float = 1.0
) -> Iterator[Claim]:
    """Those who did it, under the ontology's property for them."""
    for doer in doers:
        if property_ := called(source, ("participant",), (), doer):
            given = Given(doer.value, doer.at.span, doer.at.text)
            yield claim(source, extractor, event, property_, given, frame, scaled(extractor, factor))


def named(source: Source, told: Stretch, name: Found[EntityMention]) -> Part:
    """A name with its classes."""
    at = told.part(name.start, name.end)
    return Part(EntityName(at.text, classes_of_mention(source, name.value, at.text)), at)


def opening(told: Stretch, names: Iterable[Part]) -> list[Part]:
    """The names that an event's words begin with, joined by commas and "and"."""
    found: list[Part] = []
    for part in names:
        gap = told.inline.text[found[-1].at.end if found else told.start : part.at.start]
        if not (_JOINED.fullmatch(gap) if found else gap.strip().lower() in ("", "the")):
            break
        found.append(part)
    return found


def _whole(told: Stretch, name: Found[EntityMention]) -> bool:
    """Whether a name stands for its thing: not in brackets, no place, no part of a longer noun ("a Fastnet lamp")."""
    before = told.text[max(0, name.start - _NEAR) : name.start]
    modifies = re.search(r"\b(?:an?|its|their|dedicated|new|major)\s+$", before) and re.match(
        r"\s+[a-z]", told.text[name.end :]
    )
    return not nested(told.text, name.start) and not modifies and not _PLACED.search(before)


def _doers(told: Stretch, names: list[Part]) -> list[Part]:
    """The names that an event's words begin with, where a verb follows them."""
    found = opening(told, names)
    verb = _VERB.match(told.inline.text, found[-1].at.end, told.end) if found else None
    if verb is None:
        return []
    agrees = verb["verb"].endswith(("s", "ed")) or verb["verb"] in IRREGULAR
    plural = len(found) > 1 and _OBJECT.match(told.inline.text, verb.end(), told.end)
    return found if agrees or plural else []
