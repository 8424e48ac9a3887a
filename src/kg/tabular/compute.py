"""Arithmetic over cells: changes, differences, averages, sums, ratios and shares."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from kg.tabular.asked import Asked, Op, listed, part_and_whole, sides
from kg.tabular.locate import Finder, Placed, Sought, excluding
from kg.tabular.reply import Reply, common_scale, number
from kg.tabular.table import Cell, Row
from kg.tabular.times import without_years, years
from kg.tabular.words import terms

# Two years in a question speak for one row in both; two things must be named this much better.
_SAME_ROW = 0.35
# Without years in the question its first and last are only a guess.
_UNTOLD = -0.4
_TOTAL = re.compile(r"\btotal\b|\bsubtotal\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two cells, in the order of the question, with how well they fit together."""

    first: Placed
    second: Placed

    @property
    def score(self) -> float:
        """Both scores."""
        return self.first.score + self.second.score

    @property
    def fit(self) -> float:
        """The worse of the rows' fits."""
        return min(self.first.row, self.second.row)

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """The cells."""
        return self.first.cell, self.second.cell


def compute(finder: Finder, asked: Asked) -> Reply | None:
    """The result of the operation asked, or None if the table hasn't the cells."""
    if asked.op in (Op.CHANGE, Op.PERCENT_CHANGE, Op.DIFFERENCE):
        return _moved(finder, asked)
    if asked.op in (Op.SHARE, Op.RATIO):
        return _divided(finder, asked)
    if asked.op in (Op.AVERAGE, Op.SUM):
        return _together(finder, asked)
    return None


def value(cell: Cell) -> Decimal:
    """A cell's figure."""
    assert cell.figure is not None
    return cell.figure.value


# --- two cells ---------------------------------------------------------------------------------------


def _moved(finder: Finder, asked: Asked) -> Reply | None:
    if (nested := _change_of_averages(finder, asked)) is not None:
        return nested
    pair = pair_of(finder, asked)
    if pair is None:
        return None
    if asked.op is Op.PERCENT_CHANGE and (stated := _stated_change(finder, asked, pair)) is not None:
        return stated
    old, new = _ordered(finder, pair)
    difference = value(new) - value(old)
    cells = (new, old)
    if asked.op is Op.PERCENT_CHANGE:
        if not value(old):
            return None
        shown = f"({new.text} − {old.text}) / {old.text}"
        return Reply((number(difference / value(old) * 100),), "percent", asked.op, shown, cells, pair.fit)
    if asked.op is Op.DIFFERENCE:
        difference = abs(difference)
    return Reply((number(difference),), common_scale(cells), asked.op, f"{new.text} − {old.text}", cells, pair.fit)


def _stated_change(finder: Finder, asked: Asked, pair: Pair) -> Reply | None:
    """The percentage change that the table itself gives in the pair's row, for its years or for all."""
    told = {y for cell in pair.cells for y in finder.years_of(cell)}
    row = finder.rows[pair.first.cell.row]
    if pair.second.cell.row != row.index:
        return None
    changes = [c for c in row.figures if c not in pair.cells and _CHANGES.search(c.column.head)]
    for cell in (c for c in changes if c.scale == "percent"):
        if set(cell.column.years) == told or not any(c.column.years for c in changes):
            scale = "" if cell.figure and cell.figure.percent else cell.scale
            return Reply((cell.text,), scale, asked.op, cell.text, (cell,), pair.fit)
    return None


_CHANGES = re.compile(
    r"\bchange\b|\bincrease\b|\bdecrease\b|\bvariance\b|\bgrowth\b|\bvs\b|\bdifference\b", re.IGNORECASE
)


def pair_of(finder: Finder, asked: Asked) -> Pair | None:
    """The two cells that a question compares: of one row at two times, or under two names."""
    found = [p for p in (_by_years(finder, asked), _by_names(finder, asked), _by_columns(finder, asked)) if p]
    return max(found, key=lambda p: p[0])[1] if found else None


def _by_years(finder: Finder, asked: Asked) -> tuple[float, Pair] | None:
    """One row in two years; a year alone is held against the one before."""
    told = asked.years
    if len(told) == 1 and asked.op is not Op.DIFFERENCE:
        told = (told[0] - 1, told[0])
    if not told:
        known = sorted({y[0] for c in finder.table.cells if len(y := finder.years_of(c)) == 1})
        told = (known[0], known[-1]) if len(known) > 1 else ()
    if len(told) < 2:
        return None
    words, same = without_years(asked.body), _SAME_ROW if asked.years else _UNTOLD
    ends = (told[0], told[-1]) if len(told) > 2 else (told[0], told[1])
    first = finder.cells(Sought(words, str(ends[0])), lambda c: finder.years_of(c) == (ends[0],))
    for one in first[:4]:
        other = finder.by_year(one.cell).get(ends[1])
        if other is not None:
            pair = Pair(one, Placed(other, one.row, one.score))
            return pair.score + same, pair
    last = finder.best(Sought(words, str(ends[1])), lambda c: finder.years_of(c) == (ends[1],))
    if first and last is not None:
        pair = Pair(first[0], last)  # times told by the rows
        if last.cell.column == first[0].cell.column:
            return pair.score + same, pair
    return None


def _by_names(finder: Finder, asked: Asked) -> tuple[float, Pair] | None:
    """Two cells under the names on either side of a joining word."""
    best: tuple[float, Pair] | None = None
    for left, right in sides(asked.body):
        if not terms(left) or not terms(right):
            continue
        first = finder.best(Sought(left, right))
        if first is None:
            continue
        other = finder.best(Sought(right, left), excluding([first.cell]))
        if other is None or not _comparable(first.cell, other.cell):
            continue
        pair = Pair(first, other)
        if best is None or pair.score > best[0]:
            best = pair.score, pair
    return best


def _by_columns(finder: Finder, asked: Asked) -> tuple[float, Pair] | None:
    """The only two columns of figures, where the question names no others."""
    if asked.years or any(finder.years_of(c) for c in finder.table.cells):
        return None
    one = finder.best(Sought(asked.body))
    if one is None:
        return None
    row = finder.rows[one.cell.row]
    if len(row.figures) != 2:
        return None
    first, second = (Placed(c, one.row, one.row) for c in row.figures)
    return one.row * 2 - 0.3, Pair(first, second)


def _comparable(one: Cell, other: Cell) -> bool:
    """Whether figures may be held against each other: both percentages, or neither."""
    return (one.scale == "percent") == (other.scale == "percent")


def _ordered(finder: Finder, pair: Pair) -> tuple[Cell, Cell]:
    """The older and the newer of two cells; without times those named first and second."""
    first, second = pair.cells
    one, two = finder.years_of(first), finder.years_of(second)
    return (second, first) if one and two and one[0] > two[0] else (first, second)


def _change_of_averages(finder: Finder, asked: Asked) -> Reply | None:
    """The change of "2018 and 2019 average X": each year's mean with the year before."""
    told = years(asked.text)
    if len(told) != 2 or not _YEAR_AVERAGE.search(asked.text):
        return None
    body = _YEAR_AVERAGE.sub(" ", asked.body)
    parted = next(((a, b) for a, b in sides(_AVERAGE.sub(" ", body)) if terms(a) and terms(b)), None)
    named = (body, body) if parted is None or len({*years(asked.text)}) == 2 else parted
    means = [_mean(finder, words, year) for words, year in zip(named, sorted(told), strict=True)]
    if None in means:
        return None
    (old, before), (new, after) = (m for m in means if m is not None)
    difference, shown = new - old, f"{number(new)} − {number(old)}"
    cells = (*after, *before)
    if asked.op is Op.PERCENT_CHANGE:
        return Reply((number(difference / old * 100),), "percent", asked.op, f"({shown}) / {number(old)}", cells, 0.6)
    return Reply((number(difference),), common_scale(cells), asked.op, shown, cells, 0.6)


_AVERAGE = re.compile(r"\baverage\b", re.IGNORECASE)
_YEAR_AVERAGE = re.compile(
    r"\b(?:19|20)\d\d(?:['’]s)?\s+average\b|\baverage\b(?=.*\b(?:19|20)\d\d average)", re.IGNORECASE
)


def _mean(finder: Finder, words: str, year: int) -> tuple[Decimal, tuple[Cell, ...]] | None:
    """The mean of a year's end and the one before, as balances are averaged."""
    end = finder.best(Sought(without_years(words), str(year)), lambda c: finder.years_of(c) == (year,))
    if end is None:
        return None
    start = finder.by_year(end.cell).get(year - 1)
    if start is None:
        return None
    return (value(end.cell) + value(start)) / 2, (end.cell, start)


# --- one cell by another -----------------------------------------------------------------------------


def _divided(finder: Finder, asked: Asked) -> Reply | None:
    """A part by its whole; None where the table has the share itself."""
    own = finder.best(Sought(asked.text))
    if (
        own is not None
        and own.cell.scale == "percent"
        and asked.op is Op.SHARE
        and _SHARES.search(finder.label(own.cell))
    ):
        return None
    best: Pair | None = None
    for part, whole in part_and_whole(asked.text):
        told = "" if years(part) or years(whole) else " ".join(map(str, asked.years))
        pair = _quotient(finder, f"{part} {told}".strip(), f"{whole} {told}".strip())
        if pair is not None and (best is None or pair.score > best.score + 0.2):
            best = pair
    if best is None or not value(best.cells[1]):
        return None
    first, second = best.cells
    if first.scale != second.scale and "" not in (first.scale, second.scale):
        return None
    quotient, shown = value(first) / value(second), f"{first.text} / {second.text}"
    if asked.percent:
        return Reply((number(quotient * 100),), "percent", asked.op, shown, best.cells, best.fit)
    return Reply((number(quotient),), "", asked.op, shown, best.cells, best.fit)


_SHARES = re.compile(r"%|\bper ?cent|\bshare\b|\bproportion\b", re.IGNORECASE)


def _quotient(finder: Finder, part: str, whole: str) -> Pair | None:
    """The part and the whole, of one column or year where the question doesn't say otherwise."""
    above = finder.best(Sought(part, whole))
    if above is None:
        return None
    below = finder.best(Sought(whole, part), lambda c: c != above.cell and c.column == above.cell.column)
    wide = finder.best(Sought(whole, part), lambda c: c != above.cell)
    if wide is not None and (below is None or wide.score > below.score + 0.3):
        below = wide
    if below is None or not _said(finder, below, whole):
        totals = [c for c in finder.table.cells if c.column == above.cell.column and _is_total(finder, c)]
        if _of_column(finder, whole, above.cell) and totals:
            below = Placed(totals[-1], above.row, above.score)
    return Pair(above, below) if below is not None else None


def _said(finder: Finder, placed: Placed, text: str) -> bool:
    """Whether a text says any of a row's name."""
    return finder.said(finder.rows[placed.cell.row], text) > 0


def _of_column(finder: Finder, text: str, cell: Cell) -> bool:
    """Whether a text names a cell's column, and so means all of it."""
    return bool(set(terms(text)) & set(terms(cell.column.head)))


def _is_total(finder: Finder, cell: Cell) -> bool:
    label = finder.rows[cell.row].label
    return not label or _TOTAL.search(label) is not None


# --- several cells -----------------------------------------------------------------------------------


def _together(finder: Finder, asked: Asked) -> Reply | None:
    """The sum or average of a row over years, of several rows, or of a group."""
    told = asked.years
    if asked.op is Op.AVERAGE and len(told) == 1 and _YEAR_AVERAGE.search(asked.text):
        mean = _mean(finder, asked.body, told[0])
        if mean is not None:
            shown = f"({mean[1][0].text} + {mean[1][1].text}) / 2"
            return Reply((number(mean[0]),), common_scale(mean[1]), asked.op, shown, mean[1], 0.6)
    for read in (_named_rows, _over_years, _of_group):
        if found := read(finder, asked):
            cells, fit = found
            return _folded(asked, cells, fit)
    return None


def _folded(asked: Asked, cells: Sequence[Cell], fit: float) -> Reply:
    total = sum((value(c) for c in cells), Decimal(0))
    shown = " + ".join(c.text for c in cells)
    if asked.op is Op.AVERAGE:
        total, shown = total / len(cells), f"({shown}) / {len(cells)}"
    return Reply((number(total),), common_scale(cells), asked.op, shown, tuple(cells), fit)


def _over_years(finder: Finder, asked: Asked) -> tuple[list[Cell], float] | None:
    """A row over the years named, or over all where an average names none."""
    told, words = asked.years, without_years(asked.body)
    if len(told) < 2 and (asked.op is Op.SUM or told):
        return None
    best = finder.best(Sought(words), lambda c: not told or finder.years_of(c)[:1] in {(y,) for y in told})
    if best is None:
        return None
    by_year = finder.by_year(best.cell)
    cells = [by_year[y] for y in told if y in by_year] if told else list(by_year.values())
    if len(cells) < 2:  # times told by the rows
        cells = _down_column(finder, best.cell, told)
    return (cells, best.row) if len(cells) > 1 else None


def _down_column(finder: Finder, cell: Cell, told: Sequence[int]) -> list[Cell]:
    """Cells of one column in rows of the years named, or of the same name in groups of them."""
    name = finder.rows[cell.row].label
    rows = [r for r in finder.table.filled if without_years(r.label).strip() == without_years(name).strip()]
    cells = [c for r in rows for c in r.figures if c.column == cell.column]
    return [c for c in cells if not told or set(finder.years_of(c)) & set(told)]


def _named_rows(finder: Finder, asked: Asked) -> tuple[list[Cell], float] | None:
    """Several rows, or columns, named one after the other."""
    items = listed(asked.body)
    if len(items) < 2 or len(items) > 8 or sum(bool(terms(item)) for item in items) < 2:
        return None
    placed = finder.each(items)
    if not placed:
        return None
    whole = finder.best(Sought(asked.body))
    distinct = {p.cell.row for p in placed} if len({p.cell.column for p in placed}) == 1 else set()
    across = {p.cell.column for p in placed} if len({p.cell.row for p in placed}) == 1 else set()
    if max(len(distinct), len(across)) < len(items) or whole is None:
        return None
    said = [_names(finder, p, item) for p, item in zip(placed, items, strict=True)]
    label = finder.rows[whole.cell.row].label
    enumerated = len(listed(label)) > 1 and finder.said(finder.rows[whole.cell.row], asked.body) > 0.95
    if min(said) < 0.5 or (enumerated and whole.row > max(p.row for p in placed)):
        return None
    return [p.cell for p in placed], min(p.row for p in placed)


def _names(finder: Finder, placed: Placed, item: str) -> float:
    """Share of a cell's row's or column's name that the item says."""
    head = set(terms(placed.cell.column.head))
    by_head = len(head & set(terms(item))) / len(head) if head else 0.0
    return max(finder.said(finder.rows[placed.cell.row], item), by_head)


def _of_group(finder: Finder, asked: Asked) -> tuple[list[Cell], float] | None:
    """The rows of a group, its totals apart, in the column asked for, where no row is the total asked for."""
    if asked.op is Op.SUM and _has_total(finder, asked):
        return None
    wanted = set(terms(asked.body))
    groups = sorted({r.groups for r in finder.table.filled if r.groups})
    fitting = [g for g in groups if terms(g[-1]) and set(terms(g[-1])) <= wanted]
    if not fitting:
        return None
    members = [r for r in finder.table.filled if r.groups == fitting[0] and not _TOTAL.search(r.label) and r.label]
    best = finder.best(Sought(asked.body), lambda c: any(c.row == r.index for r in members))
    if best is None:
        return None
    cells = [c for r in members for c in r.figures if c.column == best.cell.column]
    return (cells, 0.6) if len(cells) > 1 else None


def _has_total(finder: Finder, asked: Asked) -> bool:
    """Whether the table has a row for the total itself."""
    totals: Callable[[Row], bool] = lambda r: _TOTAL.search(r.label) is not None  # noqa: E731
    return any(totals(r) and finder.said(r, asked.text) > 0.9 for r in finder.table.filled)
