"""Finds which towns are twinned: "X is twinned with Y"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.extract.build import About, Given, Property, claim
from kg.extract.source import Source
from kg.model import Claim, EntityName, Predicate
from kg.text.stretch import Stretch

_TWINS = re.compile(r"([A-Z]\w+) is twinned with ([A-Z]\w+)")


class Twins:
    """Reads sentences that say which towns are twinned."""

    name = "twins"

    def extract(self, source: Source) -> Iterator[Claim]:
        """Claims in document order, evidence and all."""
        for inline in source.leaves(headings=False):
            whole = Stretch(inline, 0, len(inline.text))
            for found in _TWINS.finditer(inline.text):
                one, verb = whole.part(*found.span(1)), whole.part(found.end(1), found.start(2)).strip()
                other = whole.part(*found.span(2))
                yield claim(
                    source,
                    self.name,
                    About(EntityName(one.text), (one.span,), one),
                    Property(Predicate("twinned with"), (verb.span,)),
                    Given(EntityName(other.text), other.span, other.text),
                    confidence=0.9,
                )
