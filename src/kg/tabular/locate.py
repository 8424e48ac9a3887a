"""The cells that words of a question mean: by the names of their rows, groups and columns, and by years.

A cell is looked for by its own words (of one side of "A and B") and by those that the sides share, which count less.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from kg.tabular.meanings import Meanings
from kg.tabular.table import Cell, Row, Table
from kg.tabular.times import without_years, years
from kg.tabular.words import Weights, terms

# What a word of the question beside those of the side asked counts.
SHARED = 0.45
# The group's name, the header's words, and nearness in meaning, of what a row's own name counts.
GROUP, HEAD, MEANING = 0.35, 0.6, 0.35
# A year that the question names and a cell is of, isn't of, or says nothing of.
SAME_YEAR, OTHER_YEAR, NO_YEAR = 1.0, -1.2, -0.3
# All words of a head without a year.
WHOLE_HEAD = 0.7
# Names that fit as well by their words aren't compared in meaning.
WORDED = 0.3
# A balance asked for without saying which is that at the end.
OPENING = 0.05
_OPENING = re.compile(r"\b(?:beginning|opening|start)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sought:
    """Words that are looked for: the side's own, and those that it shares with the rest of the question."""

    own: str
    shared: str = ""

    @property
    def years(self) -> tuple[int, ...]:
        """The years named: its own, else the shared ones."""
        return years(self.own) or years(self.shared)


@dataclass(frozen=True, slots=True)
class Placed:
    """A cell found. ``row``: how well its row's name fits, 0 to 1; ``score`` ranks."""

    cell: Cell
    row: float
    score: float


def excluding(taken: Iterable[Cell]) -> Callable[[Cell], bool]:
    """A condition that keeps all cells but those taken."""
    known = frozenset(taken)
    return lambda cell: cell not in known


class Finder:
    """Finds rows, columns and cells of one table."""

    def __init__(self, table: Table, meanings: Meanings | None = None) -> None:
        self.table = table
        self.rows = {row.index: row for row in table.rows}
        self._meanings = meanings

    @cached_property
    def _labels(self) -> Weights:
        named = {_named(row) for row in self.table.filled} | {g for r in self.table.rows for g in r.groups}
        return Weights(named, self.table.corner)

    @cached_property
    def _heads(self) -> Weights:
        return Weights({column.head for column in self.table.columns})

    def row_score(self, row: Row, sought: Sought) -> float:
        """How well a row's name fits, about 0 to 1, plus what its group adds."""
        own, shared = set(terms(sought.own)), set(terms(sought.shared))
        label = set(terms(_named(row)))
        weigh = self._labels.of
        if not label:
            return 0.0
        said = weigh(label & own) + SHARED * weigh((label & shared) - own)
        asked = weigh(own) + SHARED * weigh(shared - own)
        score = 2 * said / (weigh(label) + asked) if said else 0.0
        for group in row.groups:
            words = set(terms(group))
            if words:
                score += GROUP * (weigh(words & own) + SHARED * weigh((words & shared) - own)) / weigh(words)
        if _OPENING.search(row.label):
            score -= OPENING
        return score

    def _near(self, sought: Sought, row: Row) -> float:
        if self._meanings is None:
            return 0.0
        text = without_years(f"{sought.shared} {sought.own}" if not terms(sought.own) else sought.own).strip()
        return self._meanings.near(text, row.label) if text and row.label else 0.0

    def column_score(self, cell: Cell, sought: Sought) -> float:
        """How well a cell's column, with the years of its row, fits."""
        wanted = sought.years
        score = self.year_score(cell, wanted)
        own, shared = set(terms(sought.own)), set(terms(sought.shared))
        head = set(terms(cell.column.head)) - set(terms(self.rows[cell.row].label))
        weigh = self._heads.of
        if not cell.column.years and weigh(head) and weigh(head - own - shared) == 0:
            score += WHOLE_HEAD
        said = weigh(head & own) + SHARED * weigh((head & shared) - own)
        asked = weigh(own) + SHARED * weigh(shared - own)
        return score + (HEAD * 2 * said / (weigh(head) + asked) if said else 0.0)

    def year_score(self, cell: Cell, wanted: Sequence[int]) -> float:
        """Whether a cell is of one of the years wanted."""
        told = self.years_of(cell)
        if not wanted:
            return 0.1 if told and max(told) == self.newest and len(told) == 1 else 0.0
        if not told:
            return NO_YEAR
        if not set(told) & set(wanted):
            return OTHER_YEAR
        return SAME_YEAR - 0.5 * (len(told) - 1)

    def years_of(self, cell: Cell) -> tuple[int, ...]:
        """The years that a cell is of: its column's, else its group's, else those in its row's name.

        Where only some rows name a year, as balances between movements do, the others are of the next one's.
        """
        if cell.column.years:
            return cell.column.years
        row = self.rows[cell.row]
        own = next((y for g in reversed(row.groups) if (y := years(g))), ()) or years(row.label)
        return own or self._movements.get(cell.row, ())

    @cached_property
    def _movements(self) -> dict[int, tuple[int, ...]]:
        """Years of rows without one that stand between two with one."""
        if any(c.years for c in self.table.columns):
            return {}
        found: dict[int, tuple[int, ...]] = {}
        waiting: list[int] = []
        opened = False
        for row in self.table.filled:
            told = years(row.label)
            if len(told) == 1:
                found.update(dict.fromkeys(waiting, told))
                waiting, opened = [], True
            elif opened and not told:
                waiting.append(row.index)
        return found

    def by_year(self, like: Cell) -> dict[int, Cell]:
        """The cells of a row by year, of the columns headed most like a cell's; only those of its scale."""
        head = set(terms(like.column.head))
        found: dict[int, tuple[int, Cell]] = {}
        for cell in self.rows[like.row].figures:
            told = self.years_of(cell)
            if len(told) != 1 or cell.scale != like.scale:
                continue
            alike = len(head & set(terms(cell.column.head)))
            if told[0] not in found or alike > found[told[0]][0]:
                found[told[0]] = alike, cell
        return {year: cell for year, (_, cell) in found.items()}

    @cached_property
    def newest(self) -> int:
        """The latest year of a column; 0 without any."""
        return max((y for c in self.table.columns for y in c.years), default=0)

    def _row_scores(self, sought: Sought) -> dict[int, float]:
        """Scores of rows by their words; where no name shares enough of them, by what it means too."""
        rows = {row.index: self.row_score(row, sought) for row in self.table.filled}
        if self._meanings is None or max(rows.values(), default=0.0) >= WORDED:
            return rows
        return {index: score + MEANING * self._near(sought, self.rows[index]) for index, score in rows.items()}

    def cells(self, sought: Sought, keep: Callable[[Cell], bool] = lambda _: True) -> list[Placed]:
        """Cells of figures, best first."""
        rows = self._row_scores(sought)
        found = [
            Placed(c, rows[c.row], rows[c.row] + self.column_score(c, sought)) for c in self.table.cells if keep(c)
        ]
        return sorted(found, key=lambda p: (-p.score, p.cell.row, p.cell.column.index))

    def best(self, sought: Sought, keep: Callable[[Cell], bool] = lambda _: True) -> Placed | None:
        """The best cell."""
        return next(iter(self.cells(sought, keep)), None)

    def each(self, items: Sequence[str]) -> list[Placed]:
        """The best cell of each of several names that share a question, all different; empty where one has none."""
        placed: list[Placed] = []
        for number, item in enumerate(items):
            rest = " ".join(other for i, other in enumerate(items) if i != number)
            best = self.best(Sought(item, rest), excluding(p.cell for p in placed))
            if best is None:
                return []
            placed.append(best)
        return placed

    def label(self, cell: Cell) -> str:
        """The words over and before a cell."""
        row = self.rows[cell.row]
        return " ".join((*row.groups, row.label, cell.column.head))

    def said(self, row: Row, text: str) -> float:
        """Share of the weight of a row's name that a text says, 0 to 1."""
        label = set(terms(_named(row)))
        total = self._labels.of(label)
        return self._labels.of(label & set(terms(text))) / total if total else 0.0


def _named(row: Row) -> str:
    return row.label or "Total"
