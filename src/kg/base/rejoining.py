"""What names mean after a change of few documents: joined anew is only what the change may touch.

Names fall into parts that nothing ties to each other: a name's uses in all documents, with the names that an alias or
a reviewer ties to it. Entities of a part depend on that part alone, but for their IRIs, for which all labels count. So
parts with a name of a changed document are joined anew, entities of the others are taken as the state has them, and
where an IRI moves or a document is to be told anew, the parts that it needs are joined as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from kg.resolution.contributions import keys_of, part_of
from kg.resolution.resolve import Draft, Named, Names, drafted, identify, joined, meaning, named_entity, with_iris
from kg.resolution.ties import Ties

if TYPE_CHECKING:
    from kg.base.states import State
    from kg.decisions import Decision
    from kg.namespaces import Namespaces
    from kg.ontology import Ontology
    from kg.resolution.contributions import Contribution
    from kg.resolution.joining import Joining
    from kg.resolution.sums import Link


class TooMuch(Exception):
    """The change touches so much that joining all is less work."""


class Rejoining:
    """Joins what a change touches. ``gone``: documents that aren't as they were; ``new``: what they bring now."""

    def __init__(
        self,
        before: State,
        gone: Collection[str],
        new: Mapping[str, Contribution],
        links: Iterable[Link],
        decisions: tuple[Decision, ...],
        share: float,
    ) -> None:
        """``share``: of all uses of names, how many may be joined anew before it is too much."""
        self._before, self._gone, self._new = before, gone, new
        self._decisions, self._ties = decisions, Ties(links, decisions)
        self._left = int(share * before.uses.count) + 1
        self._known: set[str] = set()
        self._drafts: list[tuple[Draft, Joining]] = []
        self._used: dict[str, set[str]] = defaultdict(set)  # by documents that stay: names that were joined anew
        self._in_new = {group.key for one in new.values() for group in one.groups if group.in_claims}

    def run(self, reworded: Iterable[str], ontology: Ontology, names: Namespaces) -> tuple[Names, set[str]]:
        """What names mean now, and the documents to be told anew. Raises TooMuch.

        ``reworded``: documents that stay, to be told anew whatever their names mean.
        """
        told = set(reworded)
        changed = [self._before.documents[id_].brought for id_ in self._gone] + [*self._new.values()]
        wanted = {key for one in changed for key in keys_of(one)}
        while True:
            wanted |= {key for id_ in told for key in self._keys(id_)}
            self._join(wanted, ontology)
            found, moved = self._named(ontology, names)
            told |= set(self._meaning_otherwise(found))
            wanted = moved | {key for id_ in told for key in self._keys(id_)}
            if wanted <= self._known:
                return found, told | self._new.keys()

    def _keys(self, document: str) -> Iterator[str]:
        return (group[0] for group in self._before.documents.raw(document)[2]["groups"])

    def _join(self, wanted: Iterable[str], ontology: Ontology) -> None:
        """Joins the parts of names that haven't been joined yet; those without a claim make no entity."""
        joining: set[str] = set()
        for key in wanted:
            if key not in self._known:
                part = self._ties.part(key)
                self._known |= part
                if self._claimed(part):
                    joining |= part
        if joining:
            made = joined(self._brought(joining), ontology, self._decisions)
            self._drafts += [(draft, made) for draft in drafted(made, ontology)]

    def _claimed(self, part: set[str]) -> bool:
        stays = (id_ not in self._gone for key in part for id_ in self._before.uses.claimed(key))
        return bool(part & self._in_new) or any(stays)

    def _brought(self, keys: set[str]) -> Iterator[Contribution]:
        """What documents bring of names."""
        uses, documents = self._before.uses, self._before.documents
        having: dict[str, set[str]] = defaultdict(set)
        for key in keys:
            for id_ in uses.of(key):
                if id_ not in self._gone:
                    having[id_].add(key)
        self._left -= sum(map(len, having.values()))
        if self._left < 0:
            raise TooMuch
        for id_, own in having.items():
            self._used[id_] |= own
            yield part_of(documents.raw(id_)[2], own)
        for one in self._new.values():
            yield replace(
                one,
                groups=tuple(g for g in one.groups if g.key in keys),
                aliases=tuple(a for a in one.aliases if a.key in keys),
                inferred=tuple(a for a in one.inferred if a.key in keys),
            )

    def _named(self, ontology: Ontology, names: Namespaces) -> tuple[Names, set[str]]:
        """Names with entities as they are now, and keys of entities that stay but under another IRI."""
        stay = [one for one in self._before.entities if one.key not in self._known]
        iris = identify([*(one.naming for one in stay), *(draft.naming for draft, _ in self._drafts)], names)
        moved = {one.key for one, iri in zip(stay, iris, strict=False) if one.iri != iri}
        made = iris[len(stay) :]
        anew = [named_entity(draft, iri) for (draft, _), iri in zip(self._drafts, made, strict=True)]
        entities: list[Named] = [*stay, *anew]
        return Names(with_iris(self._drafts, made, ontology, names), tuple(entities)), moved

    def _meaning_otherwise(self, found: Names) -> Iterator[str]:
        """Documents that stay in which a name of a claim means something else than it did."""
        for id_, keys in self._used.items():
            _, _, brought, _, meant = self._before.documents.raw(id_)
            claimed = (group[0] for group in brought["groups"] if len(group) > 2 and "in_claims" in group[2])
            for key, was in zip(claimed, meant, strict=True):
                if key in keys and meaning(found.resolution, id_, key) != was:
                    yield id_
                    break
