"""What the words of the documents are worth: how rare they are, which are names, which are misspelt."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from kg.model import Passage, UnitKind
from kg.text.terms import bag, tokens

# Units in which a capital letter says something: in heads of tables, headings and code everything may have one.
_PROSE = (UnitKind.SENTENCE, UnitKind.ITEM)


def _count_capitals(text: str, seen: Counter[str], capital: Counter[str], written: dict[str, str]) -> None:
    """Counts words, and those with a capital letter that doesn't come from opening a sentence, label or quotation."""
    for token in tokens(text):
        opens = not re.search(r"[\w,)’']\s?$", text[: token.start])
        inner = any(c.isupper() for c in token.text[1:])
        if inner or not opens:
            seen[token.term] += 1
            if inner or token.text[0].isupper():
                capital[token.term] += 1
                bare = re.sub(r"['’]s?$", "", token.text)
                written[token.term] = min(written.get(token.term, bare), bare)
        elif token.text[0].islower():
            seen[token.term] += 1


@dataclass(frozen=True)
class Lexicon:
    """Counts over the units of all passages, by normal form.

    ``units``: how many units there are. ``frequency``: in how many of them a word occurs, in their text or context.
    ``capitalised``: words that are (nearly) always written with a capital letter inside sentences. ``written``: how
    the documents write these.
    """

    units: int
    frequency: dict[str, int]
    capitalised: frozenset[str]
    written: dict[str, str]

    @staticmethod
    def build(passages: Iterable[Passage]) -> Lexicon:
        """Counts the words of the passages' units and headings."""
        frequency: Counter[str] = Counter()
        seen: Counter[str] = Counter()
        capital: Counter[str] = Counter()
        written: dict[str, str] = {}
        units = 0
        for passage in passages:
            # Words that stand in headings alone must be known, but are no more common for standing over many units.
            frequency.update(bag(" ".join(passage.headings)) - frequency.keys())
            for unit in passage.units:
                units += 1
                frequency.update(bag(unit.plain))
                if unit.kind in _PROSE:
                    _count_capitals(unit.plain, seen, capital, written)
        names = frozenset(t for t, n in capital.items() if n >= 0.7 * seen[t] and t.isalpha() and len(t) > 1)
        return Lexicon(units, dict(frequency), names, {t: written[t] for t in sorted(names)})

    def known(self, word: str) -> bool:
        """Whether the documents have the word (in normal form)."""
        return word in self.frequency

    def rarity(self, word: str) -> float:
        """Inverse document frequency from 0 (everywhere) to 1 (nowhere)."""
        count = self.frequency.get(word, 0) or 0.5
        return math.log(1 + self.units / count) / math.log(1 + 2 * max(self.units, 1))

    @cached_property
    def long_words(self) -> dict[str, list[str]]:
        """Known words long enough to be recognised misspelt, by their first letter, sorted."""
        found: dict[str, list[str]] = defaultdict(list)
        for word in sorted(t for t in self.frequency if len(t) >= 5 and t.isalpha()):
            found[word[0]].append(word)
        return dict(found)

    def misspelt(self, word: str, certainty: float = 88.0) -> str | None:
        """The known word that an unknown one is probably a misspelling of: same first letter, few edits."""
        if len(word) < 5 or not word.isalpha() or self.known(word):
            return None
        from rapidfuzz import fuzz, process

        alike = self.long_words.get(word[0], [])
        found = process.extractOne(word, alike, scorer=fuzz.ratio, score_cutoff=certainty)
        return str(found[0]) if found else None

    def near(self, name: str, limit: int = 3) -> list[str]:
        """Names of the documents that look like one that they don't have, best first, as they write them."""
        from rapidfuzz import fuzz, process

        found = process.extract(
            name.casefold(), self.written, processor=str.casefold, scorer=fuzz.ratio, limit=limit, score_cutoff=65.0
        )
        return [str(text) for text, _, _ in found]
