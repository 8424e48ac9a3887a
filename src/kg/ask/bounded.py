"""Which … before 1930, how many … with more than 500 members: the rows of a table whose figures lie within a bound."""

from __future__ import annotations

import re

from kg.ask.drafts import LONG_ROOM, Asking, Draft, Value, matched, sentence
from kg.ask.filters import Bound, bound, within
from kg.ask.groups import Group, groups
from kg.ask.question import Question, Role
from kg.ask.retrieve import Term
from kg.ask.spans import Span, cells
from kg.ask.terms import bag
from kg.model import UnitKind

# What the answer is sure of where every word of the question is met by the table.
_EXPLAINED = 0.92
_COUNTS = ("how many", "number of")

Row = tuple[int, tuple[tuple[str, Span], ...]]


class BoundQuestion:
    """Members of a table's first column, chosen by a bound on another column."""

    name = "bounded"

    def asks(self, question: Question) -> bool:
        """``which …``, ``what …``, ``how many …`` with a bound on a date or a figure."""
        asked = question.opening in ("which", "what", *_COUNTS) and bool(question.focus)
        return (asked or bool(re.match(r"(?:list|name)\b", question.lower))) and bound(question) is not None

    def read(self, asking: Asking) -> Draft | None:
        """The rows within the bound, of the best table that has the column and all else that the question says."""
        limit = bound(asking.question)
        for group in groups(asking.found.units, 14):
            if limit is None or group.units[0].kind != UnitKind.ROW:
                continue
            if (draft := _read(asking, group, limit)) is not None:
                return draft
        return None


def _read(asking: Asking, group: Group, limit: Bound) -> Draft | None:
    asked = [t for t in asking.found.terms if t.word.role not in (Role.LIGHT, Role.KIND)]
    rest = tuple(t for t in asked if not limit.start <= t.word.token.start < limit.end)
    rows: list[Row] = [(n, cells(group.passage.units[n].plain)) for n in group.numbers]
    heads = [h for h, _ in rows[0][1]]
    column = _column(rest, rows, heads, limit)
    if column is None or len(heads) < 2:
        return None
    left = [t for t in rest if t.found(bag(f"{column} {heads[0]} {group.title}")) < 0.5]
    rows, left = _narrowed(left, rows)
    # A word that nothing in the table says may be a condition that is not checked.
    if left or not rows:
        return None
    chosen = [(n, row) for n, row in rows if within(limit, dict(row)[column].text)]
    if not chosen:
        return None
    names = list(dict.fromkeys(row[0][1].text for _, row in chosen))
    others = [n for n, _ in rows if n not in {c for c, _ in chosen}]
    evidence = tuple(group.scored(n) for n, _ in chosen)
    counting = asking.question.opening in _COUNTS
    shown = f"{len(names)}: {', '.join(names)}" if counting else ", ".join(names)
    values = tuple(Value(name, (i,)) for i, name in enumerate(names))
    if counting:
        values = (Value(str(len(names)), tuple(range(len(evidence)))),)
    text = sentence(shown, evidence[0].plain, LONG_ROOM)
    members = len(chosen) + len(others)
    kind = "count" if counting else "list"
    return Draft(kind, text, values, evidence, 0.9, None, _EXPLAINED, exact=True, members=members)


def _column(rest: tuple[Term, ...], rows: list[Row], heads: list[str], limit: Bound) -> str | None:
    """The column whose figures the bound can be held against and that the question names."""
    fitting = [
        h
        for h in heads[1:]
        if 2 * sum(within(limit, dict(r)[h].text) is not None for _, r in rows if h in dict(r)) > len(rows)
    ]
    best = max(fitting, key=lambda h: matched(rest, h), default=None)
    return best if best is not None and matched(rest, best) >= 0.5 else None


def _narrowed(left: list[Term], rows: list[Row]) -> tuple[list[Row], list[Term]]:
    """The rows that say each of the words which only some or all of them say, and the words that none says."""
    unsaid = []
    for term in left:
        having = [(n, row) for n, row in rows if term.found(bag(" ".join(c.text for _, c in row))) >= 0.5]
        if not having:
            unsaid.append(term)
        elif term.word.role != Role.FOCUS or len(having) == len(rows):
            rows = having
        else:
            unsaid.append(term)
    return rows, unsaid
