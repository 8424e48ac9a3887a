"""Standing of what a section, label, column or sentence says, and the period for which it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kg.extract.build import About, Frame, Given, Property, claim, named
from kg.extract.bullets import subject_of_bullet
from kg.extract.labels import label_of
from kg.extract.properties import candidates, predicate_of
from kg.extract.source import Placed, Source, sentences
from kg.extract.sources import telling
from kg.extract.subjects import title_of
from kg.extract.titles import Rank
from kg.extract.words import WORD
from kg.model import Claim, Hedge, Predicate, Status
from kg.text import hedges
from kg.text.hedges import combine
from kg.text.scales import whole_date
from kg.text.stretch import Stretch

_LOOKS = re.compile(r"(?:what|how)\b.*\blooks?\b", re.IGNORECASE)  # asks, doesn't guess


def standing_of_label(text: str) -> Hedge | None:
    """The standing that a label says by itself ("Confirmed", "Likely (from leaks)"), or None if it says none."""
    found = hedges.hedge(text)
    return None if found.status is Status.STATED else Hedge(found.status)


def hedge_of(text: str, start: int = 0, end: int | None = None) -> Hedge:
    """The standing of ``text[start:end]`` within its sentence, bullet or cell."""
    return hedges.hedge_at(text, start, len(text) if end is None else end)


def section_frame(source: Source, placed: Placed) -> Frame:
    """Standing in force at a block (its headings', then its label's), and its section's period.

    A period holds for what a section of no name of its own tells ("Scale (2019-2021)"); the date of a named thing is
    the thing's.
    """
    return source.once("frame", placed, lambda: _section_frame(source, placed))


def sentence_frame(source: Source, placed: Placed) -> Frame:
    """Standing in force at a sentence. Its section's period is not its own: "The Founding Years (1901-1905)" says when
    its story plays, not that the founders ceased to be that in 1905.
    """
    return Frame(hedge=section_frame(source, placed).hedge)


def _section_frame(source: Source, placed: Placed) -> Frame:
    hedge = Hedge()
    frame = Frame()
    for heading in placed.sections:
        title = title_of(source, heading)
        if title is None:
            continue
        for text in (title.topic.text, *(n.text for n in title.notes)):
            if not _LOOKS.match(text):
                hedge = combine(hedge, standing_of_label(text) or Hedge())
        dated = [(n, date) for n in title.notes if (date := whole_date(n))]
        if title.rank is Rank.GENERIC and dated:
            note, date = dated[0]
            frame = Frame(valid_from=date, valid_until=date if date.latest else None, qualifiers=(note.span,))
        elif title.rank is not Rank.GENERIC:
            frame = Frame()
    if placed.label is not None and placed.label.inline is not None:
        hedge = combine(hedge, _label_hedge(Stretch.whole(placed.label.inline)))
    return replace(frame, hedge=hedge)


def _label_hedge(label: Stretch) -> Hedge:
    """What an introducing sentence says of the items below: its standing, never its negation of its own verb."""
    text = label.text.rstrip(" :")
    found = standing_of_label(text) or hedge_of(text)
    return Hedge(found.status)


# --- What a sentence says is not told: "The note gives no details about the lamp, its price or its range."

NAME = "asides"
_WITHHELD = re.compile(
    r"\b(?:no\s+(?:further\s+|more\s+|other\s+)?(?:details?|information|figures?|word)\s+(?:about|on|of|as\s+to)|"
    r"(?:not|never)\s+(?:(?:yet|publicly|officially|need\s+to)\s+){0,2}(?:disclos\w+|reveal\w*|identif\w+|nam(?:e|ed)|"
    r"specif\w+|publish(?:ed)?|stat(?:e|ed)))\s+",
    re.IGNORECASE,
)
_THEIR = re.compile(r"\s*(?:the|an?|its|their|any|specific|exact)\s+", re.IGNORECASE)
_END = re.compile(r"[.;:\"”]|\s+(?:for|so|because|but|in order|to)\s")
_PIECES = re.compile(r"\s*,\s*(?:(?:and|or|nor)\s+)?|\s+(?:and|or|nor)\s+")
_BRACKET = re.compile(r"\s*\([^()]*\)")
_REPORT = re.compile(r"\s(?:[a-z]+\s){0,2}?(?:report|paper|article|announcement|note|statement|post)\b")
_MOST_WORDS = 4
_REST = ("similar", "others", "more", "etc", "so on")


def withheld(source: Source) -> Iterator[Claim]:
    """Claims without a value, of the section's thing, for two or more things that a sentence lists as not told."""
    for bullet in telling(source):
        for sentence in sentences(bullet.stretch):
            found = _WITHHELD.search(sentence.text)
            if found:
                about = _reported(source, sentence, found.start()) or subject_of_bullet(source, bullet)
                yield from _listed(source, about, sentence, found.end(), bullet.placed)


def _reported(source: Source, sentence: Stretch, end: int) -> About | None:
    """The thing that "the Corran Light report" is about, which says so."""
    for name in source.names_in(sentence)[:1]:
        behind = _REPORT.match(sentence.text, name.end)
        if behind and name.end < end and sentence.text[: name.start].strip().lower() in ("", "the"):
            at = sentence.part(name.start, name.end)
            return named(source, at, name.value)
    return None


def _listed(source: Source, about: About, sentence: Stretch, start: int, placed: Placed) -> Iterator[Claim]:
    end = _END.search(sentence.text, start)
    body = sentence.part(start, end.start() if end else len(sentence.text))
    pieces = []
    for piece in body.split(_PIECES):
        bracket = _BRACKET.search(piece.text)
        piece = piece.part(0, bracket.start()) if bracket else piece
        while led := _THEIR.match(piece.text):
            piece = piece.part(led.end())
        if piece.text.strip() and piece.text.strip().lower() not in _REST:
            pieces.append(piece.strip())
    if len(pieces) < 2 or any(len(WORD.findall(p.text)) > _MOST_WORDS for p in pieces):
        return
    for piece in pieces:
        known = candidates(source, label_of(piece.text), about.kinds)
        predicate = predicate_of(known[0]) if known else Predicate(piece.text)
        given = Given.of(None, piece)
        yield claim(source, NAME, about, Property(predicate, (piece.span,)), given, section_frame(source, placed))
