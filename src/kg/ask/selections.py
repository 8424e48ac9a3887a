"""A kind of things, narrowed by their links and figures: listed, counted, summed or ranked by a query."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import pyoxigraph as ox

from kg.ask.drafts import LONG_ROOM, ROOM, Asking, Backing, Draft, Value, clip, sentence
from kg.ask.facts import Fact, Written, by_property, is_date
from kg.ask.graph import Graph, Kind, Meant, amount
from kg.ask.linking import Linked, compared, degree, in_time, own_words, turned_round
from kg.ask.question import Question
from kg.ask.retrieve import Scored
from kg.model import Quantity
from kg.namespaces import XSD
from kg.ontology import normalise_label
from kg.text import quantities, units
from kg.text import terms as w
from kg.text.spans import dates
from kg.text.terms import Token, bag, tokens

_AVERAGE = re.compile(r"\b(?:average|mean)\b", re.IGNORECASE)
_SUM = re.compile(r"\b(?:total|sum|(?:al)?together|combined|in all)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|never|n't|without|no)\b|n['’]t\b", re.IGNORECASE)
_SAID = 0.6
_MOST = 40

_WHEN = re.compile(
    r"\b(?P<how>before|after|since|until|by|in|during|prior to|later than|earlier than)\s+(?:the\s+)?$", re.I
)
_LIMITING = re.compile(r"\b(?:(?P<over>over|above|exceeding)|under|below)\s+$", re.IGNORECASE)
_OPEN = {"before": "<", "prior to": "<", "earlier than": "<", "until": "<=", "by": "<=", "after": ">",
         "later than": ">", "since": ">="}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bound:
    """``low``/``high``: bounds of a number in ``unit`` (a QUDT local name) or of a date (ISO days); None where open."""

    start: int
    end: int
    low: Decimal | str | None
    high: Decimal | str | None
    unit: str | None = None
    strict: bool = True

    @property
    def dated(self) -> bool:
        """Whether it bounds dates."""
        return isinstance(self.low or self.high, str)

    @property
    def closed(self) -> bool:
        """Whether the ends themselves are within: where there are two, or it says so."""
        return not self.strict or (self.low is not None and self.high is not None)

    def ends_for(self, fact: Fact) -> tuple[Decimal | str | None, Decimal | str | None] | None:
        """The bounds of a fact's value: days, or numbers in its unit; None if it can't be held against them."""
        if self.dated or is_date(fact):
            return (self.low, self.high) if self.dated and is_date(fact) else None
        own = fact.unit_name
        if not units.convertible(self.unit, own):
            return None
        if self.unit and own:
            low, high = (
                units.convert(x, self.unit, own) if isinstance(x, Decimal) else None for x in (self.low, self.high)
            )
            return low, high
        return self.low, self.high

    def filter(self, fact: Fact) -> str:
        """The FILTER over ``?value``, in the unit of a fact."""
        value = "STR(?value)" if self.dated else "?value"
        equal = "=" if self.closed else ""
        ends = zip((">", "<"), self.ends_for(fact) or (), strict=False)
        parts = [f"{value} {sign}{equal} {_in_sparql(end)}" for sign, end in ends if end is not None]
        return f"FILTER({' && '.join(parts)})"

    def holds(self, fact: Fact) -> bool:
        """Whether a fact's value is within it."""
        ends = self.ends_for(fact)
        if ends is None:
            return False
        value: Any = fact.value if self.dated else Decimal(str(fact.number))
        if value in ends:
            return self.closed
        low, high = ends
        return (low is None or value > low) and (high is None or value < high)


def _in_sparql(end: Decimal | str) -> str:
    return f'"{end}"' if isinstance(end, str) else f"{end.normalize():f}"


def bound(question: Question) -> Bound | None:
    """The bound that a question states, of a number or a date."""
    return _of_date(question.text) or _of_number(question.text)


def _of_date(text: str) -> Bound | None:
    for date in dates(text):
        match = _WHEN.search(text[: date.start])
        between = re.search(r"\b(?:between|from)\s+$", text[: date.start], re.I)
        if between and len(dates(text)) == 2:
            last = dates(text)[1]
            return Bound(between.start(), last.end, date.day, last.latest, strict=False)
        if match is None:
            continue
        sign = _OPEN.get(match["how"].casefold(), "=")
        first, last_day = date.day, date.latest
        low = {">": last_day, ">=": first, "=": first}.get(sign)
        high = {"<": first, "<=": last_day, "=": last_day}.get(sign)
        return Bound(match.start(), date.end, low, high, strict=sign in "<>")
    return None


def _of_number(text: str) -> Bound | None:
    for found in quantities.find(text):
        value = found.value
        if not isinstance(value, Quantity) or re.match(r"\d{4}$", value.stated):
            continue
        low, high = value.lower, value.upper
        before = re.search(r"(\w+)\s+than\s+$", text[: found.start], re.I)
        start = before.start() if before else found.start
        if low is not None and low == high:
            sign = degree(before[1].casefold()) if before else None
            limit = _LIMITING.search(text[: found.start])
            if sign is None and limit is None:
                continue
            start = limit.start() if sign is None and limit is not None else start
            over = sign[0] > 0 if sign is not None else limit is not None and limit["over"] is not None
            low, high = (low, None) if over else (None, high)
        strict = not re.match(r"(?:at least|at most|up to|no (?:more|less|fewer) than)\b", value.stated, re.I)
        return Bound(start, found.end, low, high, value.unit, strict)
    return None


@dataclass(frozen=True, slots=True)
class Selection:
    """Things of a kind. ``link``: facts that tie them to a thing named; ``measure``: facts that order or bound them;
    ``classed``: narrowed to another class; ``denied``: to those of which something isn't so."""

    spans: tuple[tuple[int, int], ...]
    names: tuple[str, ...]
    patterns: tuple[tuple[str, ...], ...]
    extra: tuple[str, ...]
    things: frozenset[str]
    nouns: frozenset[str] = frozenset()
    link: tuple[Fact, ...] = ()
    measure: tuple[Fact, ...] = ()
    bound: Bound | None = None
    classed: bool = False
    denied: bool = False


def select(graph: Graph, asking: Asking) -> list[Draft]:
    """The readings of a question as one of a kind of things."""
    question = asking.question
    if question.tokens and question.tokens[0].lower in w.AUXILIARIES:
        return []
    # Words that are just a class's name, such as a glossary's terms, name no thing.
    linked = tuple(one for one in graph.links(question) if not _names_class(graph, one))
    meant = graph.schema.meant(question, [(x.start, x.end) for x in linked])
    meant = tuple(m for m in meant if not _is_stated(graph, question, m, linked)) or _having(graph, question)
    choice = _Choice(graph, asking, linked)
    # The kind is the question's focus, or what an average or a total is taken of.
    of_any, focus = _computed(question), _asked(question)
    asked = (m for m in meant if of_any or any(m.start <= t.start < m.end for t in focus))
    drafts = (choice.draft(one, _predicated(question, one, meant)) for one in asked)
    return [draft for draft in drafts if draft is not None]


_FEWEST = 3  # things of which one property is told, from which these are a kind that the documents may have no name for


def _having(graph: Graph, question: Question) -> tuple[Meant, ...]:
    """Where no class or head is named: what has the property that the question names, as every recipe a cook time."""
    things = _asked(question)[-1:]
    words = frozenset(t.term for t in question.tokens if t not in things)
    names = {
        (p, own) for p in graph.schema.properties for own in map(own_words, graph.names(p)) if own and own <= words
    }
    most = max((len(own) for _, own in names), default=0)
    kinds = [graph.schema.having(p) for p in sorted({p for p, own in names if len(own) == most})]
    # A mean or total is taken of things that may go without saying.
    asked = [(t.start, t.end) for t in things] or ([(0, 0)] if _computed(question) else [])
    kinds = [_below(graph, kind, things) for kind in kinds]
    return tuple(Meant(kind, *span) for kind in kinds for span in asked if len(kind.things) >= _FEWEST)


def _below(graph: Graph, kind: Kind, asked: Sequence[Token]) -> Kind:
    """Those of a kind that are told of below a heading with the noun asked for ("Bread"), if only some of them are."""
    own = {t.term for t in asked}
    told = {t: {f.passage for f in graph.facts.of_subject(t)} for t in kind.things}
    headings = {p: bag(" ".join(graph.view.passages[p].headings)) for some in told.values() for p in some}
    below = frozenset(t for t, passages in told.items() if any(own <= headings[p] for p in passages))
    return Kind((), None, below) if own and below and below != kind.things else kind


def _computed(question: Question) -> bool:
    """Whether a mean or a total is asked for."""
    return bool(_AVERAGE.search(question.text) or _SUM.search(question.text))


def _is_stated(graph: Graph, question: Question, meant: Meant, linked: tuple[Linked, ...]) -> bool:
    """Whether the documents state the number asked for, so that counting what they name would answer less."""
    if question.opening not in ("how many", "number of"):
        return False
    counted = normalise_label(f"number of {question.text[meant.start : meant.end]}")
    numbers = (
        f for one in linked for thing in one.things for f in graph.facts.of_subject(thing) if f.number is not None
    )
    return any(
        counted in (normalise_label(name), normalise_label(f"number of {name}"))
        for predicate in sorted({f.predicate for f in numbers})
        for name in graph.names(predicate)
    )


_LISTING = re.compile(r"^(?:list|name|show|give)\b(?:\s+me)?(?:\s+(?:all|every|each|of|the))*\s+", re.IGNORECASE)


def _asked(question: Question) -> tuple[Token, ...]:
    """The noun that a question asks for: its focus, or what it wants listed ("List all recipes with …")."""
    listing = _LISTING.match(question.text)
    return question.focus or tuple(t for t in question.tokens if listing and t.start >= listing.end())[:1]


_COPULA = re.compile(r"\b(?:is|are|was|were|count as|counts as)\s+(?:also\s+)?(?:an?\s+|the\s+)?$", re.IGNORECASE)


def _names_class(graph: Graph, one: Linked) -> bool:
    kinds = graph.schema.kinds.get(tuple(t.term for t in tokens(one.text)), ())
    members = [k.things for k in kinds if k.pattern is not None and k.pattern[1] == "a"]
    return any(things - set(one.things) for things in members) and not any(
        things & set(one.things) for things in members
    )


def _predicated(question: Question, meant: Meant, others: Iterable[Meant]) -> Meant | None:
    """The class that a question says of the kind that it asks for, right after the verb "to be"."""
    for other in others:
        pattern = other.kind.pattern
        if other.start <= meant.start or pattern is None or pattern[1] != "a":
            continue
        if _COPULA.search(question.text[meant.end : other.start]):
            return other
    return None


# Words of a value that a question may say as a condition.
_WORDS = 5
_ARE = w.words("is are was were been not already")


@dataclass(frozen=True, slots=True)
class Condition:
    """A property with a value, written as in SPARQL, that the question says at ``span``, and the claims of it."""

    predicate: str
    value: str
    span: tuple[int, int]
    facts: tuple[Fact, ...]


_BOOLEAN = ox.NamedNode(XSD + "boolean")
_FALSE = str(ox.Literal("false", datatype=_BOOLEAN))


def _said_at(words: Sequence[Token], value: str) -> tuple[int, int] | None:
    """Where the question says a short value word for word."""
    wanted = tokens(value)
    if not wanted or len(wanted) > _WORDS:
        return None
    light = all(t.lower in w.FUNCTION | w.LIGHT_VERBS for t in wanted)
    for at in range(len(words) - len(wanted) + 1):
        run = words[at : at + len(wanted)]
        # A word that says little by itself is a state where it is said of things: "are done".
        if [t.term for t in run] == [t.term for t in wanted] and (not light or (at and words[at - 1].lower in _ARE)):
            return run[0].start, run[-1].end
    return None


class _Choice:
    """One question read as of things of a kind, chosen by the things that it names, by values and by figures."""

    def __init__(self, graph: Graph, asking: Asking, linked: tuple[Linked, ...]) -> None:
        self._graph, self._asking, self._linked = graph, asking, linked
        self._question = asking.question
        self._words = [t.lower for t in asking.question.tokens]
        self._negated = bool(_NOT.search(asking.question.text))

    def draft(self, meant: Meant, said: Meant | None) -> Draft | None:
        """The answer if it asks for things of a kind; ``said``: the class that it says of them."""
        tied = self._tied_to_all(self._start(meant, said))
        if tied is None:
            return None
        narrowed = self._of_values(tied)
        flagged = any(pattern[2] == _FALSE for pattern in narrowed.patterns)
        if self._negated and not (narrowed.denied or flagged):
            return None  # what isn't so is asked for, and no query here says it
        measured = self._measured(narrowed)
        return self._answer(measured) if measured is not None else None

    def _start(self, meant: Meant, said: Meant | None) -> Selection:
        """All of a kind, or those of its members that are of another class too."""
        graph, kind = self._graph, meant.kind
        pattern = kind.pattern
        extra = () if pattern else (f"VALUES ?thing {{ {' '.join(graph.term(t) for t in sorted(kind.things))} }}",)
        # Of a head's things any property that all have stands in the query: the question needn't speak of it.
        any_will_do = bool(kind.name) and pattern is not None and pattern[2] == "?any"
        names = () if any_will_do else tuple(n for iri in kind.iris for n in graph.names(iri))
        if pattern is not None and "?any" in pattern:
            # Each member once, however many values it has.
            extra, pattern = (f"{{ SELECT DISTINCT ?thing WHERE {{ {graph.pattern(pattern)} }} }}",), None
        both = [meant] if said is None else [meant, said]
        patterns = tuple(p for p in (pattern, *(m.kind.pattern for m in both[1:])) if p)
        things = frozenset.intersection(*(m.kind.things for m in both))
        spans = tuple((m.start, m.end) for m in both)
        return Selection(spans, names, patterns, extra, things, classed=said is not None)

    def _tied_to_all(self, chosen: Selection) -> Selection | None:
        """Narrowed to what is tied to every thing that the question names; None if something named ties nothing."""
        for one in self._linked:
            options = [x for thing in one.things for x in self._ties(chosen, one, thing)]
            if not options:
                return None
            best = max(options, key=lambda x: x[0])
            if sum(x[0] == best[0] for x in options) > 1 and best[0] <= 0:
                return None
            chosen = best[1]
        return chosen

    def _ties(self, chosen: Selection, one: Linked, thing: str) -> list[tuple[float, Selection]]:
        """Each property that ties members of the kind to a thing, with how well the question says it."""
        graph = self._graph
        chosen = replace(chosen, spans=(*chosen.spans, (one.start, one.end)))
        rest = graph.rest(self._asking, chosen.spans)
        found = []
        for forward, facts in ((True, graph.facts.of_subject(thing)), (False, graph.facts.of_object(thing))):
            for predicate, own in by_property(f for f in facts if f.asserted).items():
                ends = frozenset(_end(f, forward) for f in own) & chosen.things
                names = graph.names(predicate)
                if not ends or turned_round(self._question, one.start, forward, names):
                    continue
                tied = replace(chosen, names=(*chosen.names, *names))
                if not self._negated:
                    # That it has some builder goes without saying where the builder is named.
                    implied = f" {graph.term(predicate)} "
                    tied = replace(tied, extra=tuple(x for x in tied.extra if not (implied in x and "?any" in x)))
                own = tuple(f for f in own if _end(f, forward) in ends)
                pattern = (thing, predicate, "?thing") if forward else ("?thing", predicate, thing)
                found.append((graph.fit(rest, predicate), self._of_which(tied, pattern, own, ends, self._negated)))
        return found

    def _of_which(
        self,
        chosen: Selection,
        pattern: tuple[str, str, str],
        own: tuple[Fact, ...],
        ends: frozenset[str],
        denied: bool,
    ) -> Selection:
        """The members of which a pattern holds, as claims say of ``ends``, or those of which it doesn't."""
        if not denied:
            link = (*chosen.link, *own)
            return replace(chosen, patterns=(*chosen.patterns, pattern), things=chosen.things & ends, link=link)
        extra = (*chosen.extra, f"FILTER NOT EXISTS {{ {self._graph.pattern(pattern)} }}")
        others = chosen.things - ends
        # What they are tied to instead, one claim of each.
        told = {f.subject: f for f in reversed(self._told(others)) if f.predicate == pattern[1]}
        link = (*chosen.link, *(told[thing] for thing in sorted(told)))
        return replace(chosen, extra=extra, things=others, link=link, denied=True)

    def _told(self, things: Iterable[str]) -> list[Fact]:
        """What is asserted of things."""
        return [f for thing in sorted(things) for f in self._graph.facts.of_subject(thing) if f.asserted]

    def _of_values(self, chosen: Selection) -> Selection:
        """Narrowed to the things of which a claim states words that the question says, or what it asks them to be."""
        condition = self._flagged(chosen)
        denied = condition is None and self._negated
        condition = condition or self._stated(chosen)
        if condition is None:
            return chosen
        names = (*chosen.names, *self._graph.names(condition.predicate))
        chosen = replace(chosen, names=names, spans=(*chosen.spans, condition.span))
        pattern = ("?thing", condition.predicate, condition.value)
        ends = frozenset(f.subject for f in condition.facts)
        return self._of_which(chosen, pattern, condition.facts, ends, denied)

    def _flagged(self, chosen: Selection) -> Condition | None:
        """The property, true or false of the things, that the question says of them: "are vegan", "aren't vegan"."""
        literals = ((f, f.object) for f in self._told(chosen.things) if isinstance(f.object, ox.Literal))
        told = by_property(f for f, literal in literals if literal.datatype == _BOOLEAN)
        rest = self._graph.rest(self._asking, chosen.spans)
        fits = {p: self._graph.fit(rest, p) for p in told}
        best = max(fits, key=lambda p: (fits[p], p), default=None)
        if best is None or fits[best] < _SAID:
            return None
        wanted = ox.Literal("false" if self._negated else "true", datatype=_BOOLEAN)
        return Condition(best, str(wanted), (0, 0), tuple(f for f in told[best] if f.object == wanted))

    def _stated(self, chosen: Selection) -> Condition | None:
        """The longest text of a claim of the things that the question says outside the stretches that are read."""
        told = [f for f in self._told(chosen.things) if isinstance(f.object, ox.Literal) and not f.is_ordered]
        found = []
        for value, predicate in sorted({(str(f.object), f.predicate) for f in told}):
            own = tuple(f for f in told if f.predicate == predicate and str(f.object) == value)
            span = _said_at(self._question.tokens, own[0].value)
            if span and not any(start < span[1] and span[0] < end for start, end in chosen.spans):
                found.append(Condition(predicate, value, span, own))
        return max(found, key=lambda c: (c.span[1] - c.span[0], c.predicate), default=None)

    def _measured(self, chosen: Selection) -> Selection | None:
        """With the property that a superlative, an average or a bound speaks of; None if there should be one."""
        graph, limit, amounts = self._graph, bound(self._question), compared(self._words)
        way = amounts or (in_time(self._words) if limit is None else None)
        computed = _computed(self._question)
        if not (way or limit or computed):
            return chosen
        nouns = way[1] if way else frozenset()
        spans = (*chosen.spans, *(((limit.start, limit.end),) if limit else ()))
        rest = graph.rest(self._asking, spans)
        best: tuple[float, str, tuple[Fact, ...]] | None = None
        timed = way is not None and not computed and amounts is None
        for predicate, facts in by_property(f for f in self._told(chosen.things) if f.is_ordered).items():
            if (timed and not is_date(facts[0])) or (limit is not None and limit.ends_for(facts[0]) is None):
                continue
            score = graph.fit(rest, predicate, nouns) + (0.4 if limit else 0.0)
            if score >= _SAID and (best is None or score > best[0]):
                best = (score, predicate, facts)
        if best is None:
            return None
        names = (*chosen.names, *graph.names(best[1]))
        patterns = (*chosen.patterns, ("?thing", best[1], "?value"))
        return replace(chosen, spans=spans, names=names, patterns=patterns, nouns=nouns, measure=best[2], bound=limit)

    def _answer(self, chosen: Selection) -> Draft | None:
        for asked, function in ((_AVERAGE, "AVG"), (_SUM, "SUM")):
            if chosen.measure and asked.search(self._question.text):
                return self._total(chosen, function)
        if chosen.measure and chosen.bound is None:
            ranking = any(word in w.SUPERLATIVES or word.endswith("est") for word in self._words)
            return self._ranked(chosen) if ranking else None
        narrowed = bool(chosen.link) or chosen.classed or chosen.bound is not None
        return self._listed(chosen) if narrowed or self._counting else None

    @property
    def _counting(self) -> bool:
        return self._question.opening in ("how many", "number of")

    def _explained(self, chosen: Selection) -> float:
        return self._graph.explained(self._asking, chosen.names, chosen.spans, chosen.nouns)

    def _total(self, chosen: Selection, function: str) -> Draft | None:
        """The mean or the sum, computed by the query."""
        graph = self._graph
        # Two documents may state one figure; the query has it once.
        facts = tuple({(f.subject, str(f.object)): f for f in chosen.measure if f.number is not None}.values())
        if len(facts) < 2 or len({f.unit for f in facts}) > 1:
            return None
        variable, name = ("average", "mean") if function == "AVG" else ("total", "sum")
        select = f"SELECT ({function}(?value) AS ?{variable}) (COUNT(?value) AS ?of)"
        written = graph.run(select, chosen.patterns, extra=chosen.extra)
        told = written.rows[0].get(variable) if written.rows else None
        evidence = graph.cited(self._asking, facts)
        if told is None or not evidence:
            return None
        unsure = "about " if any(f.is_rough for f in facts) else ""
        label = unsure + amount(float(told["value"]), facts[0].unit)
        parts = ", ".join(f"{graph.facts.label(f.subject)}: {f.stated}" for f in facts)
        text = clip(f"{label} ({name} of {len(facts)} – {parts})", 0, LONG_ROOM)
        values = (Value(label, tuple(range(len(evidence)))),)
        backing = Backing(written, facts)
        return Draft("number", text, values, evidence, 0.9, backing, self._explained(chosen), exact=True)

    def _ranked(self, chosen: Selection) -> Draft | None:
        """The member with the extreme value, or the first few of them."""
        graph = self._graph
        dated, timed = is_date(chosen.measure[0]), in_time(self._words)
        way = (timed if dated else None) or compared(self._words) or timed
        facts = [f for f in chosen.measure if is_date(f) == dated and (dated or f.number is not None)]
        # What is in different units, such as currencies, can't be ranked.
        if way is None or len({f.subject for f in facts}) < 2 or len({f.unit for f in facts}) > 1:
            return None
        falling = way[0] > 0
        ranked = sorted(sorted(facts, key=lambda f: (f.subject, f.claim)), key=_key, reverse=falling)
        first = tuple(f for f in ranked if _key(f) == _key(ranked[0]))
        by = "STR(?value)" if dated else "?value"
        order = f"ORDER BY DESC({by})" if falling else f"ORDER BY {by}"
        written = graph.run("SELECT ?thing ?value", chosen.patterns, order, extra=chosen.extra)
        evidence = graph.cited(self._asking, (*first, *[f for f in ranked if f not in first][:2]))
        if not evidence:
            return None
        named = {graph.facts.label(f.subject): f.subject for f in reversed(first)}
        labels = list(dict.fromkeys(graph.facts.label(f.subject) for f in first))
        shown = sentence(f"{', '.join(labels)} ({first[0].stated})", evidence[0].plain, ROOM)
        values = tuple(Value(x, self._cited_at(evidence, first, named[x])) for x in labels)
        members = len({f.subject for f in facts})
        backing = Backing(written, first)
        return Draft("extreme", shown, values, evidence, 0.9, backing, self._explained(chosen), True, members)

    def _listed(self, chosen: Selection) -> Draft | None:
        """The members, or how many there are."""
        graph, things, told, extra = self._graph, chosen.things, chosen.link, chosen.extra
        if chosen.bound is not None:
            told = tuple(f for f in chosen.measure if chosen.bound.holds(f))
            things = frozenset(f.subject for f in told)
            extra = (*extra, chosen.bound.filter(told[0] if told else chosen.measure[0]))
        if not things or len(things) > _MOST:
            return None
        told = tuple(f for f in told if f.subject in things or f.value in things)
        told = told or tuple(f for t in sorted(things) for f in graph.facts.of_subject(t)[:1])
        counting = self._counting
        select = "SELECT (COUNT(DISTINCT ?thing) AS ?count)" if counting else "SELECT DISTINCT ?thing"
        written = graph.run(select, chosen.patterns, extra=extra)
        evidence = graph.cited(self._asking, told)
        if not evidence or not _agrees(written, things, counting):
            return None
        named = sorted(((graph.facts.label(t), t) for t in things), key=lambda n: _place(evidence, n[0]))
        shown = ", ".join(label for label, _ in named)
        values = tuple(Value(label, self._cited_at(evidence, told, t), t) for label, t in named)
        if counting:
            shown = f"{len(named)}: {shown}"
            values = (Value(str(len(named)), tuple(range(len(evidence)))),)
        text = sentence(shown, evidence[0].plain, LONG_ROOM)
        kind = "count" if counting else "list"
        backing = Backing(written, told)
        return Draft(kind, text, values, evidence, 0.9, backing, self._explained(chosen), exact=True)

    def _cited_at(self, evidence: tuple[Scored, ...], told: tuple[Fact, ...], thing: str) -> tuple[int, ...]:
        """Positions of the units whose claims are of a thing."""
        own = [f for f in told if thing in (f.subject, f.value)]
        keys = {scored.key for scored in self._graph.cited(self._asking, own)}
        return tuple(i for i, s in enumerate(evidence) if s.key in keys) or (0,)


def _end(fact: Fact, forward: bool) -> str:
    return fact.value if forward else fact.subject


def _key(fact: Fact) -> tuple[float, str]:
    return (fact.number, "") if fact.number is not None else (0.0, fact.value)


def _agrees(written: Written, things: frozenset[str], counting: bool) -> bool:
    """Whether the query gives the things that the answer will name."""
    if counting:
        return bool(written.rows) and written.rows[0]["count"]["value"] == str(len(things))
    return {row["thing"]["value"] for row in written.rows} == things


def _place(evidence: tuple[Scored, ...], label: str) -> tuple[int, int, str]:
    """Where the documents name a thing: which unit cited, where in it."""
    at = next(((i, s.plain.find(label)) for i, s in enumerate(evidence) if label in s.plain), (len(evidence), 0))
    return (*at, label)
