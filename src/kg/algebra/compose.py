"""Forms that a question may mean over a table: composed from its links by their types, best first, within a beam."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from kg.algebra.evaluate import Result
from kg.algebra.features import Asked, Features
from kg.algebra.forms import (
    Aggregate,
    Alike,
    Beside,
    Beyond,
    Both,
    Cells,
    Change,
    Commonest,
    Count,
    Difference,
    Distinct,
    Either,
    Every,
    Extreme,
    Form,
    Function,
    Greater,
    Holds,
    Nth,
    Ratio,
    Rows,
    Scalar,
    Side,
    Without,
)
from kg.algebra.links import Kind, Link, small
from kg.algebra.source import Type

# --- Sets of rows that a question may mean: filtered by its links, then chosen by extremes, order and other rows

Scorer = Callable[[Features], float]
WHOLE = "all"
_MOST_FILTERS = 16
_IN_PERCENT = ("change-percent", "share", "share-of", "part", "part-of")


@dataclass(frozen=True, slots=True)
class Beam:
    """How many sets of rows are kept: from filters, from operators on them, and columns told of each."""

    filtered: int
    chosen: int
    columns: int
    forms: int


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

    def __init__(self, asked: Asked, scorer: Scorer, beam: Beam) -> None:
        self.asked, self.scorer, self.beam = asked, scorer, beam
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

    def _grown(self, of: Set, form: Rows, shape: str, new: Sequence[int], columns: Sequence[int] = ()) -> Iterator[Set]:
        """A set chosen from another, unless it has no rows."""
        rows = self.evaluator.rows(form)
        if not rows:
            return
        words, used = of.words, of.columns
        for column in columns:
            words |= self.asked.heads[column].words
            used |= 1 << column
        parts = (*of.parts, *new)
        yield Set(form, rows, shape, parts, words, used, of.score + self._sum(new), of.links)

    def filtered(self) -> list[Set]:
        """All rows, those of one filter, of two, of one not."""
        every = Set(Every(), self.evaluator.every, WHOLE, (), 0, 0, 0.0)
        singles = [self._single(link) for link in self.asked.links]
        singles = _best(singles, _MOST_FILTERS)
        pairs = [p for one, two in combinations(singles, 2) for p in self._pairs(one, two)]
        nots = [
            n
            for s in singles
            if s.links[0].kind not in (Kind.BOUND, Kind.FLAG) and (n := self._not(every, s)) is not None
        ]
        found = _best([*pairs, *nots], self.beam.filtered)
        triples = [t for p in found[:6] if p.shape == "where&where" for s in singles[:6] if (t := self._third(p, s))]
        return [every, *singles, *found, *_best(triples, 6)]

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

    def chosen(self, filtered: Sequence[Set]) -> list[Set]:
        """Rows chosen from a set by an extreme, by order, or by what another row says."""
        found: list[Set] = []
        for of in filtered:
            if of.rows & (of.rows - 1):
                found += self._extremes(of)
                found += self._orders(of)
            if of.shape != WHOLE:
                found += self._neighbours(of)
        return _best(found, self.beam.chosen)

    def _extremes(self, of: Set) -> Iterator[Set]:
        for column, about in enumerate(self.table.columns):
            if not about.ordered:
                continue
            for top in (end for end in (True, False) if not self.asked.against(column, end)):
                name = "greatest" if top else "least"
                new = (self._operator(name), self._column(name, column))
                yield from self._grown(of, Extreme(of.form, column, top), f"{name}({of.shape})", new, (column,))
                if of.shape == WHOLE:
                    yield from self._top(of, column, top, name)
                yield from self._after_the_first(of, column, top, name)

    def _top(self, of: Set, column: int, top: bool, name: str) -> Iterator[Set]:
        """The first so many, sorted by a column, where the question has the number."""
        for named in self.asked.question.named:
            count = small(named.value)
            if count is None or count < 2 or count >= self.table.size:
                continue
            new = (self._operator(f"{name}-n"), self._column(name, column))
            for grown in self._grown(of, Extreme(of.form, column, top, count), f"{name}-n({of.shape})", new, (column,)):
                yield replace(grown, words=grown.words | named.mask, links=())

    def _after_the_first(self, of: Set, column: int, top: bool, name: str) -> Iterator[Set]:
        """The second, the third … sorted by a column, where the question says which."""
        for word, place in self.asked.question.places:
            new = (self._operator(name), self._column(name, column))
            form = Extreme(of.form, column, top, place=place)
            for grown in self._grown(of, form, f"{name}({of.shape})", new, (column,)):
                yield replace(grown, words=grown.words | 1 << word)

    def _orders(self, of: Set) -> Iterator[Set]:
        for n, name in ((1, "first"), (-1, "last")):
            yield from self._grown(of, Nth(of.form, n), f"{name}({of.shape})", (self._operator(name),))
        if of.shape in (WHOLE, "where"):
            for named in self.asked.question.named:
                count = small(named.value)
                if count is not None and count > 1 and not named.mask & of.words:
                    new = (self._operator("nth"),)
                    for grown in self._grown(of, Nth(of.form, count), f"nth({of.shape})", new):
                        yield replace(grown, words=grown.words | named.mask, links=())

    def _neighbours(self, of: Set) -> Iterator[Set]:
        """Rows beside, before, after, like and beyond those of a set that is small."""
        if of.rows.bit_count() > 3:
            return
        yield from self._in_order(of)
        for column, about in enumerate(self.table.columns):
            if of.columns >> column & 1:
                continue
            makers: list[tuple[str, Rows]] = [("alike", Alike(of.form, column))]
            if about.ordered:
                makers += [("more", Beyond(of.form, column, True)), ("less", Beyond(of.form, column, False))]
            for name, form in makers:
                new = (self._operator(name), self._column(name, column))
                yield from self._grown(of, form, f"{name}({of.shape})", new, (column,))

    def again(self, chosen: Sequence[Set]) -> list[Set]:
        """A further choice from sets that were chosen: the first of the greatest, the row after it."""
        found: list[Set] = []
        for of in _best(chosen, 14):
            several = bool(of.rows & (of.rows - 1))
            outer = of.shape.partition("(")[0]
            if outer in ("greatest", "least", "first", "last", "nth"):
                found += self._in_order(of)
            if several and outer in ("more", "less", "after", "before", "alike", "greatest", "least"):
                found += self._orders(of)
                if outer not in ("greatest", "least"):
                    found += self._extremes(of)
        return _best(found, 60)

    def _in_order(self, of: Set) -> Iterator[Set]:
        """Rows beside, before and after those of a set."""
        makers: tuple[tuple[str, Rows], ...] = (
            ("next", Beside(of.form, 1)), ("previous", Beside(of.form, -1)),
            ("after", Side(of.form, True)), ("before", Side(of.form, False)),
        )  # fmt: skip
        for name, form in makers:
            yield from self._grown(of, form, f"{name}({of.shape})", (self._operator(name),))


def _best(sets: Sequence[Set], most: int) -> list[Set]:
    return sorted(sets, key=lambda s: -s.score)[:most]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A form with its result, the parts that it is made of and the sum of what speaks for them."""

    form: Form
    result: Result
    parts: tuple[int, ...]
    score: float


class Composer(RowSets):
    """Composes the candidates of one question."""

    def candidates(self) -> list[Candidate]:
        """All forms within the beam, the best first."""
        filtered = self.filtered()
        chosen = self.chosen(filtered)
        chosen += self.again(chosen)
        found: list[Candidate] = []
        for of in (*filtered, *chosen):
            found += self._told(of)
            found += self._counted(of)
            if of.rows & (of.rows - 1) == 0:
                found += self._across(of)
                found += self._columns_related(of)
        for of in filtered:
            found += self._common(of)
            found += self._computed(of)
        for one, two in combinations([s for s in filtered if len(s.links) == 1], 2):
            if not one.links[0].mask & two.links[0].mask:
                found += self._between(one, two)
                found += self._related(one, two)
        found += self._whether(filtered)
        return sorted(found, key=lambda c: -c.score)[: self.beam.forms]

    def _made(
        self, form: Form, of: Set, shape: str, new: Sequence[int], columns: Sequence[int] = (), clash: str = ""
    ) -> Iterator[Candidate]:
        """A form told of a set, unless it has no answer."""
        result = self.evaluator.result(form)
        if result.empty:
            return
        words = of.words
        for column in columns:
            words |= self.asked.heads[column].words
        kind = self._kind(result, columns)
        size = len(result.texts) if result.texts else of.rows.bit_count()
        echo = bool(result.texts) and set(result.texts[0].casefold().split()) <= self._said
        family = shape.partition("(")[0]
        key = ("out", family, kind, min(size, 6), words, echo, clash)
        outcome = self._part(key, lambda: self.asked.outcome(shape, kind, size, words, echo, clash))
        parts = (*of.parts, *new, self._shape(shape), outcome)
        yield Candidate(form, result, parts, of.score + self._sum((*new, *parts[-2:])))

    def _kind(self, result: Result, columns: Sequence[int]) -> str:
        if result.truth is not None:
            return "truth"
        if result.number is not None:
            return "figure"
        return str(self.table.columns[columns[0]].type) if columns else "text"

    def _told(self, of: Set) -> Iterator[Candidate]:
        """What a set's rows say in each column."""
        if of.shape == WHOLE and self.table.size > 25:
            return
        columns = range(len(self.table.columns))
        if len(columns) > self.beam.columns:
            order = sorted(columns, key=lambda c: -self.scores[self._column("told", c)])
            columns = order[: self.beam.columns]  # type: ignore[assignment]
        outer = of.shape.partition("(")[0]
        for column in columns:
            clash = f"{outer}:same" if of.columns >> column & 1 else ""
            new = (self._column("told", column),)
            yield from self._made(Cells(of.form, column), of, f"told({of.shape})", new, (column,), clash)

    def _counted(self, of: Set) -> Iterator[Candidate]:
        outer = of.shape.partition("(")[0]
        if outer in ("first", "last", "nth", "next", "previous"):
            return
        yield from self._made(Count(of.form), of, f"count({of.shape})", (self._operator("count"),))
        if outer not in (WHOLE, "where", "bound", "where&where"):
            return
        for column, about in enumerate(self.table.columns):
            form = Distinct(of.form, column)
            if (
                about.type is Type.NUMBER
                or of.columns >> column & 1
                or self.evaluator.number(form) == of.rows.bit_count()
            ):
                continue
            new = (self._operator("distinct"), self._column("distinct", column))
            yield from self._made(form, of, f"distinct({of.shape})", new, (column,))

    def _common(self, of: Set) -> Iterator[Candidate]:
        """The value that most or fewest rows have; in a whole table also the one with the greatest sum."""
        if of.rows.bit_count() < 3 and of.shape != "where|where":
            return
        for column, about in enumerate(self.table.columns):
            if len(self.evaluator.groups(column)) == self.table.size:
                continue
            for top in (True, False):
                name = "commonest" if top else "rarest"
                new = (self._operator(name), self._column(name, column))
                yield from self._made(Commonest(of.form, column, top), of, f"{name}({of.shape})", new, (column,))
            if about.type is Type.TEXT and of.shape in (WHOLE, "where|where"):
                yield from self._sums_by(of, column)

    def _sums_by(self, of: Set, column: int) -> Iterator[Candidate]:
        for measure, about in enumerate(self.table.columns):
            if about.type is not Type.NUMBER or measure == column:
                continue
            new = (self._operator("commonest-sum"), self._column("commonest", column), self._column("summed", measure))
            form = Commonest(of.form, column, True, measure)
            yield from self._made(form, of, f"commonest-sum({of.shape})", new, (column, measure))

    def _computed(self, of: Set) -> Iterator[Candidate]:
        """Sums, means and ranges."""
        if of.rows & (of.rows - 1) == 0:
            return
        functions: tuple[Function, ...] = ("sum", "mean", "range", "median")
        for column, about in enumerate(self.table.columns):
            if about.type is Type.TEXT:
                continue
            for function in functions:
                if about.type is Type.DATE and function != "range":
                    continue
                new = (self._operator(function), self._column(function, column))
                form: Scalar = Aggregate(function, of.form, column)
                if about.type is Type.DATE:
                    latest, earliest = (Cells(Extreme(of.form, column, top), column) for top in (True, False))
                    form = Difference(latest, earliest, years=True)
                yield from self._made(form, of, f"{function}({of.shape})", new, (column,))

    def _across(self, of: Set) -> Iterator[Candidate]:
        """How far two dates of one row are apart: from its beginning to its end."""
        dated = [c for c, about in enumerate(self.table.columns) if about.type is Type.DATE and not of.columns >> c & 1]
        for first, second in combinations(dated[:4], 2):
            form = Difference(Cells(of.form, second), Cells(of.form, first), years=True)
            new = (self._operator("across"), self._column("from", first), self._column("until", second))
            yield from self._made(form, of, f"across({of.shape})", new, (first, second))

    def _joined(self, one: Set, two: Set) -> Set:
        return Set(
            Either(one.form, two.form), one.rows | two.rows, "pair", (*one.parts, *two.parts), one.words | two.words,
            one.columns | two.columns, one.score + two.score, (*one.links, *two.links),
        )  # fmt: skip

    def _between(self, one: Set, two: Set) -> Iterator[Candidate]:
        """What two sets differ by: their counts, what their rows say."""
        if Kind.BOUND in (one.links[0].kind, two.links[0].kind):
            return
        both = self._joined(one, two)
        several = one.rows.bit_count() > 1 or two.rows.bit_count() > 1
        if several:
            new = (self._operator("difference"), self._operator("count"))
            yield from self._made(Difference(Count(one.form), Count(two.form)), both, "difference(count)", new)
        for column, about in enumerate(self.table.columns):
            if not about.ordered or both.columns >> column & 1:
                continue
            form = Difference(Cells(one.form, column), Cells(two.form, column), about.type is Type.DATE)
            new = (self._operator("difference"), self._column("difference", column))
            yield from self._made(form, both, "difference(told)", new, (column,))

    def _related(self, one: Set, two: Set) -> Iterator[Candidate]:
        """How one figure became another, and which share of it it is: of two single rows in one column."""
        if Kind.BOUND in (one.links[0].kind, two.links[0].kind):
            return
        if one.rows == two.rows or any(s.rows & (s.rows - 1) for s in (one, two)):
            return
        named = self._asked(("change", "change-percent", "share", "share-of", "ratio", "ratio-of"))
        if not named:
            return
        both = self._joined(one, two)
        columns = [
            c for c, about in enumerate(self.table.columns) if about.type is Type.NUMBER and not both.columns >> c & 1
        ]
        columns.sort(key=lambda c: -self.scores[self._column("change", c)])
        earlier, later = self._in_time(one, two)
        for column in columns[: self.beam.columns]:
            before, now = Cells(earlier.form, column), Cells(later.form, column)
            made: dict[str, Scalar] = {
                "change": Change(before, now),
                "change-percent": Change(before, now, percent=True),
                "share": Ratio(Cells(one.form, column), Cells(two.form, column), percent=True),
                "share-of": Ratio(Cells(two.form, column), Cells(one.form, column), percent=True),
                "ratio": Ratio(Cells(one.form, column), Cells(two.form, column)),
                "ratio-of": Ratio(Cells(two.form, column), Cells(one.form, column)),
            }
            for name in named:
                new = (self._operator(name), self._column("change", column))
                yield from self._made(made[name], both, f"{name}(told)", new, (column,))

    def _asked(self, names: Sequence[str]) -> list[str]:
        """Operators that the question's words rather speak for than against: there are many pairs to try them on.

        How many asks for no share and no change in per cent, unless it says so.
        """
        if self.asked.start == "how_many" and not self._said & {"percent", "percentage", "cent"}:
            names = [name for name in names if name not in _IN_PERCENT]
        return [name for name in names if self.scores[self._operator(name)] >= 0]

    def _columns_related(self, of: Set) -> Iterator[Candidate]:
        """How far two figures of one row are apart, or which share of one another; both their heads are asked for."""
        heads = self.asked.heads
        numeric = [c for c, about in enumerate(self.table.columns) if about.type is Type.NUMBER]
        asked = [c for c in numeric if heads[c].share and not of.columns >> c & 1][: self.beam.columns]
        named = self._asked(("apart", "part", "part-of")) if len(asked) > 1 else []
        for one, two in combinations(asked, 2) if named else ():
            if heads[one].words == heads[two].words:
                continue
            left, right = Cells(of.form, one), Cells(of.form, two)
            made: dict[str, Scalar] = {
                "apart": Difference(left, right),
                "part": Ratio(left, right, percent=True),
                "part-of": Ratio(right, left, percent=True),
            }
            for name in named:
                new = (self._operator(name), self._column("apart", one), self._column("apart", two))
                yield from self._made(made[name], of, f"{name}({of.shape})", new, (one, two))

    def _in_time(self, one: Set, two: Set) -> tuple[Set, Set]:
        """Two single rows, the earlier first: by their date where a column has one, else as the question has them."""
        for column, about in enumerate(self.table.columns):
            if about.type is Type.DATE:
                days = [self.table.cell(s.rows.bit_length() - 1, column).day for s in (one, two)]
                if days[0] is not None and days[1] is not None and days[0].last != days[1].last:
                    return (one, two) if days[0].last < days[1].last else (two, one)
        return (one, two) if one.links[0].first <= two.links[0].first else (two, one)

    def _whether(self, filtered: Sequence[Set]) -> Iterator[Candidate]:
        """Whether something is so; only where the question doesn't begin by asking what."""
        if self.asked.start in ("who", "whom", "whose", "when", "where", "which", "what", "why") or (
            self.asked.start.startswith("how")
        ):
            return
        singles = [s for s in filtered if len(s.links) == 1]
        for of in filtered:
            if len(of.links) > 1 and of.shape == "where&where":
                yield from self._made(Holds(of.form), of, f"holds({of.shape})", (self._operator("holds"),))
        for one, two in combinations(singles, 2):
            first, second = one.links[0], two.links[0]
            if first.mask & second.mask or Kind.BOUND in (first.kind, second.kind):
                continue
            yield from self._compared(*((one, two) if first.first < second.first else (two, one)))

    def _compared(self, one: Set, two: Set) -> Iterator[Candidate]:
        both = self._joined(one, two)
        yield from self._made(
            Holds(Both(one.form, two.form)), both, "holds(pair)", (self._operator("holds"),), (), "joined"
        )
        sizes: list[tuple[Scalar, Scalar, tuple[int, ...]]] = [(Count(one.form), Count(two.form), ())]
        sizes += [
            (Cells(one.form, c), Cells(two.form, c), (c,))
            for c, about in enumerate(self.table.columns)
            if about.ordered and not both.columns >> c & 1
        ]
        for left, right, columns in sizes:
            for name, form in (("greater", Greater(left, right)), ("smaller", Greater(right, left))):
                new = (self._operator(name), *(self._column(name, c) for c in columns))
                yield from self._made(form, both, f"{name}({'told' if columns else 'count'})", new, columns)
