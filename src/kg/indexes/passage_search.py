"""Text → passages, ranked by dense and lexical retrieval, the words that they cover, and the names that link them.

The score of a passage is the mean of its own cosine with the text and of its best unit's, plus BM25 (as a share of the
best), plus the share of the text's words (by rarity) that stand in it. What a question of several steps asks for often
shares no word with it: so passages that name, or are named by, one of the best are raised, one step of a walk over
names (cf. Asai et al., Learning to retrieve reasoning paths over Wikipedia graph, 2020; here nothing is trained). A
link counts for more the rarer the name and the nearer the unit in which it stands is to the text; a passage that is
raised stays behind the one that raised it. Measured in ``benchmarks/retrieval.md``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kg.indexes.lexical import tokenize
from kg.indexes.texts import unit_id
from kg.protocols import Hit

if TYPE_CHECKING:
    from kg.indexes.segments import Indexes
    from kg.model import Passage

Floats = npt.NDArray[np.float64]

BM25, COVERAGE = 0.3, 0.2
STARTS = 5
"""From how many of the best passages links are followed."""
LINK, REST = 0.35, 0.3
"""What a link counts, and the share of the text's words that the first passage leaves and the second has."""
_WIDE = 300
_LONGEST, _COMMON = 8, 200  # words of a name; passages beyond which a name links nothing
_WORD = re.compile(r"\w+")
_ASIDE = re.compile(r"\s*\([^()]*\)")
_DECIMALS = 9

Name = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Query:
    """A text's vector, shape (dimensions,), its tokens' weights (their sum is 1) and which entries hold which."""

    vector: Floats
    weights: Floats  # (tokens,)
    present: npt.NDArray[np.bool_]  # (tokens, passages)
    bm25: Mapping[str, float]


@dataclass(frozen=True)
class PassageSearch:
    """Search over one generation's indexes; ``passages`` by identifier."""

    passages: Mapping[str, Passage]
    indexes: Indexes

    def search(self, text: str, limit: int) -> list[Hit]:
        """At most ``limit`` passages, best first, ties by identifier."""
        if limit < 1 or not self.passages or not text.strip():
            return []
        query = self._query(text)
        scores = {id_: self._score(query, id_) for id_ in sorted(self._candidates(text))}
        scores = self._linked(query, scores)
        ranked = sorted(scores.items(), key=lambda item: (-round(item[1], _DECIMALS), item[0]))
        return [Hit(id_, round(score, _DECIMALS)) for id_, score in ranked[:limit]]

    # --- one passage at a time ---------------------------------------------------------------

    def _query(self, text: str) -> _Query:
        lexical = self.indexes.passages_lexical
        tokens = sorted(set(tokenize(text)))
        weights = np.array([lexical.idf(token) for token in tokens], dtype=np.float64)
        present = np.zeros((len(tokens), len(lexical)), dtype=np.bool_)
        for row, token in enumerate(tokens):
            present[row, lexical.rows_with(token)] = True
        hits = lexical.search(text, max(_WIDE, len(lexical)))
        top = hits[0].score if hits else 1.0
        vector = self.indexes.passages.encoder.encode([text])[0].astype(np.float64)
        shares = weights / weights.sum() if len(tokens) else weights
        return _Query(vector, shares, present, {hit.id: hit.score / top for hit in hits})

    def _candidates(self, text: str) -> set[str]:
        found = {hit.id for hit in self.indexes.passages.search(text, _WIDE)}
        found |= {hit.id for hit in self.indexes.passages_lexical.search(text, _WIDE)}
        return found | {hit.id.rpartition("#")[0] for hit in self.indexes.units.search(text, _WIDE)}

    def _score(self, query: _Query, id_: str) -> float:
        own = float(self.indexes.passages.vector(id_).astype(np.float64) @ query.vector)
        units = self._unit_cosines(query, id_)
        best = max(units.values(), default=own)
        covered = float(query.weights @ query.present[:, self._rows[id_]])
        return (own + best) / 2 + BM25 * query.bm25.get(id_, 0.0) + COVERAGE * covered

    def _unit_cosines(self, query: _Query, id_: str) -> dict[int, float]:
        units, passage = self.indexes.units, self.passages[id_]
        found = ((number, units.rows.get(unit_id(passage, number))) for number in range(len(passage.units)))
        rows = {number: row for number, row in found if row is not None}
        if not rows:
            return {}
        cosines = units.vectors[list(rows.values())].astype(np.float64) @ query.vector
        return dict(zip(rows, map(float, cosines), strict=True))

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        return {id_: row for row, id_ in enumerate(self.indexes.passages_lexical.ids)}

    # --- from passage to passage -------------------------------------------------------------

    def _linked(self, query: _Query, scores: dict[str, float]) -> dict[str, float]:
        starts = sorted(scores, key=lambda id_: (-round(scores[id_], _DECIMALS), id_))[:STARTS]
        raised = dict(scores)
        for start in starts:
            standing = scores[start] / scores[starts[0]] if scores[starts[0]] > 0 else 0.0
            left = query.weights * ~query.present[:, self._rows[start]]
            for id_, link in sorted(self._links(query, start).items()):
                own = scores[id_] if id_ in scores else self._score(query, id_)
                more = LINK * link * standing + REST * float(left @ query.present[:, self._rows[id_]])
                bounded = max(own, min(own + more, scores[start] * 0.999))
                raised[id_] = max(raised.get(id_, own), bounded)
        return raised

    def _links(self, query: _Query, start: str) -> dict[str, float]:
        """Passages that the start names, or that name it, with the strength of the strongest link, 0 to 2."""
        found: dict[str, float] = defaultdict(float)
        cosines = self._unit_cosines(query, start)
        for number, name in self._named_in(start):
            nearness = 2 * max(0.0, cosines.get(number, 0.0)) * self._rarity(name)
            for id_ in self._holders[name]:
                if id_ != start and nearness:
                    found[id_] = max(found[id_], nearness)
        for name in self._names(start):
            rarity = self._rarity(name)
            for id_ in self._mentioning(name) if rarity else ():
                near = self._unit_cosines(query, id_)
                units = [near.get(n, 0.0) for n, other in self._named_in(id_) if other == name]
                if id_ != start and units:
                    found[id_] = max(found[id_], 2 * max(0.0, *units) * rarity)
        return found

    def _rarity(self, name: Name) -> float:
        """What a name counts as a link: 1 for one that stands in a single passage, 0 for one that is everywhere."""
        degree = max(len(self._mentioning(name)), len(self._holders[name]), 1)
        return 0.0 if degree > _COMMON else float(1 / (1 + np.log(degree)))

    def _mentioning(self, name: Name) -> list[str]:
        """Passages that have all words of a name."""
        lexical = self.indexes.passages_lexical
        held = [set(lexical.rows_with(token).tolist()) for token in tokenize(" ".join(name))]
        return [lexical.ids[row] for row in sorted(set.intersection(*held) if held else ())]

    @cached_property
    def _holders(self) -> Mapping[Name, tuple[str, ...]]:
        """Names that head passages, with those passages."""
        holders: dict[Name, list[str]] = defaultdict(list)
        for id_ in sorted(self.passages):
            for name in self._names(id_):
                holders[name].append(id_)
        return {name: tuple(ids) for name, ids in holders.items()}

    def _names(self, id_: str) -> list[Name]:
        """What a passage's title and headings name, without what they add in brackets."""
        names = (tuple(_WORD.findall(_ASIDE.sub("", h).casefold())) for h in self.passages[id_].headings)
        return list(dict.fromkeys(name for name in names if 0 < len(name) <= _LONGEST))

    def _named_in(self, id_: str) -> Iterator[tuple[int, Name]]:
        """Numbers of units with the longest names of headings in them; single words only as names are written."""
        for number, unit in enumerate(self.passages[id_].units):
            words = _WORD.findall(unit.plain)
            lower = [word.casefold() for word in words]
            for at, word in enumerate(words):
                for length in range(min(_LONGEST, len(words) - at), 0, -1):
                    name = tuple(lower[at : at + length])
                    if name in self._holders and (length > 1 or not word[:1].islower()):
                        yield number, name
                        break
