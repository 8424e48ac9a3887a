"""Names with figures as the documents spell them: "gpt3" or "GPT 3" for GPT-3, "V-100" for V100."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kg.ask.terms import Token, tokens

_MARKS = re.compile(r"[^a-z0-9.]")


@dataclass(frozen=True)
class Spellings:
    """How the documents write words that have letters and digits, by their letters and digits alone."""

    written: Mapping[str, str]

    @classmethod
    def of(cls, words: Iterable[str]) -> Spellings:
        """The spellings of words in normal form; what is written in several ways is left as it is."""
        found: dict[str, set[str]] = defaultdict(set)
        for word in words:
            if _is_mixed(word):
                found[_bare(word)].add(word)
        return cls({bare: min(ways) for bare, ways in sorted(found.items()) if len(ways) == 1})

    def mended(self, text: str) -> str:
        """A question with such words, and neighbours that make one, written as the documents write them."""
        words = tokens(text)
        changes: list[tuple[int, int, str]] = []
        at = 0
        while at < len(words):
            word = words[at]
            joined = self._joined(text, word, words[at + 1]) if at + 1 < len(words) else None
            written = joined or (self.written.get(_bare(word.lower)) if _is_mixed(word.lower) else None)
            last = at + 1 if joined else at
            if written and written != word.term:
                changes.append((word.start, words[last].start + len(words[last].lower), written))
            at = last + 1
        for start, end, written in reversed(changes):
            text = text[:start] + _cased(text[start:end], written) + text[end:]
        return text

    def _joined(self, text: str, left: Token, right: Token) -> str | None:
        """The one word that a word and the figure after it make."""
        if not left.text.isalpha() or not right.text[0].isdigit() or text[left.end : right.start] != " ":
            return None
        written = self.written.get(_bare(left.lower + right.lower))
        return written if written and written.startswith(left.lower) else None


def _is_mixed(word: str) -> bool:
    return any(c.isdigit() for c in word) and word[:1].isalpha()


def _bare(word: str) -> str:
    return _MARKS.sub("", word.casefold())


def _cased(said: str, written: str) -> str:
    return written.upper() if said.isupper() else written
