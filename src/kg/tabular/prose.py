"""Answers out of the paragraphs around a table: the best sentence, and of it the span of the kind asked for."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from kg import sentences
from kg.tabular import prose_spans
from kg.tabular.meanings import Meanings
from kg.tabular.prose_spans import Wanted
from kg.tabular.times import years
from kg.tabular.words import terms

# What nearness in meaning adds to the share of the question's words that a sentence has, and a span of the right kind.
MEANING, KIND = 0.5, 0.25
# Sentences, best by their words, that are compared in meaning where none has so much of the question's words.
COMPARED, WORDED = 8, 0.4


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its words in normal forms and the years it names."""

    text: str
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Told:
    """Spans of a sentence. ``share``: of the weight of the question's words, what the sentence has, 0 to 1."""

    spans: tuple[str, ...]
    sentence: str
    share: float


class Prose:
    """The paragraphs of one context."""

    def __init__(self, paragraphs: Sequence[str], meanings: Meanings | None = None) -> None:
        self._paragraphs = paragraphs
        self._meanings = meanings

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences, in order."""
        found = []
        for paragraph in self._paragraphs:
            plain = " ".join(paragraph.split())
            found += [plain[start:end] for start, end in sentences.spans(plain)]
        return tuple(Sentence(text, words(text)) for text in dict.fromkeys(found))

    @cached_property
    def _rarity(self) -> dict[str, float]:
        counts = Counter(word for s in self.sentences for word in s.words)
        total = len(self.sentences)
        return {word: math.log(1 + total / n) for word, n in counts.items()}

    def weight(self, word: str) -> float:
        """What a word of the question is worth; those of no sentence count as the rarest."""
        return self._rarity.get(word, math.log(1 + max(len(self.sentences), 1)))

    def ranked(self, question: str, wanted: Wanted) -> list[tuple[float, float, Sentence]]:
        """Score, share of the question's words and sentence, best first; only the best of them."""
        asked = words(question)
        total = sum(map(self.weight, asked)) or 1.0
        found = []
        for place, sentence in enumerate(self.sentences):
            share = sum(map(self.weight, asked & sentence.words)) / total
            kind = KIND if prose_spans.has(sentence.text, question, wanted) else 0.0
            found.append((share + kind, share, place, sentence))
        found.sort(key=lambda f: (-f[0], f[2]))
        if found and found[0][1] >= WORDED:
            return [(score, share, sentence) for score, share, _, sentence in found]
        ranked = [(score + self._near(question, s), share, place, s) for score, share, place, s in found[:COMPARED]]
        ranked.sort(key=lambda f: (-f[0], f[2]))
        return [(score, share, sentence) for score, share, _, sentence in ranked]

    def _near(self, question: str, sentence: Sentence) -> float:
        return MEANING * self._meanings.near(question, sentence.text) if self._meanings else 0.0

    def answer(self, question: str) -> Told | None:
        """The span asked for, of the best sentence; None without sentences."""
        wanted = prose_spans.wanted(question)
        for _, share, sentence in self.ranked(question, wanted)[:3]:
            if spans := prose_spans.spans(sentence.text, question, wanted):
                return Told(spans, sentence.text, share)
        return None


def words(text: str) -> frozenset[str]:
    """Normal forms of a text's words, and its years."""
    return frozenset((*terms(text), *map(str, years(text))))
