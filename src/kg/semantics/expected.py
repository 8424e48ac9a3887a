"""Whether an answer is of the kind that the question's first words ask for: who, where, when, how many, by how much."""

from __future__ import annotations

from kg.semantics.graph import Graph, Ids
from kg.text.tokens import words
from kg.text.wordnet import is_kind_of

_SEEN = 20  # members looked at
# What nobody is and nowhere is; of words with such a sense and one as a person ("ward") nothing is concluded.
_NOT_WHO = ("artifact", "substance", "event")


def unfit(graph: Graph, asked: str, members: Ids) -> bool:
    """Whether all members are of a kind that the question doesn't ask for."""
    some = sorted(members)[:_SEEN]
    if not some:
        return asked == "difference"
    valued = [graph.value(i) is not None for i in some]
    if asked == "when":
        return not all(graph.is_date(i) for i in some)
    if asked == "count":
        return not all(valued) or any(graph.is_date(i) for i in some)
    if asked == "difference":
        return True
    if asked in ("who", "where"):
        return all(valued) or (asked == "who" and all(_is_thing(graph, i) for i in some))
    return False


def _is_thing(graph: Graph, id_: int) -> bool:
    """Whether a thing's smallest class is a kind of object, not of people."""
    for kind in graph.kinds.get(id_, ())[:1]:
        last = [words(name)[-1] for name in graph.class_names(kind) if words(name)]
        return any(is_kind_of(w, a) for w in last for a in _NOT_WHO) and not any(is_kind_of(w, "person") for w in last)
    return False


__all__ = ["unfit"]
