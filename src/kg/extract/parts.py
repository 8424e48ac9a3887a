"""Items that name what the section's thing has or uses: "**Skerry 3** for the lamps", "**Paraffin** as the fuel".

The words behind the name tell the property ("as the primary fuel": the ontology's "fuel"); where they don't, the class
of the name does. An item is read so only if it has no verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kg.extract.build import About, Given, Property, claim, scaled
from kg.extract.bullets import Bullet, bullets, in_sources, key_value, lead, subject_of_bullet
from kg.extract.classify import classes_of, classes_of_mention
from kg.extract.labels import label_of
from kg.extract.properties import called, candidates, fits, kind_wanted, narrowest, predicate_of
from kg.extract.source import Source
from kg.extract.standing import hedge_of, section_frame
from kg.extract.values import Kind, Part
from kg.extract.words import WORD
from kg.model import Claim, EntityName, MarkKind
from kg.text import quantities
from kg.text.stretch import Stretch

NAME = "asides"
_TAIL = re.compile(
    r"\s+(?P<joint>as|for|across|within|between|in|on|throughout|via)\s+(?:the\s+|an?\s+|all\s+|each\s+)?(?P<noun>\w[^.,;:()—]*)"
)
_SLASH = re.compile(r"\s*/\s*|\s+and\s+|\s*,\s*")
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|did|does|ran|used|built|said)\b")
_MOST_WORDS = 20
_MOST_NOUNS = 5
_ENOUGH = 2


def parts(source: Source) -> Iterator[Claim]:
    """Claims from items that begin with a name in bold, or a known one, and go on with what it is for."""
    used: dict[int, list[Claim]] = {}
    unnamed: list[Bullet] = []
    for bullet in bullets(source):
        if not bullet.in_list or in_sources(source, bullet.placed) or key_value(bullet.stretch):
            continue
        if lead(bullet.stretch) or quantities.find(bullet.stretch.text[:12]):
            continue
        found = list(_item(source, bullet))
        yield from found
        used.setdefault(id(bullet.placed.block), []).extend(found)
        if not found:
            unnamed.append(bullet)
    for bullet in unnamed:
        yield from _beside(source, bullet, used[id(bullet.placed.block)])


def _beside(source: Source, bullet: Bullet, others: list[Claim]) -> Iterator[Claim]:
    """An item of common nouns in bold among items of names that the section's thing uses: it uses that too."""
    bold = next((b for b, _ in bullet.stretch.marked(MarkKind.STRONG) if b.start == bullet.stretch.start), None)
    about = subject_of_bullet(source, bullet)
    classes = about.classes
    uses = next((p for p in candidates(source, label_of("uses"), classes) if kind_wanted(p) is Kind.NAME), None)
    same = [other for other in others if uses is not None and other.predicate.iri == uses.iri]
    text = bullet.stretch.strip(" .;,")
    if bold is None or uses is None or len(same) < _ENOUGH or len(WORD.findall(text.text)) > _MOST_WORDS:
        return
    if _FINITE.search(text.text) or not 2 <= len(WORD.findall(bold.text)) <= _MOST_NOUNS:
        return
    value = EntityName(bold.text, classes_of(source, bold.text))
    given = Given(value, text.span, text.text, hedge_of(text.text))
    frame = section_frame(source, bullet.placed)
    if fits(source.ontology, uses, Part(value, bold)):
        yield claim(source, NAME, about, Property(predicate_of(uses)), given, frame, scaled(NAME, 0.85))


def _item(source: Source, bullet: Bullet) -> Iterator[Claim]:
    names = list(_names(source, bullet.stretch))
    if not names:
        return
    tail = _TAIL.match(bullet.stretch.inline.text, names[-1].end, bullet.stretch.end)
    first = re.split(r"[.;(]\s?|\s[—–]\s", bullet.stretch.text)[0]
    if tail is None or _FINITE.search(first) or len(WORD.findall(first)) > _MOST_WORDS:
        return
    about = subject_of_bullet(source, bullet)
    frame = section_frame(source, bullet.placed)
    for at in names:
        value = Part(EntityName(at.text, _classes(source, at)), at)
        found = _property(source, about, tail, value)
        if found is not None:
            start = at.start - bullet.stretch.start
            given = Given(value.value, at.span, at.text, hedge_of(first, start, start + len(at.text)))
            yield claim(source, NAME, about, found, given, frame, scaled(NAME, 0.95))


def _names(source: Source, stretch: Stretch) -> Iterator[Stretch]:
    """The names that an item begins with: those in bold, or one that the ontology knows."""
    bold = next((b for b, _ in stretch.marked(MarkKind.STRONG) if b.start == stretch.start), None)
    if bold is not None:
        pieces = list(bold.split(_SLASH))
        if all(source.words.is_name(p.text) and len(WORD.findall(p.text)) <= 4 for p in pieces):
            yield from pieces
        return
    for name in source.names_in(stretch)[:1]:
        if name.start == 0 and name.value.classes:
            yield stretch.part(name.start, name.end)


def _classes(source: Source, at: Stretch) -> tuple[str, ...]:
    for name in source.names_in(at):
        if name.start == 0 and name.end == len(at.text):
            return classes_of_mention(source, name.value, at.text)
    return classes_of(source, at.text)


def _property(source: Source, about: About, tail: re.Match[str], value: Part) -> Property | None:
    """The property that the words behind a name tell, else the one that leads to things of its class."""
    classes = about.classes
    words = WORD.findall(tail["noun"])[:5] if tail["joint"] == "as" else []
    inline = value.at.inline
    for end in range(len(words), 0, -1):
        for start in range(end):
            tried = " ".join(words[start:end])
            if found := called(source, (tried,), classes, value):
                at = inline.text.find(tried, value.at.end)
                return replace(found, spans=(inline.source(at, at + len(tried)),)) if at >= 0 else found
    assert isinstance(value.value, EntityName)
    if tail["joint"] == "for":
        known = bool(value.value.classes) or value.at.text.isupper()
        return called(source, ("uses",), classes, value) if known else None
    if tail["joint"] == "as" or not classes or not value.value.classes:
        return None
    return narrowest(source.ontology, classes, value.value.classes)
