"""What speaks for and against a reading, and how much.

``WEIGHTS`` rank readings: set by hand. ``BELIEF`` says how far the best one is to be believed:
a logistic regression fitted by ``training.graphs.fit`` on questions on twelve graphs.
"""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "match": 1.0,  # how well words fit what they are linked to, for each word
    "long": 0.12,  # each further word of one link
    "skip": -1.15,  # a word with a meaning that the reading leaves out
    "skip-light": -0.15,
    "skip-operator": -1.7,  # "most", "not", "how many" … left out
    "bridge": -0.55,  # a relation that no word names
    "bridge-2": -1.25,  # two of them, one after the other
    "bridge-rank": -0.12,  # there are commoner ones
    "bridge-word": 0.25,  # the preposition is in its name
    "order": -0.35,  # not the order in which English puts the two
    "direction": -0.45,  # a relation read against its syntax
    "empty": -0.5,  # nothing is left
    "focus": -0.9,  # not what "which …" asks for
    "intersect": 0.05,
    "measure": 0.45,  # how well a superlative's adjective fits what is measured
    "measure-rank": -0.08,
    "measure-unsaid": -0.5,
    "best-single": -1.2,  # a superlative of one named thing
    "value-best": -0.25,
    "union": -0.1,
    "tight": 0.12,  # 's binds first
    "negated": 0.1,
    "vacuous": -0.25,  # a condition that excludes nothing
    "each": 0.2,
    "echo": -1.5,  # the answer is what the question names
    "head": -0.8,  # what comes first in "what is the …" is not what is given
    "extraction": -0.25,  # a clause without its object: "states that … border"
    "high": -0.2,  # attached to what is further away
    "denied": -1.0,  # a named thing that is not what is said of it: only "is it …?" asks so
    "guess": -0.1,  # a relation that the encoder alone finds near
    "again": -0.6,  # there and back by one property
    "same": -2.0,  # what has the same value, though nobody says "same"
    "bare": -1.0,  # a relation of nothing in particular: "capitals"
    "where": 0.3,  # a place for "where", a date for "when"
}

BELIEF: Mapping[str, float] = {
    "again": -0.174, "bare": -0.52, "best-single": -0.243, "bridge": 0.532, "bridge-2": -0.841, "bridge-rank": -0.122,
    "direction": 1.196, "echo": -0.519, "empty": -2.249, "extraction": -0.878, "fit": 0.28, "focus": -0.439,
    "guessed": 0.024, "head": 0.137, "high": -0.15, "least-fit": 2.126, "left-out": -0.029, "left-out-any": -0.827,
    "light": -0.068, "measure-unsaid": -0.322, "one": -2.437, "order": -0.657, "score": 2.655, "short": 1.245,
    "single": -0.313, "vacuous": 0.292, "value-best": 0.071,
}  # fmt: skip
