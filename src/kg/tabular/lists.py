"""Values of several cells, and lists of what a table holds: its years, the rows of a group, its kinds of columns."""

from __future__ import annotations

import re

from kg.tabular.asked import Asked, listed, over_time, sides
from kg.tabular.locate import Finder, Placed, Sought
from kg.tabular.reply import Reply, common_scale, values
from kg.tabular.table import Cell, Row
from kg.tabular.times import without_years, years
from kg.tabular.words import terms

_YEARS = re.compile(
    r"^(?:(?:in|for|of)\s+)?(?:which|what|how\s+many)\s+(?:are\s+the\s+|of\s+the\s+|fiscal\s+|financial\s+)*(?P<noun>years?(?:\(s\))?|periods?|dates?|quarters?)\b"
    r"(?=.*\b(?:table|provide[sd]?|included?|calculated|recorded|shown|reported|presented|listed|highlighted|covered|information|available|given|compared|disclosed|measured|for)\b)",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"\b(?:what|which|how\s+many)\s+(?:are|were|is|was)?\s*(?:the\s+)?(?:different\s+|various\s+|main\s+|major\s+|respective\s+|other\s+|financial\s+)*"
    r"(?P<noun>(?:\w+\s+){0,2}?(?:components?|items?|types?|kinds?|categor(?:y|ies)|segments?|factors?|elements?|parts|regions?|countries|line\s+items?|sources?|assumptions?|groups?|areas?))\b",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"^(?:total|sub-?total|net)\b|\btotal$", re.IGNORECASE)


def years_shown(finder: Finder, asked: Asked) -> Reply | None:
    """The years that a table gives figures for, in its order."""
    if _YEARS.search(asked.text) is None or years(asked.text):
        return None
    cells = [c for c in finder.table.columns if c.years]
    found = tuple(dict.fromkeys(str(c.years[0]) for c in cells if len(c.years) == 1))
    if not found:
        told = [years(r.label) or years(" ".join(r.groups)) for r in finder.table.rows]
        found = tuple(dict.fromkeys(str(y[0]) for y in told if y))
    return _listed(asked, found, (), 0.8) if len(found) > 1 else None


def components(finder: Finder, asked: Asked) -> Reply | None:
    """The rows of the group, or above the total, that the question names; all rows where it says "in the table"."""
    found = _PARTS.search(asked.text)
    if found is None or over_time(found["noun"]):
        return None
    rest = asked.text[found.end() :]
    rows = _members(finder, rest) or (_all_rows(finder) if re.search(r"\btable\b", rest, re.IGNORECASE) else [])
    if len(rows) < 2:
        return None
    names = tuple(r.label.rstrip(":") for r in rows)
    return _listed(asked, names, tuple(c for r in rows for c in r.figures[:1]), 0.7)


def _listed(asked: Asked, names: tuple[str, ...], cells: tuple[Cell, ...], fit: float) -> Reply:
    """The names, or their number where that is asked for."""
    if re.match(r"how\s+many\b", asked.text, re.IGNORECASE):
        return Reply((str(len(names)),), "", "count", "; ".join(names), cells, fit)
    return Reply(names, "", "list", "", cells, fit)


def _members(finder: Finder, rest: str) -> list[Row]:
    """The rows of the group that a text names, or those above the total that it names."""
    wanted = set(terms(rest))
    rows = finder.table.filled
    groups = [(r.groups, set(terms(r.groups[-1]))) for r in rows if r.groups]
    named = [(len(words & wanted) / len(words | (wanted - _PLAIN)), g) for g, words in groups if words]
    share, group = max(named, key=lambda n: n[0], default=(0.0, ()))
    if share >= 0.5:
        members = [r for r in rows if r.groups == group]
        end = next((i for i, r in enumerate(members) if i and (not r.label or _TOTAL.search(r.label))), len(members))
        return members[:end]
    above: list[Row] = []
    for row in rows:
        label = set(terms(row.label)) - _TOTALS
        meant = _TOTAL.search(row.label) is not None or set(terms(row.label)) <= wanted
        if above and label and meant and len(label & wanted) >= 0.6 * len(label):
            return above
        if _TOTAL.search(row.label) or not row.label or (above and row.groups != above[-1].groups):
            above = []
        if row.label and not _TOTAL.search(row.label):
            above.append(row)
    return []


_TOTALS = frozenset({"total"})
_PLAIN = frozenset(terms("table in the of under considered when calculating company listed shown included"))


def _all_rows(finder: Finder) -> list[Row]:
    return [r for r in finder.table.filled if r.label and not _TOTAL.search(r.label)]


def several(finder: Finder, asked: Asked) -> Reply | None:
    """The values of one row at several times, or of several rows, in the order of the question."""
    told = asked.years
    if len(told) > 1:
        best = finder.best(Sought(without_years(asked.body)), lambda c: set(finder.years_of(c)) <= set(told))
        if best is None:
            return None
        cells = _at(finder, best, told)
        if len(cells) == len(told):
            return Reply(values(cells), common_scale(cells), "lookup", "", tuple(cells), best.row)
    return _both(finder, asked) if asked.respectively or len(listed(asked.body)) > 1 else None


def _at(finder: Finder, best: Placed, told: tuple[int, ...]) -> list[Cell]:
    """A row's cells of the years told, or those of rows of the same name in a group for each."""
    by_year = finder.by_year(best.cell)
    name = without_years(finder.rows[best.cell.row].label)
    same = [c for r in finder.table.filled if without_years(r.label) == name for c in r.figures]
    below = {y[0]: c for c in same if c.column == best.cell.column and len(y := finder.years_of(c)) == 1}
    return [found for year in told if (found := by_year.get(year) or below.get(year)) is not None]


def _both(finder: Finder, asked: Asked) -> Reply | None:
    """The cells under the names on the sides of "and"."""
    items = listed(re.sub(r",?\s*\brespective(?:ly)?\b", "", asked.body))
    if len(items) == 1:
        items = list(next(iter(sides(asked.body)), ()))
    if not 2 <= len(items) <= 6 or sum(bool(terms(i)) for i in items) < 2:
        return None
    placed = finder.each(items)
    if not placed:
        return None
    cells = [p.cell for p in placed]
    if len({c.row for c in cells}) < len(cells) and len({c.column for c in cells}) < len(cells):
        return None
    whole = finder.best(Sought(asked.body))
    if not asked.respectively and whole is not None and whole.row > min(p.row for p in placed):
        return None
    return Reply(values(cells), common_scale(cells), "lookup", "", tuple(cells), min(p.row for p in placed))
