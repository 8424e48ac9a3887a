"""How two neighbouring readings make one. Types and what the graph holds decide which ways there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from kg.semantics.differences import Differences
from kg.semantics.groups import Groups, Listings
from kg.semantics.items import Item
from kg.semantics.joins import Joins
from kg.semantics.logic import And, Bound, Count, Join, Kind, Minus, Or, Path, Set, Users
from kg.semantics.measures import Conditions, Measures
from kg.semantics.tallies import Tallies
from kg.semantics.texts import TextRules

Rule = Callable[[Item, Item, Sequence[str]], Iterator[Item]]
_OUT = frozenset(("but", "except", "excluding", "besides"))


def _either(*rules: Rule) -> Rule:
    """Several rules for one pair of categories."""
    return lambda left, right, gap: (item for rule in rules for item in rule(left, right, gap))


def _turned(rule: Rule) -> Rule:
    """A rule for the two in the other order."""
    return lambda left, right, gap: rule(right, left, gap)


class Rules:
    """All rules, by the categories of the two."""

    def __init__(self, joins: Joins, measures: Measures) -> None:
        self._joins, self._measures = joins, measures
        m, c = measures, Conditions(joins, measures)
        groups, listings, texts = Groups(joins), Listings(joins), TextRules(joins)
        apart = Differences(joins, measures, c)
        tallies = Tallies(joins, measures, self._sets, c.filtered)
        self._conditions = c
        each_value = _either(groups.each_value, groups.by_relation)
        self._binary: dict[tuple[str, str], Rule] = {
            ("S", "S"): self._sets,
            ("R", "S"): _either(self._relation_set, listings.pair),
            ("S", "R"): _either(self._set_relation, listings.having, listings.pair),
            ("R", "R"): listings.pair,
            ("M", "S"): m.best,
            ("S", "M"): m.set_best,
            ("M", "R"): m.measured,
            ("R", "M"): m.relation_best,
            ("M", "X"): m.counted,
            ("C", "S"): self._count,
            ("C", "R"): self._count_relation,
            ("C", "RR"): self._count_relation,
            ("G", "S"): m.aggregated,
            ("S", "G"): _turned(m.aggregated),
            ("G", "R"): m.aggregating,
            ("N", "S"): self._negated,
            ("N", "R"): self._lacking,
            ("B", "S"): self._both,
            ("S", "NS"): self._minus,
            ("R", "CK"): c.bounded,
            ("CK", "R"): _turned(c.bounded),
            ("O", "R"): _turned(c.bounded),
            ("CK", "S"): c.count_bounded,
            ("S", "CK"): c.set_bounded,
            ("K", "S"): tallies.few,
            ("T", "R"): c.compared_by,
            ("T", "K"): c.compared_number,
            ("T", "G"): c.compared_average,
            ("T", "S"): _either(c.compared, apart.subject),
            ("S", "P"): c.filtered,
            ("P", "S"): _turned(c.filtered),
            ("R", "P"): c.conditioned,
            ("E", "S"): self._each,
            ("R", "ES"): each_value,
            ("ES", "R"): _turned(each_value),
            ("X", "ES"): groups.each_count,
            ("ES", "X"): _turned(groups.each_count),
            ("S", "ES"): groups.each_set,
            ("ES", "S"): _turned(groups.best_each),
            ("D", "R"): apart.by,
            ("D", "S"): apart.of,
            ("DS", "S"): apart.between,
            ("TS", "S"): apart.subject_than,
            ("Q", "S"): tallies.share,
            ("QS", "S"): tallies.share_set,
            ("QS", "P"): tallies.share_condition,
            ("V", "S"): tallies.more,
            ("S", "VS"): tallies.more_of,
            ("VS", "S"): tallies.more_than,
            ("G", "X"): tallies.overall,
            ("X", "G"): _turned(tallies.overall),
            ("F", "R"): tallies.commonest,
            ("F", "S"): tallies.commonest,
            ("R", "F"): _turned(tallies.commonest),
            ("S", "F"): _turned(tallies.commonest),
            ("KS", "M"): tallies.few_best,
            ("M", "KS"): _turned(tallies.few_best),
            ("E", "R"): tallies.per,
            ("R", "ER"): tallies.divided,
            ("RR", "S"): tallies.divided_of,
            ("S", "RR"): _turned(tallies.divided_of),
            ("L", "R"): listings.pair,
            ("R", "L"): listings.pair,
            ("L", "S"): _either(listings.pair, listings.of),
            ("S", "L"): _either(listings.pair, listings.having),
            ("L", "ES"): listings.of,
            ("ES", "L"): _turned(listings.rows),
            ("S", "TX"): texts.filtered,
            ("R", "TX"): texts.of_property,
        }

    def combine(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """Every reading that the two make, the words between them given."""
        rule = self._binary.get((left.cat, right.cat))
        return rule(left, right, gap) if rule is not None else iter(())

    def unary(self, item: Item) -> Iterator[Item]:
        """What a reading may be besides."""
        yield from self._measures.implied(item)
        yield from self._conditions.implied(item)

    # --- sets --------------------------------------------------------------------------------

    def _sets(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        if any(w in _OUT for w in gap):
            return
        if any(w in ("and", "or", "nor", ",") for w in gap):
            yield from self._union(left, right, gap)
            if "or" not in gap and "nor" not in gap:
                yield from self._intersected(left, right, gap)
            return
        yield from self._intersected(left, right, gap)
        yield from self._joins.bridged(left, right, gap, True)
        yield from self._joins.bridged(right, left, gap, False)
        yield from self._joins.met(left, right)

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
            local = [("intersect", 1.0), *empty, *denied]
            yield joins.made("S", left, right, local, form=And(one, other), focus=focus, head=left.head)
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
        if left.form != right.form and self._alike(left.set(), right.set()) and left.single == right.single:
            yield joins.chosen(left, right, left, Or(left.set(), right.set()), [("union", 1.0)])

    def _alike(self, left: Set, right: Set) -> bool:
        """Whether two sets have a class in common, or are values of one property."""
        schema, joins = self._joins.schema, self._joins
        if schema.types(left) & schema.types(right):
            return True
        ones, others = joins.denote(left), joins.denote(right)
        if not ones or not others or not all(joins.graph.is_literal(i) for i in ones | others):
            return False
        return any(ones & edges.keys() and others & edges.keys() for edges in joins.graph.back.values())

    def _relation_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        if not gap and isinstance(right.form, Kind) and len(left.path) == 1:
            reached = self._joins.denote(Join(left.path[0], Users(left.path[0])))
            if reached and reached <= self._joins.denote(right.form):  # "capital city": said twice
                yield self._joins.made("R", left, right, [], like=left)
        yield from self._joins.joined(left, right, gap, before=True)

    def _set_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        if gap[-1:] == ("by",):
            yield from self._conditions.by(left, right, gap)
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
            yield self._joins.made(right.cat, left, right, [], like=right, noun=True, head=left.start, focus=False)

    def _negated(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        yield self._joins.made("NS", left, right, [("negated", 1.0)], form=right.form, single=right.single)

    def _lacking(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "No date of death", "not been discharged": those that have one are left out; "no seats": those with 0."""
        if self._measures.numeric(right.path) and not right.fn and self._zero(right.path):
            yield self._joins.made("P", left, right, [], like=right, op="=", bound=Bound(0.0, "0"))
            return
        if len(right.path) == 1 and not right.fn and ("guess", 1.0) not in right.local:
            for step in (right.path[0], (right.path[0][0], False)):
                if self._joins.denote(Users(step)):
                    yield self._joins.made("NS", left, right, [("negated", 1.0)], form=Users(step))

    def _zero(self, path: Path) -> bool:
        """Whether some thing's value is said to be 0."""
        graph = self._joins.graph
        return any(graph.value(value) == 0 for value in graph.back[path[-1][0]])

    def _both(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        if isinstance(right.form, Or):
            yield self._joins.made("S", left, right, [], like=right, op="both")

    def _minus(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        joins, one, other = self._joins, left.set(), right.set()
        if left.single:
            return
        if joins.schema.types(one) & joins.schema.types(other) and (right.single or not self._covers(other, one)):
            vacuous = not joins.denote(one) & joins.denote(other)
            local = [("vacuous", 1.0)] if vacuous else []
            yield joins.made("S", left, right, local, form=Minus(one, other), focus=left.focus, head=left.head)
        for form, local in joins.linked(one, other, gap):
            yield joins.made("S", left, right, local, form=Minus(one, form), focus=left.focus, head=left.head)

    def _covers(self, other: Set, one: Set) -> bool:
        """Whether a class leaves nothing of a set."""
        return isinstance(other, Kind) and not self._joins.denote(one) - self._joins.denote(other)

    def _each(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        if not right.single:
            yield self._joins.made("ES", left, right, [], form=right.form)
