"""Why a figure is as it is, told right behind it: "Range: 12 miles, due to fog", "30%, owing to a cracked lens".

The cause is one of the figure, not of the thing that has it: it is told of an observation so labelled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.extract.build import About, Given, Property, claim, scaled
from kg.extract.bullets import bullets, in_sources, key_value, subject_of_bullet
from kg.extract.properties import called
from kg.extract.source import Source
from kg.extract.standing import hedge_of, section_frame
from kg.extract.values import Part
from kg.extract.words import WORD
from kg.model import Claim, EntityName, EventName, Predicate, Text
from kg.namespaces import KG
from kg.text import quantities
from kg.text.stretch import Stretch

NAME = "asides"
_CAUSE = re.compile(
    r"\b(?:due\s+to|because\s+of|owing\s+to|caused\s+by|attributed\s+to|thanks\s+to|"
    r"(?<=, )(?:indicating|reflecting))\s+"
    r"(?P<cause>[^.;]{6,200})",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|never|neither)\b[^,;]*$", re.IGNORECASE)
_FEWEST_WORDS = 2


def causes(source: Source) -> Iterator[Claim]:
    """Claims of the causes in labelled bullets whose value begins with a figure."""
    for bullet in bullets(source):
        pair = key_value(bullet.stretch)
        if not bullet.in_list or pair is None or in_sources(source, bullet.placed):
            continue
        figures = quantities.find(pair.value.text)
        found = _CAUSE.search(pair.value.text, figures[0].end) if figures else None
        if found is None or _NEGATED.search(pair.value.text[: found.start()]):
            continue
        cause = pair.value.part(found.start("cause"), found.end("cause")).strip(" \"”'’*,")
        if len(WORD.findall(cause.text)) < _FEWEST_WORDS:
            continue
        about = _figure_of(source, subject_of_bullet(source, bullet), pair.key)
        told = hedge_of(pair.value.text, found.start(), found.end())
        frame = section_frame(source, bullet.placed)
        given = Given(Text(cause.text), cause.span, cause.text, told)
        property_ = called(source, ("cause",), (), Part(given.value, cause)) or Property(Predicate("cause"))
        yield claim(source, NAME, about, property_, given, frame, scaled(NAME, 0.95))


def _figure_of(source: Source, about: About, key: Stretch) -> About:
    """The observation that a labelled figure is: "Corran Light: Range"."""
    whose = f"{about.name.surface}: " if isinstance(about.name, EntityName) else ""
    passage = source.passage_at(key.span[0])
    node = EventName(f"{KG}Observation", f"{whose}{key.text}", local=f"{passage.id}:{key.span[0] - passage.start}")
    return About(node, (key.span,))
