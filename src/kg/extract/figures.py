"""Figures whose own words name a property: "6% of all oil", "when outside pressure exceeded 3 bar", "9 panes per lens".

The subject is the nearest name before them in the sentence, of a class that has the property; else nothing is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kg.extract.build import About, Given, Property, claim, scaled
from kg.extract.bullets import bullets, in_sources
from kg.extract.choices import fits, kind_wanted, predicate_of
from kg.extract.classify import classes_of_mention
from kg.extract.properties import bare_name
from kg.extract.sentences import sentences
from kg.extract.source import Source
from kg.extract.sources import source_line
from kg.extract.standing import hedge_of, sentence_frame
from kg.extract.stretch import Stretch
from kg.extract.values import Kind, Part
from kg.mentions import quantities
from kg.mentions.found import Found
from kg.model import Claim, EntityName, Quantity
from kg.ontology import OntologyProperty, singular

NAME = "asides"
_SHARE_OF = re.compile(r"\s+of\s+(?:all\s+)?(?:the\s+)?(?P<noun>[a-z]+)\b")
_WHEN = re.compile(
    r"\b(?:when|if|once|where|as\s+soon\s+as)\s+(?:the\s+)?(?P<label>[a-z]+(?:\s[a-z]+)?)\s+"
    r"(?:(?:is|was|rose|rises|fell|falls|drops|dropped)\s+)?(?:exceed(?:s|ed)\s+|(?:above|over|below|under)\s+)?$"
)
_PER = re.compile(r"\s+(?P<noun>[a-z]+)\s+per\s+(?P<each>[a-z]+)\b")
_NEAR = 80  # characters before a figure that are looked at
_WITHIN = re.compile(r"\bin\s+(?:only\s+|just\s+)?$")


def figures(source: Source) -> Iterator[Claim]:
    """Claims of such figures in sentences, in document order."""
    for bullet in bullets(source):
        if in_sources(source, bullet.placed) or source_line(bullet):
            continue
        frame = sentence_frame(source, bullet.placed)
        for sentence in sentences(bullet.stretch):
            for found in quantities.find(sentence.text):
                for property_ in _named(source, sentence, found)[:1]:
                    about = _owner(source, sentence, found.start, property_.domains)
                    if about is not None:
                        value = _exactly(found.value) if _threshold(sentence, found) else found.value
                        at = sentence.part(found.start, found.end)
                        given = Given(value, at.span, at.text, hedge_of(sentence.text, found.start, found.end))
                        told = Property(predicate_of(property_))
                        yield claim(source, NAME, about, told, given, frame, scaled(NAME, 0.9))


def _named(source: Source, text: Stretch, found: Found[Quantity]) -> list[OntologyProperty]:
    """The ontology's properties that the words at a figure name and that take it."""
    labels = []
    if found.value.unit == "PERCENT" and (share := _SHARE_OF.match(text.text, found.end)):
        labels.append(f"share of {share['noun']}")
    if when := _threshold(text, found):
        labels.append(when["label"])
    if per := _PER.match(text.text, found.end):
        labels.append(f"{per['noun']} per {singular(per['each'])}")
    if found.value.noun and _WITHIN.search(text.text, max(0, found.start - _NEAR), found.start):
        labels.append(found.value.noun)
    known = [source.ontology.properties[c.iri] for text_ in labels for c in source.ontology.by_label(text_, "property")]
    part = Part(found.value, text.part(found.start, found.end))
    return [p for p in known if p.domains and kind_wanted(p) is Kind.QUANTITY and fits(source.ontology, p, part)]


def _threshold(text: Stretch, found: Found[Quantity]) -> re.Match[str] | None:
    """The words before a figure that something must pass ("when the outside pressure [exceeded 3 bar]")."""
    return _WHEN.search(text.text, max(0, found.start - _NEAR), found.start)


def _exactly(value: Quantity) -> Quantity:
    """A bound as the figure itself: what lies beyond a threshold isn't the threshold."""
    end = value.lower if value.lower is not None else value.upper
    return replace(value, lower=end, upper=end)


def _owner(source: Source, text: Stretch, end: int, domains: Sequence[str]) -> About | None:
    """The last name before a place that is surely of one of the classes."""
    for name in reversed([n for n in source.names_in(text) if n.end <= end]):
        at = bare_name(source, text.part(name.start, name.end))
        classes = classes_of_mention(source, name.value, at.text)
        if any(d in source.ontology.superclasses(c) for c in classes for d in domains):
            return About(EntityName(at.text, classes), (at.span,), at)
    return None
