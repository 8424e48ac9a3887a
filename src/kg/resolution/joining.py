"""Which names are one: by spelling, by the ontology, by what a document states. Third step of resolution.

Conservative: what is ambiguous stays apart. The order of the joins is fixed by the names, not by the records' order.

Senses of names joined into things, with the reasons; what classes, ontology or reviewers exclude is refused.

Names of one document that are ways of writing one: people by parts of their names, shortenings.

What is ambiguous stays apart: a part of a name counts only where one thing of the document has it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from kg.decisions import Decision, Merge, Split
from kg.ontology import normalise_label
from kg.resolution.senses import (
    Group,
    Sense,
    compatible,
    declared_form,
    declared_names,
    declared_sense,
    homonyms,
    senses_of,
)
from kg.text.names import (
    acronym_key,
    initials,
    is_person_form,
    is_proper,
    may_be_one_person,
    name_key,
    person_words,
    suffix,
    without_legal_form,
)

if TYPE_CHECKING:
    from kg.ontology import Ontology
    from kg.records import Record


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


def _parts(split: Split, some: Iterable[Sense], others: Iterable[Sense]) -> bool:
    """Whether a reviewer's word keeps a sense of the one list from a sense of the other."""

    def meant(name: str, document: str, senses: Iterable[Sense]) -> bool:
        return any(s.key == name_key(name) and document in ("", s.document) for s in senses)

    sides = (split.name, split.document), (split.other_name, split.other_document)
    return any(meant(*sides[0], a) and meant(*sides[1], b) for a, b in ((some, others), (others, some)))


class Clusters:
    """Disjoint sets of senses. The result depends on the order of joins, which the caller fixes."""

    def __init__(self, ontology: Ontology, apart: Collection[Split] = ()) -> None:
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
        if self._apart and any(_parts(s, self.members(one), self.members(other)) for s in self._apart):
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

    def join_untold(self, senses: Sequence[Sense]) -> bool:
        """Makes senses of which nothing tells any apart one set, as joining one after the other does; whether it did.

        Most names of most documents are of no known class: looking at them pair by pair is most of what joining takes.
        """
        roots = {id(root): root for root in map(self.root, senses)}
        if self._apart or any(self._classes[one] or self._individual[one] for one in roots):
            return False
        into = min(roots.values(), key=lambda s: s.at)
        for one, gone in roots.items():
            if gone is not into:
                members = self._members.pop(one)
                self._root.update(dict.fromkeys(map(id, members), into))
                self._members[id(into)] += members
                del self._classes[one], self._individual[one]
                self._joins[id(into)] += self._joins.pop(one, [])
        return True

    def joins(self, sense: Sense) -> list[Join]:
        """Reasons why the names of a set are one, sorted."""
        return sorted(set(self._joins[id(self.root(sense))]))

    def all(self) -> list[list[Sense]]:
        """The sets, each sorted, in a fixed order."""
        return sorted((sorted(m, key=lambda s: s.at) for m in self._members.values()), key=lambda m: m[0].at)


Place = tuple[str, str]  # document, key


def short_keys(names: Mapping[str, Sequence[Sense]]) -> set[str]:
    """Keys that mean somebody by the document only: parts of names of people named in full, and initials with a name.

    They are compared between documents after the joins within each.
    """
    forms = {key: [form for sense in senses for form in sense.forms] for key, senses in names.items()}
    words = name_parts(form for of in forms.values() for form in of)
    return {key for key, of in forms.items() if any(one_word(form) in words or _initialled(form) for form in of)}


def name_parts(forms: Iterable[str]) -> set[str]:
    """Words of those names that could be a person's in full, with and without particles."""
    words = {w for form in forms if is_person_form(form) for w in person_words(form)}
    return words | {w.split()[-1] for w in words}


def _initialled(form: str) -> bool:
    """Whether a person's first names are initials only ("A. M. Holm")."""
    return is_person_form(form) and all(len(word) == 1 for word in person_words(form)[:-1])


def one_word(form: str) -> str:
    """The word of a name that may be a part of a person's name, or ""."""
    parts = person_words(form)
    return parts[0] if len(parts) == 1 and not suffix(form) else ""  # "Olaf II" is no part of a name


def person_classes(ontology: Ontology) -> set[str]:
    """The class labelled "person" and those below it."""
    return {s for c in ontology.by_label("person", "class") for s in ontology.subclasses(c.iri)}


class People:
    """Joins what may be names of one person within each document."""

    def __init__(self, clusters: Clusters, senses: Mapping[Place, Sequence[Sense]], ontology: Ontology) -> None:
        """Looks for people among the senses, by :func:`person_classes`."""
        self._clusters, self._senses = clusters, senses
        self._person = person_classes(ontology)
        self._named: dict[str, list[tuple[str, Sense]]] = defaultdict(list)
        for (document, _), found in sorted(senses.items()) if self._person else ():
            for sense in found:
                forms = [f for f in sense.forms if is_person_form(f)]
                if forms and self._person.intersection(self._believed(sense)):
                    self._named[document].append((min(forms), sense))

    def _believed(self, sense: Sense) -> set[str]:
        believed = set(self._clusters.classes(sense))
        return believed or {c for member in self._clusters.members(sense) for c in member.expected}

    def join_full_names(self) -> Iterator[Place]:
        """Full names that differ in initials, middle names, titles, suffixes or order, if they fit one person only.

        Gives the places of those that are initials, joined: another document may mean somebody else by them.
        """
        for document, named in sorted(self._named.items()):
            by_words: dict[tuple[str, ...], list[tuple[str, Sense]]] = defaultdict(list)
            for form, sense in named:
                parts = person_words(form)
                by_words[(parts[-1].split()[-1],)].append((form, sense))
                if len(parts) == 2:
                    by_words[tuple(sorted(parts))].append((form, sense))
            for _, alike in sorted(by_words.items()):
                yield from self._join_alike(document, alike)

    def _join_alike(self, document: str, alike: Sequence[tuple[str, Sense]]) -> Iterator[Place]:
        fits: dict[int, set[int]] = {
            i: {j for j, (other, _) in enumerate(alike) if j != i and may_be_one_person(form, other)}
            for i, (form, _) in enumerate(alike)
        }
        for i, others in fits.items():
            if any(b not in fits[a] for a, b in combinations(sorted(others), 2)):
                continue  # "A. Holm" beside Ada and Alma
            for j in sorted(others):
                if i < j and not any(b not in fits[a] for a, b in combinations(sorted(fits[j]), 2)):
                    (form, sense), (other, another) = alike[i], alike[j]
                    why = Join(form, other, "two ways of writing the name of one person", document)
                    if self._all_agree(sense, another) and self._clusters.join(sense, another, why):
                        yield from ((document, s.key) for f, s in (alike[i], alike[j]) if _initialled(f))

    def _all_agree(self, one: Sense, other: Sense) -> bool:
        """Whether no full names in any document that go with the one and the other contradict each other."""
        names = [
            {form for member in self._clusters.members(sense) for form in member.forms if is_person_form(form)}
            for sense in (one, other)
        ]
        return all(may_be_one_person(a, b) for a in names[0] for b in names[1])

    def join_short_names(self) -> Iterator[Place]:
        """Last names and the like of the only person so called in the document; places of the names joined."""
        for place, senses in sorted(self._senses.items()):
            if len(senses) != 1 or place[0] not in self._named:
                continue
            sense = senses[0]
            word = next((w for form in sorted(sense.forms) if (w := one_word(form))), "")
            if word and (not sense.firm or self._person.intersection(sense.firm)):
                meant, how = self._meant(place[0], word, bool(sense.firm))
                if meant is not None and meant is not sense:
                    why = Join(_shown(meant), _shown(sense), f"the {how} of the only one so called there", place[0])
                    if self._clusters.join(meant, sense, why):
                        yield place

    def _meant(self, document: str, word: str, surely_person: bool) -> tuple[Sense | None, str]:
        """The person whose name has the word, if there is one only, and which part of the name it is."""
        parts = [(person_words(form), sense) for form, sense in self._named.get(document, ())]
        having = [(words, sense) for words, sense in parts if any(word in (w, w.split()[-1]) for w in words)]
        last = [(words, sense) for words, sense in having if word in (words[-1], words[-1].split()[-1])]
        if last and len({id(self._clusters.root(s)) for _, s in last}) == 1:
            return last[0][1], "last name"
        second = [sense for words, sense in having if words[0] != word]
        if second and not last and surely_person and len({id(self._clusters.root(s)) for _, s in having}) == 1:
            return second[0], "second name"
        return None, ""  # a first name may be anybody's


def _shown(sense: Sense) -> str:
    return min(sense.forms, key=lambda f: (-sense.forms[f], -len(f), f))


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
    """Shortenings that documents use without saying what they stand for.

    They are abbreviations of the only name with such initials in the document, and names without their legal form.
    Three letters or fewer meet by chance: they count only where contexts vouch for one class of both names. A legal
    form is left out only where contexts vouch for classes of both (which :class:`Clusters` compares): a
    project may bear the name of a firm.
    ``stated``: aliases for which the document itself says what they stand for.
    """
    known = {place for a in stated for place in ((a.document, a.alias_key), (a.document, a.key))}
    forms: dict[str, set[str]] = defaultdict(set)
    # A form may have another key than its place: of "...The Band" dots hide the article that isn't counted.
    firm: dict[Place, set[str]] = defaultdict(set)
    for place, found in senses.items():
        forms[place[0]].update(form for sense in found for form in sense.forms)
        firm[place] = {cls for sense in found for cls in sense.firm}
    for document, names in sorted(forms.items()):
        longs: dict[tuple[str, str], set[str]] = defaultdict(set)
        for name in names:
            for letters in initials(name):
                longs["initials", letters].add(name)
            bare = without_legal_form(name)
            if name_key(bare) != name_key(name) and is_proper(bare):
                longs["bare", name_key(bare)].add(name)
        for name in sorted(names):
            if (document, name_key(name)) not in known:
                letters = acronym_key(name)
                ours = firm[document, name_key(name)]
                meant = {
                    m for m in longs["initials", letters] if len(letters) > 3 or ours & firm[document, name_key(m)]
                }
                why = "the letters are the initials of the only such name there"
                if not meant and ours:
                    meant = {m for m in longs["bare", name_key(name)] if firm[document, name_key(m)]}
                    why = "the same name without its legal form"
                if len({name_key(m) for m in meant}) == 1:
                    keys = name_key(min(meant)), name_key(name)
                    yield StatedAlias(document, *keys, min(meant), name, is_proper(name), why)


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
        self.clusters = Clusters(ontology, [d for d in decided if isinstance(d, Split)])
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
        declared = declared_names(self._ontology)
        for place, group in sorted(groups.items()):
            self.senses[place] = senses_of(group, self._ontology)
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
        if self.clusters.join_untold(senses):
            return
        heads: list[Sense] = []
        for sense in sorted(senses, key=lambda s: s.at):
            if not any(self.clusters.join(head, sense) for head in heads):
                heads.append(sense)

    def _join_declared(self) -> None:
        for senses in self._declared.values():
            for sense in senses[1:]:
                why = Join(_shown(senses[0]), _shown(sense), "the ontology declares both as names of one thing")
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
            names = (decision.name, decision.other_name)
            some, others = (self._by_key.get(name_key(name), []) for name in names)
            for one in some[:1]:
                for other in (*some[1:], *others):
                    self.clusters.join(one, other, Join(*names, "a reviewer said so"), force=True)


def _by_default(declared: Sequence[tuple[str, bool]]) -> str:
    """Of the things that the ontology gives a name, the one meant where no class tells, or ""."""
    preferred = [iri for iri, is_label in declared if is_label] or [iri for iri, _ in declared]
    return preferred[0] if len(preferred) == 1 else ""
