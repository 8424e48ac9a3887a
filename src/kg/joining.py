"""Which names are one: by spelling, by the ontology, by what a document states. Third step of resolution.

Conservative: what is ambiguous stays apart. The order of the joins is fixed by the names, not by the records' order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.clusters import Clusters, Join, Separation
from kg.decisions import Decision, Merge, Split
from kg.names import is_proper, name_key
from kg.ontology import normalise_label
from kg.senses import Sense, declared_sense, homonyms, senses_of
from kg.uses import Group, NamePatterns, declared_form, declared_names
from kg.within import People, Place, person_classes, short_keys, shortenings

if TYPE_CHECKING:
    from kg.ontology import Ontology
    from kg.records import Record


@dataclass(frozen=True, slots=True, order=True)
class StatedAlias:
    """An alias that a document states; ``proper``: a name beyond that document ("the Company" isn't)."""

    document: str
    key: str
    alias_key: str
    name: str
    alias: str
    proper: bool
    why: str = "the document gives both names"


def stated_aliases(record: Record) -> list[StatedAlias]:
    """Aliases that a document states, sorted, each once."""
    found = set()
    for alias in record.extraction.aliases:
        keys = name_key(alias.name), name_key(alias.alias)
        if keys[0] != keys[1]:
            proper = is_proper(alias.alias)
            found.add(StatedAlias(record.document.id, *keys, alias.name, alias.alias, proper))
    return sorted(found)


def inferred_aliases(senses: Mapping[Place, Sequence[Sense]], stated: Iterable[StatedAlias]) -> Iterator[StatedAlias]:
    """Shortenings that documents use without saying what they stand for."""
    known = {place for a in stated for place in ((a.document, a.alias_key), (a.document, a.key))}
    for document, name, alias, why in shortenings(senses, known):
        yield StatedAlias(document, name_key(name), name_key(alias), name, alias, is_proper(alias), why)


class Joining:
    """All senses, joined. ``local`` holds places where a name is an alias within its document only."""

    def __init__(
        self,
        groups: Mapping[Place, Group],
        aliases: Sequence[StatedAlias],
        inferred: Sequence[StatedAlias],
        ontology: Ontology,
        decisions: Iterable[Decision] = (),
    ) -> None:
        """Joins everything that is one. ``inferred``: :func:`inferred_aliases` of these groups."""
        self._ontology = ontology
        decided = list(decisions)
        self.clusters = Clusters(ontology, [_separation(d) for d in decided if isinstance(d, Split)])
        self.senses: dict[Place, list[Sense]] = {}
        self._by_key: dict[str, list[Sense]] = defaultdict(list)
        self._declared: dict[str, list[Sense]] = defaultdict(list)
        self._make_senses(groups)
        self._aliases = sorted([*aliases, *inferred])
        self.local: set[Place] = {(a.document, a.alias_key) for a in aliases if not a.proper}
        self._tied: set[Place] = self.local | self._contested()
        # When a key has its turn matters only where names of several keys are joined before aliases are.
        short = short_keys(self._by_key) if self._declared or person_classes(ontology) else set()
        for key in sorted(set(self._by_key) - short):
            self._join_spellings(key)
        self._join_declared()
        people = People(self.clusters, self.senses, ontology)
        self._tied.update(people.join_full_names())
        self._tied.update(people.join_short_names())
        for key in sorted(short):
            self._join_spellings(key)
        self._join_declared()
        self._join_aliases()
        self._join_decided(decided)

    def _make_senses(self, groups: Mapping[Place, Group]) -> None:
        patterns, declared = NamePatterns(self._ontology), declared_names(self._ontology)
        for place, group in sorted(groups.items()):
            self.senses[place] = senses_of(group, self._ontology, patterns)
            self._by_key[place[1]] += self.senses[place]
        for key in sorted(set(self._by_key) & set(declared)):
            for iri, _ in declared[key]:
                individual = self._ontology.individuals[iri]
                sense = declared_sense(key, declared_form(key, iri, self._ontology), iri, individual.types)
                self._by_key[key].append(sense)
                self._declared[iri].append(sense)
        for senses in self._by_key.values():
            for sense in senses:
                self.clusters.add(sense)
        self._meant = {key: iri for key, found in declared.items() if (iri := _by_default(found))}

    # --- spelling and ontology ---

    def _join_spellings(self, key: str) -> None:
        """Senses of one key, but for those that their document ties to another name, or a reviewer keeps apart."""
        free = [s for s in self._by_key[key] if (s.document, key) not in self._tied]
        for found in homonyms(free, self._ontology) if len(free) > 1 else ():
            self._join_all(found)
        meant = self._meant.get(key)
        if meant:
            declared = next(s for s in self._by_key[key] if s.individual == meant)
            for sense in free:
                if not (sense.firm or sense.individual or self.clusters.individual(sense)):
                    self.clusters.join(declared, sense)

    def _join_all(self, senses: Sequence[Sense]) -> None:
        """One set, or as few as reviewers allow; each sense goes to the first set that takes it."""
        heads: list[Sense] = []
        for sense in sorted(senses, key=lambda s: s.at):
            if not any(self.clusters.join(head, sense) for head in heads):
                heads.append(sense)

    def _join_declared(self) -> None:
        for senses in self._declared.values():
            for sense in senses[1:]:
                why = Join(_form(senses[0]), _form(sense), "the ontology declares both as names of one thing")
                self.clusters.join(senses[0], sense, why if senses[0].key != sense.key else None)

    # --- stated aliases ---

    def _contested(self) -> set[Place]:
        """Places of aliases that stand for different names in different documents: each document's word is its own."""
        meant: dict[str, set[str]] = defaultdict(set)
        declared = declared_names(self._ontology)
        for a in self._aliases:
            known = [iri for iri, _ in declared.get(a.key, ())]
            meant[a.alias_key].add(known[0] if len(known) == 1 else normalise_label(a.name) or a.key)
        return {(a.document, a.alias_key) for a in self._aliases if len(meant[a.alias_key]) > 1}

    def _join_aliases(self) -> None:
        said: dict[Place, set[str]] = defaultdict(set)
        for a in self._aliases:
            said[a.document, a.alias_key].add(a.key)
        for a in self._aliases:
            if (a.document, a.alias_key) in self._tied and len(said[a.document, a.alias_key]) > 1:
                continue  # the document gives the alias to two things
            pairs = [
                (one, other)
                for one in self.senses.get((a.document, a.key), ())
                for other in self.senses.get((a.document, a.alias_key), ())
                if self.clusters.may_join(one, other) or self.clusters.root(one) is self.clusters.root(other)
            ]
            if len(pairs) == 1:
                self.clusters.join(*pairs[0], Join(a.name, a.alias, a.why, a.document))
        self._join_expansions()

    def _join_expansions(self) -> None:
        """Long names of one alias that differ in number or spelling only are one."""
        by_alias: dict[tuple[str, str], list[StatedAlias]] = defaultdict(list)
        for a in self._aliases:
            if a.proper:
                by_alias[a.alias_key, normalise_label(a.name)].append(a)
        for _, stated in sorted(by_alias.items()):
            first = stated[0]
            for other in stated[1:]:
                if other.key != first.key:
                    why = Join(first.name, other.name, f"both are called “{other.alias}”", other.document)
                    one, two = (self.senses[s.document, s.key][0] for s in (first, other))
                    self.clusters.join(one, two, why)

    # --- reviewers ---

    def _join_decided(self, decisions: Iterable[Decision]) -> None:
        for decision in sorted((d for d in decisions if isinstance(d, Merge)), key=str):
            senses = (
                [*self._by_key.get(name_key(decision.name), ())],
                [*self._by_key.get(name_key(decision.other_name), ())],
            )
            for one in senses[0][:1]:
                for other in (*senses[0][1:], *senses[1]):
                    self.clusters.join(
                        one, other, Join(decision.name, decision.other_name, "a reviewer said so"), force=True
                    )


def _by_default(declared: Sequence[tuple[str, bool]]) -> str:
    """Of the things that the ontology gives a name, the one meant where no class tells, or ""."""
    preferred = [iri for iri, is_label in declared if is_label] or [iri for iri, _ in declared]
    return preferred[0] if len(preferred) == 1 else ""


def _separation(split: Split) -> Separation:
    return Separation(name_key(split.name), name_key(split.other_name), split.document, split.other_document)


def _form(sense: Sense) -> str:
    return min(sense.forms, key=lambda f: (-sense.forms[f], -len(f), f))
