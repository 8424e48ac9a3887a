"""What the sentence before a list calls one of the top ones: "one of the top-5 lamps of the world:" is 5th at worst."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kg.extract.build import Given, Property, claim, scaled
from kg.extract.further import ranked
from kg.extract.labels import label_of
from kg.extract.properties import candidates, kind_wanted, predicate_of
from kg.extract.source import Source
from kg.extract.standing import section_frame
from kg.extract.values import Kind
from kg.model import Claim, EntityName
from kg.text import quantities

NAME = "asides"


def ranks(source: Source) -> Iterator[Claim]:
    """Claims of the bounds, under the ontology's property for ranks; nothing without one."""
    for placed, about, at in ranked(source):
        classes = about.name.classes if isinstance(about.name, EntityName) else ()
        found = [p for p in candidates(source, label_of("rank"), classes) if kind_wanted(p) is Kind.QUANTITY]
        figures = quantities.find(at.text)
        if not found or len(figures) != 1 or figures[0].end - figures[0].start != len(at.text):
            continue
        bound = replace(figures[0].value, lower=None, upper=figures[0].value.value)
        given = Given(bound, at.span, at.text)
        frame = section_frame(source, placed)
        yield claim(source, NAME, about, Property(predicate_of(found[0])), given, frame, scaled(NAME, 0.95))
