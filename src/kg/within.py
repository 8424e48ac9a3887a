"""Names of one document that are ways of writing one: people by parts of their names, shortenings.

What is ambiguous stays apart: a part of a name counts only where one thing of the document has it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from kg.clusters import Clusters, Join
from kg.names import is_proper, name_key
from kg.senses import Sense
from kg.variants import (
    acronym_key,
    initials,
    is_person_form,
    may_be_one_person,
    person_words,
    suffix,
    without_legal_form,
)

if TYPE_CHECKING:
    from kg.ontology import Ontology

Place = tuple[str, str]  # document, key
Shortening = tuple[str, str, str, str]  # document, long name, short name, why they are one


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


def shortenings(senses: Mapping[Place, Sequence[Sense]], stated: Iterable[Place]) -> Iterator[Shortening]:
    """Abbreviations of the only name with such initials in the document, and names without their legal form.

    Three letters or fewer meet by chance: they count only where contexts vouch for one class of both names. A legal
    form is left out only where contexts vouch for classes of both (which :class:`kg.clusters.Clusters` compares): a
    project may bear the name of a firm.
    ``stated``: places of aliases for which the document itself says what they stand for.
    """
    known = set(stated)
    forms: dict[str, set[str]] = defaultdict(set)
    firm: dict[Place, set[str]] = {}
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
                    yield document, min(meant), name, why
