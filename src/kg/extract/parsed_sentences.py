"""Sentences of running text with their trees: which are worth a parse, and what stands where in one that was parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from kg.extract.build import About
from kg.extract.bullets import Bullet, key_value, lead
from kg.extract.clauses import Discourse
from kg.extract.source import Source, sentences
from kg.extract.sources import telling
from kg.extract.words import OURS
from kg.model import Value
from kg.syntax.parser import Parsed, Reader, shipped, words
from kg.syntax.proposing import Reading
from kg.syntax.sentence import Phrase, Sentence
from kg.text.entities import EntityMention
from kg.text.stretch import Found, Stretch

_ADVERB_AND_NAME = 2
_MOST_WORDS = 60
_FEWEST_WORDS = 4
_FEWEST_BLANKS = 5  # in what ends without a full stop
_OPENS = re.compile(  # what supposes, bids, or takes up words before that no rule resolves
    r"(?:If|Unless|Suppose|Imagine|Assume|Consider|Let|Note|See|For example|E\.g\.|Example|"
    r"Here|What|How|Why|Which|Who|To|Please|Do|Make)\b"
)
_THINKABLE = re.compile(r"\b(?:would|might|could|ought)\b")
"""What these tell is no fact; what can, may or has to be is one that its property tells ("must be painted by")."""
_SENTENCE_END = re.compile(r"[.!][\"”’)\]]*$")
_ODD = re.compile(r"[{}<>|=\\~^]|::|->")
_HAS = re.compile(r"[a-z]{2,}")


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A sentence to be parsed, in its bullet or paragraph; ``first``: it opens it."""

    bullet: Bullet
    sentence: Stretch
    words: tuple[tuple[int, int], ...]
    first: bool


@dataclass(frozen=True, slots=True)
class Meant:
    """What a subject's phrase means, and how that is known. ``person``: None where nothing tells.

    ``part``: the words of what belongs to it, of which the clause tells ("its *capital*").
    """

    about: About
    how: str
    person: bool | None = None
    plural: bool = False
    part: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Valued:
    """An argument as a value: a date, a quantity, a name or a text (``how``)."""

    value: Value
    at: Stretch
    how: str


@dataclass(frozen=True, eq=False)
class Told:
    """A parsed sentence in its document, and what the document has spoken of before it."""

    source: Source
    read: Read
    parser: Reader
    parsed: Parsed
    discourse: Discourse

    @cached_property
    def tree(self) -> Sentence:
        """The words with their dependents."""
        return Sentence(self.parsed)

    @cached_property
    def reading(self) -> Reading:
        """What the tree proposes."""
        return Reading(self.tree, self.parser.knows)

    @cached_property
    def names(self) -> list[Found[EntityMention]]:
        """The names in the sentence."""
        return self.source.names_in(self.read.sentence)

    def at(self, phrase: Phrase) -> tuple[int, int]:
        """Where a phrase stands in the sentence's text."""
        return self.read.words[phrase.start][0], self.read.words[phrase.end - 1][1]

    def part(self, phrase: Phrase) -> Stretch:
        """A phrase as a stretch of its block."""
        return self.read.sentence.part(*self.at(phrase)).strip(" ")


def opens_with_adverb(text: str) -> bool:
    """Whether a sentence begins with an adverb in "-ly", which a capital glues to the name behind ("Normally Rex").

    The tagger tells it from a name that ends so ("Emily Wren").
    """
    parser = shipped()
    at = words(text)
    if parser is None or len(at) < _ADVERB_AND_NAME or not text[: at[0][1]].endswith("ly"):
        return False
    parsed = next(iter(parser.parse_all([tuple(text[a:b] for a, b in at)])))
    return parsed.tags[0] == "ADV"


def worth_reading(source: Source) -> Iterator[Read]:
    """Sentences that may state a fact, by what can be seen without a tree; also what can be or has to be is one."""
    for bullet in telling(source):
        if bullet.in_list and (key_value(bullet.stretch) or lead(bullet.stretch)):
            continue
        for number, sentence in enumerate(sentences(bullet.stretch)):
            if (at := _words_worth(source, sentence.text)) is not None:
                yield Read(bullet, sentence, at, number == 0)


def _words_worth(source: Source, text: str) -> tuple[tuple[int, int], ...] | None:
    """The words of a sentence that is worth a parse; None of another."""
    if not (text[0].isupper() or text[0].isdigit()) or text.endswith((":", "?")) or not _HAS.search(text):
        return None
    ends = _SENTENCE_END.search(text) is not None
    if not ends and (text.count(" ") < _FEWEST_BLANKS or not source.words.has_verb(text)):
        return None
    if any(pattern.search(text) for pattern in (OURS, _ODD, _THINKABLE)) or _OPENS.match(text):
        return None
    at = tuple(words(text))
    return at if _FEWEST_WORDS <= len(at) <= _MOST_WORDS else None
