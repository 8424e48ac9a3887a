"""Words of labels and questions in normal forms, and what each is worth in telling the labels of a table apart."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from kg.ask.terms import parts, tokens
from kg.ask.words import FUNCTION, words
from kg.tabular.times import without_years

# Words that only hold a sentence together; "other", "under", "over" tell rows of a table apart.
STOP = FUNCTION - words("other others under over up down out below above before after own")
_NOTE = re.compile(r"\((?:\d{1,2}|[a-z]|in [^()]*|\w+ in [^()]*)\)|(?<=[a-z])\d\b")
_QUARTERS = {"first": "q1", "1st": "q1", "second": "q2", "2nd": "q2", "third": "q3", "3rd": "q3", "fourth": "q4",
             "4th": "q4"}  # fmt: skip


@lru_cache(maxsize=50_000)
def terms(text: str) -> tuple[str, ...]:
    """Normal forms of a text's words in order, without years, notes and words that only hold it together."""
    plain = _NOTE.sub(" ", without_years(text))
    found: list[str] = []
    for token in tokens(plain):
        if token.lower in STOP:
            continue
        quarter = _QUARTERS.get(token.lower)
        found += (quarter,) if quarter else parts(token) or (token.term,)
    return tuple(found)


# What a word counts that stands over the whole table.
COMMON = 0.4


class Weights:
    """Weights of words by how few of the labels have them; ``common`` stands over all of them."""

    def __init__(self, labels: Iterable[str], common: str = "") -> None:
        known = [set(terms(label)) for label in labels]
        counts = Counter(word for label in known for word in label)
        self._total = len(known)
        self._weights = {word: math.log(1 + self._total / n) for word, n in counts.items()}
        for word in set(terms(common)) & self._weights.keys():
            self._weights[word] *= COMMON

    def of(self, words: Iterable[str]) -> float:
        """The weight of words together; words that no label has weigh nothing."""
        return sum(self._weights.get(word, 0.0) for word in words)
