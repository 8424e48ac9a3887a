"""Classes that a question names: as what it asks for, or as what it says that things are ("which … are funiculars")."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.ask.graph import Graph
from kg.ask.linking import Linked
from kg.ask.question import Question
from kg.ask.schema import Meant
from kg.ask.terms import tokens

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
