"""A question or a name as words: small letters, possessives apart, underscores and hyphens as spaces."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

_WORD = re.compile(r"'s\b|’s\b|[^\W_]+(?:\.[^\W_]+)*(?:,\d{3})*(?:['’](?!s\b)[^\W\d_]+)?|[,$€£%]", re.UNICODE)
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]")
_stemmer = Stemmer.Stemmer("english")


@dataclass(frozen=True, slots=True)
class Token:
    """A word with where it stands in the text."""

    text: str
    start: int
    end: int
    original: str
    quoted: bool = False


def tokens(text: str) -> tuple[Token, ...]:
    """The words of a text."""
    found = []
    quotes = [match.span(1) for match in _QUOTED.finditer(text)]
    for match in _WORD.finditer(text):
        word = fold(match[0]).replace("’", "'")
        inside = any(start <= match.start() < end for start, end in quotes)
        found.append(Token(word, match.start(), match.end(), match[0], inside))
    return tuple(found)


def fold(text: str) -> str:
    """Small letters without accents."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


@lru_cache(maxsize=50_000)
def words(text: str) -> tuple[str, ...]:
    """The words of a name."""
    return tuple(t.text for t in tokens(text) if t.text not in (",", "'s"))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word's stem (Snowball)."""
    return str(_stemmer.stemWord(word))
