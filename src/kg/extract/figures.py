"""Figures whose own words name a property: "6% of all oil", "when outside pressure exceeded 3 bar", "9 panes per lens".

The subject is the nearest name before them in the sentence, of a class that has the property; without one the section's
thing where the sentence says what it is ("a survey showing …"); for a threshold the only such thing that the paragraph
names before. Noun phrases tell more by how they are built: "8x 40 W lamps", "12-pane Fresnel",
"Orr's `trim` function", "this was a $90 lamp".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from kg.extract.build import About, Frame, Given, Property, claim, scaled
from kg.extract.bullets import Bullet, bullets, in_sources, subject_of_bullet
from kg.extract.classify import classes_of, classes_of_mention, with_noun
from kg.extract.properties import bare_name, called, fits, kind_wanted, narrowest, predicate_of
from kg.extract.source import Source, sentences
from kg.extract.sources import source_line
from kg.extract.standing import hedge_of, sentence_frame
from kg.extract.values import Kind, Part
from kg.model import Claim, EntityName, MarkKind, Quantity
from kg.ontology import OntologyProperty, singular
from kg.text import quantities
from kg.text.stretch import Found, Stretch

NAME = "asides"
_SHARE_OF = re.compile(r"\s+of\s+(?:all\s+)?(?:the\s+)?(?P<noun>[a-z]+)\b")
_WHEN = re.compile(
    r"\b(?:when|if|once|where|as\s+soon\s+as)\s+(?:the\s+)?(?P<label>[a-z]+(?:\s[a-z]+)?)\s+"
    r"(?:(?:is|was|rose|rises|fell|falls|drops|dropped)\s+)?(?:exceed(?:s|ed)\s+|(?:above|over|below|under)\s+)?$"
)
_PER = re.compile(r"\s+(?P<noun>[a-z]+)\s+per\s+(?P<each>[a-z]+)\b")
_NEAR = 80  # characters before a figure that are looked at
_WITHIN = re.compile(r"\bin\s+(?:only\s+|just\s+)?$")
_EVERY = re.compile(r"\b(?P<label>[a-z]+\s+every)\s+$")
_CHANGE = re.compile(r"\b(?:an?|the)\s+$")
_WORD = re.compile(r"[a-z]{4,}")
_QUOTE = re.compile(r"[\"“]$")
_KIND = re.compile(r"\W*[\d.,]+-[a-z]+\s+(?P<name>[A-Z][\w-]+)")
_PIECES = re.compile(r"\s*[,;]\s+|\s+(?:\+|and)\s+")
_OWNS = re.compile(r"[’']s\s+$")
_CODE_NOUN = re.compile(
    r"\s+(?:function|method|module|class|command|package|operator|call|library|option|API)\b|\s*(?:[.,;:)]|$)"
)
_PRICED = re.compile(r"(?:it|this|that)\s+(?:is|was)\s+an?\s+$", re.IGNORECASE)


def figures(source: Source) -> Iterator[Claim]:
    """Claims of such figures in sentences, in document order."""
    for bullet in bullets(source):
        if in_sources(source, bullet.placed) or source_line(bullet):
            continue
        about, frame = subject_of_bullet(source, bullet), sentence_frame(source, bullet.placed)
        if bullet.in_list:
            yield from _kinds(source, about, bullet.stretch, frame)
        before: list[Stretch] = []
        for sentence in sentences(bullet.stretch):
            yield from _multiplied(source, about, sentence, frame)
            yield from _of_code(source, sentence, frame)
            yield from _priced(source, about, sentence, frame)
            for found in quantities.find(sentence.text):
                yield from _told(source, bullet, sentence, found, before)
            before.append(sentence)


def _told(
    source: Source, bullet: Bullet, sentence: Stretch, found: Found[Quantity], before: Sequence[Stretch]
) -> Iterator[Claim]:
    """What a figure's own words tell of its owner."""
    for property_ in _named(source, sentence, found)[:1]:
        about = _owner(source, sentence, found.start, property_.domains)
        if about is None and not _each(sentence, found):
            about = _kind_said(source, bullet, sentence.text[: found.start], property_.domains)
        if about is None and _threshold(sentence, found):
            about = _only(source, before, property_.domains)
        if about is not None:
            value = _exactly(found.value) if _threshold(sentence, found) else found.value
            at = sentence.part(found.start, found.end)
            given = Given(value, at.span, at.text, hedge_of(sentence.text, found.start, found.end))
            told, frame = Property(predicate_of(property_)), sentence_frame(source, bullet.placed)
            yield claim(source, NAME, about, told, given, frame, scaled(NAME, 0.9))


def _named(source: Source, text: Stretch, found: Found[Quantity]) -> list[OntologyProperty]:
    """The ontology's properties that the words at a figure name and that take it."""
    near = max(0, found.start - _NEAR)
    labels = []
    if found.value.unit == "PERCENT" and (share := _SHARE_OF.match(text.text, found.end)):
        labels.append(f"share of {share['noun']}")
    if when := _threshold(text, found):
        labels.append(when["label"])
    if each := _each(text, found):
        labels.append(each)
    if every := _EVERY.search(text.text, near, found.start):
        labels.append(every["label"])
    noun = found.value.noun
    factor = found.value.unit == "UNITLESS" and _CHANGE.search(text.text, near, found.start)
    if noun and (factor or _WITHIN.search(text.text, near, found.start)):
        labels.append(noun)
    known = [source.ontology.properties[c.iri] for text_ in labels for c in source.ontology.by_label(text_, "property")]
    part = Part(found.value, text.part(found.start, found.end))
    return [p for p in known if p.domains and kind_wanted(p) is Kind.QUANTITY and fits(source.ontology, p, part)]


def _each(text: Stretch, found: Found[Quantity]) -> str:
    """The name of a rate ("panes per lens" of "9 panes per lens"), or ""."""
    per = _PER.match(text.text, found.end)
    return f"{per['noun']} per {singular(per['each'])}" if per else ""


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


def _kind_said(source: Source, bullet: Bullet, said: str, domains: Sequence[str]) -> About | None:
    """The section's thing where the words before a figure say what kind of thing it is, and that has the property."""
    ontology, about = source.ontology, subject_of_bullet(source, bullet)
    classes = about.classes
    if not classes and about.at is not None and _QUOTE.search(about.at.inline.text[: about.at.start]):
        classes = tuple(c.iri for c in ontology.by_label("work", "class"))  # a title
    above = {s for c in classes for s in ontology.superclasses(c)}
    kinds = {c.iri for word in _WORD.findall(said) for c in ontology.by_label(word, "class")}
    same = any(k in above or any(c in ontology.superclasses(k) for c in classes) for k in kinds)
    return about if same and above & set(domains) else None


def _only(source: Source, before: Sequence[Stretch], domains: Sequence[str]) -> About | None:
    """The only thing of one of the classes that the paragraph's earlier sentences name."""
    found: dict[str, About] = {}
    for sentence in before:
        for name in source.names_in(sentence):
            classes = classes_of_mention(source, name.value, name.value.surface)
            longer = with_noun(source, sentence.text, name, classes)
            end, classes = longer or (name.end, classes)
            at = sentence.part(name.start, end)
            if any(d in source.ontology.superclasses(c) for c in classes for d in domains):
                found[at.text] = About(EntityName(at.text, classes), (at.span,), at)
    return next(iter(found.values())) if len(found) == 1 else None


# --- noun phrases -------------------------------------------------------------------------------------


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
        owned = _OWNS.search(sentence.text, max(0, at - 10), at)
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


def _priced(source: Source, section: About, sentence: Stretch, frame: Frame) -> Iterator[Claim]:
    """The price that "this was a $90 lamp" tells of the section's thing, if that is a lamp."""
    classes = section.classes
    above = {s for c in classes for s in source.ontology.superclasses(c)}
    for figure in quantities.find(sentence.text)[:1]:
        noun = figure.value.noun.split()[-1:] if (figure.value.unit or "").startswith("CCY_") else []
        kinds = {c.iri for word in noun for c in source.ontology.by_label(word, "class")}
        if not _PRICED.fullmatch(sentence.text[: figure.start]) or not kinds & above:
            continue
        at = sentence.part(figure.start, figure.end)
        if property_ := called(source, ("price",), classes, Part(figure.value, at)):
            given = Given(figure.value, at.span, at.text, hedge_of(sentence.text))
            yield claim(source, NAME, section, property_, given, frame, scaled(NAME, 0.95))
