"""Sentences of a biography in a bullet: they leave the person out ("Now at Fastnet Works. PhD from Kiel.")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kg.extract.build import About, Frame, Given, Property, claim, scaled
from kg.extract.labels import label_of
from kg.extract.properties import candidates, fits, kind_wanted, predicate_of
from kg.extract.source import Source
from kg.extract.values import Kind, Part, without_bracket
from kg.extract.words import WORD
from kg.model import Claim, DateValue, EntityName, Text
from kg.text import dates
from kg.text.cell_values import whole_date
from kg.text.hedges import hedge_at
from kg.text.name_words import ROLES
from kg.text.stretch import Stretch

_PIECES = re.compile(r"\s*[;,]\s+(?:and\s+)?(?:(?:then|later|now|also|before that)\s+)?(?=\S)")
_CLAUSES = re.compile(r"\s*[;,]\s+(?:and\s+)?")
_ADVERB = re.compile(r"(?:currently|later|also|then|since then|subsequently|eventually)\s+(?=\w)", re.IGNORECASE)
_THE = re.compile(r"\s+(?:the\s+|an?\s+)?")
_ENDS = re.compile(  # "Built Fastnet's lamps", "Built the Fastnet lamps": not Fastnet
    r"\s*(?:$|[.,;:(—–]|(?:in|on|at|from|since|until|for|as|during|with|by|before|after|where|and)\b)", re.IGNORECASE
)
_MOST_LABEL_WORDS = 3
_MOST_ROLE_WORDS = 6


def roles(source: Source, extractor: str, about: About, text: Stretch, frame: Frame) -> Iterator[Claim]:
    """Titles held one after the other ("Keeper (May 1901), then Warden (1910)"); nothing where one is no title."""
    classes = about.classes
    found = [p for p in candidates(source, label_of("role"), classes) if kind_wanted(p) is Kind.TEXT] if classes else []
    pieces = list(text.split(_PIECES))
    if not found or len(pieces) < 2 or not all(_is_title(piece) for piece in pieces):
        return
    held = [(without_bracket(piece)[0], _bracket_date(piece)) for piece in pieces]
    for number, (title, since) in enumerate(held):
        until = held[number + 1][1] if number + 1 < len(held) else None
        own = replace(frame, valid_from=since, valid_until=until) if since else frame
        given = Given(Text(title.text), title.span, title.text)
        property_ = Property(predicate_of(found[0]))
        yield claim(source, extractor, about, property_, given, own, scaled(extractor, 0.95))


def _is_title(piece: Stretch) -> bool:
    words = WORD.findall(without_bracket(piece)[0].text)
    return 1 <= len(words) <= _MOST_ROLE_WORDS and any(word.lower() in ROLES for word in words)


def _bracket_date(piece: Stretch) -> DateValue | None:
    bracket = without_bracket(piece)[1]
    return whole_date(bracket) if bracket is not None else None


def told(source: Source, extractor: str, about: About, sentence: Stretch, frame: Frame) -> Iterator[Claim]:
    """What each clause says of a person where it begins with a property's name ("Previously at …", "joined …")."""
    classes = about.classes
    for clause in sentence.split(_CLAUSES) if classes else ():
        adverb = _ADVERB.match(clause.text)
        body = clause.part(adverb.end()) if adverb else clause
        words = list(WORD.finditer(body.text))[:_MOST_LABEL_WORDS]
        for word in reversed(words):
            if given := _given(source, body, word.end(), classes):
                property_, part = given
                since = _date_behind(body, part) or frame.valid_from
                value = Given(part.value, part.at.span, part.at.text, hedge_at(body.text, 0, len(body.text)))
                own = replace(frame, valid_from=since)
                yield claim(source, extractor, about, property_, value, own, scaled(extractor, 0.9))
                break


def _given(source: Source, body: Stretch, end: int, classes: tuple[str, ...]) -> tuple[Property, Part] | None:
    """The property that the first words name, and the name right behind them, if it takes that."""
    gap = _THE.match(body.text, end)
    found = [p for p in candidates(source, label_of(body.text[:end]), classes) if kind_wanted(p) is Kind.NAME]
    if gap is None or not found:
        return None
    rest = body.part(gap.end())
    for name in source.names_in(rest):
        if name.start == 0 and _ENDS.match(rest.text, name.end):
            at = rest.part(0, name.end)
            part = Part(EntityName(at.text, name.value.classes), at)
            fitting = [p for p in found if fits(source.ontology, p, part)]
            if fitting:
                value = part.value
                if isinstance(value, EntityName) and not value.classes and len(fitting[0].ranges) == 1:
                    part = Part(EntityName(at.text, fitting[0].ranges), at)
                return Property(predicate_of(fitting[0]), (body.part(0, end).span,)), part
    return None


def _date_behind(body: Stretch, part: Part) -> DateValue | None:
    """The date right behind a name ("joined Fastnet Works in 1901")."""
    behind = body.inline.text[part.at.end : body.end]
    for found in dates.find(behind)[:1]:
        if re.fullmatch(r"[\s(]*(?:in|since|from)?\s*", behind[: found.start]):
            return found.value
    return None
