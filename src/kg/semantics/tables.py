"""Requests for rows: "return the policies and their holders by policy number", "the total premium of each agent".

What a question asks for side by side are columns. Their classes are joined by the smallest tree of steps that the
graph takes between them (as in keyword search over databases); totals are grouped by the other columns.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from kg.semantics.bounds import bounds_at
from kg.semantics.columns import Columns, Mention
from kg.semantics.logic import Cell, Column, Condition, Edge, Function, Table
from kg.semantics.schema import NONE, Schema
from kg.text.question_words import AGGREGATES, FUNCTION, GENERIC, LIGHT, NEGATIONS, graded

_REQUESTS = frozenset(("return", "list", "show", "give", "display", "find", "get", "print"))
_MARKS = frozenset((",", "and", "&"))
_VAGUE = frozenset(
    ("amount", "amounts", "paid", "all", "corresponding", "id", "identifier", "value", "values", "sum", "divided")
)


@dataclass(frozen=True, slots=True)
class Request:
    """A table that was asked for, and the share of the question's words that it explains."""

    table: Table
    explained: float
    sure: bool


class Tables:
    """Reads requests for rows."""

    def __init__(self, schema: Schema, columns: Columns) -> None:
        self._schema, self._columns = schema, columns

    def read(self, words: Sequence[str]) -> Request | None:
        """The table that a question asks for; None where it asks for something else."""
        if any(w in NEGATIONS for w in words) or any(_is_superlative(words, i) for i in range(len(words))):
            return None
        by = [i for i, w in enumerate(words) if w == "by" and words[i - 1 : i] not in (["divided"], ("divided",))]
        named = _defined_names(words)
        mentions = [m for m in self._columns.mentions(words) if not set(words[m.start : m.end]) <= named]
        listed = next((i for i in by if any(m.start in range(i + 1, i + 4) for m in mentions)), None)
        if len(mentions) < 2 or (listed is None and words[0] not in _REQUESTS and not _sums(words)):
            return None
        found = _Reader(self._columns, words, mentions, listed).columns()
        conditions = tuple(self._conditions(words, mentions))
        classes = list(dict.fromkeys([c.cls for col in found for c in col.cells] + [m.cls for m in mentions]))
        edges = self._tree([c for c in classes if c != NONE])
        if edges is None or not found:
            return None
        explained = self._explained(words, mentions, conditions)
        return Request(Table(tuple(edges), tuple(found), conditions), explained, listed is not None)

    def _conditions(self, words: Sequence[str], mentions: Sequence[Mention]) -> Iterable[Condition]:
        """ "Closed in 2019": the date that the verb speaks of."""
        for at in range(1, len(words)):
            for _, bound in bounds_at(words, at):
                if bound.date and words[at - 1] in ("in", "during", "before", "after", "since"):
                    near = [w for w in words[max(0, at - 4) : at - 1] if w not in FUNCTION]
                    cell = self._columns.dated(near, mentions)
                    op = {"before": "<", "after": ">", "since": ">="}.get(words[at - 1], "=")
                    if cell is not None:
                        yield Condition(cell, op, bound)  # type: ignore[arg-type]
                    return

    def _explained(self, words: Sequence[str], mentions: Sequence[Mention], conditions: Sequence[Condition]) -> float:
        """The share of words with a meaning that columns, joins and operators account for."""
        content = [i for i, w in enumerate(words) if w not in FUNCTION | LIGHT and w not in _MARKS]
        covered = {i for m in mentions for i in range(m.start, m.end)}
        known = [i for i in content if i in covered or words[i] in _VAGUE or words[i] in AGGREGATES]
        known += [i for i in content if i not in known and words[i] in ("number", "many", "how", "each")]
        known += [
            i
            for i in content
            if i not in known and (self._columns.is_relation(words[i]) or (words[i][:2].isdigit() and conditions))
        ]
        known += [i for c in conditions for i in content if self._columns.says(words[i], c.cell)]
        named = _defined_names(words)
        known += [i for i in content if words[i] in named]
        return len(set(known)) / max(1, len(content))

    def _tree(self, classes: Sequence[int]) -> list[Edge] | None:
        """Steps that join the classes, each class once; None where they can't be joined."""
        joined, edges = set(classes[:1]), []
        waiting = list(dict.fromkeys(classes[1:]))
        while waiting:
            waiting = [c for c in waiting if c not in joined]
            if not waiting:
                break
            path = self._nearest(joined, set(waiting))
            if path is None:
                return None
            for edge in path:
                joined |= {edge.start, edge.end}
                edges.append(edge)
        return edges

    def _nearest(self, start: set[int], goals: set[int]) -> list[Edge] | None:
        """The cheapest way from any of the classes to any goal (Dijkstra); what is declared costs less."""
        queue: list[tuple[float, int, int, list[Edge]]] = [(0.0, i, c, []) for i, c in enumerate(sorted(start))]
        seen: set[int] = set()
        serial = len(queue)
        heapq.heapify(queue)
        while queue:
            cost, _, here, path = heapq.heappop(queue)
            if here in goals:
                return path
            if here in seen:
                continue
            seen.add(here)
            for there in self._schema.neighbours(here):
                step = self._columns.preferred(self._schema.links[here, there])
                if there not in seen and there != NONE:
                    serial += 1
                    more = 1.0 if self._columns.is_declared(step) else 1.3
                    heapq.heappush(queue, (cost + more, serial, there, [*path, Edge(here, step, there)]))
        return None


class _Reader:
    """Goes through the mentions of one question and decides what each is: shown, counted, summed or left out."""

    def __init__(self, columns: Columns, words: Sequence[str], mentions: Sequence[Mention], by: int | None) -> None:
        self._columns, self._words, self._mentions = columns, words, mentions
        self._by = by if by is not None else len(words)

    def columns(self) -> list[Column]:
        """The columns asked for."""
        summed = self._defined()
        totals = self._totals(summed)
        divided = self._divided(summed)
        inside = {id(m) for m in summed}
        counted = self._counted()
        grouped = bool(totals or counted or divided)
        plain = []
        for mention in self._mentions:
            if id(mention) in inside or mention in counted or any(mention in used for _, used in (*totals, *divided)):
                continue
            if self._is_scope(mention, grouped):
                continue
            plain.append(mention)
        shown = self._plain(plain)
        made = [column for column, _ in totals]
        made += [Column("COUNT", (Cell(m.cls, None),)) for m in counted]
        made += [column for column, _ in divided]
        if summed and not made:
            made.append(Column("SUM", tuple(self._columns.amount(m) for m in summed)))
        return [*shown, *made]

    def _plain(self, mentions: Sequence[Mention]) -> list[Column]:
        """Columns of values; a class of which a value is shown isn't shown besides."""
        valued = {m.cls for m in mentions if m.property is not None}
        cells = [
            Cell(m.cls, m.property) if m.property is not None else self._columns.key(m.cls)
            for m in mentions
            if m.property is not None or m.cls not in valued
        ]
        return [Column("", (cell,)) for cell in dict.fromkeys(cells)]

    def _is_scope(self, mention: Mention, grouped: bool) -> bool:
        """Whether a class only says of what: "the total loss of each policy … by agent"."""
        before = self._words[max(0, mention.start - 2) : mention.start]
        listed = self._by < len(self._words) and mention.start < self._by
        scoped = before[-1:] in (["each"], ["all"], ["our"]) or tuple(before[-2:]) in (("all", "the"), ("of", "the"))
        if mention.property is None and listed and grouped:
            return scoped or not any(w in ("a", "an", "each") for w in before)
        return mention.property is None and listed and scoped and self._shows_value_before(mention)

    def _shows_value_before(self, mention: Mention) -> bool:
        return any(m.property is not None and m.start < mention.start for m in self._mentions)

    def _defined(self) -> list[Mention]:
        """What "… is the sum of A, B, C" lists, up to the columns or the next definition."""
        words = list(self._words)
        for at in range(len(words) - 1):
            if words[at] == "sum" and words[at + 1] == "of":
                found, last = [], at + 2
                for mention in self._mentions:
                    between = words[last : mention.start]
                    if mention.start >= at + 2 and all(w in _MARKS or w in ("the", "amount") for w in between):
                        found.append(mention)
                        last = mention.end
                return found
        return []

    def _totals(self, summed: Sequence[Mention]) -> list[tuple[Column, list[Mention]]]:
        """ "Total premium", "average loss": the number and the mentions it uses up."""
        found: list[tuple[Column, list[Mention]]] = []
        for at, word in enumerate(self._words):
            if word not in AGGREGATES or tuple(self._words[at : at + 2]) == ("sum", "of"):
                continue
            if self._divides(at):
                continue
            named = next((m for m in self._mentions if at < m.start <= at + 4 and m not in summed), None)
            direct = named is not None and all(w in FUNCTION | _VAGUE for w in self._words[at + 1 : named.start])
            if direct and named is not None and self._columns.amount_of(named) is not None:
                cell = self._columns.amount_of(named)
                assert cell is not None
                found.append((Column(cast("Function", AGGREGATES[word]), (cell,)), [named]))
            elif summed and not any(c.function == AGGREGATES[word] for c, _ in found):
                cells = tuple(self._columns.amount(m) for m in summed)
                found.append((Column(cast("Function", AGGREGATES[word]), cells), []))
        kinds = list(dict.fromkeys(column for column, _ in found))
        return [next(f for f in found if f[0] == kind) for kind in kinds]

    def _divides(self, at: int) -> bool:
        """Whether what stands here is divided by something."""
        return "divided" in self._words[at : at + 8] and "ratio" not in self._words[max(0, at - 4) : at]

    def _divided(self, summed: Sequence[Mention]) -> list[tuple[Column, list[Mention]]]:
        """ "… divided by …"."""
        words = list(self._words)
        if "divided" not in words:
            return []
        at = words.index("divided")
        after = next((m for m in self._mentions if m.start > at), None)
        if after is None:
            return []
        counted = any(w in ("number", "count") for w in words[at : after.start])
        below = Cell(after.cls, None) if counted else self._columns.amount(after)
        before = [m for m in self._mentions if m.end <= at and m not in summed]
        above = tuple(self._columns.amount(m) for m in summed)
        if not above and before and (cell := self._columns.amount_of(before[-1])) is not None:
            above = (cell,)
        used = [m for m in self._mentions if m.start > at] + ([] if summed else before)
        return [(Column("RATIO", above, below), used)] if above else []

    def _counted(self) -> list[Mention]:
        """ "How many claims", "number of claims"."""
        found = []
        for mention in self._mentions:
            before = tuple(self._words[max(0, mention.start - 2) : mention.start])
            near = "divided" in self._words[max(0, mention.start - 6) : mention.start]
            if before in (("how", "many"), ("number", "of"), ("count", "of")) and mention.property is None and not near:
                found.append(mention)
        return found


def _is_superlative(words: Sequence[str], at: int) -> bool:
    grade = graded(words[at])
    return grade is not None and grade[1] == "est" and (words[at] in GENERIC or len(words[at]) > 4)


def _defined_names(words: Sequence[str]) -> set[str]:
    """Words that the question itself defines: "where loss is the sum of …", "the size, which is … divided by …"."""
    found: set[str] = set()
    for at in range(len(words)):
        if words[at] in ("is", "are") and _defines(words[at + 1 : at + 12]):
            last = at - 1 if words[at - 1] != "which" else at - 2
            while last >= 0 and (words[last] == "," or words[last] == "which"):
                last -= 1
            while last >= 0 and words[last] not in FUNCTION and words[last] not in ("where", ",", *AGGREGATES):
                found.add(words[last])
                last -= 1
    return found


def _defines(words: Sequence[str]) -> bool:
    pairs = list(pairwise(words))
    return ("sum", "of") in pairs[:3] or ("divided", "by") in pairs


def _sums(words: Sequence[str]) -> bool:
    """Whether a number is defined, or one is wanted of many things."""
    pairs = set(pairwise(words))
    return (
        ("sum", "of") in pairs
        or ("divided", "by") in pairs
        or bool({"total", "average"} & set(words) and {"a", "each"} & set(words))
    )
