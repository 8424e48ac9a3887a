"""Columns that a question may name: attributes with numbers, dates or texts, and classes by what identifies them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from kg.semantics.graph import Graph, Step
from kg.semantics.lexicon import Lexicon
from kg.semantics.logic import Cell
from kg.semantics.schema import NONE, Schema
from kg.text.question_words import AGGREGATES, FUNCTION
from kg.text.tokens import stem, words

_KEYS = ("number", "id", "identifier", "code", "name", "title", "label", "key", "no")
_AMOUNTS = frozenset(("amount", "value", "total", "price", "cost", "sum"))
_LEAST, _LONGEST = 0.6, 5
_COUNTS = (("number", "of"), ("count", "of"), ("sum", "of"))
_APART = frozenset((",", "'s", "and", "by", "divided", "sum"))


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
        amount = self._amount(cls)
        return Cell(cls, amount)

    def _name(self, id_: int) -> str:
        return self._graph.properties[id_].names[0]

    def _last(self, id_: int) -> str:
        return words(self._name(id_))[-1]

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
            (owner in classes, sum(any(stem(w)[:4] == stem(n)[:4] for n in words(self._name(p))) for w in near), -p)
            for p, owner in self.owners.items()
            if self._graph.properties[p].kind == "date"
        ]
        best = max(found, default=None)
        return None if best is None or not best[1] else Cell(self.owners[-best[2]], -best[2])

    def says(self, word: str, cell: Cell) -> bool:
        """Whether a word is in an attribute's name, in some form ("closed", "close date")."""
        if cell.property is None:
            return False
        return any(stem(word)[:4] == stem(part)[:4] for part in words(self._name(cell.property)))

    def is_relation(self, word: str) -> bool:
        """Whether a word names a step between things."""
        for match in self._lexicon.properties((word,), dense=False):
            if match.score >= 0.45 and self._graph.properties[match.id].kind == "thing":
                return True
        return False

    def is_declared(self, step: Step) -> bool:
        """Whether an ontology says what a step's property joins."""
        return bool(self._graph.properties[step[0]].domain)

    def preferred(self, steps: Sequence[tuple[Step, int]]) -> Step:
        """The step to take of several: a declared one, then the commonest."""
        return min(steps, key=lambda s: (not self.is_declared(s[0]), -s[1], s[0]))[0]

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
