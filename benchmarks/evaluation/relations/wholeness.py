"""How like a whole name, title, date or noun phrase a stretch of words is, by the text alone.

A model that wasn't trained on a relation is often right about who and what it joins but cuts the name short ("Green
Party" of "Green Party of Narvia"), runs on ("Brough Light in 1871") or takes the class word with it ("rivers Ense").
Every count is in log-odds; they were set on sentences of Text2KGBench's validation part (benchmarks/relations.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kg.relations.encoding import Encoded, enumerate_spans
from kg.syntax.parser import Ints
from kg.text import dates
from kg.text.words import FUNCTION_WORDS, word_set

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_INSIDE = FUNCTION_WORDS & word_set("of the and for to in on at a with or") | word_set(
    "de la le les du des von van der den di da del el al y & 's ’s"
)  # small words that names hold
_ARTICLES = word_set("the a an")
_PRONOUNS = word_set(
    "who which that this these those he she it they him her them his its their one what whom whose i we you there "
    "himself herself itself both all some many every"
)
_INDEFINITE = word_set("a an")
_OF_PEOPLES = re.compile(r"[a-z]+(?:an|ese|ish|ic)|french|dutch|greek|czech|welsh|swiss|thai|israeli|iraqi|pakistani")
_QUOTED = re.compile(r"[“\"]([^“”\"]{2,120})[”\"]")
_WHOLE = 3.0  # of a date and of all that stands in quotes
_LONG = 5  # words from which on length counts against a stretch


@dataclass(frozen=True, slots=True)
class Look:
    """What stands where in a sentence, a row a word; ``dates`` and ``quotes`` are first and last words."""

    lower: tuple[str, ...]
    upper: Flags
    capital: Flags  # upper case or a figure
    words: Flags  # no marks of punctuation
    small: Flags  # function words
    dates: tuple[tuple[int, int], ...]
    quotes: tuple[tuple[int, int], ...]
    tight: Flags  # nothing between it and what stands before

    @classmethod
    def of(cls, encoded: Encoded) -> Look:
        """A sentence's words as the network reads them."""
        text, spans = encoded.words.text, encoded.words.spans
        said = [text[slice(*span)] for span in spans]
        cover = encoded.words.cover

        def found(stretches: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
            return tuple(at for at in map(cover, stretches) if at is not None)

        return cls(
            tuple(word.lower() for word in said),
            _flags(said, lambda word: word[0].isupper()),
            _flags(said, lambda word: word[0].isupper() or word[0].isdigit()),
            _flags(said, lambda word: word[0].isalnum()),
            _flags(said, lambda word: word.lower() in FUNCTION_WORDS),
            found([(one.start, one.end) for one in dates.find(text)]),
            found([match.span(1) for match in _QUOTED.finditer(text)]),
            np.array([at > 0 and spans[at - 1][1] == span[0] for at, span in enumerate(spans)], bool),
        )

    def is_date(self, spans: Ints) -> Flags:
        """Which of the stretches, shape (S, 2), are dates or lie within one."""
        inside = np.zeros(len(spans), bool)
        for first, last in self.dates:
            inside |= (spans[:, 0] >= first) & (spans[:, 1] <= last)
        return inside

    def is_whole_date(self, spans: Ints) -> Flags:
        """Which of the stretches are dates from end to end."""
        return np.array([tuple(span) in set(self.dates) for span in spans.tolist()], bool)


def _flags(words: Sequence[str], test: Callable[[str], bool]) -> Flags:
    return np.array([test(word) for word in words], bool)


def wholeness(look: Look, spans: Ints) -> Floats:
    """Log-odds by which each stretch (first and last word, inclusive), shape (S, 2), is likelier to be a whole."""
    first, last = spans[:, 0], spans[:, 1]
    total = _begins(look)[first] + _ends(look)[last] + _between(look, spans)
    total += _by_dates(look, spans)
    for quote in look.quotes:
        inside = (first >= quote[0]) & (last <= quote[1])
        whole = inside & (first == quote[0]) & (last == quote[1])
        total = np.where(whole, np.maximum(total + 2.0, _WHOLE), total - inside)
    return np.asarray(np.where(look.is_whole_date(spans), _WHOLE, total), np.float32)


def liked_whole(encoded: Encoded) -> Floats:
    """How like a whole each of a sentence's stretches is, as :meth:`kg.relations.scoring.Model.scores` wants it."""
    return wholeness(Look.of(encoded), enumerate_spans(encoded))


def qualifies(look: Look, spans: Ints) -> Flags:
    """Which stretches, shape (S, 2), end in a capitalised word that only qualifies the common noun behind it.

    "Danish" of "a Danish potter" or of "the former Danish potter" names nothing by itself; "Ense" of "the Ense flows"
    does.
    """
    found = np.zeros(len(spans), bool)
    for at, (first, last) in enumerate(spans.tolist()):
        behind = last + 1
        if not look.upper[last] or behind >= len(look.lower) or not look.words[behind]:
            continue
        if look.capital[behind] or look.small[behind]:
            continue
        opened = first > 0 and look.lower[first - 1] in _INDEFINITE
        people = first == last and _OF_PEOPLES.fullmatch(look.lower[last]) and not look.lower[behind].endswith("ed")
        found[at] = bool(opened or people)
    return found


def _begins(look: Look) -> Floats:
    """What a stretch that begins at each word gets for what stands there and before."""
    worth = np.zeros(len(look.lower), np.float32)
    for at, word in enumerate(look.lower):
        if word in _ARTICLES:
            worth[at] -= 0.7 if at == 0 else 0.0 if look.upper[at] else 1.0
        elif look.small[at] and not look.upper[at]:
            worth[at] -= 2.0
        if not at or not look.capital[at]:
            continue
        if look.words[at - 1]:
            if look.upper[at - 1] and not (at == 1 and look.small[0]):
                worth[at] -= 1.5
            elif at > 1 and look.lower[at - 1] in ("of", "for") and look.upper[at - 2]:
                worth[at] -= 0.5
        elif look.lower[at - 1] == "-" and look.tight[at]:
            worth[at] -= 1.5
    return worth


def _ends(look: Look) -> Floats:
    """What a stretch that ends at each word gets for what stands there and behind."""
    count = len(look.lower)
    worth = np.zeros(count, np.float32)
    for at, word in enumerate(look.lower):
        if look.small[at]:
            worth[at] -= 2.0
        if at == count - 1:
            worth[at] -= 1.0 if word == "." else 0.0
            continue
        after = look.lower[at + 1]
        if after == "-" and look.tight[at + 1]:
            worth[at] -= 1.5
        if not look.capital[at]:
            continue
        if look.words[at + 1] and look.capital[at + 1]:
            worth[at] -= 1.5
        elif at + 2 < count and look.upper[at + 2]:
            worth[at] -= {"of": 0.7, "for": 0.7, ":": 1.0}.get(after, 0.0)
        elif at + 3 < count and after in ("of", "for", "and") and look.lower[at + 2] == "the" and look.upper[at + 3]:
            worth[at] -= 0.35
    return worth


def _between(look: Look, spans: Ints) -> Floats:
    """What a stretch gets for its words together."""
    first, last = spans[:, 0], spans[:, 1]

    def count(marks: Flags, inner: bool = False) -> Floats:
        sums = np.concatenate([[0], np.cumsum(marks)])
        return np.asarray(sums[last] - sums[np.minimum(first + 1, last)] if inner else sums[last + 1] - sums[first])

    def are(*wanted: str) -> Flags:
        return np.array([word in wanted for word in look.lower], bool)

    capitals = count(look.capital & look.words)
    closes = look.capital[last] | are("!", "?", ".", ")", "]", "+")[last]
    held = np.array([word in _INSIDE for word in look.lower], bool) | look.capital | ~look.words
    name = look.capital[first] & closes & (count(~held) == 0)
    total = np.where(name, 1.5, np.where(capitals > 0, -1.5, 0.0))
    total -= 2.0 * ((capitals == 0) & (count(look.small & ~are("of"), inner=True) > 0))
    total -= 3.0 * ((first == last) & np.array([word in _PRONOUNS for word in look.lower], bool)[first])
    figures = np.array([word.isdigit() for word in look.lower], bool)
    total -= 0.5 * (count(look.words & ~figures) == 0)
    total -= 1.0 * (count(are(",")) > 0) + 0.7 * (count(are("'s", "’s"), inner=True) > 0)
    opened, closed = count(are("(", "[")), count(are(")", "]"))
    total -= np.where((opened != closed) | (count(are('"')) % 2 == 1), 3.0, 0.5 * (opened > 0))
    total -= 0.5 * np.maximum(0, last - first - _LONG) / 3
    return np.asarray(total, np.float32)


def _by_dates(look: Look, spans: Ints) -> Floats:
    """Against stretches that cut a date; a little against those that hold one."""
    worth = np.zeros(len(spans), np.float32)
    for first, last in look.dates:
        meets = (spans[:, 0] <= last) & (spans[:, 1] >= first)
        holds = meets & (spans[:, 0] <= first) & (spans[:, 1] >= last)
        worth -= np.where(holds, 0.5, np.where(meets, 3.0, 0.0)).astype(np.float32)
    return worth
