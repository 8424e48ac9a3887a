"""Lines that tell what happened when, in timelines and lists ("May 1951: the new mole opens")."""

from __future__ import annotations

from collections.abc import Iterator

from kg.extract.build import About, Frame, Given, Property, claim
from kg.extract.labels import label_of
from kg.extract.parties import parties
from kg.extract.properties import facts
from kg.extract.source import Source
from kg.extract.stretch import Stretch
from kg.extract.tables import amounts, claims_of, event_of
from kg.model import Claim, EventName, Predicate


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
    yield from amounts(source, extractor, about, event, frame)
    yield from parties(source, extractor, about, event, frame)
