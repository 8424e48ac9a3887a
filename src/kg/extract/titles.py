"""Headings taken apart: number, name, aspect and bracket ("3. The GPT-2 Launch (February 2019)")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from kg.extract.words import SMALL, WORD, Words
from kg.text import dates
from kg.text.entities import holds_together
from kg.text.gazetteer import PARTICLES
from kg.text.stretch import Stretch

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
    r"(?:what|how|why|when|where|who|which|not|no|from|about|for|under|after|before|with)\b"
    # "At the peak", "Between the wars": when or where, not what
    r"|(?:across|among|around|at|behind|between|beyond|by|during|in|inside|on|since|through|to|towards?|until|within)\s",
    re.IGNORECASE,
)
VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|begins?|began|ends?|ended|starts?|started|comes?|came|goes|went|becomes?|became|gets?|got"
    r"|makes?|made|meets?|met|moves?|moved|takes?|took|looks?|looked|works?|fails?|failed|grows?|grew|broke|breaks)\b",
    re.IGNORECASE,
)
# "[2.4.0] - 2024-11-28", "1.2 (2021-03-04)", "v3.0 — May 2024", "[0.9.1]": what came out, and when.
_RELEASE = re.compile(
    r"(?:version\s+|release\s+)?(?P<open>\[)?(?P<version>(?:v\d+(?:\.\d+)*|\d+(?:\.\d+)+)(?:[-+.]?\w+)*)(?(open)\])"
    r"(?:\s*(?:\s[-–—/]+\s|,\s|\()\s*(?P<date>[^()\[\]]+?)\)?|(?(open)|(?!)))(?:\s+\[\w+\])?",
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
    ``released``: whether it is a version with its date.
    """

    rank: Rank
    names: tuple[Stretch, ...]
    aspect: str
    notes: tuple[Stretch, ...]
    topic: Stretch
    released: bool = False

    @property
    def whole(self) -> Stretch:
        """The topic without its article."""
        article = _ARTICLE.match(self.topic.text)
        return self.topic.part(article.end()) if article else self.topic

    def joins(self, name: Stretch) -> bool:
        """Whether a heading names several things of which this is one ("Bread and Compass")."""
        parts = list(self.topic.split(_JOINED))
        return len(parts) > 1 and len(parts) == len(self.names) and name in self.names


def read_title(heading: Stretch, words: Words) -> Title:
    """A heading's parts. The topic is the heading without number and brackets."""
    if (release := _release(heading.strip())) is not None:
        return release
    topic, notes = _without_brackets(_without_number(heading))
    if not topic:
        return Title(Rank.GENERIC, (), "", notes, heading)
    if _QUESTION.match(topic.text) or VERB.search(topic.text):
        return Title(Rank.GENERIC, (), topic.text, notes, topic)
    if quoted := _QUOTED.fullmatch(topic.text):
        return Title(Rank.NAMED, (topic.part(quoted.start("inside"), quoted.end("inside")),), "", notes, topic)
    first = next(topic.split(_COLON))
    if first.text.islower() and " " not in first.text and first != topic:
        return Title(Rank.NAMED, (first,), "", notes, topic)  # "lampd - Keeper for Linux": only a name begins so
    cut = list(_names(topic, words))
    found = [(name, aspect) for name, aspect in cut if not is_plural_noun(name.text, words)]
    if not any(_begins_name(name, topic) for name, _ in found):
        found = []
    if _is_work(topic, notes, [name for name, _ in (cut if len(cut) == 1 else found)], words):
        return Title(Rank.NAMED, (topic,), "", notes, topic)
    proper = [(name, aspect) for name, aspect in found if words.has_proper(name.text)]
    if proper:
        name = proper[0][0].text  # "Lamp" alone is a topic, unless the text writes it with a capital too
        sure = len(WORD.findall(name)) > 1 or words.sure(name) or name in words.seen
        return Title(Rank.NAMED if sure else Rank.PLAIN, tuple(n for n, _ in proper), proper[0][1], notes, topic)
    if found:
        return Title(Rank.PLAIN, tuple(n for n, _ in found), found[0][1], notes, topic)
    return Title(Rank.GENERIC, (), topic.text, notes, topic)


def _release(heading: Stretch) -> Title | None:
    """The version that a change log's heading names, apart from its date; a day ("12.05.2024") is none."""
    found = _RELEASE.fullmatch(heading.text)
    if found is None or dates.parse(found["version"]) is not None:
        return None
    if found["date"] is not None and dates.parse(found["date"]) is None:
        return None
    version = heading.part(*found.span("version"))
    dated = (heading.part(*found.span("date")),) if found["date"] is not None else ()
    return Title(Rank.NAMED, (version,), "release" if dated else "", dated, version, bool(dated))


def _begins_name(name: Stretch, topic: Stretch) -> bool:
    """Whether a name has a capital or begins the heading: not "five lines" of "Growth in five lines"."""
    article = _ARTICLE.match(topic.text)
    starts = (topic.start, topic.start + article.end() if article else topic.start)
    return name.start in starts or any(c.isupper() for c in name.text)


def _is_work(topic: Stretch, notes: tuple[Stretch, ...], names: list[Stretch], words: Words) -> bool:
    """Whether a heading dated to a point is wholly the title of a work or event ("Tide Tables for Pilots (May 1999)").

    So it is if what could be cut out of it as a name isn't surely one, and more than an aspect would be left over.
    """
    dated = [d for note in notes if (d := dates.parse(note.text)) is not None and d.latest and not d.end]
    head = _PREPOSITION.split(topic.text)[0]
    if not dated or not names or names[0] == topic or all(words.aspect(w) for w in WORD.findall(head)):
        return False
    if len(names) > 1:  # "Bread and Compass", not "Aurora-2 and Kappa-4"
        joined = [part.strip() for part in _JOINED.split(topic.text)]
        whole = [n.text for n in names] == joined
        return whole and dated[0].precision != "year" and not all(words.sure(n.text) for n in names)
    left = WORD.findall(topic.text[: names[0].start - topic.start] + topic.text[names[0].end - topic.start :])
    told = any(not words.aspect(w) for w in left) or left[-1:] == [w.lower() for w in left[-1:]]
    return told and not words.sure(names[0].text) and not _ARTICLE.match(topic.text)


def is_plural_noun(name: str, words: Words) -> bool:
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
    doing = _GERUND.match(piece.text)
    # "Moving to Kiel": about what it names; not so a "Mentoring Chair", if sentences write it with a capital too.
    if doing and (doing[0] not in words.capital or _PREPOSITION.search(piece.text)):
        return _objects(piece, words)
    joined = list(piece.split(_JOINED))
    if len(joined) == 2 and holds_together(joined[0].text, " and ", joined[1].text.split()[0]):
        return [_without_aspect(piece, words)]
    if len(joined) > 1:
        return [found for part in joined for found in _named(part, words)]
    name, aspect = _without_aspect(_left_of_preposition(piece, words), words)
    if not name or _only_opens(piece, name, words):
        return _right_of_preposition(piece, words) or ([(name, aspect)] if name else [])
    rest = piece.text[name.end - piece.start :].strip()
    return [(name, aspect or rest)] if not words.aspect(name.text) else []


def _only_opens(piece: Stretch, name: Stretch, words: Words) -> bool:
    """Whether a word has its capital from the heading's beginning only ("Annual report of the Orr Bank")."""
    found = _PREPOSITION.search(piece.text)
    rest = WORD.findall(piece.text[name.end - piece.start : found.start() if found else 0])
    one = name.start == piece.start and len(WORD.findall(name.text)) == 1
    return bool(one and rest and all(w == w.lower() for w in rest) and not words.sure(name.text))


def _left_of_preposition(piece: Stretch, words: Words) -> Stretch:
    found = _PREPOSITION.search(piece.text)
    owner = _POSSESSIVE.search(piece.text)
    owned = WORD.findall(piece.text[owner.end() :]) if owner else []
    if len(owned) > 1 and all(w[0].isupper() for w in owned) and not words.sure(" ".join(owned)):
        return piece  # "Ada's Harbour Soup"
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
    right = piece.part(found.end())
    if dates.parse(right.text) is not None:
        return []
    return [(name, piece.text[: found.start()]) for name, _ in _named(right, words)]


def _without_aspect(piece: Stretch, words: Words) -> tuple[Stretch, str]:
    """The piece without trailing words for aspects: "GPT-2 Launch" → "GPT-2", "Launch"."""
    tokens = list(WORD.finditer(piece.text))
    last = len(tokens)
    while last and words.aspect(tokens[last - 1].group()) and not words.proper(tokens[last - 1].group()):
        if last > 1 and tokens[last - 2].group() in PARTICLES and tokens[last - 1].group()[0].isupper():
            break  # "Ada van As"
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
