"""Joins: a relation with what it is of, and relations that no word names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kg.semantics.denote import Denoter
from kg.semantics.graph import Graph, Ids, Step
from kg.semantics.items import Item
from kg.semantics.logic import Aggregate, And, Best, Join, Kind, Or, Path, Set, Things, Users, along, back
from kg.semantics.schema import NONE, Schema
from kg.text.question_words import PLACES
from kg.text.tokens import words

Local = list[tuple[str, float]]
_OF = frozenset(("of", "'s", "for", "in", "whose"))
_FEW = 5_000  # things tied to one of two, up to which it is looked for those tied to both
_KEPT = 500  # named things whose neighbours are kept
_MEETINGS = 3  # ways in which two things meet in others
_SAID = 0.6  # how well a relation's words fit, from which it may be one of what is merely tied to its argument


class Joins:
    """Rules that join sets by steps."""

    def __init__(self, graph: Graph, denote: Denoter, schema: Schema, weights: Mapping[str, float]) -> None:
        self.graph, self.denote, self.schema = graph, denote, schema
        self._weights = weights
        self._neighbours: dict[Things, Mapping[Step, Ids]] = {}
        self._bridges: dict[tuple[Set, Set], list[tuple[Path, Set, Local]]] = {}

    def made(self, cat: str, one: Item, other: Item, local: Local, like: Item | None = None, **fields: Any) -> Item:
        """A new reading of two neighbours, scored; it is ``like`` another but for fields."""
        start, end = min(one.start, other.start), max(one.end, other.end)
        score = one.score + other.score + self.weighed(local)
        kids = (one, other) if one.start <= other.start else (other, one)
        own: Any = {"cat": cat, "start": start, "end": end, "score": score, "kids": kids, "local": tuple(local)}
        return Item(**own, **fields) if like is None else replace(like, **own, **fields)

    def chosen(self, one: Item, other: Item, of: Item, form: Set, local: Local) -> Item:
        """A set of some things of one of two readings."""
        return self.made("S", one, other, local, form=form, focus=of.focus, name=of.name, head=of.head)

    def alone(self, found: Item, item: Item, local: Local) -> Item:
        """A reading of one and of what no word names."""
        score, features = found.score + self.weighed(local), (*found.local, *local)
        return replace(found, start=item.start, end=item.end, kids=(item,), score=score, local=features)

    def weighed(self, local: Local) -> float:
        """The score of features."""
        return sum(self._weights[name] * value for name, value in local)

    # --- relations ---------------------------------------------------------------------------

    def joined(  # noqa: C901 - the ways to read one relation
        self, relation: Item, of: Item, gap: Sequence[str], *, before: bool
    ) -> Iterator[Item]:
        """A relation with its argument, read from either end."""
        path, argument = relation.path, of.set()
        numeric = self.graph.properties[path[-1][0]].kind != "thing"
        for forward in (True, False):
            if not forward and numeric and not _is_named(argument):
                continue
            way = path if forward else back(path)
            form = along(way, argument)
            if of.op == "both" and isinstance(argument, Or):
                form = And(along(way, argument.left), along(way, argument.right))
            local = self._syntax(relation, of, gap, before, forward)
            if isinstance(argument, Join) and argument.step == (way[0][0], not way[0][1]):
                if numeric:
                    continue
                local.append(("again" if not argument.step[1] or self._symmetric(argument.step[0]) else "same", 1.0))
            if relation.name == "where" and self._is_place(argument):
                continue
            if not self.denote(form):
                if not self.schema.accepts(argument, way):
                    yield from self._reached(relation, of, way, gap, local)
                    continue
                local.append(("empty", 1.0))
            if of.focus:
                local.append(("focus", 1.0))
            if "'s" in gap:
                local.append(("tight", 1.0))
            if relation.fn:
                yield from self._aggregate(relation, of, argument, way, local)
            else:
                yield self._join(relation, of, form, local)

    def _symmetric(self, property_: int) -> bool:
        """Whether a property joins things of one kind: there and back is another thing then."""
        found = self.graph.properties[property_]
        ends = self.graph.back[property_].keys()
        return bool(found.domain & found.range) or not ends.isdisjoint(self.graph.out[property_].keys())

    def _is_place(self, argument: Set) -> bool:
        """Whether a set is already where something is."""
        if not isinstance(argument, Join) or not argument.step[1]:
            return False
        return any(w in PLACES for n in self.graph.properties[argument.step[0]].names for w in words(n))

    def _join(self, relation: Item, of: Item, form: Set, local: Local) -> Item:
        return self.made(
            "S", relation, of, local, form=form, name=relation.name, head=relation.start, focus=relation.focus,
            plural=relation.plural,
        )  # fmt: skip

    def _reached(self, relation: Item, of: Item, way: Path, gap: Sequence[str], local: Local) -> Iterator[Item]:
        """The relation of what is related to the argument: "the capitals in the country"."""
        owners = Users(way[0])
        if not self.denote(owners) or way != relation.path or relation.fit < _SAID:
            return
        for form, more in self.linked(owners, of.set(), gap)[:2]:
            there_and_back = isinstance(form, Join) and form.step == (way[0][0], not way[0][1])
            if there_and_back or any(name in ("empty", "bridge-2") for name, _ in more):
                continue
            those = And(owners, form)
            if relation.fn:
                yield from self._aggregate(relation, of, those, way, [*local, *more])
            else:
                yield self._join(relation, of, along(way, those), [*local, *more])

    def _gives_back(self, other: Set, step: Step) -> bool:
        """Whether a step leads from a named thing's value to all that share it."""
        named = isinstance(other, Join) and isinstance(other.of, Things) and other.step == (step[0], not step[1])
        return named and self.denote.is_value(other)

    def _returns(self, form: Set, argument: Set) -> bool:
        """Whether a step goes back where it came from: what has an author whom it has too."""
        if not isinstance(form, Join) or not isinstance(argument, Join) or form.of != argument:
            return False
        return form.step == (argument.step[0], not argument.step[1])

    def _aggregate(self, relation: Item, of: Item, argument: Set, way: Path, local: Local) -> Iterator[Item]:
        if self.denote(along(way, argument)) and way == relation.path:
            form = Aggregate(relation.fn, argument, way)  # type: ignore[arg-type]
            yield self.made("X", relation, of, local, form=form, focus=True)

    def _syntax(self, relation: Item, of: Item, gap: Sequence[str], before: bool, forward: bool) -> Local:
        """Whether English reads the relation from this end, here."""
        noun = relation.noun
        if any(w in _OF for w in gap):
            noun = True if relation.noun is None else relation.noun or "of" in gap or "'s" in gap
        if relation.focus:  # "which clubs …": the clubs, not what has them
            natural: bool | None = True
        elif noun is True:
            natural = True if before or "'s" in gap else None
            if not before and any(w in ("whose", "with", "has", "have", "is") for w in gap):
                natural = None
        elif noun is False:
            natural = not before if "by" not in gap else before
        else:
            natural = None if not before else False
        # "The mentor of A" is nobody whose mentor is A, even if A has none.
        firm = natural is True and "of" in gap and self._symmetric(relation.path[0][0])
        against = natural is not None and natural != forward
        found: Local = [("direction", 2.0 if firm else 1.0)] if against else []
        if not before and noun is not True and "'s" not in gap and not of.single:
            found.append(("extraction", 1.0))
        return found

    # --- relations that no word names --------------------------------------------------------

    def bridged(self, head: Item, other: Item, gap: Sequence[str], head_first: bool) -> Iterator[Item]:
        """The head's things that are somehow related to the other's."""
        if any(w in ("named", "called", "titled") for w in gap):
            return
        if head.single and not (gap == () and other.single and head_first):
            return
        for form, local in self._linked_to(head.set(), other, gap):
            local = list(local)
            if other.focus:
                local.append(("focus", 1.0))
            greatest = isinstance(head.form, Best) and head.form.of_values
            if head_first and greatest and head.kids and head.kids[0].cat == "M":
                local.append(("high", 1.0))
            natural = head_first if gap and "'s" not in gap else (other.single and not head_first) or head.single
            if not natural and not (head.focus and not head_first):
                local.append(("order", 1.0))
            yield self.chosen(head, other, head, And(head.set(), form), local)

    def met(self, left: Item, right: Item) -> Iterator[Item]:
        """What two named things are both tied to, neither the one nor the other: the nodes of relations of several.

        "(How much did) A pay to B" is said of a payment that has the one as payer and the other as payee.
        """
        one, other = left.set(), right.set()
        if not (isinstance(one, Things) and isinstance(other, Things)):
            return
        ways: list[tuple[int, Set]] = []
        for first, nodes in self._around(one).items():
            for second, others in self._around(other).items():
                if min(len(nodes), len(others)) <= _FEW and (both := nodes & others):
                    ways.append((-len(both), And(Join(first, one), Join(second, other))))
        for rank, (_, form) in enumerate(sorted(ways, key=lambda w: (w[0], repr(w[1])))[:_MEETINGS]):
            local: Local = [("bridge", 1.0), ("bridge-rank", float(rank))]
            yield self.made("S", left, right, local, form=form, head=left.head)

    def _around(self, form: Things) -> Mapping[Step, Ids]:
        """What named things are tied to, by each step; no values."""
        if form not in self._neighbours:
            if len(self._neighbours) > _KEPT:
                self._neighbours.clear()
            members = self.denote(form)
            steps = ((p, forward) for p in self.graph.properties for forward in (True, False))
            found = ((step, self.graph.follow(members, step) - self.graph.literals) for step in steps)
            self._neighbours[form] = {step: nodes for step, nodes in found if nodes}
        return self._neighbours[form]

    def _linked_to(self, head: Set, other: Item, gap: Sequence[str]) -> list[tuple[Set, Local]]:
        """The same of "both A and B", by one relation."""
        form = other.set()
        if other.op != "both" or not isinstance(form, Or):
            return self.linked(head, form, gap)
        ones, others = self.linked(head, form.left, gap), self.linked(head, form.right, gap)
        return [
            (And(one, two), local) for one, local in ones for two, _ in others
            if isinstance(one, Join) and isinstance(two, Join) and one.step == two.step
        ]  # fmt: skip

    def linked(self, head: Set, other: Set, gap: Sequence[str]) -> list[tuple[Set, Local]]:
        """Sets of what is related to the other set and may be among the head's things."""
        key = (head, other)
        if key not in self._bridges:
            if len(self._bridges) > 5000:
                self._bridges.clear()
            self._bridges[key] = self._find(head, other)
        found = []
        for path, form, local in self._bridges[key]:
            said = {w for step in path for n in self.graph.properties[step[0]].names for w in words(n)}
            hint = any(w in said for w in gap if w in ("in", "by", "for", "to", "on", "at", "of", "from", "with"))
            again = [("again", 1.5)] if self._returns(form, other) else []
            found.append((form, [*local, *again, *([("bridge-word", 1.0)] if hint else [])]))
        return found

    def _find(self, head: Set, other: Set) -> list[tuple[Path, Set, Local]]:
        one, two = self.schema.types(head), self.schema.types(other)
        if not one or not two or self.denote.is_value(head):
            return self._untyped(head, other)
        found: list[tuple[Path, Set, Local]] = []
        empty: list[tuple[Path, Set, Local]] = []
        members = self.denote(head)
        for rank, path in enumerate(self.schema.paths(two, one)):
            form = along(path, other)
            local: Local = [("bridge" if len(path) == 1 else "bridge-2", 1.0), ("bridge-rank", float(rank))]
            both = self.denote.meet(members, form)
            if not both:
                empty.append((path, form, [*local, ("empty", 1.0)]))
                continue
            if both == members and not isinstance(head, Kind):
                local.append(("vacuous", 1.0))
            found.append((path, form, local))
        return found or empty[:1]

    def _untyped(self, head: Set, other: Set) -> list[tuple[Path, Set, Local]]:
        """The same by trying every property: values, and things without a class."""
        members, others = self.denote(head), self.denote(other)
        if not _is_named(other) and all(self.graph.value(i) is not None for i in others):
            return []  # that two figures happen to be equal ties nothing
        if not members or not others or len(others) > 300 or self.schema.types(head) - {NONE} == frozenset():
            return []
        found: list[tuple[Path, Set, Local]] = []
        for property_ in self.graph.properties:
            for forward in (True, False):
                edges = (self.graph.out if forward else self.graph.back)[property_]
                if edges.keys().isdisjoint(others) or self._gives_back(other, (property_, forward)):
                    continue
                if members & self.graph.follow(others, (property_, forward)):
                    step = (property_, forward)
                    found.append(((step,), Join(step, other), [("bridge", 1.0), ("bridge-rank", float(len(found)))]))
        return found


def _is_named(form: Set) -> bool:
    """Whether a set is what the question names, one or several."""
    return isinstance(form, Things) or (isinstance(form, Or) and _is_named(form.left) and _is_named(form.right))
