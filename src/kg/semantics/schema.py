"""Which classes a graph joins by which properties, as used and as declared: the types that readings are checked by."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cached_property
from itertools import islice

from kg.semantics.denote import Denoter
from kg.semantics.graph import Graph, Ids, Step, grouped
from kg.semantics.logic import And, Best, Compare, Contains, Join, Kind, Minus, Or, Path, Set

_SAMPLE, _TYPES = 60, 6
NONE = -1  # the class of things without one


class Schema:
    """Types of sets, and the steps between types."""

    def __init__(self, graph: Graph, denote: Denoter) -> None:
        self.graph, self.denote = graph, denote
        self._types: dict[Set, Ids] = {}
        self._measures: dict[Ids, tuple[int, ...]] = {}
        self._starts: dict[Step, Ids] = {}

    def kind(self, id_: int) -> int:
        """The smallest class of a thing; of a literal the property it is a value of isn't told."""
        kinds = self.graph.kinds.get(id_)
        return kinds[0] if kinds else self._declared.get(id_, NONE)

    @cached_property
    def _declared(self) -> Mapping[int, int]:
        """Classes of things without a type, by the declared domains and ranges of what they are joined by."""
        found: dict[int, int] = {}
        for property_ in self.graph.properties.values():
            for declared, members in (
                (property_.domain, self.graph.out.get(property_.id, {})),
                (property_.range, self.graph.back.get(property_.id, {})),
            ):
                if len(declared) == 1:
                    for member in members:
                        if member not in self.graph.kinds and not self.graph.is_literal(member):
                            found.setdefault(member, min(declared))
        return found

    def types(self, form: Set) -> Ids:
        """The smallest classes of a set's things; of an empty set those that it would have."""
        found = self._types.get(form)
        if found is None:
            members = self.denote(form)
            found = self._of(members) if members else self._expected(form)
            self._types[form] = found
        return found

    def _of(self, members: Ids) -> Ids:
        sample = _sample(members)
        count = Counter(self.kind(i) for i in sample if not self.graph.is_literal(i))
        return frozenset(kind for kind, _ in count.most_common(_TYPES))

    def _expected(self, form: Set) -> Ids:
        match form:
            case Kind(cls):
                return frozenset((cls,))
            case And(left, right):
                return (self.types(left) & self.types(right)) or self.types(left)
            case Or(left) | Minus(left) | Compare(left) | Best(left) | Contains(left):
                return self.types(left)
            case Join(step):
                return frozenset(b for (_, b), steps in self.links.items() if any(s == step for s, _ in steps))
            case _:
                return frozenset()

    @cached_property
    def links(self) -> Mapping[tuple[int, int], tuple[tuple[Step, int], ...]]:
        """Steps from a class to a class with how often they are taken, the commonest first."""
        count: dict[tuple[int, int], Counter[Step]] = defaultdict(Counter)
        for id_, property_ in self.graph.properties.items():
            for subject, objects in self.graph.out.get(id_, {}).items():
                for object_ in objects:
                    if not self.graph.is_literal(object_):
                        one, other = self.kind(subject), self.kind(object_)
                        count[one, other][id_, True] += 1
                        count[other, one][id_, False] += 1
            for one in property_.domain:
                for other in property_.range:
                    if property_.kind == "thing" and not property_.uses:
                        count[one, other][id_, True] += 0
                        count[other, one][id_, False] += 0
        return {
            pair: tuple(sorted(found.items(), key=lambda f: (-f[1], f[0]))) for pair, found in sorted(count.items())
        }

    @cached_property
    def neighbours(self) -> Mapping[int, tuple[int, ...]]:
        """Classes with those one step away."""
        return grouped(self.links)

    def paths(self, start: Ids, end: Ids) -> list[Path]:  # noqa: C901
        """Ways from one type to another: single steps, the commonest first; where there are none, two steps."""
        single: Counter[Step] = Counter()
        for one in start:
            for other in end:
                for step, uses in self.links.get((one, other), ()):
                    single[step] += uses
        if single:
            return [(step,) for step, _ in sorted(single.items(), key=lambda s: (-s[1], s[0]))[:8]]
        double: Counter[Path] = Counter()
        for one in start:
            for middle in self.neighbours.get(one, ()):
                for other in end:
                    if NONE not in (one, middle, other):
                        for step, uses in self.links.get((one, middle), ())[:3]:
                            for second, more in self.links.get((middle, other), ())[:3]:
                                double[step, second] += uses * more
        return [path for path, _ in sorted(double.items(), key=lambda s: (-s[1], s[0]))[:4]]

    def measures(self, form: Set) -> tuple[int, ...]:
        """Properties with numbers or dates that things of a set have."""
        members = self.denote(form)
        sample = frozenset(_sample(members))
        if sample not in self._measures:
            valued = [p.id for p in self.graph.properties.values() if p.kind in ("number", "date")]
            edges = self.graph.out
            self._measures[sample] = tuple(p for p in valued if any(i in edges.get(p, {}) for i in sample))
        return self._measures[sample]

    def accepts(self, form: Set, path: Path) -> bool:
        """Whether a path could lead somewhere from things of such types, though it doesn't from these."""
        if path[0] not in self._starts:
            self._starts[path[0]] = self._starting(path[0])
        return not self._starts[path[0]].isdisjoint(self.types(form))

    def _starting(self, step: Step) -> frozenset[int]:
        """Types of things from which a step leads, or that it is declared for."""
        starts = {one for (one, _), steps in self.links.items() if any(s == step for s, _ in steps)}
        property_ = self.graph.properties[step[0]]
        declared = property_.domain if step[1] else property_.range
        if property_.kind != "thing" and step[1]:
            starts |= {self.kind(i) for i in islice(self.graph.out.get(step[0], {}), _SAMPLE)}
        starts.discard(NONE)
        return frozenset(starts | declared)


def _sample(members: Ids) -> list[int]:
    """Some of a set's members, the same each time."""
    return sorted(islice(members, 0, None, max(1, len(members) // _SAMPLE)))
