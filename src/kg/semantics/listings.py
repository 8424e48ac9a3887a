"""Rules for several columns: "the ships with their lengths and flags", "the length and the flag of each ship"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg.semantics.items import Item
from kg.semantics.joins import Joins
from kg.semantics.logic import Kind, Path, Rows, Set, along, back

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

    def of(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The length and the flag of the Heron"."""
        if _OF & set(gap):
            yield from self._rows(left, right, left, right)

    def having(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The ships with their lengths and flags"."""
        if _WITH & set(gap) and not left.single:
            yield from self._rows(left, right, right, left)

    def of_each(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "For each ship, its length and flag"."""
        yield from self._rows(left, right, right, left)

    def _rows(self, left: Item, right: Item, listed: Item, of: Item) -> Iterator[Item]:
        form = of.set()
        paths = [self._path(column, form) for column in self._columns(listed)]
        if paths and all(path for path in paths):
            made = Rows(form, tuple(paths))  # type: ignore[arg-type]
            yield self._joins.made("X", left, right, [("each", 1.0)], form=made, focus=True, head=left.start)

    def _path(self, column: Path | int, form: Set) -> Path | None:
        """How a column is reached from the things of a set."""
        if isinstance(column, int):
            ways = self._schema.paths(self._schema.types(form), frozenset((column,)))
            return next((way for way in ways if len(way) == 1), None)
        for way in (column, back(column)):
            if self._joins.denote(along(way, form)):
                return way
        return None


__all__ = ["Listings"]
