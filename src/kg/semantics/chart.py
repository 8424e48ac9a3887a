"""A chart parser: neighbouring readings are put together by :mod:`kg.semantics.rules`, bottom up, best first.

Words between two readings may be left out, which costs unless they are function words; each cell keeps its best.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kg.semantics.items import Item
from kg.semantics.linking import Linker
from kg.semantics.rules import Rules
from kg.text.tokens import Token

_CELL, _CATEGORY, _LEAVES = 20, 10, 8
_GAP = 5
# Pairs of readings that are tried for one question; a longer one is read no further, so that none takes minutes.
MOST_PAIRS = 60_000
Cell = list[Item]


class Chart:
    """The readings of one question."""

    def __init__(self, tokens: Sequence[Token], linker: Linker, rules: Rules, weights: Mapping[str, float]) -> None:
        self._words = tuple(t.text for t in tokens)
        self._rules, self._weights = rules, weights
        self._skips = [linker.skip_cost(self._words, i) for i in range(len(tokens))]
        self.cells: dict[tuple[int, int], Cell] = {}
        self.pairs = 0
        self._fill(linker.items(tokens))

    def _fill(self, leaves: Iterable[Item]) -> None:
        by_span: dict[tuple[int, int], list[Item]] = defaultdict(list)
        for leaf in leaves:
            by_span[leaf.start, leaf.end].append(leaf)
        size = len(self._words)
        for length in range(1, size + 1):
            for start in range(size - length + 1):
                end = start + length
                found = _pruned(by_span.get((start, end), ()), _LEAVES)
                made = self._combined(start, end)
                if found or made:
                    cell = _pruned([*found, *made], _CATEGORY)[:_CELL]
                    more = [i for item in cell for i in self._rules.unary(item)]
                    self.cells[start, end] = _pruned([*cell, *more], _CATEGORY)[:_CELL] if more else cell

    def _combined(self, start: int, end: int) -> list[Item]:
        made: dict[object, Item] = {}
        for middle in range(start + 1, end):
            left = self.cells.get((start, middle))
            if not left:
                continue
            for begin in range(middle, min(end, middle + _GAP + 1)):
                right = self.cells.get((begin, end))
                cost, local = self._skipped(middle, begin)
                if right and cost > -2.6 and self.pairs < MOST_PAIRS:
                    self.pairs += len(left) * len(right)
                    gap = self._words[middle:begin]
                    for one in left:
                        for other in right:
                            for item in self._rules.combine(one, other, gap):
                                item = (
                                    replace(item, score=item.score + cost, local=(*item.local, *local))
                                    if local
                                    else item
                                )
                                if (old := made.get(item.key)) is None or old.score < item.score:
                                    made[item.key] = item
        return list(made.values())

    def _skipped(self, start: int, end: int) -> tuple[float, tuple[tuple[str, float], ...]]:
        local = tuple(self._skips[i] for i in range(start, end) if self._skips[i][1])
        return sum(self._weights[name] * value for name, value in local), local

    def readings(self, limit: int = 40) -> list[Item]:
        """Readings of the whole question, the best first; words before and after may be left out."""
        size, found = len(self._words), []
        for (start, end), cell in self.cells.items():
            before, first = self._skipped(0, start)
            after, last = self._skipped(end, size)
            if before + after < -6:
                continue
            for item in cell:
                if item.cat in ("S", "X"):
                    found.append(replace(item, score=item.score + before + after, local=(*item.local, *first, *last)))
        found.sort(key=lambda i: (-i.score, i.start, i.end))
        kept: dict[object, Item] = {}
        for item in found:
            kept.setdefault(item.form, item)
        return list(kept.values())[:limit]


def _pruned(items: Iterable[Item], most: int) -> Cell:
    """The best of each category, each reading once."""
    best: dict[object, Item] = {}
    for item in items:
        if (old := best.get(item.key)) is None or old.score < item.score:
            best[item.key] = item
    count: dict[str, int] = defaultdict(int)
    kept = []
    for item in sorted(best.values(), key=lambda i: (-i.score, i.cat, repr(i.path))):
        count[item.cat] += 1
        if count[item.cat] <= most:
            kept.append(item)
    return kept
