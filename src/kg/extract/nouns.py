"""What noun phrases tell by how they are built: "8x 40 W lamps", "12-pane Fresnel", "Orr's `trim` function".

A count times a size, a known kind behind a count, a piece of code with its owner, a price before a noun.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from kg.extract.build import About, Frame, Given, claim, scaled
from kg.extract.bullets import Bullet, bullets, in_sources, subject_of_bullet
from kg.extract.classify import classes_of, classes_of_mention
from kg.extract.properties import called, narrowest
from kg.extract.source import Source, sentences
from kg.extract.sources import source_line
from kg.extract.standing import hedge_of, sentence_frame
from kg.extract.values import Part
from kg.model import Claim, EntityName, MarkKind
from kg.ontology import singular
from kg.text import quantities
from kg.text.stretch import Stretch

NAME = "asides"
_KIND = re.compile(r"\W*[\d.,]+-[a-z]+\s+(?P<name>[A-Z][\w-]+)")
_PIECES = re.compile(r"\s*[,;]\s+|\s+(?:\+|and)\s+")
_NEAR = 10  # characters before a piece of code that are looked at
_OWNS = re.compile(r"[’']s\s+$")
_CODE_NOUN = re.compile(
    r"\s+(?:function|method|module|class|command|package|operator|call|library|option|API)\b|\s*(?:[.,;:)]|$)"
)
_PRICED = re.compile(r"(?:it|this|that)\s+(?:is|was)\s+an?\s+$", re.IGNORECASE)


def noun_phrases(source: Source) -> Iterator[Claim]:
    """Claims of all such phrases, in document order but for code, which comes last."""
    for bullet in bullets(source):
        if in_sources(source, bullet.placed) or source_line(bullet):
            continue
        about = subject_of_bullet(source, bullet)
        frame = sentence_frame(source, bullet.placed)
        if bullet.in_list:
            yield from _kinds(source, about, bullet.stretch, frame)
        for sentence in sentences(bullet.stretch):
            yield from _multiplied(source, about, sentence, frame)
            yield from _of_code(source, sentence, frame)
        yield from _priced(source, bullet, about, frame)


def _kinds(source: Source, about: About, item: Stretch, frame: Frame) -> Iterator[Claim]:
    """A name of known class behind a counted part ("12-layer Transformer"): what leads to such things, leads to it."""
    classes = about.classes
    for piece in item.split(_PIECES):
        found = _KIND.fullmatch(piece.text)
        at = piece.part(found.start("name"), found.end("name")) if found else None
        kinds = classes_of(source, at.text) if at is not None else ()
        leading = narrowest(source.ontology, classes, kinds) if kinds and classes else None
        if at is not None and leading is not None:
            given = Given(EntityName(at.text, kinds), at.span, at.text, hedge_of(item.text))
            yield claim(source, NAME, about, leading, given, frame, scaled(NAME, 0.95))


def _multiplied(source: Source, about: About, sentence: Stretch, frame: Frame) -> Iterator[Claim]:
    """A count times the size of each ("8x 220B experts"): under the properties for the number and the size of such."""
    classes = about.classes
    for count, size in pairwise(quantities.find(sentence.text)):
        times = re.fullmatch(r"\d{1,4}\s?[x×]", sentence.text[count.start : count.end])
        if not times or not size.value.noun or sentence.text[count.end : size.start].strip(" ~") or not classes:
            continue
        noun = size.value.noun.split()[-1]
        one = singular(noun.casefold())
        for figure, labels in (
            (count, (f"number of {noun}", f"{one} count")),
            (size, (f"{one} size", f"size per {one}")),
        ):
            at = sentence.part(figure.start, figure.end)
            if property_ := called(source, labels, classes, Part(figure.value, at)):
                given = Given(figure.value, at.span, at.text, hedge_of(sentence.text, figure.start, figure.end))
                yield claim(source, NAME, about, property_, given, frame, scaled(NAME, 0.95))


def _of_code(source: Source, sentence: Stretch, frame: Frame) -> Iterator[Claim]:
    """A piece of code with the name of what it belongs to ("Orr's `trim` function")."""
    for code, _ in sentence.marked(MarkKind.CODE):
        at = code.start - sentence.start
        owned = _OWNS.search(sentence.text, max(0, at - _NEAR), at)
        if owned is None or not _CODE_NOUN.match(sentence.text, code.end - sentence.start) or " " in code.text.strip():
            continue
        for name in source.names_in(sentence):
            if name.end != owned.start():
                continue
            owner = sentence.part(name.start, name.end)
            value = EntityName(owner.text, classes_of_mention(source, name.value, owner.text))
            about = About(EntityName(code.text, value.classes), (code.span,), code)
            if property_ := called(source, ("part of",), value.classes, Part(value, owner)):
                given = Given(value, owner.span, owner.text)
                yield claim(source, NAME, about, property_, given, frame, scaled(NAME, 0.95))


def _priced(source: Source, bullet: Bullet, section: About, frame: Frame) -> Iterator[Claim]:
    """The price that "this was a $90 lamp" tells of the section's thing, if that is a lamp."""
    classes = section.classes
    above = {s for c in classes for s in source.ontology.superclasses(c)}
    for sentence in sentences(bullet.stretch):
        for figure in quantities.find(sentence.text)[:1]:
            noun = figure.value.noun.split()[-1:] if (figure.value.unit or "").startswith("CCY_") else []
            kinds = {c.iri for word in noun for c in source.ontology.by_label(word, "class")}
            if not _PRICED.fullmatch(sentence.text[: figure.start]) or not kinds & above:
                continue
            at = sentence.part(figure.start, figure.end)
            if property_ := called(source, ("price",), classes, Part(figure.value, at)):
                given = Given(figure.value, at.span, at.text, hedge_of(sentence.text))
                yield claim(source, NAME, section, property_, given, frame, scaled(NAME, 0.95))
