"""Headings taken apart: number, name, aspect and bracket ("3. The GPT-2 Launch (February 2019)")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from kg.extract.stretch import Stretch
from kg.extract.words import SMALL, WORD, Words

_NUMBER = re.compile(
    r"""\s*(?:
        (?:phase|chapter|part|section|step|stage|appendix|era|volume|book|act|unit|annex)\s+
            (?:\d+(?:\.\d+)*|[IVXLC]+|[A-Z])\b\s*[.):—–-]*\s+
      | (?:\d+(?:\.\d+)*[.):]|[IVXLC]+[.)]|[A-Z][.)]|\d+(?:\.\d+)+)\s+
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_BRACKET = re.compile(r"\s*\(([^()]*)\)\s*$")
_COLON = re.compile(r"\s*(?:[:：]|\s[—–-]+)\s+")
_JOINED = re.compile(r"\s+(?:and|vs\.?|versus)\s+|\s*,\s+")
_SLASH = re.compile(r"\s+/\s+")
_PREPOSITION = re.compile(r"\s+(?:at|behind|by|during|for|from|in|of|on|since|to|under|until|with|within|as)\s+")
_POSSESSIVE = re.compile(r"(?:[’']s|(?<=s)[’'])\s+")
_ARTICLE = re.compile(r"(?:the|an?|our)\s+", re.IGNORECASE)
_AMOUNT = re.compile(r"[$€£¥]\s?\d|\d[\d.,]*\s?(?:million|billion|thousand|%)")
_QUESTION = re.compile(
    r"(?:what|how|why|when|where|who|which|not|no|from|about|for|under|after|before|with)\b", re.IGNORECASE
)
VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|begins?|began|ends?|ended|starts?|started|comes?|came|goes|went|becomes?|became|gets?|got"
    r"|makes?|made|meets?|met|moves?|moved|takes?|took|looks?|looked|works?|fails?|failed|grows?|grew|broke|breaks)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“](?P<inside>[^\"“”]+)[\"”]")
_GERUND = re.compile(r"[A-Za-z]{3,}ing\b")


class Rank(IntEnum):
    """How surely a heading names a thing."""

    GENERIC = 0
    PLAIN = 1
    NAMED = 2


@dataclass(frozen=True, slots=True)
class Title:
    """A heading's parts. ``names``: what it may be about, the likeliest first; none if it names an aspect only.

    ``aspect``: the words that say which side of the thing is treated ("Launch"). ``notes``: contents of its brackets.
    """

    rank: Rank
    names: tuple[Stretch, ...]
    aspect: str
    notes: tuple[Stretch, ...]
    topic: Stretch


def read_title(heading: Stretch, words: Words) -> Title:
    """A heading's parts. The topic is the heading without number and brackets."""
    topic, notes = _without_brackets(_without_number(heading))
    if not topic:
        return Title(Rank.GENERIC, (), "", notes, heading)
    if _QUESTION.match(topic.text) or VERB.search(topic.text):
        return Title(Rank.GENERIC, (), topic.text, notes, topic)
    if quoted := _QUOTED.fullmatch(topic.text):
        return Title(Rank.NAMED, (topic.part(quoted.start("inside"), quoted.end("inside")),), "", notes, topic)
    found = list(_names(topic, words))
    found = [(name, aspect) for name, aspect in found if not _is_plural_noun(name.text, words)]
    proper = [(name, aspect) for name, aspect in found if words.has_proper(name.text)]
    if proper:
        name = proper[0][0].text  # "Lamp" alone is a topic, unless the text writes it with a capital too
        sure = len(WORD.findall(name)) > 1 or words.sure(name) or name in words.seen
        return Title(Rank.NAMED if sure else Rank.PLAIN, tuple(n for n, _ in proper), proper[0][1], notes, topic)
    if found:
        return Title(Rank.PLAIN, tuple(n for n, _ in found), found[0][1], notes, topic)
    return Title(Rank.GENERIC, (), topic.text, notes, topic)


def _is_plural_noun(name: str, words: Words) -> bool:
    """Whether a heading is one common plural ("Suppliers"): a kind of things, not a thing."""
    return bool(re.fullmatch(r"[A-Z]?[a-z]{3,}s", name)) and not name.endswith("ss") and not words.sure(name)


def _without_number(heading: Stretch) -> Stretch:
    heading = heading.strip()
    number = _NUMBER.match(heading.text)
    rest = heading.part(number.end()).strip() if number else heading
    return rest or heading


def _without_brackets(heading: Stretch) -> tuple[Stretch, tuple[Stretch, ...]]:
    notes: list[Stretch] = []
    while bracket := _BRACKET.search(heading.text):
        if bracket.start() == 0:
            break
        note = heading.part(bracket.start(1), bracket.end(1)).strip()
        notes += [note] if note else []
        heading = heading.part(0, bracket.start()).strip()
    return heading, tuple(reversed(notes))


def _names(topic: Stretch, words: Words) -> list[tuple[Stretch, str]]:
    """Candidate names with their aspect, the likeliest first."""
    parts = list(topic.split(_COLON))
    # "Custom lamps: Aurora" is about Aurora, "Aurora: the new lamp" too: the side that is written as a name.
    parts.sort(key=lambda p: (not words.sure(p.text), not words.has_proper(p.text)))
    found: list[tuple[Stretch, str]] = []
    for part in parts[:2]:
        for piece in part.split(_SLASH):
            found += _named(piece, words)
    return found


def _named(piece: Stretch, words: Words) -> list[tuple[Stretch, str]]:
    piece = piece.strip(" \"“”'‘’*_")
    article = _ARTICLE.match(piece.text)
    piece = piece.part(article.end()) if article else piece
    if _AMOUNT.search(piece.text):  # "The 2 million loan": an event's title stays whole
        return [(piece, "")]
    if _GERUND.match(piece.text):  # "Moving to Kiel": about what it names, if anything
        return _objects(piece, words)
    joined = list(piece.split(_JOINED))
    if len(joined) > 1:
        return [found for part in joined for found in _named(part, words)]
    name, aspect = _without_aspect(_left_of_preposition(piece, words), words)
    if not name:
        return _right_of_preposition(piece, words)
    rest = piece.text[name.end - piece.start :].strip()
    return [(name, aspect or rest)] if not words.aspect(name.text) else []


def _left_of_preposition(piece: Stretch, words: Words) -> Stretch:
    found = _PREPOSITION.search(piece.text)
    owner = _POSSESSIVE.search(piece.text)
    if owner and owner.start():  # "Orr's lamps": of Orr; "Board's Kappa-4 lamp": the lamp
        return (
            piece.part(0, owner.start()) if words.has_proper(piece.text[: owner.start()]) else piece.part(owner.end())
        )
    if not found or not found.start():
        return piece
    left, right = piece.part(0, found.start()), piece.part(found.end())
    whole = words.is_name(left.text) and words.is_name(right.text) and not words.aspect(left.text.split()[-1])
    return piece if whole else left


def _right_of_preposition(piece: Stretch, words: Words) -> list[tuple[Stretch, str]]:
    found = _PREPOSITION.search(piece.text)
    if not found:
        return []
    return [(name, piece.text[: found.start()]) for name, _ in _named(piece.part(found.end()), words)]


def _without_aspect(piece: Stretch, words: Words) -> tuple[Stretch, str]:
    """The piece without trailing words for aspects: "GPT-2 Launch" → "GPT-2", "Launch"."""
    tokens = list(WORD.finditer(piece.text))
    last = len(tokens)
    while last and words.aspect(tokens[last - 1].group()) and not words.proper(tokens[last - 1].group()):
        last -= 1
    # A common word that is left before the aspect belongs to it ("Water consumption"), unless it is all there is.
    if last and last < len(tokens) and not words.has_proper(piece.text[: tokens[last - 1].end()]):
        return piece.part(0, 0), piece.text
    if not last:
        return piece.part(0, 0), piece.text
    return piece.part(0, tokens[last - 1].end()), piece.text[tokens[last - 1].end() :].strip()


def _objects(piece: Stretch, words: Words) -> list[tuple[Stretch, str]]:
    tokens = list(WORD.finditer(piece.text))
    runs: list[tuple[int, int]] = []
    for token in tokens[1:]:
        if words.proper(token.group()):
            joins = runs and not re.search(r"\w", piece.text[runs[-1][1] : token.start()])
            runs = [*runs[:-1], (runs[-1][0], token.end())] if joins else [*runs, (token.start(), token.end())]
        elif token.group().lower() not in SMALL and not runs:
            continue
    if not runs and all(words.aspect(token.group()) for token in tokens):
        return []
    return [(piece.part(start, end), piece.text) for start, end in runs[:1]] or [(piece, "")]
