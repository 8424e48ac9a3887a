"""Which property of a thing a question seeks, by what its words mean and the kind of value wanted.

"How far can it be seen?" seeks the range, though it has no word of that. What speaks for each property of the thing is
measured (see :class:`Measured`) and weighed by a logistic regression, fitted on questions about invented things
(benchmarks/property_questions.py); taking away the property that is sought gives the questions to be declined.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kg.ask.asked_for import asked_noun
from kg.ask.drafts import Asking
from kg.ask.facts import Fact, by_property
from kg.ask.graph import Graph
from kg.ask.linking import COUNTING, Wording, content_words, counted_words, every_word, own_words
from kg.ask.question import Question, Role
from kg.ask.related_words import opposed
from kg.ask.retrieve import Term
from kg.ask.terms import Token, bag, tokens
from kg.ask.value_fit import aptness
from kg.ask.words import PREPOSITIONS
from kg.text.wordnet import read_ahead, relatedness

# Weights of what is measured, in the order of the fields of Measured, and the constant.
WEIGHTS = (0.81, 0.22, 5.3, 0.83, 0.6, 1.63, -0.86, 5.08)
CONSTANT = -3.14
_AKIN = 0.6  # a noun so near in WordNet to one of a property's names is met
_CLEARER = 0.2  # so much more of the question another property's name must say to be meant rather
_ALONE = 0.1  # the margin of a property without rivals
_GRADED = re.compile(
    r"how \w+ (?:is|was|are|were) (?:the|its|their) (?P<noun>(?:[\w-]+ )??[\w-]+) (?:of|for|in|on|at)\b", re.IGNORECASE
)
_NAMES = 3  # names of a property that are compared by embedding
_WARMED = 1_000  # names, and things with examples, that are embedded ahead: some seconds each
_KEPT = 20_000  # vectors of texts that are kept


@dataclass(frozen=True, slots=True)
class Measured:
    """What speaks for a property, each 0 to 1 but for cosines and what is against others.

    ``said``: share of its name that the question says; ``explained``: share of the question that its names say;
    ``cosine``: of the question without the thing's name and the property with an example; ``akin``: how near the words
    of its name are to the question's in WordNet, ``reached``: and the other way about; ``kind``: -1 to 1, how fit the
    value is to be the answer (:func:`kg.ask.value_fit.aptness`); ``margin``: its cosine less that of the best other
    that is as fit; ``unmet``: whether the noun asked for ("which *school* …") is far from the property's names.
    """

    said: float
    explained: float
    cosine: float
    akin: float
    reached: float
    kind: float
    unmet: float
    margin: float = 0.0

    @property
    def values(self) -> tuple[float, ...]:
        """The features in the order of the weights."""
        return (self.said, self.explained, self.cosine, self.akin, self.reached, self.kind, self.unmet, self.margin)


@dataclass(frozen=True, slots=True)
class Sought:
    """A property of a thing with its facts and the probability that the question seeks it."""

    thing: str
    predicate: str
    facts: tuple[Fact, ...]
    chance: float
    measured: Measured


class Seeker:
    """Finds what a question seeks of a thing; vectors of properties are kept."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._vectors: dict[str, np.ndarray] = {}

    def warm(self) -> None:
        """Embeds the graph's properties, by name and with examples, which the first questions would wait for."""
        names = [n for p in self._graph.schema.properties for n in self._graph.names(p)[:_NAMES]][:_WARMED]
        read_ahead(itertools.chain.from_iterable(map(content_words, names)))
        self._graph.facts.warm(self._graph.view.passages)
        if self._graph.view.encoder is not None:
            self._encoded(names)
            self._encoded(list(itertools.islice(self._examples(), _WARMED)))

    def _examples(self) -> Iterator[str]:
        """What the first things' properties are compared by, beside their names; without repeats."""
        facts = self._graph.facts
        seen = set()
        for thing in facts.first:
            for predicate, own in by_property(f for f in facts.of_subject(thing) if not f.denied).items():
                example = self._texts(predicate, own)[-1]
                if example not in seen:
                    seen.add(example)
                    yield example

    def sought(self, asking: Asking, thing: str, spans: Sequence[tuple[int, int]]) -> list[Sought]:
        """Properties of a thing that the question may seek, the likeliest first. ``spans``: the thing's name in it."""
        facts = by_property(f for f in self._graph.facts.of_subject(thing) if not f.denied)
        return self.ranked(asking, thing, facts, spans)

    def ranked(
        self,
        asking: Asking,
        thing: str,
        facts: dict[str, tuple[Fact, ...]],
        spans: Sequence[tuple[int, int]],
        kind: float | None = None,
    ) -> list[Sought]:
        """The same of given properties with their facts. ``kind``: how fit all of them are, where that is known."""
        asked = {t.word.term for t in asking.found.terms if not any(a <= t.word.token.start < b for a, b in spans)}
        apt = {p: self._apt(asking, own) if kind is None else kind for p, own in facts.items()}
        # What can't be meant isn't measured: embeddings cost most of the time.
        meant = [p for p in facts if apt[p] > -1 and not self._opposed(asked, p) and not self._per(asking, p)]
        cosines = self._cosines(asking, {p: facts[p] for p in meant}, spans)
        rest = self._graph.rest(asking, spans)
        wording = Wording.of(rest)
        measured = {}
        for p in meant:
            names = self._graph.names(p)
            far = kind is None and unmet(asking, (*names, *self._classes(facts[p])))
            near = _near(rest, names)
            measured[p] = Measured(*wording.fit(names), cosines[p], *near, apt[p], float(far))
        found = []
        for predicate, one in measured.items():
            own = facts[predicate]
            rivals = [m.cosine for p, m in measured.items() if p != predicate and m.kind >= one.kind]
            one = replace(one, margin=one.cosine - max(rivals, default=one.cosine - _ALONE))
            found.append(Sought(thing, predicate, own, chance(one), one))
        return sorted(found, key=lambda s: (-s.chance, s.predicate))

    def _opposed(self, asked: Iterable[str], predicate: str) -> bool:
        """Whether every name of a property says the opposite of a word of the question."""
        return all(opposed(asked, own_words(name)) for name in self._graph.names(predicate))

    def _per(self, asking: Asking, predicate: str) -> bool:
        """Whether a property counts something else than the question: seats per row are no rows, nor is row length."""
        focus = asking.focus_terms()
        if not asking.question.opening.startswith(("how many", "number of")) or not focus:
            return False
        named = [n for n in self._graph.names(predicate) if any(t.found(bag(n)) >= 0.5 for t in focus)]
        return bool(named) and not any(_counts(focus, name) for name in named)

    def elsewhere(self, asking: Asking, sought: Sought, spans: Sequence[tuple[int, int]]) -> bool:
        """Whether the question names better a property that the graph has, but not of this thing."""
        rest = tuple(t for t in self._graph.rest(asking, spans) if t.word.role != Role.LIGHT)
        forms = frozenset(t.word.term for t in rest)
        own = {f.predicate for f in self._graph.facts.of_subject(sought.thing)}
        wording = Wording.of(rest)
        mine = wording.fit(self._graph.names(sought.predicate))[1]
        for words, predicates in self._named.items():
            if words <= forms and not predicates & own:
                best = max(wording.fit(self._graph.names(p))[1] for p in predicates)
                if best > mine + _CLEARER:
                    return True
        return False

    @cached_property
    def _named(self) -> dict[frozenset[str], set[str]]:
        """The graph's properties by the words of their names, without those that only say that it is a number."""
        found: dict[frozenset[str], set[str]] = defaultdict(set)
        for predicate in self._graph.schema.properties:
            for name in self._graph.names(predicate):
                if words := counted_words(name):
                    found[words].add(predicate)
        return dict(found)

    def _apt(self, asking: Asking, facts: Sequence[Fact]) -> float:
        return max(aptness(self._graph, asking.question, f) for f in facts)

    def _classes(self, facts: Sequence[Fact]) -> tuple[str, ...]:
        """Names of the classes of a property's values, and of their units."""
        found = {c for f in facts[:4] for c in self._graph.facts.types.get(str(getattr(f.object, "value", "")), ())}
        return tuple(n for c in sorted(found) for n in self._graph.facts.labels.get(c, ()))

    def _cosines(
        self, asking: Asking, facts: Mapping[str, Sequence[Fact]], spans: Sequence[tuple[int, int]]
    ) -> dict[str, float]:
        """Of the question without the thing's name and each property, the nearest of its names and of an example."""
        if self._graph.view.encoder is None or not facts:
            return dict.fromkeys(facts, 0.0)
        text = asking.question.text
        for start, end in sorted(spans, reverse=True):
            text = f"{text[:start]}it{text[end:]}"
        texts = {p: self._texts(p, own) for p, own in facts.items()}
        rows = self._encoded([text, *(x for every in texts.values() for x in every)])
        return {p: float(np.max(np.stack([rows[x] for x in every]) @ rows[text])) for p, every in texts.items()}

    def _texts(self, predicate: str, facts: Sequence[Fact]) -> tuple[str, ...]:
        names = self._graph.names(predicate)[:_NAMES]
        return (*names, f"{names[0]}: {self._graph.said(facts[0])[:60]}")

    def _encoded(self, texts: Sequence[str]) -> dict[str, np.ndarray]:
        """Vectors of texts; those not known yet are encoded in one go, and kept."""
        encoder = self._graph.view.encoder
        assert encoder is not None
        known = {x: row for x in texts if (row := self._vectors.get(x)) is not None}
        new = [x for x in dict.fromkeys(texts) if x not in known]
        rows = dict(zip(new, encoder.encode(new), strict=True))
        if len(self._vectors) + len(new) > _KEPT:
            self._vectors.clear()
        self._vectors.update(rows)
        return known | rows


def chance(measured: Measured) -> float:
    """Probability that a question seeks a property, from what speaks for it."""
    total = CONSTANT + sum(w * v for w, v in zip(WEIGHTS, measured.values, strict=True))
    return 1 / (1 + math.exp(-total))


def _near(rest: Sequence[Term], names: Sequence[str]) -> tuple[float, float]:
    """How near a property's names are to the question's words in WordNet, and these to the names."""
    asked = [(t.word.token.lower, t.weight) for t in rest if t.word.role != Role.NAME and not t.word.token.digits]
    total = sum(weight for _, weight in asked) or 1.0
    best = (0.0, 0.0)
    for name in names[:_NAMES]:
        words = content_words(name)
        if not words or not asked:
            continue
        near = [[relatedness(one, word) for word in words] for one, _ in asked]
        akin = sum(map(max, zip(*near, strict=True))) / len(words)
        reached = sum(weight * max(row) for (_, weight), row in zip(asked, near, strict=True)) / total
        best = max(best, (akin, reached))
    return best


def _counts(focus: Sequence[Term], name: str) -> bool:
    """Whether a property's name speaks of the number of what is asked: as its head, or with a word for a number."""
    # "Number of rooms" and "rooms" are one name here.
    named = itertools.dropwhile(lambda t: t.term in COUNTING or t.lower == "of", tokens(name))
    words = list(itertools.takewhile(lambda t: t.lower not in PREPOSITIONS, named))
    if not words:
        return True
    head = words[-1]
    said = [t for t in words if any(f.found(frozenset([t.term])) >= 0.5 for f in focus)]
    loose = head.lower.endswith(("ed", "ing", "ly")) or head.term in COUNTING or len(words) < 2
    return bool(said) and (head in said or loose)


def unmet(asking: Asking, names: Sequence[str]) -> bool:
    """Whether the question asks for a noun that none of the names has or is near to in meaning."""
    token = asked_noun(asking.question) or _noun_graded(asking.question)
    term = next((t for t in asking.found.terms if token is not None and t.word.term == token.term), None)
    if token is None or term is None:
        return False
    words = {word for n in names for word in content_words(n)}
    said = term.found(every_word(tuple(names))) >= 0.5
    return not said and all(relatedness(token.lower, word) < _AKIN for word in words)


def _noun_graded(question: Question) -> Token | None:
    """The noun whose size is asked for: "how big is the *garden* of …"."""
    match = _GRADED.match(question.text)
    return next((t for t in question.tokens if match and t.end == match.end("noun")), None)
