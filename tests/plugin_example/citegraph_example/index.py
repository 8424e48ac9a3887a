"""An index by trigrams of letters: it forgives misspelling, and knows nothing of meaning."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from kg.protocols import Hit


class TrigramIndex:
    """Finds entries whose words look like the query's. Scores are Dice's coefficient, from 0 to 1."""

    def __init__(self, entries: Sequence[tuple[str, str]]) -> None:
        self._entries = sorted(entries)
        self._grams = [(id_, _trigrams(text)) for id_, text in self._entries]

    def search(self, query: str, limit: int) -> Sequence[Hit]:
        """At most ``limit`` entries, best first, equal scores by id; entries without a common trigram are left out."""
        wanted = _trigrams(query)
        hits = [Hit(id_, 2 * len(wanted & found) / (len(wanted) + len(found) or 1)) for id_, found in self._grams]
        return sorted((h for h in hits if h.score), key=lambda h: (-h.score, h.id))[:limit]

    def save(self, folder: Path) -> None:
        """Writes the entries as JSON; trigrams are made anew."""
        (folder / "trigrams.json").write_text(json.dumps(self._entries, ensure_ascii=False), encoding="utf-8")


def _trigrams(text: str) -> frozenset[str]:
    words = (f"  {word} " for word in text.casefold().split())
    return frozenset(word[at : at + 3] for word in words for at in range(len(word) - 2))
