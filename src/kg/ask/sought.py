"""Which property of a thing a question seeks, by what its words mean and the kind of value wanted.

"How far can it be seen?" seeks the range, though it has no word of that. What speaks for each property of the thing is
measured (see :class:`Measured`) and weighed by a logistic regression, fitted on questions about invented things
(benchmarks/property_questions.py); taking away the property that is sought gives the questions to be declined.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyoxigraph as ox

from kg.ask.backing import values
from kg.ask.drafts import LONG_ROOM, ROOM, Asking, Draft, Value, explained_at, normal, sentence
from kg.ask.facts import Fact, by_property, is_date
from kg.ask.figures import asks_date, asks_number, events, expected, least_precision
from kg.ask.graph import Graph
from kg.ask.linking import COUNTING, Linked, Wording, content_words, counted_words, every_word, own_words, turned_round
from kg.ask.question import Question, Role
from kg.ask.question_kinds import asked_noun, asks_count, of_each_source, without_sources
from kg.ask.retrieve import Scored, Term
from kg.namespaces import UNIT
from kg.text import terms as w
from kg.text.spans import MEASURE_OF, dates
from kg.text.terms import PREPOSITIONS, Token, bag, opposed, tokens
from kg.text.wordnet import read_ahead, relatedness

# --- How fit a fact's value is to answer a question, by what it asks for and the value's type and unit

# Ends of the IRIs of classes whose members are people or bodies, and places.
_ACTORS = ("Person", "Agent", "Organization", "Organisation", "Team", "Company", "Group")
_PLACES = ("Place", "Location", "City", "Country", "Region")
_DIMENSIONS = {"duration": "time", "length": "length", "weight": "mass", "temperature": "temperature", "data": "data"}
_BARE = ("UNITLESS", "PERCENT", "NUM")
_LASTING = re.compile(
    r"\bfor how long\b|\bhow long (?:did|does|do|has|have|had|will)\b|\bhow long (?:was|were|is|are)\b.+\w(?:ed|ing)\b"
)
_HOW_LARGE = frozenset(("how large", "how big", "how small", "how powerful", "how deep", "how wide"))


def aptness(graph: Graph, question: Question, fact: Fact) -> float:
    """From -1 (it can't be the answer) over 0 (nothing says so) to 1 (just what is asked for)."""
    dated, number = dated_like(fact), fact.number is not None
    opening = question.opening
    noun = question.focus[-1].lower if question.focus and opening in ("what", "which") else ""
    if opening in ("who", "whom", "whose") or noun in w.PERSON_NOUNS:
        return _of_class(graph, fact, _ACTORS, _PLACES)
    if opening == "where" or noun in w.PLACE_NOUNS:
        return _of_class(graph, fact, _PLACES, _ACTORS)
    if opening == "how old":
        return 1.0 if dated or _measures(fact, "duration") else -1.0
    if asks_date(question):
        return 1.0 if dated and _as_exact(question, fact) else -1.0
    if measure := expected(question):
        return _measured(question, fact, measure)
    if opening in ("how many", "how much", "number of") or opening in _HOW_LARGE or asks_number(question):
        if dated and not (fact.unit or _names_count(fact)):
            return -1.0
        if opening in ("how many", "number of") and not _is_count(question, fact):
            return -1.0
        return 1.0 if number or fact.object is None else -1.0
    if dated:
        return -0.5
    return 0.0 if number else 0.5


def dated_like(fact: Fact) -> bool:
    """Whether a value is a date, or a number that is written as a year."""
    if is_date(fact):
        return True
    if fact.number is None or fact.unit or len(fact.stated) != 4:
        return False
    return bool(dates(fact.stated)) and 1000 <= fact.number <= 2100


def _is_count(question: Question, fact: Fact) -> bool:
    """Whether a value is a number of things, or in the unit that the question names."""
    return fact.unit is None or fact.unit.endswith(_BARE) or names_unit(question, fact)


def _names_count(fact: Fact) -> bool:
    return "," in fact.stated or "." in fact.stated


def _as_exact(question: Question, fact: Fact) -> bool:
    """Whether a date is given to the day or month where that is asked for."""
    least = least_precision(question)
    return least == 1 or any(d.precision >= least for d in dates(fact.stated))


def _of_class(graph: Graph, fact: Fact, ends: tuple[str, ...], others: tuple[str, ...]) -> float:
    """For who and where: a member of the classes and of none of the others, else a thing or a name in text."""
    if isinstance(fact.object, ox.NamedNode):
        classes = graph.facts.types.get(fact.object.value, frozenset())
        if any(c.endswith(ends) for c in classes):
            return 1.0
        if any(c.endswith(others) for c in classes):
            return -1.0
        return 0.5 if graph.facts.label(fact.object)[:1].isupper() else -0.5
    if fact.number is not None or is_date(fact):
        return -1.0
    return 0.5 if fact.stated[:1].isupper() or fact.stated[:1].isdigit() else -0.5


def _measured(question: Question, fact: Fact, measure: str) -> float:
    """For money, durations, lengths …: whether the unit measures that."""
    if _measures(fact, measure) or (
        question.opening == "how long" and not lasting(question) and _measures(fact, "length")
    ):
        return 1.0
    if fact.number is None:
        return 0.0 if fact.object is None else -1.0
    loose = question.opening in ("what", "which") or fact.unit is None
    return -0.3 if loose else -1.0


def lasting(question: Question) -> bool:
    """Whether "how long" asks for a time: "for how long …", "how long did it …", "how long was it closed"."""
    return bool(_LASTING.search(question.lower))


def _measures(fact: Fact, measure: str) -> bool:
    if measure == "money":
        return (fact.unit or "").startswith(UNIT + "CCY")
    if measure == "percent":
        return (fact.unit or "").endswith("PERCENT")
    if fact.unit is not None and measure in _DIMENSIONS and dimension(fact.unit) == _DIMENSIONS[measure]:
        return True
    return stated_measure(fact) == measure


def names_unit(question: Question, fact: Fact) -> bool:
    """Whether the question names the unit of a fact ("how many kilometres")."""
    from kg.text import units

    name = units.unit_of(fact.unit) if fact.unit else None
    if name is None:
        return False
    label = units.label(name).casefold().rstrip("s")
    return any(t.lower.rstrip("s") == label for t in question.tokens if len(t.lower) > 2)


def right_kind(graph: Graph, question: Question, fact: Fact) -> bool:
    """A date for "when", money for "how much did … cost", a duration for "how long", a thing for "who"."""
    dated = is_date(fact)
    if asks_date(question):
        return dated
    measure = expected(question)
    if measure == "money":
        return (fact.unit or "").startswith(UNIT + "CCY")
    if measure in _DIMENSIONS and fact.unit is not None:
        return dimension(fact.unit) == _DIMENSIONS[measure] or stated_measure(fact) == measure
    if asks_count(question):
        return not dated
    if asks_number(question):
        return fact.number is not None or fact.object is None
    if question.opening in ("who", "whom", "whose"):
        # Somebody has a name; "hand puppet" is nobody.
        return isinstance(fact.object, ox.NamedNode) and not graph.facts.label(fact.object)[:1].islower()
    return not dated and fact.number is None


def dimension(unit: str) -> str:
    """What a unit of QUDT measures: "time", "length" …; "" if unknown."""
    from kg.text import units

    name = units.unit_of(unit)
    return units.dimension(name) if name else ""


def stated_measure(fact: Fact) -> str:
    """The measure that the last word of a value names, "" if none."""
    return MEASURE_OF.get(fact.stated.split()[-1].casefold(), "") if fact.stated else ""


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
    value is to be the answer (:func:`kg.ask.sought.aptness`); ``margin``: its cosine less that of the best other
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


# --- What is claimed of a thing that the question names, under the property that it seeks by meaning

# A property that is sought less likely is none; below the second it is believed only if nothing else answers.
_LEAST = 0.75
_MOST = 4
_SORTS = re.compile(
    r"how many (?:different |distinct |various )?(?:types|kinds|sorts|varieties|makes|brands|models) of (?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)


def claimed(graph: Graph, seeker: Seeker, asking: Asking) -> list[Draft]:
    """The values of the property that the question seeks, for each thing that it names."""
    question = asking.question
    if _computes(question):
        return []
    if (match := _SORTS.match(question.text)) is not None:
        # How many kinds there are: which there are, counted.
        asking = asking.about(f"Which {match['rest']}")
    if conflicting := of_each_source(question):
        asking = asking.about(without_sources(question.text))
    found = _sought(graph, seeker, asking)
    drafts = (_told(graph, asking, one, s, match is not None, conflicting) for one, s in found)
    return [d for d in drafts if d is not None]


def _sought(graph: Graph, seeker: Seeker, asking: Asking) -> Iterator[tuple[Linked, Sought]]:
    """The likeliest property of each thing named, if it is likely enough."""
    for one in graph.links(asking.question):
        for thing in one.things:
            spans = [(one.start, one.end)]
            for sought in seeker.sought(asking, thing, spans)[:1]:
                if sought.chance < _LEAST or seeker.elsewhere(asking, sought, spans):
                    continue
                if turned_round(asking.question, one.start, True, graph.names(sought.predicate)):
                    continue
                yield one, sought


def _computes(question: Question) -> bool:
    """Whether a question wants something worked out rather than told, or asks why or how."""
    first = question.tokens[0].lower if question.tokens else ""
    graded = any(t.lower in w.SUPERLATIVES | w.COMPARATIVES for t in question.tokens)
    how = question.opening in ("why", "how", "")
    return first in w.AUXILIARIES or graded or how or bool(question.options) or events(question) is not None


def _told(
    graph: Graph, asking: Asking, one: Linked, sought: Sought, sorts: bool = False, conflicting: bool = False
) -> Draft | None:
    """The values; how many there are if that is asked, or how many ``sorts``; all that sources give if they differ."""
    measured = bool(expected(asking.question))  # "how long": words that hold a figure among others are no answer
    facts = best_attested(graph, (f for f in sought.facts if not measured or _is_figure(f)))
    counted = all(f.number is None and f.object is not None for f in facts)
    counting = counted and (sorts or asks_count(asking.question))
    if sorts and not counted:
        return None
    if (counting or conflicting) and len(facts) < 2:
        return None
    if not (counting or conflicting):
        facts = facts[: 1 if _single(facts) else _MOST]
    evidence = graph.cited(asking, facts)
    if not evidence or not _names_met(graph, asking, one, sought, evidence):
        return None
    labels = [graph.said(f) for f in facts]
    shown = f"{len(labels)}: {', '.join(labels)}" if counting else "; ".join(labels)
    text = sentence(shown, evidence[0].plain, LONG_ROOM if len(labels) > 1 else ROOM)
    every = tuple(range(len(evidence)))
    at = {scored.key: number for number, scored in enumerate(evidence)}
    own = [graph.evidence(asking, f) for f in facts]
    told = [(at[scored.key],) if scored is not None and scored.key in at else () for scored in own]
    items = (Value(str(len(labels)), every),) if counting else tuple(map(Value, labels, told))
    kind = "count" if counting else "conflicting" if conflicting else "value"
    return Draft(
        kind, text, items, evidence, sought.chance, values(graph, tuple(facts), counting), explained_at(sought.chance)
    )


def best_attested(graph: Graph, facts: Iterable[Fact]) -> list[Fact]:
    """One fact for each value, those said by most passages first; asserted ones before others."""
    told = sorted(facts, key=lambda f: (not f.asserted, f.passage, f.start))
    said = Counter(normal(graph.said(f)) for f in told)
    first: dict[str, Fact] = {}
    for fact in told:
        first.setdefault(normal(graph.said(fact)), fact)
    return sorted(first.values(), key=lambda f: (not f.asserted, -said[normal(graph.said(f))]))


def _is_figure(fact: Fact) -> bool:
    return fact.number is not None or fact.object is None or is_date(fact)


def _single(facts: Sequence[Fact]) -> bool:
    """Whether values exclude one another: numbers, dates, what is not disclosed."""
    return not all(
        f.asserted and f.number is None and f.object is not None and not is_date(f) and len(f.stated) < 60
        for f in facts
    )


def _names_met(graph: Graph, asking: Asking, one: Linked, sought: Sought, evidence: Sequence[Scored]) -> bool:
    """Whether every other name of the question is said by the property, its values or the units that state them."""
    told = (*(graph.said(f) for f in sought.facts), *(s.plain for s in evidence[:2]))
    # A thing that the question names beside must be told of; other words may be the property's own.
    named = any(x.start != one.start for x in graph.links(asking.question))
    words = frozenset().union(*(bag(x) for x in (told if named else (*told, *graph.names(sought.predicate)))))
    names = [t for t in asking.found.terms if t.word.role == Role.NAME]
    return all(one.start <= t.word.token.start < one.end or t.found(words) >= 0.5 for t in names)
