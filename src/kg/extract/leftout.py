"""Sentences of a paragraph without verb or subject: "Height: 50 m.", "Lamps for Kiel and Skerry.", "The reason: …".

They begin with the name of a property and tell it of what the paragraph stands under.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.extract.build import About, Given, Property, claim, scaled
from kg.extract.bullets import Bullet, bullets, in_sources, key_value, lead, subject_of_bullet
from kg.extract.classify import classes_of
from kg.extract.labels import Label, read_label
from kg.extract.properties import candidates, claims_of, facts
from kg.extract.source import Source, sentences
from kg.extract.sources import source_line
from kg.extract.standing import hedge_of, sentence_frame
from kg.extract.words import WORD
from kg.model import Claim, EntityName, Predicate, Text
from kg.text.stretch import Stretch

NAME = "keyvalues"
_LABELLED = re.compile(r"(?:The\s+)?(?P<label>[A-Z]?[a-z][\w -]{2,28}?):\s+(?=\S)")
_LED = re.compile(
    r"(?P<label>[A-Z][a-z][\w-]{2,28}(?:\s[a-z][\w-]+)?)\s+(?:for|of|on|at|in)\s+(?:the\s+)?(?=[A-Z\d$~])"
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|did|does|do|said|says)\b|\w{3,}ed\b"
)
_MOST_WORDS = 14


def left_out(source: Source) -> Iterator[Claim]:
    """Claims of such sentences, but for those that begin their paragraph: a paragraph's own label is read elsewhere."""
    for bullet in bullets(source):
        cited = in_sources(source, bullet.placed) or source_line(bullet)
        if bullet.in_list or cited or key_value(bullet.stretch) or lead(bullet.stretch):
            continue
        told = list(sentences(bullet.stretch))
        for sentence in told[1:]:
            yield from _told(source, bullet, sentence)
        for sentence in told:
            yield from _borne(source, bullet, sentence)


def _told(source: Source, bullet: Bullet, sentence: Stretch) -> Iterator[Claim]:
    about = subject_of_bullet(source, bullet)
    if not isinstance(about.name, EntityName) or not source.words.is_name(about.name.surface):
        return
    frame = sentence_frame(source, bullet.placed)
    if found := _LABELLED.match(sentence.text):
        label = read_label(sentence.part(found.start("label"), found.end("label")))
        value = sentence.part(found.end()).strip(" .")
        if candidates(source, label, about.name.classes):
            yield from claims_of(source, NAME, about, facts(source, label, value, about.name.classes), frame, 0.95)
        elif _known(source, label):
            given = Given(Text(value.text), value.span, value.text, hedge_of(value.text))
            property_ = Property(Predicate(label.plain), label.spans)
            yield claim(source, NAME, about, property_, given, frame, scaled(NAME, 0.9))
    elif found := _LED.match(sentence.text):
        label = read_label(sentence.part(found.start("label"), found.end("label")))
        value = sentence.part(found.end()).strip(" .")
        short = len(WORD.findall(value.text)) <= _MOST_WORDS and not _FINITE.search(value.text)
        found_facts = facts(source, label, value, about.name.classes) if short else []
        if candidates(source, label, about.name.classes) and all(f.property.predicate.iri for f in found_facts):
            yield from claims_of(source, NAME, about, found_facts, frame, 0.9)


_COMMAS = re.compile(r"\s*[,;]\s+(?:and\s+|while\s+)?")
_BEARS = re.compile(
    r"(?P<name>[A-Z][^,;]*?)\s+(?:has|bears|takes|carries|holds)\s+(?:the\s+)?(?P<label>[a-z][\w -]{3,40})"
)


def _borne(source: Source, bullet: Bullet, sentence: Stretch) -> Iterator[Claim]:
    """Who has which part in a name's thing ("Corran Light — Kiel has legal ownership, Orr has daily operation")."""
    led = lead(sentence, plain=True)
    if led is None or not source.words.is_name(led.name.text):
        return
    section = subject_of_bullet(source, bullet)
    about = About(EntityName(led.name.text, classes_of(source, led.name.text)), (led.name.span,), led.name)
    if isinstance(section.name, EntityName) and led.name.text.startswith(f"{section.name.surface} "):
        about = section  # "Corran Works" under "Corran"
    classes = about.classes
    frame = sentence_frame(source, bullet.placed)
    for clause in led.rest.strip(" .").split(_COMMAS):
        found = _BEARS.fullmatch(clause.text)
        label = read_label(clause.part(found.start("label"))) if found else None
        if found is None or label is None or not source.words.is_name(found["name"]):
            continue
        who = clause.part(found.start("name"), found.end("name"))
        known = [f for f in facts(source, label, who, classes) if f.property.predicate.iri]
        yield from claims_of(source, NAME, about, known, frame, 0.9)


def _known(source: Source, label: Label) -> bool:
    """Whether the ontology has a property so called, be it of other things."""
    return any(source.ontology.by_label(text, "property") for text in {label.text, label.plain})
