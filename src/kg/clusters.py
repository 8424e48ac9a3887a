"""Senses of names joined into things, with the reasons; what classes, ontology or reviewers exclude is refused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.senses import Sense, compatible

if TYPE_CHECKING:
    from kg.ontology import Ontology


@dataclass(frozen=True, slots=True, order=True)
class Join:
    """Why two names are one: ``reason`` is a clause about them; ``document`` states it, if one does."""

    one: str
    other: str
    reason: str
    document: str = ""

    def __str__(self) -> str:
        where = f" ({self.document})" if self.document else ""
        return f"“{self.one}” and “{self.other}”: {self.reason}{where}"


@dataclass(frozen=True, slots=True)
class Separation:
    """A reviewer's word that two names are two things; with documents: as these documents use them."""

    one: str
    other: str
    document: str = ""
    other_document: str = ""

    def parts(self, some: Iterable[Sense], others: Iterable[Sense]) -> bool:
        """Whether it keeps a sense of the one list from a sense of the other."""
        some, others = list(some), list(others)
        return self._keeps(some, others) or self._keeps(others, some)

    def _keeps(self, some: list[Sense], others: list[Sense]) -> bool:
        return any(s.key == self.one and self.document in ("", s.document) for s in some) and any(
            s.key == self.other and self.other_document in ("", s.document) for s in others
        )


class Clusters:
    """Disjoint sets of senses. The result depends on the order of joins, which the caller fixes."""

    def __init__(self, ontology: Ontology, apart: Collection[Separation] = ()) -> None:
        """No senses yet."""
        self._ontology = ontology
        self._apart = tuple(apart)
        self._root: dict[int, Sense] = {}
        self._members: dict[int, list[Sense]] = {}
        self._classes: dict[int, frozenset[str]] = {}
        self._individual: dict[int, str] = {}
        self._joins: dict[int, list[Join]] = defaultdict(list)

    def add(self, sense: Sense) -> None:
        """A sense on its own."""
        if id(sense) not in self._root:
            self._root[id(sense)] = sense
            self._members[id(sense)] = [sense]
            self._classes[id(sense)] = frozenset(sense.firm)
            self._individual[id(sense)] = sense.individual

    def root(self, sense: Sense) -> Sense:
        """The sense that stands for its set."""
        return self._root[id(sense)]

    def members(self, sense: Sense) -> list[Sense]:
        """The set that a sense belongs to."""
        return self._members[id(self.root(sense))]

    def classes(self, sense: Sense) -> tuple[str, ...]:
        """Classes to be believed of the set."""
        return tuple(sorted(self._classes[id(self.root(sense))]))

    def individual(self, sense: Sense) -> str:
        """IRI under which the ontology declares the set, or ""."""
        return self._individual[id(self.root(sense))]

    def may_join(self, one: Sense, other: Sense) -> bool:
        """Whether nothing speaks against the two being one."""
        some, others = id(self.root(one)), id(self.root(other))
        a, b = self._individual[some], self._individual[others]
        if a and b and a != b:
            return False
        if self._apart and any(s.parts(self.members(one), self.members(other)) for s in self._apart):
            return False
        return compatible(self._classes[some], self._classes[others], self._ontology)

    def join(self, one: Sense, other: Sense, why: Join | None = None, *, force: bool = False) -> bool:
        """Makes two sets one; whether they are one now. ``force``: whatever speaks against it."""
        into, gone = self.root(one), self.root(other)
        if into is not gone:
            if gone.at < into.at:
                into, gone = gone, into
            if not (force or self.may_join(one, other)):
                return False
            for member in self._members[id(gone)]:
                self._root[id(member)] = into
            self._members[id(into)] += self._members.pop(id(gone))
            self._classes[id(into)] |= self._classes.pop(id(gone))
            self._individual[id(into)] = max(self._individual[id(into)], self._individual.pop(id(gone)))
            self._joins[id(into)] += self._joins.pop(id(gone), [])
        if why is not None:
            self._joins[id(into)].append(why)
        return True

    def joins(self, sense: Sense) -> list[Join]:
        """Reasons why the names of a set are one, sorted."""
        return sorted(set(self._joins[id(self.root(sense))]))

    def all(self) -> list[list[Sense]]:
        """The sets, each sorted, in a fixed order."""
        return sorted((sorted(m, key=lambda s: s.at) for m in self._members.values()), key=lambda m: m[0].at)
