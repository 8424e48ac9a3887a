"""Requests for rows: "return the policies and their holders by policy number", "the total premium of each agent".

What a question asks for side by side are columns. Their classes are joined by the smallest tree of steps that the
graph takes between them (as in keyword search over databases); totals are grouped by the other columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import cast

import networkx as nx

from kg.semantics.graph import Graph
from kg.semantics.lexicon import Lexicon
from kg.semantics.logic import Cell, Column, Condition, Edge, Function, Table
from kg.semantics.operators import bounds_at
from kg.semantics.schema import NONE, Schema
from kg.text.question_words import AGGREGATES, FUNCTION, GENERIC, LIGHT, NEGATIONS, graded
from kg.text.tokens import stem
from kg.text.tokens import words as words_of

_KEYS = ("number", "id", "identifier", "code", "name", "title", "label", "key", "no")
_AMOUNTS = frozenset(("amount", "value", "total", "price", "cost", "sum"))
_LEAST, _LONGEST = 0.6, 5
_COUNTS = (("number", "of"), ("count", "of"), ("sum", "of"))
_APART = frozenset((",", "'s", "and", "by", "divided", "sum"))
_REQUESTS = frozenset(("return", "list", "show", "give", "display", "find", "get", "print"))
_MARKS = frozenset((",", "and", "&"))
_VAGUE = frozenset(
    ("amount", "amounts", "paid", "all", "corresponding", "id", "identifier", "value", "values", "sum", "divided")
)


@dataclass(frozen=True, slots=True)
class Mention:
    """Words that name a class (no property) or an attribute of it."""

    start: int
    end: int
    cls: int
    property: int | None
    score: float


class Columns:
    """The attributes and classes of one graph, to be named."""

    def __init__(self, graph: Graph, schema: Schema, lexicon: Lexicon) -> None:
        self._graph, self._schema, self._lexicon = graph, schema, lexicon

    @cached_property
    def owners(self) -> dict[int, int]:
        """The class whose things have an attribute, of every attribute."""
        found = {}
        for property_ in self._graph.properties.values():
            if property_.kind == "thing":
                continue
            used = list(self._graph.out.get(property_.id, {}))[:20]
            classes = [self._schema.kind(i) for i in used]
            own = sorted(property_.domain) or sorted(set(classes), key=lambda c: (-classes.count(c), c))
            if own and own[0] != NONE and used:
                found[property_.id] = own[0]
        return found

    def key(self, cls: int) -> Cell:
        """What identifies the things of a class: a number, a name, else the things themselves."""
        own = [p for p, c in self.owners.items() if c == cls]
        if any(i in self._graph.names for i in list(self._graph.classes.get(cls, ()))[:5]):
            return Cell(cls, None)
        named = [(rank, p) for p in own for rank, word in enumerate(_KEYS) if self._last(p) == word]
        if named:
            return Cell(cls, min(named, key=lambda n: (n[0], len(self._name(n[1])), n[1]))[1])
        return Cell(cls, self._amount(cls))

    def _name(self, id_: int) -> str:
        return self._graph.properties[id_].names[0]

    def _last(self, id_: int) -> str:
        return words_of(self._name(id_))[-1]

    def _amount(self, cls: int) -> int | None:
        own = [p for p, c in self.owners.items() if c == cls and self._graph.properties[p].kind == "number"]
        own = [p for p in own if self._last(p) not in _KEYS]
        return min(own, key=lambda p: (self._last(p) not in _AMOUNTS, len(self._name(p)), p), default=None)

    def amount_of(self, mention: Mention) -> Cell | None:
        """The number that a mention stands for; None if it has none."""
        if mention.property is not None:
            number = self._graph.properties[mention.property].kind == "number"
            return Cell(mention.cls, mention.property) if number else None
        amount = self._amount(mention.cls)
        return None if amount is None else Cell(mention.cls, amount)

    def amount(self, mention: Mention) -> Cell:
        """The same; a class without numbers by what identifies it."""
        return self.amount_of(mention) or self.key(mention.cls)

    def dated(self, near: Sequence[str], mentions: Sequence[Mention]) -> Cell | None:
        """The date that a verb speaks of, of a class that is mentioned if there is one."""
        classes = {m.cls for m in mentions}
        found = [
            (owner in classes, sum(any(stem(w)[:4] == stem(n)[:4] for n in words_of(self._name(p))) for w in near), -p)
            for p, owner in self.owners.items()
            if self._graph.properties[p].kind == "date"
        ]
        best = max(found, default=None)
        return None if best is None or not best[1] else Cell(self.owners[-best[2]], -best[2])

    def says(self, word: str, cell: Cell) -> bool:
        """Whether a word is in an attribute's name, in some form ("closed", "close date")."""
        if cell.property is None:
            return False
        return any(stem(word)[:4] == stem(part)[:4] for part in words_of(self._name(cell.property)))

    def is_relation(self, word: str) -> bool:
        """Whether a word names a step between things."""
        found = (m for m in self._lexicon.properties((word,), dense=False) if m.score >= 0.45)
        return any(self._graph.properties[m.id].kind == "thing" for m in found)

    # --- finding -----------------------------------------------------------------------------

    def mentions(self, text: Sequence[str]) -> list[Mention]:
        """What a question names, from left to right, nothing twice over the same words."""
        found: list[Mention] = []
        for start in range(len(text)):
            for end in range(start + 1, min(len(text), start + _LONGEST) + 1):
                span = tuple(text[start:end])
                if any(w in _APART or w in AGGREGATES for w in span):
                    break
                if tuple(text[start : start + 2]) in _COUNTS:
                    break
                if span[0] not in FUNCTION and span[-1] not in FUNCTION:
                    found += self._named(start, end, span)
        return self._settled(found)

    def _named(self, start: int, end: int, span: tuple[str, ...]) -> list[Mention]:
        size = end - start
        found = [
            Mention(start, end, m.id, None, m.score * size)
            for m in self._lexicon.classes(span)[:2]
            if m.score >= 0.85 and (self._graph.classes[m.id] or self._amount(m.id) is not None)
        ]
        for match in self._lexicon.properties(span, dense=False)[:4]:
            if match.id in self.owners and match.score >= _LEAST:
                found.append(Mention(start, end, self.owners[match.id], match.id, match.score * size * 0.99))
        return found

    def _settled(self, found: Sequence[Mention]) -> list[Mention]:
        """The best mentions that don't overlap; classes mentioned anywhere speak for their attributes."""
        classes = {m.cls for m in found if m.property is None and m.score >= 0.85}
        order = sorted(
            found, key=lambda m: (-m.score - 0.15 * (m.cls in classes), m.start, -m.end, m.property is not None, m.cls)
        )
        kept: list[Mention] = []
        for mention in order:
            if all(mention.end <= k.start or k.end <= mention.start for k in kept):
                kept.append(mention)
        return sorted(kept, key=lambda m: m.start)


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
        said = {*_VAGUE, *AGGREGATES, "number", "many", "how", "each", *_defined_names(words)}

        def is_known(at: int) -> bool:
            word = words[at]
            if at in covered or word in said or self._columns.is_relation(word):
                return True
            return any(word[:2].isdigit() or self._columns.says(word, c.cell) for c in conditions)

        return sum(map(is_known, content)) / max(1, len(content))

    def _tree(self, classes: Sequence[int]) -> list[Edge] | None:
        """Steps that join the classes, each class once, nearer ones first; None where they can't be joined."""
        joined, edges = set(classes[:1]), list[Edge]()
        while waiting := [c for c in classes if c not in joined]:
            near, paths = nx.multi_source_dijkstra(self._steps, joined)
            goal = min((c for c in waiting if c in near), key=near.__getitem__, default=None)
            if goal is None:
                return None
            for one, other in pairwise(paths[goal]):
                joined.add(other)
                edges.append(Edge(one, self._steps.edges[one, other]["step"], other))
        return edges

    @cached_property
    def _steps(self) -> nx.DiGraph:
        """Classes joined by the likeliest step between them: a declared one, which costs less, then the commonest."""
        found, properties = nx.DiGraph(), self._schema.graph.properties
        found.add_nodes_from(self._schema.graph.classes)
        for (one, other), steps in self._schema.links.items():
            if NONE not in (one, other):
                ranked = [(not properties[step[0]].domain, -uses, step) for step, uses in steps]
                far, _, step = min(ranked)
                found.add_edge(one, other, step=step, weight=1.3 if far else 1.0)
        return found


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
        counted = self._counted()
        grouped = bool(totals or counted or divided)
        used = [*summed, *counted, *(m for _, own in (*totals, *divided) for m in own)]
        shown = self._plain([m for m in self._mentions if m not in used and not self._is_scope(m, grouped)])
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
        valued = any(m.property is not None and m.start < mention.start for m in self._mentions)
        return mention.property is None and listed and scoped and valued

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
            if word not in AGGREGATES or tuple(self._words[at : at + 2]) == ("sum", "of") or self._divides(at):
                continue
            function = cast("Function", AGGREGATES[word])
            named = next((m for m in self._mentions if at < m.start <= at + 4 and m not in summed), None)
            direct = named is not None and all(w in FUNCTION | _VAGUE for w in self._words[at + 1 : named.start])
            if direct and named is not None and (cell := self._columns.amount_of(named)) is not None:
                found.append((Column(function, (cell,)), [named]))
            elif summed and not any(c.function == function for c, _ in found):
                found.append((Column(function, tuple(self._columns.amount(m) for m in summed)), []))
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
