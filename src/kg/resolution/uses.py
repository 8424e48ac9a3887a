"""Which documents use which names, so that a change of one document finds the others that it may touch."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.resolution.contributions import keys_of

if TYPE_CHECKING:
    from kg.resolution.contributions import Contribution

Places = tuple[list[int], list[int]]
"""Numbers of documents, sorted: those with claims about a name, and those that use it without."""


@dataclass(frozen=True, slots=True)
class Uses:
    """Documents by the keys of names. ``documents``: identifiers, sorted; their places in that are their numbers."""

    documents: Sequence[str] = ()
    places: Mapping[str, Places] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many there are, each name of each document one."""
        return sum(len(claimed) + len(others) for claimed, others in self.places.values())

    def claimed(self, key: str) -> Iterator[str]:
        """Documents with claims about a name."""
        return (self.documents[number] for number in self.places.get(key, _NOWHERE)[0])

    def of(self, key: str) -> Iterator[str]:
        """Documents that use a name."""
        return (self.documents[number] for numbers in self.places.get(key, _NOWHERE) for number in numbers)

    def changed(self, gone: Mapping[str, Contribution], new: Mapping[str, Contribution]) -> Uses:
        """Those with documents taken out, then others added."""
        documents = sorted({*self.documents} - gone.keys() | new.keys())
        numbers = {id_: number for number, id_ in enumerate(documents)}
        places = dict(self.places)
        if documents != list(self.documents):
            then = [numbers.get(id_, -1) for id_ in self.documents]  # in order: sorted lists stay sorted
            places = {
                key: ([then[n] for n in claimed], [then[n] for n in others])
                for key, (claimed, others) in places.items()
            }
        out = {key for one in gone.values() for key in keys_of(one)}
        left = {numbers.get(id_, -1) for id_ in gone}
        for key in out | {key for one in new.values() for key in keys_of(one)}:
            claimed, others = places.get(key, _NOWHERE)
            places[key] = ([n for n in claimed if n not in left], [n for n in others if n not in left])
        for id_, one in new.items():
            claims = {group.key for group in one.groups if group.in_claims}
            for key in set(keys_of(one)):
                insort(places[key][key not in claims], numbers[id_])
        return Uses(documents, {key: both for key, both in places.items() if any(both)})


_NOWHERE: Places = ([], [])


def uses_of(brought: Iterable[Contribution]) -> Uses:
    """The uses of names in all documents, which come in the order of their identifiers."""
    documents: list[str] = []
    places: dict[str, Places] = {}
    for number, one in enumerate(brought):
        documents.append(one.document)
        claims = {group.key for group in one.groups if group.in_claims}
        for key in set(keys_of(one)):
            places.setdefault(key, ([], []))[key not in claims].append(number)
    return Uses(documents, places)
