"""Which names are tied to each other, so that joining one can change the other; all others can be joined apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from kg.decisions import Decision, Merge
from kg.resolution.joining import person_classes
from kg.text.names import name_key

if TYPE_CHECKING:
    from kg.ontology import Ontology
    from kg.resolution.sums import Link


def separable(ontology: Ontology) -> bool:
    """Whether only aliases and reviewers tie names: parts of people's names, and what an ontology declares, do too."""
    return not ontology.individuals and not person_classes(ontology)


class Ties:
    """Keys of names that are tied to each other."""

    def __init__(self, links: Iterable[Link], decisions: Iterable[Decision]) -> None:
        """``links``: of aliases."""
        self._others: dict[str, set[str]] = defaultdict(set)
        merged = ((name_key(d.name), name_key(d.other_name)) for d in decisions if isinstance(d, Merge))
        for one, other in (*links, *merged):
            self._others[one].add(other)
            self._others[other].add(one)

    def part(self, key: str) -> set[str]:
        """The key with all that are tied to it, one by way of another."""
        found, rest = {key}, [key]
        while rest:
            more = self._others.get(rest.pop(), set()) - found
            found |= more
            rest += more
        return found

    def parts(self, keys: Iterable[str]) -> set[str]:
        """Keys with all that are tied to them."""
        found = set(keys)
        for key in found & self._others.keys():
            found |= self.part(key)
        return found
