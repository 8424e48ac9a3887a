"""``Key: value`` bullets and lines, and ``**Name** — what is said of it`` (people, parts, steps)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kg.extract.build import About, Frame, Given, Property, claim, scaled
from kg.extract.bullets import (
    Bullet,
    KeyValue,
    Lead,
    bullets,
    is_collective,
    key_names_thing,
    key_value,
    lead,
    subject_of_bullet,
)
from kg.extract.classify import classes_of
from kg.extract.properties import by_noun, candidates, facts, kind_wanted, label_of, read_label
from kg.extract.sentences import sentences
from kg.extract.source import Source
from kg.extract.standing import hedge_of, section_frame
from kg.extract.stretch import Stretch
from kg.extract.tables import claims_of, within
from kg.extract.values import Kind, Part, items, leading_quantity, name_or_text, whole_date
from kg.mentions.hedges import combine
from kg.model import Alias, Claim, EntityName, Predicate, Text

NAME = "keyvalues"
_PIECES = re.compile(r"\s*[,;]\s+|\s+\+\s+")
_MAX_VALUE = 600


class KeyValues:
    """Reads labelled bullets and lines, and bullets led by a bold name."""

    name = NAME

    def extract(self, source: Source) -> Iterator[Claim | Alias]:
        """Claims in document order."""
        for bullet in bullets(source):
            pair = key_value(bullet.stretch)
            if pair and pair.value and len(pair.value.text) <= _MAX_VALUE and _is_pair(bullet, pair):
                yield from _pair(source, bullet, pair)
            elif bullet.in_list and (led := lead(bullet.stretch)):
                yield from _led(source, bullet, led)


def _is_pair(bullet: Bullet, pair: KeyValue) -> bool:
    """Outside lists only short values or bold keys: prose has colons too."""
    return bullet.in_list or pair.key.start != bullet.stretch.start or len(pair.value.text) <= 200 or _is_bold(pair)


def _is_bold(pair: KeyValue) -> bool:
    return any(m.kind == "strong" and m.start <= pair.key.start < m.end for m in pair.key.inline.marks)


def _pair(source: Source, bullet: Bullet, pair: KeyValue) -> Iterator[Claim | Alias]:
    about = subject_of_bullet(source, bullet)
    frame = section_frame(source, bullet.placed)
    if key_names_thing(source, pair, about):
        yield from _thing(source, pair, frame)
        return
    if is_collective(pair.key.text) and (names := items(source, pair.value, "members")):
        body = About(EntityName(pair.key.text, classes_of(source, pair.key.text)), (pair.key.span,), pair.key)
        yield from _members(source, body, names, frame)
        return
    label = read_label(pair.key)
    classes = about.name.classes if isinstance(about.name, EntityName) else (about.name.cls,)
    if pair.bracket is not None:
        frame = replace(frame, hedge=combine(frame.hedge, hedge_of(pair.bracket.text)))
        frame = replace(frame, qualifiers=(*frame.qualifiers, pair.bracket.span))
        if date := whole_date(pair.bracket):
            frame = within(frame, date)
    yield from claims_of(source, NAME, about, facts(source, label, pair.value, classes), frame)


def _members(source: Source, body: About, names: list[Stretch], frame: Frame) -> Iterator[Claim]:
    classes = body.name.classes if isinstance(body.name, EntityName) else ()
    found = [p for p in candidates(source, label_of("member"), classes) if kind_wanted(p) is Kind.NAME]
    predicate = Predicate(found[0].label, found[0].iri) if found else Predicate("member")
    ranges = found[0].ranges if found and len(found[0].ranges) == 1 else ()
    for name in names:
        part = name_or_text(source, name, Kind.NAME)
        value = part.value
        if isinstance(value, EntityName) and not value.classes:
            value = replace(value, classes=tuple(r for r in ranges if r in source.ontology.classes))
        given = Given(value, part.at.span, part.at.text, part.hedge)
        yield claim(source, NAME, body, Property(predicate, body.spans), given, frame)


def _thing(source: Source, pair: KeyValue, frame: Frame) -> Iterator[Claim]:
    """A thing with a date in brackets and a list of what it has: quantities under their nouns, its date."""
    classes = classes_of(source, pair.key.text)
    about = About(EntityName(pair.key.text, classes), (pair.key.span,), pair.key)
    if pair.bracket is not None and whole_date(pair.bracket):
        yield from claims_of(source, NAME, about, facts(source, label_of("date"), pair.bracket, classes), frame)
    for piece in pair.value.split(_PIECES):
        yield from elliptic(source, NAME, about, piece, frame)


def elliptic(source: Source, extractor: str, about: About, piece: Stretch, frame: Frame) -> Iterator[Claim]:
    """A quantity that begins a piece of text, under the property that its noun names."""
    found = leading_quantity(piece.text)
    if found is None or not (found[2].noun or (found[2].unit or "").startswith("CCY_")):
        return
    classes = about.name.classes if isinstance(about.name, EntityName) else (about.name.cls,)
    at = piece.part(found[0], found[1])
    part = Part(found[2], at, hedge_of(piece.text, found[0], found[1]), noun=found[2].noun)
    yield from claims_of(source, extractor, about, by_noun(source, part, classes), frame)


def _led(source: Source, bullet: Bullet, led: Lead) -> Iterator[Claim]:
    """Each sentence said of the name, as its description; in a numbered list also its place there."""
    frame = section_frame(source, bullet.placed)
    if leading_quantity(led.name.text):
        yield from elliptic(source, NAME, subject_of_bullet(source, bullet), led.name, frame)
        return
    about = About(EntityName(led.name.text, classes_of(source, led.name.text)), (led.name.span,), led.name)
    for sentence in sentences(led.rest):
        text = sentence.strip(" .")
        if not text:
            continue
        given = Given(Text(text.text), text.span, text.text)
        yield claim(source, NAME, about, Property(Predicate("description")), given, frame, scaled(NAME, 0.95))
    found = leading_quantity(led.rest.text)
    if found and source.words.is_name(led.name.text):
        yield from elliptic(source, NAME, about, led.rest, frame)
