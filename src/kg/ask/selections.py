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
from kg.namespaces import XSD
from kg.ontology import normalise_label
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

    def fits(self, fact: Fact) -> bool:
        """Whether a fact's value can be held against it: a date, or a number of the same dimension."""
        if self.dated or is_date(fact):
            return self.dated and is_date(fact)
        return self.in_unit_of(fact) is not None

    def in_unit_of(self, fact: Fact) -> tuple[Decimal | None, Decimal | None] | None:
        """The bounds of a number in a fact's unit, None if that measures something else."""
        from kg.text import units

        own = units.unit_of(fact.unit) if fact.unit else None
        if not units.convertible(self.unit, own):
            return None
        ends = [x for x in (self.low, self.high)]
        if self.unit and own:
            ends = [units.convert(x, self.unit, own) if isinstance(x, Decimal) else None for x in ends]
        return tuple(x if isinstance(x, Decimal) else None for x in ends)  # type: ignore[return-value]

    def ends_for(self, fact: Fact) -> tuple[Decimal | str | None, Decimal | str | None]:
        """The bounds of a fact's value: days, or numbers in its unit."""
        return (self.low, self.high) if self.dated else self.in_unit_of(fact) or (None, None)

    def filter(self, fact: Fact) -> str:
        """The FILTER over ``?value``, in the unit of a fact."""
        low, high = self.ends_for(fact)
        value = "STR(?value)" if self.dated else "?value"
        equal = "=" if self._closed(low, high) else ""
        ends = ((">", low), ("<", high))
        parts = [f"{value} {sign}{equal} {_in_sparql(end)}" for sign, end in ends if end is not None]
        return f"FILTER({' && '.join(parts)})"

    def holds(self, fact: Fact) -> bool:
        """Whether a fact's value is within it."""
        if not self.fits(fact):
            return False
        value: Any = fact.value if self.dated else Decimal(str(fact.number))
        low, high = self.ends_for(fact)
        if value in (low, high):
            return self._closed(low, high)
        return (low is None or value > low) and (high is None or value < high)

    def _closed(self, low: object, high: object) -> bool:
        """Whether the ends themselves are within: where there are two, or it says so."""
        return not self.strict or (low is not None and high is not None)


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
    from kg.model import Quantity
    from kg.text import quantities

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

    meant: Meant
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


def negated(question: Question) -> bool:
    """Whether a question asks for what is not so."""
    return bool(_NOT.search(question.text))


def select(graph: Graph, asking: Asking) -> list[Draft]:
    """The readings of a question as one of a kind of things."""
    question = asking.question
    if question.tokens and question.tokens[0].lower in w.AUXILIARIES:
        return []
    linked = without_classes(graph, graph.links(question))
    meant = graph.schema.meant(question, [(x.start, x.end) for x in linked])
    meant = tuple(m for m in meant if not _is_stated(graph, question, m, linked)) or _having(graph, question)
    found = []
    for one in (m for m in meant if _is_asked_for(question, m)):
        draft = _read(graph, asking, one, linked, predicated(question, one, meant))
        found += [draft] if draft is not None else []
    return found


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


def _is_asked_for(question: Question, meant: Meant) -> bool:
    """Whether the kind is what the question asks for: its focus, or what an average or a total is taken of."""
    if _computed(question):
        return True
    return any(meant.start <= t.start < meant.end for t in _asked(question))


_LISTING = re.compile(r"^(?:list|name|show|give)\b(?:\s+me)?(?:\s+(?:all|every|each|of|the))*\s+", re.IGNORECASE)


def _asked(question: Question) -> tuple[Token, ...]:
    """The noun that a question asks for: its focus, or what it wants listed ("List all recipes with …")."""
    listing = _LISTING.match(question.text)
    return question.focus or tuple(t for t in question.tokens if listing and t.start >= listing.end())[:1]


_COPULA = re.compile(r"\b(?:is|are|was|were|count as|counts as)\s+(?:also\s+)?(?:an?\s+|the\s+)?$", re.IGNORECASE)


def without_classes(graph: Graph, linked: Iterable[Linked]) -> tuple[Linked, ...]:
    """The things that a question names, but for words that are just a class's name, such as a glossary's terms."""
    return tuple(one for one in linked if not _names_class(graph, one))


def _names_class(graph: Graph, one: Linked) -> bool:
    kinds = graph.schema.kinds.get(tuple(t.term for t in tokens(one.text)), ())
    members = [k.things for k in kinds if k.pattern is not None and k.pattern[1] == "a"]
    return any(things - set(one.things) for things in members) and not any(
        things & set(one.things) for things in members
    )


def predicated(question: Question, meant: Meant, others: Iterable[Meant]) -> Meant | None:
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


def stated(
    graph: Graph, question: Question, things: Iterable[str], taken: Sequence[tuple[int, int]]
) -> Condition | None:
    """The longest text of a claim of the things that the question says outside the stretches taken."""
    told = [f for t in sorted(things) for f in graph.facts.of_subject(t) if _is_text(f)]
    found = []
    for value, predicate in sorted({(str(f.object), f.predicate) for f in told}):
        own = tuple(f for f in told if f.predicate == predicate and str(f.object) == value)
        span = _said_at(question.tokens, graph.facts.label(own[0].object or ""))
        if span and not any(start < span[1] and span[0] < end for start, end in taken):
            found.append(Condition(predicate, value, span, own))
    return max(found, key=lambda c: (c.span[1] - c.span[0], c.predicate), default=None)


_BOOLEAN = XSD + "boolean"
_FALSE = str(ox.Literal("false", datatype=ox.NamedNode(_BOOLEAN)))


def _flagged(graph: Graph, asking: Asking, chosen: Selection) -> Condition | None:
    """The property, true or false of the things, that the question says of them: "are vegan", "aren't vegan"."""
    told = [f for t in sorted(chosen.things) for f in graph.facts.of_subject(t) if f.asserted and _is_flag(f)]
    rest = graph.rest(asking, chosen.spans)
    fits = {p: graph.fit(rest, p) for p in sorted({f.predicate for f in told})}
    best = max(fits, key=lambda p: (fits[p], p), default=None)
    if best is None or fits[best] < _SAID:
        return None
    wanted = "false" if negated(asking.question) else "true"
    own = tuple(f for f in told if f.predicate == best and f.value == wanted)
    return Condition(best, str(ox.Literal(wanted, datatype=ox.NamedNode(_BOOLEAN))), (0, 0), own)


def _is_flag(fact: Fact) -> bool:
    return isinstance(fact.object, ox.Literal) and fact.object.datatype.value == _BOOLEAN


def _is_text(fact: Fact) -> bool:
    return fact.asserted and fact.number is None and isinstance(fact.object, ox.Literal) and not is_date(fact)


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


def _read(
    graph: Graph,
    asking: Asking,
    meant: Meant,
    linked: tuple[Linked, ...],
    said: Meant | None,
) -> Draft | None:
    kind = meant.kind
    pattern = kind.pattern
    extra = () if pattern else (f"VALUES ?thing {{ {' '.join(graph.term(t) for t in sorted(kind.things))} }}",)
    spans = ((meant.start, meant.end),)
    # Of a head's things any property that all have stands in the query: the question needn't speak of it.
    any_will_do = bool(kind.name) and pattern is not None and pattern[2] == "?any"
    names = () if any_will_do else tuple(n for iri in kind.iris for n in graph.names(iri))
    if pattern is not None and "?any" in pattern:
        # Each member once, however many values it has.
        extra, pattern = (f"{{ SELECT DISTINCT ?thing WHERE {{ {graph.pattern(pattern)} }} }}",), None
    start = Selection(meant, spans, names, (pattern,) if pattern else (), extra, kind.things)
    start = _also(start, said) if said is not None else start
    joined = _linked(graph, asking, start, linked)
    if joined is None:
        return None
    narrowed = _of_values(graph, asking, joined)
    flagged = any(pattern[2] == _FALSE for pattern in narrowed.patterns)
    if negated(asking.question) and not (narrowed.denied or flagged):
        return None  # what isn't so is asked for, and no query here says it
    measured = _measured(graph, asking, narrowed)
    if measured is None:
        return None
    return _answer(graph, asking, measured)


def _also(chosen: Selection, said: Meant) -> Selection:
    """The members that are of another class too."""
    return replace(
        chosen,
        spans=(*chosen.spans, (said.start, said.end)),
        patterns=(*chosen.patterns, *((said.kind.pattern,) if said.kind.pattern else ())),
        things=chosen.things & said.kind.things,
        classed=True,
    )


def _linked(graph: Graph, asking: Asking, chosen: Selection, linked: tuple[Linked, ...]) -> Selection | None:
    """Narrowed to what is tied to every thing that the question names; None if something named ties nothing."""
    for one in linked:
        options = [x for thing in one.things for x in _ties(graph, asking, chosen, one, thing)]
        if not options:
            return None
        best = max(options, key=lambda x: x[0])
        if sum(x[0] == best[0] for x in options) > 1 and best[0] <= 0:
            return None
        chosen = best[1]
    return chosen


def _ties(graph: Graph, asking: Asking, chosen: Selection, one: Linked, thing: str) -> list[tuple[float, Selection]]:
    """Each property that ties members of the kind to a thing, with how well the question says it."""
    spans = (*chosen.spans, (one.start, one.end))
    rest = graph.rest(asking, spans)
    found = []
    for forward, facts in ((True, graph.facts.of_subject(thing)), (False, graph.facts.of_object(thing))):
        for predicate, own in by_property(f for f in facts if f.asserted).items():
            ends = frozenset(_end(f, forward) for f in own) & chosen.things
            if ends and not turned_round(asking.question, one.start, forward, graph.names(predicate)):
                own = tuple(f for f in own if _end(f, forward) in ends)
                pattern = (thing, predicate, "?thing") if forward else ("?thing", predicate, thing)
                tied = _tied(graph, chosen, pattern, own, ends, asking.question)
                tied = replace(tied, spans=spans, names=(*chosen.names, *graph.names(predicate)))
                found.append((graph.fit(rest, predicate), tied))
    return found


def _of_values(graph: Graph, asking: Asking, chosen: Selection) -> Selection:
    """Narrowed to the things of which a claim states words that the question says, or what it asks them to be."""
    condition = _flagged(graph, asking, chosen)
    denied = condition is None and negated(asking.question)
    condition = condition or stated(graph, asking.question, chosen.things, chosen.spans)
    if condition is None:
        return chosen
    pattern = ("?thing", condition.predicate, condition.value)
    chosen = replace(
        chosen,
        names=(*chosen.names, *graph.names(condition.predicate)),
        spans=(*chosen.spans, condition.span),
    )
    having = frozenset(f.subject for f in condition.facts)
    if denied:
        return _without(graph, chosen, pattern, having)
    return replace(
        chosen,
        patterns=(*chosen.patterns, pattern),
        things=having,
        link=(*chosen.link, *condition.facts),
    )


def _end(fact: Fact, forward: bool) -> str:
    return fact.value if forward else fact.subject


def _tied(
    graph: Graph,
    chosen: Selection,
    pattern: tuple[str, str, str],
    own: tuple[Fact, ...],
    members: frozenset[str],
    question: Question,
) -> Selection:
    """The members of the kind that are tied, or with a negation those that are not."""
    if not negated(question):
        things = chosen.things & members
        # That it has some builder goes without saying where the builder is named.
        implied = f" {graph.term(pattern[1])} "
        kept = tuple(x for x in chosen.extra if not (implied in x and "?any" in x))
        return replace(
            chosen, patterns=(*chosen.patterns, pattern), extra=kept, things=things, link=(*chosen.link, *own)
        )
    return _without(graph, chosen, pattern, members)


def _without(graph: Graph, chosen: Selection, pattern: tuple[str, str, str], having: frozenset[str]) -> Selection:
    """The members of the kind of which a pattern doesn't hold."""
    extra = (*chosen.extra, f"FILTER NOT EXISTS {{ {graph.pattern(pattern)} }}")
    told = tuple(f for t in sorted(chosen.things - having) for f in _naming(graph, t, pattern[1]))
    return replace(chosen, extra=extra, things=chosen.things - having, link=(*chosen.link, *told), denied=True)


def _naming(graph: Graph, thing: str, predicate: str) -> tuple[Fact, ...]:
    """A fact that says what a thing is tied to instead."""
    return tuple(f for f in graph.facts.of_subject(thing) if f.predicate == predicate and f.asserted)[:1]


def _measured(graph: Graph, asking: Asking, chosen: Selection) -> Selection | None:
    """With the property that a superlative, an average or a bound speaks of; None if there should be one and isn't."""
    question = asking.question
    limit = bound(question)
    way = _way(question) if limit is None else compared(t.lower for t in question.tokens)
    computed = _computed(question)
    if not (way or limit or computed):
        return chosen
    nouns = way[1] if way else frozenset()
    spans = (*chosen.spans, *(((limit.start, limit.end),) if limit else ()))
    rest = graph.rest(asking, spans)
    best: tuple[float, str, tuple[Fact, ...]] | None = None
    timed = way is not None and not computed and compared(t.lower for t in question.tokens) is None
    told = (f for thing in sorted(chosen.things) for f in graph.facts.of_subject(thing))
    for predicate, facts in by_property(f for f in told if f.asserted and f.is_ordered).items():
        if timed and limit is None and not is_date(facts[0]):
            continue
        score = graph.fit(rest, predicate, nouns) + (0.4 if limit and limit.fits(facts[0]) else 0.0)
        if score >= _SAID and (limit is None or limit.fits(facts[0])) and (best is None or score > best[0]):
            best = (score, predicate, facts)
    if best is None:
        return None
    names = (*chosen.names, *graph.names(best[1]))
    patterns = (*chosen.patterns, ("?thing", best[1], "?value"))
    return replace(chosen, spans=spans, names=names, patterns=patterns, nouns=nouns, measure=best[2], bound=limit)


def _way(question: Question) -> tuple[int, frozenset[str]] | None:
    """The end that a comparing word speaks of, of amounts or of dates."""
    words = [t.lower for t in question.tokens]
    return compared(words) or in_time(words)


def _answer(graph: Graph, asking: Asking, chosen: Selection) -> Draft | None:
    question = asking.question
    if _AVERAGE.search(question.text) and chosen.measure:
        return _total(graph, asking, chosen, "AVG")
    if _SUM.search(question.text) and chosen.measure:
        return _total(graph, asking, chosen, "SUM")
    ranking = any(t.lower in w.SUPERLATIVES or t.lower.endswith("est") for t in question.tokens)
    if chosen.measure and chosen.bound is None and ranking:
        return _ranked(graph, asking, chosen)
    if chosen.measure and chosen.bound is None:
        return None
    narrowed = bool(chosen.link) or chosen.classed or chosen.bound is not None
    if not narrowed and question.opening not in ("how many", "number of"):
        return None
    return _listed(graph, asking, chosen)


def _explained(graph: Graph, asking: Asking, chosen: Selection) -> float:
    return graph.explained(asking, chosen.names, chosen.spans, chosen.nouns)


def _total(graph: Graph, asking: Asking, chosen: Selection, function: str) -> Draft | None:
    """The mean or the sum, computed by the query."""
    # Two documents may state one figure; the query has it once.
    facts = tuple({(f.subject, str(f.object)): f for f in chosen.measure if f.number is not None}.values())
    if len(facts) < 2 or len({f.unit for f in facts}) > 1:
        return None
    select = f"SELECT ({function}(?value) AS ?{'average' if function == 'AVG' else 'total'}) (COUNT(?value) AS ?of)"
    written = graph.run(select, chosen.patterns, extra=chosen.extra)
    value = next((float(v["value"]) for k, v in written.rows[0].items() if k != "of"), None) if written.rows else None
    evidence = graph.cited(asking, facts)
    if value is None or not evidence:
        return None
    unsure = "about " if any(f.is_rough for f in facts) else ""
    label = unsure + amount(value, facts[0].unit)
    parts = ", ".join(f"{graph.facts.label(f.subject)}: {f.stated}" for f in facts)
    text = clip(f"{label} ({'mean' if function == 'AVG' else 'sum'} of {len(facts)} – {parts})", 0, LONG_ROOM)
    values = (Value(label, tuple(range(len(evidence)))),)
    backing = Backing(written, facts)
    return Draft("number", text, values, evidence, 0.9, backing, _explained(graph, asking, chosen), exact=True)


def _ranked(graph: Graph, asking: Asking, chosen: Selection) -> Draft | None:
    """The member with the extreme value, or the first few of them."""
    way = _way(asking.question)
    dated = bool(chosen.measure) and is_date(chosen.measure[0])
    facts = [f for f in chosen.measure if is_date(f) == dated and (dated or f.number is not None)]
    # What is in different units, such as currencies, can't be ranked.
    if way is None or len({f.subject for f in facts}) < 2 or len({f.unit for f in facts}) > 1:
        return None
    timed = in_time(t.lower for t in asking.question.tokens) if dated else None
    sign = (timed or way)[0]
    ranked = sorted(sorted(facts, key=lambda f: (f.subject, f.claim)), key=_key, reverse=sign > 0)
    first = [f for f in ranked if _key(f) == _key(ranked[0])]
    by = "STR(?value)" if dated else "?value"
    order = f"ORDER BY DESC({by})" if sign > 0 else f"ORDER BY {by}"
    written = graph.run("SELECT ?thing ?value", chosen.patterns, order, extra=chosen.extra)
    evidence = graph.cited(asking, (*first, *[f for f in ranked if f not in first][:2]))
    if not evidence:
        return None
    named = {graph.facts.label(f.subject): f.subject for f in reversed(first)}
    labels = list(dict.fromkeys(graph.facts.label(f.subject) for f in first))
    shown = sentence(f"{', '.join(labels)} ({first[0].stated})", evidence[0].plain, ROOM)
    values = tuple(Value(x, _cited_at(graph, asking, evidence, tuple(first), named[x])) for x in labels)
    explained = _explained(graph, asking, chosen)
    members = len({f.subject for f in facts})
    return Draft("extreme", shown, values, evidence, 0.9, Backing(written, tuple(first)), explained, True, members)


def _key(fact: Fact) -> tuple[float, str]:
    return (fact.number, "") if fact.number is not None else (0.0, fact.value)


def _listed(graph: Graph, asking: Asking, chosen: Selection) -> Draft | None:
    """The members, or how many there are."""
    extra, things, told = chosen.extra, chosen.things, chosen.link
    if chosen.bound is not None:
        told = tuple(f for f in chosen.measure if f.subject in things and chosen.bound.holds(f))
        things = frozenset(f.subject for f in told)
        extra = (*extra, chosen.bound.filter(told[0] if told else chosen.measure[0]))
    if not things or len(things) > _MOST:
        return None
    told = tuple(f for f in told if f.subject in things or _end(f, True) in things)
    told = told or tuple(f for t in sorted(things) for f in graph.facts.of_subject(t)[:1])
    counting = asking.question.opening in ("how many", "number of")
    select = "SELECT (COUNT(DISTINCT ?thing) AS ?count)" if counting else "SELECT DISTINCT ?thing"
    written = graph.run(select, chosen.patterns, extra=extra)
    evidence = graph.cited(asking, told)
    if not evidence or not _agrees(written, things, counting):
        return None
    named = sorted(((graph.facts.label(t), t) for t in things), key=lambda n: _place(evidence, n[0]))
    shown = ", ".join(label for label, _ in named)
    values = tuple(Value(label, _cited_at(graph, asking, evidence, told, t), t) for label, t in named)
    if counting:
        shown = f"{len(named)}: {shown}"
        values = (Value(str(len(named)), tuple(range(len(evidence)))),)
    text = sentence(shown, evidence[0].plain, LONG_ROOM)
    explained = _explained(graph, asking, chosen)
    kind = "count" if counting else "list"
    return Draft(kind, text, values, evidence, 0.9, Backing(written, told), explained, exact=True)


def _agrees(written: Written, things: frozenset[str], counting: bool) -> bool:
    """Whether the query gives the things that the answer will name."""
    if counting:
        return bool(written.rows) and written.rows[0]["count"]["value"] == str(len(things))
    return {row["thing"]["value"] for row in written.rows} == things


def _cited_at(
    graph: Graph, asking: Asking, evidence: tuple[Scored, ...], told: tuple[Fact, ...], thing: str
) -> tuple[int, ...]:
    """Positions of the units whose claims are of a thing."""
    keys = {s.key for f in told if thing in (f.subject, _end(f, True)) if (s := graph.evidence(asking, f))}
    return tuple(i for i, s in enumerate(evidence) if s.key in keys) or (0,)


def _place(evidence: tuple[Scored, ...], label: str) -> tuple[int, int, str]:
    """Where the documents name a thing: which unit cited, where in it."""
    at = next(((i, s.plain.find(label)) for i, s in enumerate(evidence) if label in s.plain), (len(evidence), 0))
    return (*at, label)
