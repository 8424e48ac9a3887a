"""How two neighbouring readings make one. Types and what the graph holds decide which ways there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from kg.semantics.items import Item
from kg.semantics.joins import Joins
from kg.semantics.logic import And, Count, Join, Kind, Minus, Or, Set, Users
from kg.semantics.measures import Measures

Rule = Callable[[Item, Item, Sequence[str]], Iterator[Item]]
_OUT = frozenset(("but", "except", "excluding", "besides"))


class Rules:
    """All rules, by the categories of the two."""

    def __init__(self, joins: Joins, measures: Measures) -> None:
        self._joins, self._measures = joins, measures
        m = measures
        self._binary: Mapping[tuple[str, str], Rule] = {
            ("S", "S"): self._sets,
            ("R", "S"): self._relation_set,
            ("S", "R"): self._set_relation,
            ("R", "R"): joins.compounded,
            ("M", "S"): m.best,
            ("S", "M"): m.set_best,
            ("M", "R"): m.measured,
            ("R", "M"): m.relation_best,
            ("M", "X"): m.counted,
            ("C", "S"): self._count,
            ("C", "R"): self._count_relation,
            ("G", "S"): m.aggregated,
            ("G", "R"): m.aggregating,
            ("S", "G"): m.aggregated_after,
            ("N", "S"): self._negated,
            ("N", "P"): self._negated_condition,
            ("S", "NS"): self._minus,
            ("R", "CK"): m.bounded,
            ("K", "S"): m.numbered,
            ("CK", "R"): m.bounded_after,
            ("CK", "S"): m.count_bounded,
            ("S", "CK"): m.set_bounded,
            ("T", "S"): m.compared,
            ("T", "R"): m.compared_by,
            ("T", "K"): m.compared_number,
            ("S", "P"): m.filtered,
            ("P", "S"): m.filtered_after,
            ("R", "P"): m.conditioned,
            ("E", "S"): self._each,
            ("R", "ES"): m.each_value,
            ("ES", "R"): m.each_value_after,
            ("X", "ES"): m.each_count,
            ("ES", "X"): m.each_count_after,
            ("S", "ES"): m.each_set,
        }

    def combine(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """Every reading that the two make, the words between them given."""
        rule = self._binary.get((left.cat, right.cat))
        return rule(left, right, gap) if rule is not None else iter(())

    def unary(self, item: Item) -> Iterator[Item]:
        """What a reading may be besides."""
        return self._measures.implied(item)

    # --- sets --------------------------------------------------------------------------------

    def _sets(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        if any(w in _OUT for w in gap):
            return
        if any(w in ("and", "or", ",") for w in gap):
            yield from self._union(left, right, gap)
            if "or" not in gap:
                yield from self._intersected(left, right, gap)
            return
        yield from self._intersected(left, right, gap)
        yield from self._joins.bridged(left, right, gap, True)
        yield from self._joins.bridged(right, left, gap, False)

    def _intersected(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        joins = self._joins
        if left.single and right.single and left.form != right.form:
            return
        one, other = left.set(), right.set()
        types = joins.schema.types(one) & joins.schema.types(other)
        both = joins.denote(one) & joins.denote(other)
        if not both and (not types or (left.single and right.single) or isinstance(other, Kind)):
            return
        focus = left.focus or right.focus
        if not both:
            denied = [("denied", 1.0)] if left.single or right.single else []
            empty = [("empty", 1.0)] if joins.denote(one) and joins.denote(other) else []
            yield joins.made(
                "S",
                left,
                right,
                [("intersect", 1.0), *empty, *denied],
                form=And(one, other),
                focus=focus,
                head=left.head,
            )
            return
        local = [("intersect", 1.0)]
        form: Set = And(one, other)
        if both == joins.denote(one):
            form = one
            if not isinstance(other, Kind):
                local.append(("vacuous", 1.0))
        elif both == joins.denote(other):
            form = other
            if not isinstance(one, Kind) and not right.single:
                local.append(("vacuous", 1.0))
        named = any(w in ("named", "called", "titled") for w in gap)
        single = (left.single or right.single) and form in (one, other) and len(both) <= 3 and not named
        yield joins.made(
            "S", left, right, local, form=form, focus=focus, single=single, name=left.name or right.name, head=left.head
        )

    def _union(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        joins = self._joins
        types = joins.schema.types(left.set()), joins.schema.types(right.set())
        if left.form != right.form and (types[0] & types[1]) and left.single == right.single:
            yield joins.made(
                "S",
                left,
                right,
                [("union", 1.0)],
                form=Or(left.set(), right.set()),
                focus=left.focus,
                name=left.name,
                head=left.head,
            )

    def _relation_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        if not gap and isinstance(right.form, Kind) and len(left.path) == 1:
            reached = self._joins.denote(Join(left.path[0], Users(left.path[0])))
            if reached and reached <= self._joins.denote(right.form):  # "capital city": said twice
                yield self._joins.copied("R", left, right, left, [])
        yield from self._joins.joined(left, right, gap, before=True)

    def _set_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        if gap[-1:] == ("by",):
            yield from self._measures.by(left, right, gap)
        yield from self._joins.joined(right, left, gap, before=False)

    # --- operators ---------------------------------------------------------------------------

    def _count(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        members = self._joins.denote(right.set())
        if members and all(self._joins.graph.value(i) is not None for i in members):
            yield self._joins.made("S", left, right, [], form=right.form, focus=True, head=left.start)
            return
        if right.single:
            return
        yield self._joins.made("X", left, right, [], form=Count(right.set()), focus=True, head=left.start)

    def _count_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        if right.path and self._joins.graph.properties[right.path[-1][0]].kind == "number":
            yield self._joins.made("R", left, right, [], path=right.path, noun=True, name=right.name, head=left.start)

    def _negated(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        yield self._joins.made("NS", left, right, [("negated", 1.0)], form=right.form, single=right.single)

    def _negated_condition(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        flipped = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "=": "!="}
        if right.op in flipped:
            yield self._joins.copied("P", left, right, right, [("negated", 1.0)], op=flipped[right.op])

    def _minus(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        joins, one, other = self._joins, left.set(), right.set()
        if left.single:
            return
        if joins.schema.types(one) & joins.schema.types(other) and (right.single or not isinstance(other, Kind)):
            vacuous = not joins.denote(one) & joins.denote(other)
            local = [("vacuous", 1.0)] if vacuous else []
            yield joins.made("S", left, right, local, form=Minus(one, other), focus=left.focus, head=left.head)
        for form, local in joins.linked(one, other, gap):
            yield joins.made("S", left, right, local, form=Minus(one, form), focus=left.focus, head=left.head)

    def _each(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        if not right.single:
            yield self._joins.made("ES", left, right, [], form=right.form)
