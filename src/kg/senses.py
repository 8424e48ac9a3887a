"""One name, one thing? Senses of a name by the classes that its uses vouch for. Second step of resolution.

Within a document a name has one sense unless its contexts name classes that exclude each other (one sense per
discourse: Gale, Church and Yarowsky 1992). Across documents, senses whose classes exclude each other are homonyms.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.uses import DECLARED, EXPECTED, HINT, PATTERN, Classes, Group, NamePatterns

if TYPE_CHECKING:
    from kg.ontology import Ontology

# A single claim may have been read wrongly: from this many different properties on, what they expect is believed.
_FIRM_PROPERTIES = 2
# A context that few uses share with the rest has been read wrongly more often than it tells another thing.
_MINORITY = 0.2
_NO_VOTES: Counter[str] = Counter()


@dataclass(eq=False, slots=True)
class Sense:
    """A name in one document under one class context. ``votes`` weigh classes; ``firm``: classes to be believed."""

    document: str
    key: str
    forms: Counter[str]
    votes: Counter[str]
    firm: Classes
    expected: Classes = ()
    in_claims: bool = False
    individual: str = ""
    number: int = 0
    hints: frozenset[Classes] = field(default_factory=frozenset)
    defined: bool = False

    @property
    def at(self) -> tuple[str, str, int]:
        """What tells senses apart and puts them in order."""
        return self.key, self.document or "\uffff" + self.individual, self.number


def compatible(one: Iterable[str], other: Collection[str], ontology: Ontology) -> bool:
    """Whether one thing can be of all these classes."""
    return all(ontology.compatible(a, b) for a in one for b in other)


def winners(votes: Mapping[str, int], ontology: Ontology) -> Classes:
    """The classes that the votes speak for: the best, then others that go with it and aren't far behind.

    A vote for a class also speaks for the classes below it that have votes of their own.
    """
    if not votes:
        return ()
    scores = {c: sum(n for other, n in votes.items() if other in ontology.superclasses(c)) for c in votes}
    ranked = sorted(scores, key=lambda c: (-scores[c], -len(ontology.superclasses(c)), c))
    best = ranked[0]
    taken = [best]
    for cls in ranked[1:]:
        related = cls in ontology.superclasses(best) or best in ontology.superclasses(cls)
        enough = votes[cls] >= max(HINT, scores[best] / 4)
        if (related or enough) and compatible([cls], taken, ontology):
            taken.append(cls)
    return ontology.most_specific(taken)


def senses_of(group: Group, ontology: Ontology, patterns: NamePatterns) -> list[Sense]:
    """The group's senses: one, or one for each of several classes that exclude each other.

    The form of a name that a pattern finds outweighs contexts that exclude it, unless patterns exclude each other.
    """
    by_form = () if group.term else patterns.of(group.forms)
    if not (by_form or group.hints or group.expected):  # most names: nothing says what they are
        return [_sense_of(group, _NO_VOTES, (), ())]
    if not all(compatible([cls], by_form, ontology) for cls in by_form):
        by_form = ()
    strong: Counter[str] = Counter(dict.fromkeys(by_form, PATTERN))
    for classes, n in group.hints.items():
        if compatible(classes, by_form, ontology):
            for cls in classes:
                strong[cls] += HINT * n
    parts = _partition(strong, ontology)
    if len(parts) < 2:
        return [_sense(group, Counter({c: strong[c] for part in parts for c in part}), ontology)]
    senses = []
    for number, part in enumerate(parts):
        sense = _sense(group, Counter({c: strong[c] for c in part}), ontology)
        sense.number = number
        sense.hints = frozenset(h for h in group.hints if compatible(h, part, ontology))
        senses.append(sense)
    return senses


def _partition(strong: Counter[str], ontology: Ontology) -> list[list[str]]:
    """Classes in groups that don't exclude each other within, the most voted first; without those hardly voted for."""
    parts: list[list[str]] = []
    for cls in sorted(strong, key=lambda c: (-strong[c], c)):
        for part in parts:
            if compatible([cls], part, ontology):
                part.append(cls)
                break
        else:
            parts.append([cls])
    weights = [sum(strong[cls] for cls in part) for part in parts]
    return [part for part, weight in zip(parts, weights, strict=True) if weight >= _MINORITY * weights[0]]


def _sense(group: Group, strong: Counter[str], ontology: Ontology) -> Sense:
    firm = winners(strong, ontology)
    fitting = {c: n for c, n in group.expected.items() if compatible([c], firm, ontology)}
    votes = Counter(strong)
    for cls, n in fitting.items():
        votes[cls] += EXPECTED * n
    expected = winners({c: n for c, n in votes.items() if c in fitting}, ontology)
    asked = {p for c in expected for p in group.expecting.get(c, ())}
    if not firm and len(asked) >= _FIRM_PROPERTIES:
        firm = expected
    return _sense_of(group, votes, firm, expected)


def _sense_of(group: Group, votes: Counter[str], firm: Classes, expected: Classes) -> Sense:
    sense = Sense(group.document, group.key, group.forms, votes, firm, expected, group.in_claims)
    sense.defined = group.defined
    return sense


def declared_sense(key: str, label: str, individual: str, types: Classes) -> Sense:
    """The sense that the ontology gives a name."""
    return Sense("", key, Counter({label: 1}), Counter(dict.fromkeys(types, DECLARED)), types, individual=individual)


# --- senses of one name in several documents -----------------------------------------------------


def homonyms(senses: Sequence[Sense], ontology: Ontology) -> list[list[Sense]]:
    """The senses of one name (one key) in lists of those that are one thing. Independent of their order.

    Senses with classes to be believed come first; what no class tells apart goes with the only thing there is, and
    with none when there are several.
    """
    ordered = sorted(senses, key=lambda s: s.at)
    believed = {id(s): s.firm for s in ordered}
    if not any(believed.values()):
        believed = {id(s): s.expected for s in ordered}
    classed = [s for s in ordered if believed[id(s)] or s.individual]
    rest = [s for s in ordered if not (believed[id(s)] or s.individual)]
    lists = _apart(classed, believed, ontology)
    if not lists:
        return [rest]
    if len(lists) == 1:
        return [lists[0] + rest]
    unplaced: list[Sense] = []
    for sense in rest:
        fitting = [found for found in lists if sense.expected and _fits(sense.expected, found, believed, ontology)]
        (fitting[0] if len(fitting) == 1 else unplaced).append(sense)
    return [*lists, *([unplaced] if unplaced else [])]


def _fits(classes: Classes, members: Iterable[Sense], believed: Mapping[int, Classes], ontology: Ontology) -> bool:
    return all(compatible(classes, believed[id(m)], ontology) for m in members if id(m) in believed)


def _apart(classed: Sequence[Sense], believed: Mapping[int, Classes], ontology: Ontology) -> list[list[Sense]]:
    """Groups by class context: first those contexts that exclude another, then the ones that fit exactly one group."""
    contexts: dict[tuple[Classes, str], list[Sense]] = defaultdict(list)
    for sense in classed:
        contexts[believed[id(sense)], sense.individual].append(sense)

    def exclude(one: tuple[Classes, str], other: tuple[Classes, str]) -> bool:
        two_known = bool(one[1] and other[1] and one[1] != other[1])
        return two_known or not compatible(one[0], other[0], ontology)

    ranked = sorted(contexts, key=lambda c: (not c[1], -len(contexts[c]), c))
    contested = [c for c in ranked if any(exclude(c, other) for other in ranked)]
    seeds: list[list[tuple[Classes, str]]] = []
    for context in contested:
        if all(exclude(context, seed[0]) for seed in seeds):
            seeds.append([context])
    if not seeds:
        return [list(classed)] if classed else []
    placed = {context for seed in seeds for context in seed}
    for context in ranked:
        if context not in placed:
            fitting = [seed for seed in seeds if not any(exclude(context, member) for member in seed)]
            if len(fitting) == 1:
                fitting[0].append(context)
            else:
                seeds.append([context])
    return [[s for context in seed for s in contexts[context]] for seed in seeds]
