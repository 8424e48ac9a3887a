"""What the extractor is asked for and what it learns from: relations, sentences with marked facts, found facts.

Offsets are code points of the sentence, ends exclusive.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

Span = tuple[int, int]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]{3,})?|['’]s\b|[^\w\s]|_")


@dataclass(frozen=True, slots=True, order=True)
class Relation:
    """A relation by its words. ``key`` tells it from others of its schema; it is never shown to the model."""

    key: str
    label: str
    definition: str = ""
    domain: str = ""
    range: str = ""

    @property
    def texts(self) -> tuple[str, str, str, str]:
        """What of it is embedded: label, label with definition, type of subjects, type of objects."""
        said = f"{self.label}: {self.definition}" if self.definition else self.label
        return self.label, said, self.domain or "thing", self.range or "thing"


@dataclass(frozen=True, slots=True)
class Marked:
    """A fact in a sentence: any of the subject's spans with any of the object's states it."""

    relation: str
    subjects: tuple[Span, ...]
    objects: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Guess:
    """A fact that a sentence may state without its being marked, and how likely that is (0 to 1)."""

    relation: str
    subject: Span
    object: Span
    chance: float


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, the facts marked in it, and the relations that it was read for (keys; others are unknown).

    ``mentions`` are further spans that name something; ``exhaustive``: all facts of these relations are marked, or
    else ``guesses`` may tell more of them.
    """

    text: str
    facts: tuple[Marked, ...]
    asked: tuple[str, ...]
    mentions: tuple[Span, ...] = ()
    exhaustive: bool = True
    guesses: tuple[Guess, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """Words and marks of punctuation of a text with their offsets."""

    text: str
    spans: tuple[Span, ...] = field(default=())

    @classmethod
    def of(cls, text: str, most: int = 400) -> Words:
        """The first ``most`` words of a text."""
        return cls(text, tuple(m.span() for m in _WORD.finditer(text))[:most])

    def cover(self, span: Span) -> tuple[int, int] | None:
        """First and last word (inclusive) that a stretch touches, or None."""
        touched = [i for i, (start, end) in enumerate(self.spans) if start < span[1] and span[0] < end]
        return (touched[0], touched[-1]) if touched else None


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate fact: where subject and object stand, and the model's log-odds for it."""

    relation: str
    subject: Span
    object: Span
    score: float
