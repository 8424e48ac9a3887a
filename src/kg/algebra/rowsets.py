"""Sets of rows that a question may mean: filtered by its links, then chosen by extremes, order and other rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from kg.algebra.features import Asked, Features
from kg.algebra.forms import (
    Alike,
    Beside,
    Beyond,
    Both,
    Either,
    Every,
    Extreme,
    Nth,
    Rows,
    Side,
    Without,
)
from kg.algebra.links import Kind, Link, small

Scorer = Callable[[Features], float]
WHOLE = "all"
_MOST_FILTERS = 16


@dataclass(frozen=True, slots=True)
class Beam:
    """How many sets of rows are kept: from filters, from operators on them, and columns told of each."""

    filtered: int = 30
    chosen: int = 150
    columns: int = 12
    forms: int = 4000


@dataclass(frozen=True, slots=True)
class Set:
    """A set of rows being composed: its form, its rows as bits, its parts, the words and columns that it uses."""

    form: Rows
    rows: int
    shape: str
    parts: tuple[int, ...]
    words: int
    columns: int
    score: float
    links: tuple[Link, ...] = ()


class RowSets:
    """Composes the sets of one question; ``parts`` lists the features of each part once, ``scores`` what they count."""

    def __init__(self, asked: Asked, scorer: Scorer, beam: Beam | None = None) -> None:
        self.asked, self.scorer, self.beam = asked, scorer, beam or Beam()
        self.parts: list[Features] = []
        self.scores: list[float] = []
        self.evaluator = asked.linked.evaluator
        self.table = asked.linked.table
        self._known: dict[object, int] = {}
        self._said = {w.text for w in asked.question.words}

    # --- parts -----------------------------------------------------------------------------------

    def _part(self, key: object, make: Callable[[], Features]) -> int:
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self.parts)
            self.parts.append(make())
            self.scores.append(self.scorer(self.parts[-1]))
        return found

    def _operator(self, name: str) -> int:
        return self._part(("op", name), lambda: self.asked.operator(name))

    def _shape(self, name: str) -> int:
        return self._part(("shape", name), lambda: self.asked.shape(name))

    def _column(self, role: str, column: int) -> int:
        return self._part((role, column), lambda: self.asked.column(role, column))

    def _filter(self, link: Link) -> int:
        return self._part(link, lambda: self.asked.filter(link))

    def _sum(self, parts: Sequence[int]) -> float:
        return sum(self.scores[p] for p in parts)

    # --- sets of rows ----------------------------------------------------------------------------

    def _grown(self, of: Set, form: Rows, shape: str, new: Sequence[int], columns: Sequence[int] = ()) -> Set | None:
        rows = self.evaluator.rows(form)
        if not rows:
            return None
        words, used = of.words, of.columns
        for column in columns:
            words |= self.asked.heads[column].words
            used |= 1 << column
        parts = (*of.parts, *new)
        return Set(form, rows, shape, parts, words, used, of.score + self._sum(new), of.links)

    def filtered(self) -> list[Set]:
        """All rows, those of one filter, of two, of one not."""
        every = Set(Every(), self.evaluator.every, WHOLE, (), 0, 0, 0.0)
        singles = [self._single(link) for link in self.asked.links]
        singles = sorted(singles, key=lambda s: -s.score)[:_MOST_FILTERS]
        pairs = [p for one, two in combinations(singles, 2) for p in self._pairs(one, two)]
        nots = [n for s in singles if s.links[0].kind is not Kind.BOUND and (n := self._not(every, s)) is not None]
        found = self._best([*pairs, *nots], self.beam.filtered)
        triples = [t for p in found[:6] if p.shape == "where&where" for s in singles[:6] if (t := self._third(p, s))]
        return [every, *singles, *found, *self._best(triples, 6)]

    def _single(self, link: Link) -> Set:
        kind = "where" if link.kind is not Kind.BOUND else "bound"
        parts = (self._filter(link),)
        words = link.mask | self.asked.heads[link.where.column].words
        return Set(link.where, link.rows, kind, parts, words, 1 << link.where.column, self._sum(parts), (link,))

    def _pairs(self, one: Set, two: Set) -> Iterator[Set]:
        first, second = one.links[0], two.links[0]
        if first.mask & second.mask:
            return
        for name, form, needed in (
            ("and", Both(one.form, two.form), True),
            ("or", Either(one.form, two.form), first.where.column == second.where.column),
        ):
            rows = self.evaluator.rows(form)
            if not needed or not rows or (name == "or" and Kind.BOUND in (first.kind, second.kind)):
                continue
            new = (
                self._part((name, first, second), lambda n=name: self.asked.pair(n, first, second)),  # type: ignore[misc]
                self._operator(name),
            )
            parts = (*one.parts, *two.parts, *new)
            score = one.score + two.score + self._sum(new)
            shape = "where&where" if name == "and" else "where|where"
            yield Set(
                form, rows, shape, parts, one.words | two.words, one.columns | two.columns, score, (first, second)
            )

    def _third(self, pair: Set, single: Set) -> Set | None:
        link = single.links[0]
        if any(link.mask & o.mask for o in pair.links):
            return None
        form = Both(pair.form, single.form)
        rows = self.evaluator.rows(form)
        if not rows or rows == pair.rows:
            return None
        new = (*single.parts, self._operator("and"))
        words, columns = pair.words | single.words, pair.columns | single.columns
        score = pair.score + self._sum(new)
        return Set(form, rows, pair.shape, (*pair.parts, *new), words, columns, score, (*pair.links, link))

    def _not(self, every: Set, one: Set) -> Set | None:
        form = Without(every.form, one.form)
        rows = self.evaluator.rows(form)
        if not rows:
            return None
        new = (self._operator("not"),)
        return Set(form, rows, "not", (*one.parts, *new), one.words, one.columns, one.score + self._sum(new), one.links)

    def _best(self, sets: Sequence[Set], most: int) -> list[Set]:
        return sorted(sets, key=lambda s: -s.score)[:most]

    def chosen(self, filtered: Sequence[Set]) -> list[Set]:
        """Rows chosen from a set by an extreme, by order, or by what another row says."""
        found: list[Set] = []
        for of in filtered:
            if of.rows & (of.rows - 1):
                found += self._extremes(of)
                found += self._orders(of)
            if of.shape != WHOLE:
                found += self._neighbours(of)
        return self._best(found, self.beam.chosen)

    def _extremes(self, of: Set) -> Iterator[Set]:
        for column, about in enumerate(self.table.columns):
            if not about.ordered:
                continue
            for top in (True, False):
                name = "greatest" if top else "least"
                new = (self._operator(name), self._column(name, column))
                grown = self._grown(of, Extreme(of.form, column, top), f"{name}({of.shape})", new, (column,))
                if grown is not None:
                    yield grown
                if of.shape == WHOLE:
                    yield from self._top(of, column, top, name)

    def _top(self, of: Set, column: int, top: bool, name: str) -> Iterator[Set]:
        """The first so many, sorted by a column, where the question has the number."""
        for named in self.asked.question.named:
            count = small(named.value)
            if count is None or count < 2 or count >= self.table.size:
                continue
            new = (self._operator(f"{name}-n"), self._column(name, column))
            grown = self._grown(of, Extreme(of.form, column, top, count), f"{name}-n({of.shape})", new, (column,))
            if grown is not None:
                yield Set(
                    grown.form,
                    grown.rows,
                    grown.shape,
                    grown.parts,
                    grown.words | named.mask,
                    grown.columns,
                    grown.score,
                )

    def _orders(self, of: Set) -> Iterator[Set]:
        for n, name in ((1, "first"), (-1, "last")):
            grown = self._grown(of, Nth(of.form, n), f"{name}({of.shape})", (self._operator(name),))
            if grown is not None:
                yield grown
        if of.shape in (WHOLE, "where"):
            for named in self.asked.question.named:
                count = small(named.value)
                if count is not None and not named.mask & of.words:
                    new = (self._operator("nth"),)
                    grown = self._grown(of, Nth(of.form, count), f"nth({of.shape})", new)
                    if grown is not None and count > 1:
                        words = grown.words | named.mask
                        yield Set(grown.form, grown.rows, grown.shape, grown.parts, words, grown.columns, grown.score)

    def _neighbours(self, of: Set) -> Iterator[Set]:
        """Rows beside, before, after, like and beyond those of a set that is small."""
        if of.rows.bit_count() > 3:
            return
        makers: list[tuple[str, Rows, tuple[int, ...]]] = [
            ("next", Beside(of.form, 1), ()),
            ("previous", Beside(of.form, -1), ()),
            ("after", Side(of.form, True), ()),
            ("before", Side(of.form, False), ()),
        ]
        for column, about in enumerate(self.table.columns):
            if of.columns >> column & 1:
                continue
            makers.append(("alike", Alike(of.form, column), (column,)))
            if about.ordered:
                makers.append(("more", Beyond(of.form, column, True), (column,)))
                makers.append(("less", Beyond(of.form, column, False), (column,)))
        for name, form, columns in makers:
            new = (self._operator(name), *(self._column(name, c) for c in columns))
            grown = self._grown(of, form, f"{name}({of.shape})", new, columns)
            if grown is not None:
                yield grown

    def again(self, chosen: Sequence[Set]) -> list[Set]:
        """A further choice from sets that were chosen: the first of the greatest, the row after it."""
        found: list[Set] = []
        for of in self._best(chosen, 14):
            several = bool(of.rows & (of.rows - 1))
            outer = of.shape.partition("(")[0]
            if outer in ("greatest", "least", "first", "last", "nth"):
                found += self._neighbours_plain(of)
            if several and outer in ("more", "less", "after", "before", "alike", "greatest", "least"):
                found += self._orders(of)
                if outer not in ("greatest", "least"):
                    found += self._extremes(of)
        return self._best(found, 60)

    def _neighbours_plain(self, of: Set) -> Iterator[Set]:
        makers: tuple[tuple[str, Rows], ...] = (
            ("next", Beside(of.form, 1)), ("previous", Beside(of.form, -1)),
            ("after", Side(of.form, True)), ("before", Side(of.form, False)),
        )  # fmt: skip
        for name, form in makers:
            grown = self._grown(of, form, f"{name}({of.shape})", (self._operator(name),))
            if grown is not None:
                yield grown
