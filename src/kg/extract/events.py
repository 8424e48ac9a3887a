"""Lines that tell what happened when, in timelines and lists ("May 1951: the new mole opens")."""

from __future__ import annotations

from collections.abc import Iterator

from kg.extract.build import About, Frame, Given, Property, claim
from kg.extract.labels import label_of
from kg.extract.parties import parties
from kg.extract.properties import claims_of, facts
from kg.extract.source import Source
from kg.model import Claim, EventName, Predicate
from kg.namespaces import KG
from kg.text import quantities
from kg.text.stretch import Stretch


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
            for fact in facts(source, label_of("amount"), at, (f"{KG}Event",)):
                yield from claims_of(source, extractor, about, [fact], frame)


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
