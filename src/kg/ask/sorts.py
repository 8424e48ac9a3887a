"""Whether an answer is of the sort that "who", "which firm" or "where" asks for, by what the graph knows of it."""

from __future__ import annotations

from kg.ask import words as w
from kg.ask.drafts import Asking, Draft
from kg.ask.entities import names_another
from kg.ask.graph import Graph
from kg.ask.question import Question
from kg.ask.spans import numbers
from kg.ask.terms import tokens
from kg.namespaces import OWL

# Ends of the IRIs of classes whose members are people, bodies and places.
PEOPLE = ("Person",)
BODIES = ("Agent", "Organization", "Organisation", "Team", "Company", "Group")
PLACES = ("Place", "Location", "City", "Country", "Region")
_READ = frozenset(("entity", "value"))


def of_sort(graph: Graph, asking: Asking, draft: Draft) -> bool:
    """Whether a draft that names one thing may name somebody, a body or a place, as the question wants."""
    wanted = _wanted(asking.question)
    if not wanted or draft.exact or draft.kind not in _READ or not draft.values:
        return True
    label = draft.values[0].label
    if not label:
        return wanted == PLACES or names_another(asking, draft.evidence[0].plain)
    if _amount(label):
        return False
    classes = {c for thing in _things(graph, label) for c in graph.facts.types.get(thing, ()) if c != OWL + "Thing"}
    if not classes:
        return wanted == PLACES or not any(t.digits for t in tokens(label))
    if wanted == PLACES:  # what is stored may be stored in software
        return any(c.endswith(wanted) for c in classes) or not any(c.endswith(PEOPLE) for c in classes)
    # A graph without any class of people may call them "founders": then its classes tell nothing.
    telling = any(c.endswith(wanted) for c in graph.facts.classes)
    return not telling or any(c.endswith(wanted) or _is_actor(graph, c) for c in classes)


def _is_actor(graph: Graph, iri: str) -> bool:
    """Whether a class is called by a noun for people or bodies."""
    return any(t.lower in w.PERSON_NOUNS | w.ORGANISATION_NOUNS for t in tokens(graph.facts.label(iri))[-1:])


def _wanted(question: Question) -> tuple[str, ...]:
    """Classes that the answer has to be of one of; none where any will do."""
    if question.opening in ("who", "whom"):
        return PEOPLE + BODIES
    if question.opening == "where":
        return PLACES
    noun = question.focus[-1].lower if question.focus and question.opening in ("which", "what") else ""
    if noun in w.PERSON_NOUNS:
        return PEOPLE + BODIES
    return BODIES if noun in w.ORGANISATION_NOUNS else PLACES if noun in w.PLACE_NOUNS else ()


def _things(graph: Graph, label: str) -> tuple[str, ...]:
    return graph.facts.things.get(tuple(t.term for t in tokens(label)), ())


def _amount(label: str) -> bool:
    """Whether a value is a number of something; "12 Mill Lane" is none."""
    first = next(iter(numbers(label)), None)
    return first is not None and first.start == 0 and (bool(first.measure) or first.noun[:1].islower())
