"""Rows and columns chosen by their figures: the largest, those beyond a limit, how many there are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from kg.tabular.asked import Asked, Bound, Op, over_time
from kg.tabular.captions import FACTORS
from kg.tabular.compute import value
from kg.tabular.locate import Finder, Sought
from kg.tabular.reply import Reply
from kg.tabular.table import Cell
from kg.tabular.times import without_years, years

_TOTAL = re.compile(r"\btotals?\b|\bsubtotal\b", re.IGNORECASE)


def choose(finder: Finder, asked: Asked) -> Reply | None:
    """The names of the rows or columns that the question chooses, or their number."""
    times = over_time(asked.noun)
    found = _across(finder, asked) if times or _heads_are_things(finder, asked) else None
    cells, fit = found or _down(finder, asked, times)
    across = found is not None
    if len(cells) < 2 and asked.op is not Op.COUNT:
        return None
    if asked.op is Op.EXTREME:
        return _extreme(finder, asked, cells, across, fit)
    assert asked.bound is not None
    kept = [c for c in cells if _within(c, asked.bound)]
    shown = "; ".join(c.text for c in kept)
    if asked.op is Op.COUNT:
        return Reply((str(len(kept)),), "", asked.op, shown, tuple(kept), fit)
    names = tuple(dict.fromkeys(_name(finder, c, across) for c in kept))
    return Reply(names, "", asked.op, shown, tuple(kept), fit) if names else None


def _heads_are_things(finder: Finder, asked: Asked) -> bool:
    """Whether a row's whole name is said and what is chosen from can only be the columns."""
    best = finder.best(Sought(asked.body))
    if best is None or any(c.years for c in finder.table.columns):
        return False
    return finder.said(finder.rows[best.cell.row], asked.body) > 0.9


def _across(finder: Finder, asked: Asked) -> tuple[list[Cell], float] | None:
    """The cells of the row asked for at its times."""
    told = asked.years
    best = finder.best(Sought(without_years(asked.body)), lambda c: bool(finder.years_of(c)) or not told)
    if best is None:
        return None
    row = finder.rows[best.cell.row]
    cells = [c for c in row.figures if len(c.column.years) == 1 and c.scale == best.cell.scale]
    if not cells:
        groups = [r for r in finder.table.filled if r.label == row.label and r.groups and years(r.groups[-1])]
        cells = [c for r in groups for c in r.figures if c.column == best.cell.column]
    if not cells and not any(years(r.label) for r in finder.table.filled):
        cells = [c for c in row.figures if c.scale == best.cell.scale and not _TOTAL.search(c.column.head)]
    cells = _one_measure(finder, cells, best.cell)
    return (cells, best.row) if len(cells) > 1 else None


def _one_measure(finder: Finder, cells: Sequence[Cell], best: Cell) -> list[Cell]:
    """One cell for each time: where columns of several measures share a time, those headed like the best."""
    head = set(without_years(best.column.head).lower().split())
    found: dict[tuple[int, ...] | int, Cell] = {}
    for cell in cells:
        key = finder.years_of(cell) or cell.column.index
        like = len(head & set(without_years(cell.column.head).lower().split()))
        rival = found.get(key)
        if rival is None or like > len(head & set(without_years(rival.column.head).lower().split())):
            found[key] = cell
    return list(found.values())


def _down(finder: Finder, asked: Asked, times: bool) -> tuple[list[Cell], float]:
    """The cells of the column asked for, in the rows of the group asked for, totals apart."""
    best = finder.best(Sought(asked.body, asked.noun))
    if best is None:
        return [], 0.0
    column = max((p for p in finder.cells(Sought(asked.body, asked.noun))), key=lambda p: p.score - p.row).cell.column
    rows = [r for r in finder.table.filled if r.label and not _TOTAL.match(r.label.lower())]
    if times:
        rows = [r for r in rows if years(r.label)] or rows
    groups = {r.groups for r in rows}
    if len(groups) > 1:
        wanted = finder.rows[best.cell.row].groups
        rows = [r for r in rows if r.groups == wanted]
    return [c for r in rows for c in r.figures if c.column == column], 0.5


def _extreme(finder: Finder, asked: Asked, cells: Sequence[Cell], across: bool, fit: float) -> Reply | None:
    signed = any(value(c) > 0 for c in cells)
    ranked = sorted(cells, key=lambda c: value(c) if signed else abs(value(c)), reverse=asked.rank > 0)
    place = abs(asked.rank) - 1
    if place >= len(ranked):
        return None
    shown = " > ".join(c.text for c in (ranked if asked.rank > 0 else reversed(ranked)))
    return Reply((_name(finder, ranked[place], across),), "", asked.op, shown, tuple(ranked), fit)


def _within(cell: Cell, bound: Bound) -> bool:
    number = value(cell)
    limit = bound.value
    if bound.factor:
        number *= FACTORS.get(cell.scale, 1)
        limit *= bound.factor
    return number > limit if bound.above else _magnitude(number) < limit


def _magnitude(number: Decimal) -> Decimal:
    """Outflows are written in brackets; "less than 140" is asked of their size."""
    return abs(number)


def _name(finder: Finder, cell: Cell, across: bool) -> str:
    """What a cell's row or column is called; a time by its year."""
    if not across:
        return finder.rows[cell.row].label.rstrip(":")
    told = finder.years_of(cell)
    return str(told[0]) if len(told) == 1 else cell.column.head
