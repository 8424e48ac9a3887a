"""The graph's answers: a query behind what the passages say, and answers that the graph gives by itself.

Queries are made of terms that the graph holds, so each can be answered; what the question's words say about a
property decides which is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import pyoxigraph as ox

from kg.ask import sparql
from kg.ask.comparisons import wants_more
from kg.ask.counts import CountQuestion
from kg.ask.drafts import LONG_ROOM, ROOM, Asking, Backing, Draft, Value, normal, sentence
from kg.ask.extremes import ExtremeQuestion
from kg.ask.facts import Fact, Facts
from kg.ask.link import Linked, Relation, link, property_fit, property_names, relations
from kg.ask.lists import ListQuestion
from kg.ask.numbers import NumberQuestion, expected
from kg.ask.question import Question, Role
from kg.ask.retrieve import Scored
from kg.ask.spans import numbers
from kg.ask.terms import bag
from kg.ask.times import DateQuestion
from kg.ask.view import View
from kg.ask.words import SUPERLATIVES
from kg.model import Citation, Conflict, ConflictValue
from kg.namespaces import KG, OWL, RDFS, UNIT, XSD

# A property answers by itself only if its own name is said and it accounts for this share of what is asked.
SAID, EXPLAINED = 0.74, 0.5
# A query stands behind a passage's answer only if the question says this much of it (of thing and property, 1 each).
_ASKED = 1.2
_BACKED = frozenset(("number", "date", "entity", "list", "count", "value"))
_DATES = frozenset(XSD + name for name in ("gYear", "gYearMonth", "date"))
_HEDGES = {"guessed": "likely ", "estimated": "estimated ", "leaked": "leaked: ", "planned": "planned: "}


class GraphLeg:
    """Answers from one view's graph."""

    def __init__(self, view: View) -> None:
        assert view.store is not None
        self._view = view
        self._store = view.store
        self.facts = Facts(view.store, view.namespaces)

    @cached_property
    def _writer(self) -> sparql.Writer:
        declared = self._view.ontology.prefixes if self._view.ontology else {}
        return sparql.Writer({**{p: n for p, n in declared.items() if p}, **self._view.namespaces.prefixes()})

    def links(self, question: Question) -> tuple[Linked, ...]:
        """Things of the graph that the question names."""
        return link(question, self.facts, self._view.lexicon.capitalised)

    # --- a query behind a passage's answer -----------------------------------------------------

    def backed(self, asking: Asking, draft: Draft) -> Draft:
        """The draft with the query whose rows hold its values, if its evidence's claims do and the question asks it."""
        if draft.backing is not None or not draft.values or draft.kind not in _BACKED:
            return draft
        told = [f for s in draft.evidence[:2] for f in self._told_by(s)]
        best: tuple[int, float, tuple[Fact, ...]] | None = None
        for subject, predicate in sorted({(f.subject, f.predicate) for f in told}):
            own = [f for f in told if f.predicate == predicate and f.subject == subject]
            facts = tuple(f for v in draft.values if (f := self._fact_of(v.label, own)) is not None)
            asked = self._asked(asking, subject, predicate)
            if facts and asked >= _ASKED and (best is None or (len(facts), asked) > best[:2]):
                best = (len(facts), asked, facts)
        if best is not None:
            return replace(draft, backing=self._values(best[2], counted=draft.kind == "count"))
        return self._with_subjects(asking, draft, told)

    def _asked(self, asking: Asking, thing: str, predicate: str) -> float:
        """How much of "what is this property of that thing" the question says, 0 to 2."""
        words = bag(asking.question.text)
        names = [bag(n) for n in self.facts.labels.get(thing, ())]
        named = max((len(n & words) / len(n) for n in names if n), default=0.0)
        fit = property_fit(asking.found.terms, property_names(predicate, self.facts, self._view.ontology))
        return named + max(fit)

    def _with_subjects(self, asking: Asking, draft: Draft, told: Sequence[Fact]) -> Draft:
        """The draft with the query whose rows are the things that have a property that the question names."""
        wanted = normal(draft.values[0].label)
        for fact in told:
            if normal(self.facts.label(fact.subject)) != wanted or not isinstance(fact.object, ox.NamedNode):
                continue
            if fact.asserted and self._asked(asking, fact.object.value, fact.predicate) >= _ASKED:
                text = self._writer.query(sparql.SUBJECTS, (fact.predicate, fact.object.value))
                return replace(draft, backing=Backing(sparql.run(self._store, text), (fact,)))
        return draft

    def _told_by(self, scored: Scored) -> list[Fact]:
        unit = scored.unit
        return [f for f in self.facts.in_passage(scored.passage.id) if f.start < unit.end and unit.start < f.end]

    def _fact_of(self, label: str, facts: Iterable[Fact]) -> Fact | None:
        """The claim whose value a label names: by its text, its thing's name or its number."""
        wanted = normal(label)
        figures = {n.low for n in numbers(label)}
        for fact in facts:
            names = {normal(fact.stated), normal(self.facts.label(fact.object)) if fact.object is not None else ""}
            if wanted in names or (fact.number is not None and {fact.number, fact.lower} & figures):
                return fact
        return None

    def _values(self, facts: tuple[Fact, ...], counted: bool = False) -> Backing:
        first = facts[0]
        asserted = all(f.asserted and f.object is not None for f in facts)
        body = sparql.CLAIMED if not asserted else sparql.COUNT if counted else sparql.VALUES
        text = self._writer.query(body, (first.subject, first.predicate))
        return Backing(sparql.run(self._store, text), facts)

    # --- answers of the graph itself -----------------------------------------------------------

    def proposals(self, asking: Asking) -> list[Draft]:
        """Answers of the properties that fit the question best, best first."""
        question = asking.question
        found = []
        for linked in self.links(question):
            for relation in relations(asking.found.terms, linked, self.facts, self._view.ontology)[:4]:
                if relation.said >= SAID and relation.explained >= EXPLAINED:
                    draft = self._proposal(asking, relation) if relation.forward else self._having(asking, relation)
                    if draft is not None:
                        found.append(draft)
        if ExtremeQuestion().asks(question) and (extreme := self._extreme(asking)) is not None:
            found.append(extreme)
        return found

    def _having(self, asking: Asking, relation: Relation) -> Draft | None:
        """The things that have the linked thing as this property's value, of the class asked for."""
        classes = self._classes(asking)
        if not ListQuestion().asks(asking.question) or not classes:
            return None
        facts = [f for f in relation.facts if f.asserted and self.facts.types.get(f.subject, frozenset()) & classes]
        evidence = tuple(s for f in facts if (s := self._evidence(asking, f)) is not None)
        if len(evidence) < 2:
            return None
        labels = list(dict.fromkeys(self.facts.label(f.subject) for f in facts))
        text = self._writer.query(sparql.OF_CLASS, (relation.predicate, relation.thing, min(classes)))
        backing = Backing(sparql.run(self._store, text), tuple(facts))
        shown = sentence(", ".join(labels), evidence[0].plain, LONG_ROOM)
        explained = self._explained(asking, (relation.thing, relation.predicate, *classes))
        return Draft("list", shown, tuple(Value(x) for x in labels), evidence, relation.score, backing, explained)

    def _classes(self, asking: Asking) -> frozenset[str]:
        """The class that the question names by all words of its name, the longest name first."""
        asked = asking.focus_terms() or asking.found.terms
        forms = {form for t in asked for form, strength in t.forms if strength == 1.0}
        used = {c for classes in self.facts.types.values() for c in classes}
        named = [
            (len(words), iri)
            for iri in sorted(used)
            for name in self.facts.labels.get(iri, ())
            if (words := bag(name)) and words <= forms and not iri.startswith((KG, RDFS, OWL))
        ]
        return frozenset([max(named)[1]]) if named else frozenset()

    def _extreme(self, asking: Asking) -> Draft | None:
        """The thing with the greatest or least value of the numeric property that the question names."""
        rest = tuple(t for t in asking.found.terms if t.word.token.lower not in SUPERLATIVES)
        classes = self._classes(asking)
        best: tuple[float, str] | None = None
        for predicate in sorted(self.facts.numeric):
            said, explained = property_fit(rest, property_names(predicate, self.facts, self._view.ontology))
            if said >= SAID and explained >= EXPLAINED * (0.5 if classes else 1.0):
                best = max(best or (0.0, ""), (said + explained, predicate))
        if best is None:
            return None
        facts = [
            f
            for f in self.facts.of_predicate(best[1])
            if f.asserted
            and f.number is not None
            and (not classes or self.facts.types.get(f.subject, frozenset()) & classes)
        ]
        if len({f.subject for f in facts}) < 2:
            return None
        return self._ranked(asking, best[1], facts, classes)

    def _ranked(self, asking: Asking, predicate: str, facts: list[Fact], classes: frozenset[str]) -> Draft | None:
        up = wants_more(asking.question)
        ranked = sorted(facts, key=lambda f: ((-1 if up else 1) * (f.number or 0.0), f.claim))
        evidence = tuple(s for f in ranked[:3] if (s := self._evidence(asking, f)) is not None)
        if not evidence:
            return None
        body = sparql.RANKED_CLASS if classes else sparql.RANKED
        body = body if up else body.replace("DESC", "ASC")
        text = self._writer.query(body, (predicate, *sorted(classes)))
        first = ranked[0]
        label = self.facts.label(first.subject)
        shown = sentence(f"{label} ({first.stated})", evidence[0].plain, ROOM)
        backing = Backing(sparql.run(self._store, text), (first,))
        explained = self._explained(asking, (predicate, *classes))
        return Draft("extreme", shown, (Value(label),), evidence, 0.6, backing, explained)

    def _explained(self, asking: Asking, iris: Iterable[str]) -> float:
        """Share of the question's words that a query's things, properties and classes stand for; 0 if a name is not."""
        names = [n for iri in iris for n in property_names(iri, self.facts, self._view.ontology)]
        words = frozenset().union(*(bag(n) for n in names))
        total = got = 0.0
        for term in asking.found.terms:
            found = 1.0 if term.word.role == Role.KIND else term.found(words)
            if term.word.role == Role.NAME and found < 0.5:
                return 0.0
            total += term.weight
            got += term.weight * found
        return got / total if total else 0.0

    def _proposal(self, asking: Asking, relation: Relation) -> Draft | None:
        facts = [f for f in relation.facts if not f.denied and self._right_kind(asking.question, f)]
        if not facts:
            return None
        counting = CountQuestion().asks(asking.question) and all(
            f.number is None and f.object is not None for f in facts
        )
        labels = list(dict.fromkeys(self._label(f) for f in facts))
        several = counting or ListQuestion().asks(asking.question)
        if not several:
            facts, labels = facts[:1], labels[:1]
        evidence = tuple(s for f in facts if (s := self._evidence(asking, f)) is not None)
        if not evidence:
            return None
        shown = ", ".join(labels)
        values = tuple(Value(x) for x in labels)
        if counting:
            shown, values = f"{len(labels)}: {shown}", (Value(str(len(labels))),)
        backing = self._values(tuple(facts), counting)
        text = sentence(shown, evidence[0].plain, LONG_ROOM if several else ROOM)
        explained = self._explained(asking, (relation.thing, relation.predicate))
        return Draft("count" if counting else "value", text, values, evidence, relation.score, backing, explained)

    def _right_kind(self, question: Question, fact: Fact) -> bool:
        """Whether a fact's value is of the kind that the question asks for."""
        dated = isinstance(fact.object, ox.Literal) and fact.object.datatype.value in _DATES
        if DateQuestion().asks(question):
            return dated
        if expected(question) == "money":
            return (fact.unit or "").startswith(UNIT + "CCY")
        if CountQuestion().asks(question):
            return not dated
        if NumberQuestion().asks(question):
            return fact.number is not None or fact.object is None
        return not dated and fact.number is None

    def _label(self, fact: Fact) -> str:
        """How a value is said: as stated for numbers and dates, with the hedge; a thing by its name."""
        hedge = _HEDGES.get(fact.status, "") if not fact.asserted else ""
        if fact.object is None:
            return fact.stated or "not disclosed"
        return hedge + (fact.stated or self.facts.label(fact.object))

    def _evidence(self, asking: Asking, fact: Fact) -> Scored | None:
        return asking.retriever.scored_at(asking.found, fact.passage, fact.start)

    # --- disagreement --------------------------------------------------------------------------

    def conflicts(self, facts: Sequence[Fact], citations: Sequence[Citation]) -> tuple[Conflict, ...]:
        """Other values that documents give to the property of an answer with one number or date."""
        if len(facts) != 1 or not _comparable(facts[0]):
            return ()
        fact = facts[0]
        rivals = [f for f in self.facts.of_subject(fact.subject) if f.predicate == fact.predicate and not f.denied]
        values: dict[str, Fact] = {}
        for rival in (fact, *rivals):
            same = any(_agree(rival, known) for known in values.values())
            if _comparable(rival) and not same:
                values[rival.claim] = rival
        if len(values) < 2:
            return ()
        told = tuple(ConflictValue(f.stated, f.status, _cited(f, citations)) for f in values.values())
        return (Conflict(self.facts.label(fact.predicate), told),)


def _comparable(fact: Fact) -> bool:
    """Whether a value is a number or a date."""
    return fact.number is not None or (isinstance(fact.object, ox.Literal) and fact.object.datatype.value in _DATES)


def _agree(one: Fact, other: Fact) -> bool:
    """Whether two values of a property go together: overlapping bounds, or dates of which one holds the other."""
    if one.number is not None and other.number is not None:
        low, high = max(_low(one), _low(other)), min(_high(one), _high(other))
        return low <= high
    first, second = str(getattr(one.object, "value", "")), str(getattr(other.object, "value", ""))
    return first.startswith(second) or second.startswith(first)


def _low(fact: Fact) -> float:
    return fact.lower if fact.lower is not None else float("-inf")


def _high(fact: Fact) -> float:
    return fact.upper if fact.upper is not None else float("inf")


def _cited(fact: Fact, citations: Sequence[Citation]) -> tuple[int, ...]:
    return tuple(c.id for c in citations if c.claim == fact.claim)
