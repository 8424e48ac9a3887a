"""Rules for values of each thing: "the population of each state", "the ships with their lengths and flags"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg.semantics.items import Item
from kg.semantics.joins import Joins, Local
from kg.semantics.logic import Best, BestOfEach, Count, Each, Form, Join, Kind, Path, Rows, Set, Users, along, back


class Groups:
    """Rules that give a row for each thing of a set."""

    def __init__(self, joins: Joins) -> None:
        self._joins, self._schema = joins, joins.schema

    def each_value(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The population of each state"."""
        of = right.set()
        if self._joins.denote(along(left.path, of)):
            made = Each(of, left.path, left.fn or "")  # type: ignore[arg-type]
            yield self._joins.made("X", left, right, [("each", 1.0)], form=made, focus=True)
        elif left.fn:
            for path in self._schema.paths(self._schema.types(of), self._schema.types(Users(left.path[0])))[:2]:
                made = Each(of, (*path, *left.path), left.fn)  # type: ignore[arg-type]
                yield self._joins.made("X", left, right, [("each", 1.0), ("bridge", 1.0)], form=made, focus=True)

    def by_relation(self, relation: Item, each: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "(How many patients does) each doctor treat": by which relation they belong to each."""
        if each.path or relation.fn or self._joins.graph.properties[relation.path[-1][0]].kind != "thing":
            return
        for path in (relation.path, back(relation.path)):
            if self._joins.denote(along(path, each.set())):
                yield self._joins.made("ES", relation, each, [], like=each, path=path)

    def each_count(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "How many rivers per state"."""
        if isinstance(left.form, Count):
            within, of = left.form.of, right.set()
            ways = self._schema.paths(self._schema.types(of), self._schema.types(within))[:2]
            if isinstance(of, Join) and of.step[1] and self._is_of_values(of):  # "how many bells of each condition"
                way = back((of.step,))
                ways = [way] if self._joins.denote(along(way, of)) & self._joins.denote(within) else []
            if right.path:
                ways = [right.path] if self._joins.denote(along(right.path, of)) & self._joins.denote(within) else []
            for rank, path in enumerate(ways):
                counted = None if self._is_all(of, path, within) else within
                made = Each(of, path, "COUNT", counted)
                local: Local = [("each", 1.0), ("bridge", 0.5), ("bridge-rank", float(rank))]
                yield self._joins.made("X", left, right, local, form=made, focus=True)

    def _is_all(self, of: Set, path: Path, within: Set) -> bool:
        """Whether a step leads to nothing but the things counted, so that they needn't be told apart."""
        if not isinstance(within, Kind) or len(path) > 1:
            return False
        return self._joins.denote(along(path, of)) <= self._joins.denote(within)

    def _is_of_values(self, of: Join) -> bool:
        """Whether a set is the values, no things, of a property."""
        return all(self._joins.graph.is_literal(i) for i in self._joins.denote(of))

    def best_each(self, best: Item, each: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "For each river, its longest bridge"."""
        if isinstance(best.form, Best) and best.form.of_values:
            yield from self.each_set(best, each, gap)

    def each_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The rivers of each state"."""
        if left.single:
            return
        of, best = right.set(), left.form
        for rank, path in enumerate(self._schema.paths(self._schema.types(of), self._schema.types(left.set()))[:2]):
            made: Form = Each(of, path, "", left.set())
            if isinstance(best, Best) and isinstance(best.measure, tuple) and best.nth == best.k == 1:
                # The largest in each is another one for each.
                made = BestOfEach(of, path, best.of, best.measure, best.top)
            local: Local = [("each", 1.0), ("bridge", 1.0), ("bridge-rank", float(rank))]
            yield self._joins.made("X", left, right, local, form=made, focus=True)


_MARKS = frozenset((",", "and", "&"))
_OF = frozenset(("of", "for", "'s"))
_WITH = frozenset(("with", "their", "its", "his", "her", "together", "along"))
_MOST = 8  # columns


class Listings:
    """Rules that put values side by side."""

    def __init__(self, joins: Joins) -> None:
        self._joins, self._schema = joins, joins.schema

    def pair(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """Two columns, or one more."""
        if not _MARKS & set(gap) or (_OF & set(gap)):
            return
        one, other = self._columns(left), self._columns(right)
        if one and other and not set(one) & set(other) and len(one) + len(other) <= _MOST:
            yield self._joins.made("L", left, right, [], columns=(*one, *other), head=left.start)

    def _columns(self, item: Item) -> tuple[Path | int, ...]:
        if item.columns:
            return item.columns
        if item.cat == "R":
            return () if item.fn or ("guess", 1.0) in item.local else (item.path,)
        return (item.form.cls,) if isinstance(item.form, Kind) else ()

    def of(self, listed: Item, of: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The length and the flag of the Heron"."""
        if _OF & set(gap):
            yield from self.rows(listed, of, gap)

    def having(self, of: Item, listed: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The ships with their lengths and flags"."""
        if _WITH & set(gap) and not of.single:
            yield from self.rows(listed, of, gap)

    def rows(self, listed: Item, of: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "For each ship, its length and flag"."""
        form = of.set()
        paths = [self._path(column, form) for column in self._columns(listed)]
        if paths and all(path for path in paths):
            made = Rows(form, tuple(paths))  # type: ignore[arg-type]
            start = min(listed.start, of.start)
            yield self._joins.made("X", listed, of, [("each", 1.0)], form=made, focus=True, head=start)

    def _path(self, column: Path | int, form: Set) -> Path | None:
        """How a column is reached from the things of a set."""
        if isinstance(column, int):
            ways = self._schema.paths(self._schema.types(form), frozenset((column,)))
            return next((way for way in ways if len(way) == 1), None)
        for way in (column, back(column)):
            if self._joins.denote(along(way, form)):
                return way
        return None
