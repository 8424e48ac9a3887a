"""What the words of a question may mean in a graph: its things, classes, properties and values by name.

Names are compared by spelling, stems, typing mistakes, derivations and demonyms, by WordNet and by the text encoder;
several meanings are kept, each with how well it fits (0 to 1).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pyoxigraph as ox
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from kg.semantics.graph import Graph, grouped
from kg.text.question_words import FUNCTION
from kg.text.tokens import stem, words
from kg.text.wordnet import relatedness, synonyms

if TYPE_CHECKING:
    from kg.protocols import Encoder

_LITTLE = frozenset(
    ("has", "have", "is", "of", "the", "a", "an", "by", "in", "for", "to", "was", "at", "on", "with", "be", "been")
)
_TEXT_LENGTH = 60  # characters of a literal that a question may name
_TYPO, _PARTIAL, _SYNONYM, _ACRONYM, _TURNED = 0.8, 0.62, 0.93, 0.95, 0.86
_LEAST_COSINE = 0.42
_ALL = 20_000  # names up to which all are compared with what nothing is called
_NEAR = 0.5  # from which one word may stand for another
_PLURAL = {"people": "person"}  # a plural that no rule makes, and no exception list has
_DEMONYM = ("n", "an", "ian", "ean", "ese", "ish", "i", "er", "ite")


@dataclass(frozen=True, slots=True)
class Match:
    """A property or class (number) and how well words fit one of its names."""

    id: int
    score: float
    name: str


@dataclass(frozen=True, slots=True)
class Named:
    """Things of one class that a name may mean."""

    ids: tuple[int, ...]
    score: float
    name: str


Entry = tuple[int, str, tuple[str, ...]]


class Vocabulary:
    """Names with their words, found by words that are near enough to theirs."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = tuple(entries)
        self._with: dict[str, set[int]] = defaultdict(set)
        for at, (_, _, parts) in enumerate(self.entries):
            for word in parts:
                self._with[word].add(at)
        self._known: dict[str, frozenset[int]] = {}

    def near(self, span: Sequence[str]) -> list[Entry]:
        """Names that may fit: each word that says something has one near it among theirs. In their order."""
        content = _content(tuple(span))
        written = self._with.get("".join(content), set()) if len(content) > 1 else set()
        found = frozenset.intersection(*(self._near(w) for w in content or span)) if span else frozenset()
        return [self.entries[at] for at in sorted(found | written)]

    def _near(self, word: str) -> frozenset[int]:
        if word not in self._known:
            near = (at for other, at in self._with.items() if other == word or _word(word, other) >= _NEAR)
            self._known[word] = frozenset().union(*near)
        return self._known[word]


class Lexicon:
    """The names of one graph. ``encoder`` may be None: then words alone are compared."""

    def __init__(self, graph: Graph, encoder: Encoder | None) -> None:
        self.graph = graph
        self._encoder = encoder
        self._vectors: dict[str, np.ndarray] = {}
        self._found: dict[tuple[str, tuple[str, ...]], tuple[Match, ...]] = {}

    # --- properties and classes --------------------------------------------------------------

    @cached_property
    def _property_names(self) -> Vocabulary:
        return Vocabulary((p.id, n, words(n)) for p in self.graph.properties.values() for n in p.names if words(n))

    @cached_property
    def _class_names(self) -> Vocabulary:
        return Vocabulary((c, n, words(n)) for c in self.graph.classes for n in self.graph.names_of(c) if words(n))

    def properties(self, span: Sequence[str], dense: bool = True) -> tuple[Match, ...]:
        """Properties that the words may speak of, the likeliest first."""
        return self._matches("property", tuple(span), self._property_names, dense)

    def classes(self, span: Sequence[str]) -> tuple[Match, ...]:
        """Classes that the words may name, the likeliest first."""
        return self._matches("class", tuple(span), self._class_names, False)

    def _matches(self, what: str, span: tuple[str, ...], names: Vocabulary, dense: bool) -> tuple[Match, ...]:
        key = (f"{what}{dense}", span)
        if key not in self._found:
            best: dict[int, Match] = {}
            near = names.near(span)
            told = set(near)
            for entry in names.entries if dense else near:
                id_, name, parts = entry
                score = similarity(span, parts) if entry in told else 0.0
                if dense and score < 0.9:
                    score = max(score, self._cosine(" ".join(span), name))
                if score > 0.0 and (id_ not in best or score > best[id_].score):
                    best[id_] = Match(id_, score, name)
            self._found[key] = tuple(sorted(best.values(), key=lambda m: (-m.score, m.id)))
        return self._found[key]

    def _cosine(self, left: str, right: str) -> float:
        """The encoder's similarity, scaled down to what it is worth; 0 where it says little."""
        if self._encoder is None:
            return 0.0
        cosine = float(self._vector(left) @ self._vector(right))
        return 0.0 if cosine < _LEAST_COSINE else min(0.72, 0.3 + 0.6 * (cosine - _LEAST_COSINE) / 0.4)

    def _vector(self, text: str) -> np.ndarray:
        if text not in self._vectors:
            assert self._encoder is not None
            self._vectors[text] = self._encoder.encode([text])[0]
        return self._vectors[text]

    def nearest(self, span: Sequence[str]) -> list[tuple[int, float]]:
        """Properties by the encoder's cosine alone."""
        if self._encoder is None:
            return []
        text = self._vector(" ".join(span))
        best: dict[int, float] = {}
        for id_, name, _ in self._property_names.entries:
            best[id_] = max(best.get(id_, -1.0), float(text @ self._vector(name)))
        return sorted(best.items(), key=lambda b: (-b[1], b[0]))

    def warm(self) -> None:
        """Loads and encodes what every question needs."""
        relatedness("one", "two")
        if self._encoder is not None:
            names = sorted({n for _, n, _ in self._property_names.entries})
            for name, vector in zip(names, self._encoder.encode(names), strict=True):
                self._vectors[name] = vector

    # --- things ------------------------------------------------------------------------------

    @cached_property
    def _things(self) -> Mapping[tuple[str, ...], tuple[int, ...]]:
        """Things (and texts) by the words of their names."""
        found: dict[tuple[str, ...], dict[int, None]] = defaultdict(dict)
        schema = set(self.graph.properties) | (set(self.graph.classes) - self.graph.punned)
        for id_ in self._nameable:
            if id_ not in schema:
                for name in self._names_of(id_):
                    if key := words(name):
                        found[key][id_] = None
        return {key: tuple(ids) for key, ids in found.items()}

    @cached_property
    def _nameable(self) -> tuple[int, ...]:
        graph, found = self.graph, set(self.graph.kinds)
        for property_ in graph.properties.values():
            found |= set(graph.out.get(property_.id, ()))
            if property_.kind in ("thing", "text"):
                found |= set(graph.back.get(property_.id, ()))
        return tuple(sorted(found))

    def _names_of(self, id_: int) -> tuple[str, ...]:
        if self.graph.is_literal(id_):
            text = self.graph.terms[id_].value
            return (text,) if len(text) <= _TEXT_LENGTH else ()
        if isinstance(self.graph.terms[id_], ox.BlankNode):  # its own name is no name
            return self.graph.names.get(id_, ())
        return self.graph.names.get(id_) or (self.graph.name(id_),)

    @cached_property
    def longest(self) -> int:
        """Words of the longest name."""
        return min(12, max((len(k) for k in self._things), default=1))

    @cached_property
    def _by_stems(self) -> Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        return grouped((tuple(stem(w) for w in key), key) for key in self._things)

    @cached_property
    def _by_set(self) -> Mapping[frozenset[str], tuple[tuple[str, ...], ...]]:
        """Names of several words by these in any order."""
        return grouped((frozenset(s), key) for s, keys in self._by_stems.items() if len(s) > 1 for key in keys)

    @cached_property
    def _by_word(self) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        several = (key for key in self._things if len(key) > 1)
        return grouped((s, k) for k in several for s in {stem(w) for w in k if len(w) > 2 and w not in FUNCTION})

    @cached_property
    def _spelled(self) -> tuple[str, ...]:
        return tuple(sorted({" ".join(key) for key in self._things if len(" ".join(key)) > 3}))

    @cached_property
    def _sized(self) -> Mapping[tuple[str, int], tuple[str, ...]]:
        """Names by first letter and length."""
        return grouped(((name[0], len(name)), name) for name in self._spelled)

    @cached_property
    def _beginning(self) -> Mapping[str, tuple[str, ...]]:
        """Names by their first three letters."""
        return grouped((name[:3], name) for name in self._spelled)

    def things(self, span: Sequence[str]) -> tuple[Named, ...]:
        """Things that the words name, exactly or in another form, a set for each class."""
        key = tuple(span)
        if key in self._things:
            return self._groups(self._things[key], 1.0, " ".join(key))
        stems = tuple(stem(w) for w in key)
        if stems in self._by_stems and not all(w in FUNCTION for w in key):
            ids = tuple(i for k in self._by_stems[stems] for i in self._things[k])
            return self._groups(ids, 0.88, " ".join(self._by_stems[stems][0]))
        if len(key) > 1 and (same := self._by_set.get(frozenset(stems))):
            return self._groups([i for k in same for i in self._things[k]], _TURNED, " ".join(same[0]))
        for other in synonyms(" ".join(key)):
            if key[0] != "the" and len(other) > 2 and (found := self._things.get(words(other))):
                return self._groups(found, _SYNONYM, other)
        return ()

    def likely_things(self, span: Sequence[str]) -> tuple[Named, ...]:
        """Things whose names look like the words: demonyms, mistyped names, part of a name."""
        text = " ".join(span)
        found: list[Named] = []
        if len(span) == 1:
            found += self.demonyms(span)
        if len(text) >= 5 and not found:
            most = 1 if len(text) < 8 else 2
            sizes = range(len(text) - most, len(text) + most + 1)
            alike = [name for size in sizes for name in self._sized.get((text[0], size), ())]
            close = process.extractOne(text, alike, scorer=OSA.distance, score_cutoff=most)
            if close:
                named = self._things[tuple(close[0].split())]
                found += self._groups(named, _TYPO * (1 - close[1] / len(text) / 2), close[0])
        if len(span) == 1 and not found:
            keys = self._by_word.get(stem(text), ())
            if 0 < len(keys) <= 6:
                ids = tuple(i for k in keys for i in self._things[k])
                found += self._groups(ids, _PARTIAL, text)
        return tuple(found)

    def demonyms(self, span: Sequence[str]) -> tuple[Named, ...]:
        """The thing whose name a demonym is made of: "Texans", "South American"."""
        text = " ".join(span)
        base = self._place(text) if len(text) > 4 else ""
        return self._groups(self._things[tuple(base.split())], _TYPO, base) if base else ()

    def _place(self, demonym: str) -> str:
        """The name that a demonym or an adjective made of a name comes from: "Texans" → "texas"; else ""."""
        demonym = demonym[:-1] if demonym.endswith("ns") else demonym
        best = (0.0, "")
        for end in _DEMONYM:
            base = demonym[: -len(end)]
            if demonym.endswith(end) and len(base) >= 3:
                near = [n for n in self._beginning.get(base[:3], ()) if abs(len(n) - len(base)) <= 2]
                close = process.extractOne(base, near, scorer=fuzz.ratio, score_cutoff=84) if near else None
                best = max(best, (close[1], close[0])) if close else best
        return best[1]

    @cached_property
    def _acronyms(self) -> Mapping[str, tuple[int, ...]]:
        """Things by the first letters of the words of their names: "EU" of "European Union"."""
        found: dict[str, list[int]] = defaultdict(list)
        for key, ids in self._things.items():
            initials = "".join(word[0] for word in key if word not in FUNCTION)
            if len(initials) > 1:
                found[initials] += [id_ for id_ in ids if not self.graph.is_literal(id_)]
        return {initials: tuple(ids) for initials, ids in found.items()}

    def acronym(self, letters: str) -> tuple[Named, ...]:
        """The things whose names' words begin with these letters."""
        ids = self._acronyms.get(letters.casefold(), ())
        return self._groups(ids, _ACRONYM, letters) if ids else ()

    def near_names(self, text: str, limit: int = 3) -> tuple[str, ...]:
        """Names that look most like a text."""
        among = self._spelled if len(self._spelled) <= _ALL else self._beginning.get(text[:3], ())
        found = process.extract(text, among, scorer=fuzz.WRatio, limit=limit, score_cutoff=60)
        return tuple(name for name, _, _ in found)

    def _groups(self, ids: Sequence[int], score: float, name: str) -> tuple[Named, ...]:
        groups: dict[tuple[int, ...] | str, list[int]] = defaultdict(list)
        for id_ in ids:
            literal = self.graph.is_literal(id_)
            groups["text" if literal else self.graph.kinds.get(id_, ())[:1]].append(id_)
        order = sorted(groups.values(), key=lambda g: (-self._degree(g), g))
        return tuple(
            Named(tuple(g), score * (1 - 0.04 * min(n, 4)) * (0.93 if self.graph.is_literal(g[0]) else 1.0), name)
            for n, g in enumerate(order)
        )

    def _degree(self, ids: Sequence[int]) -> float:
        """How much the graph says of things, on average."""
        uses = [sum(len(e.get(i, ())) for e in (*self.graph.out.values(), *self.graph.back.values())) for i in ids]
        return sum(uses) / len(uses)


@lru_cache(maxsize=200_000)
def similarity(span: tuple[str, ...], name: tuple[str, ...]) -> float:
    """How well words fit a name, by words alone: 1 is the name itself."""
    if span == name:
        return 1.0
    one, other = _content(span), _content(name)
    if not one or not other:
        return 0.0
    if [stem(w) for w in one] == [stem(w) for w in other] or "".join(one) == "".join(other):
        return 0.97
    pairs = [max(_word(a, b) for b in other) for a in one]
    back = [max(_word(a, b) for a in one) for b in other]
    if min(pairs) < _NEAR:
        return 0.0
    covered = sum(b for b in back if b >= _NEAR) / len(back)
    fit = sum(pairs) / len(pairs)
    return fit * (0.95 if covered > 0.95 else 0.45 + 0.45 * covered)


def _content(span: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(w for w in span if w not in _LITTLE)


@lru_cache(maxsize=100_000)
def _word(one: str, other: str) -> float:
    if one == other:
        return 1.0
    a, b = (stem(_PLURAL.get(w, w)) for w in (one, other))
    if a == b:
        return 0.97
    if min(len(a), len(b)) >= 4 and (a.startswith(b) or b.startswith(a)):
        return 0.85
    if len(one) >= 5 and len(other) >= 5 and one[0] == other[0] and fuzz.ratio(one, other) >= 86:
        return 0.8
    near = relatedness(one, other)
    return 0.88 * near if near >= 0.55 else 0.0
