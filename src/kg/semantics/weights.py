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
    "again": -0.28, "bare": -0.394, "best-single": 0.031, "bridge": 0.021, "bridge-2": -0.061, "bridge-rank": -0.126,
    "direction": 0.777, "echo": -0.513, "empty": -3.45, "extraction": -0.763, "fit": 0.083, "focus": -0.954,
    "guessed": 0.478, "head": 0.147, "high": -0.128, "least-fit": 2.008, "left-out": -0.303, "left-out-any": -0.394,
    "light": -0.668, "measure-unsaid": -0.232, "one": -3.175, "order": -0.884, "score": 3.386, "short": 2.216,
    "single": -0.254, "vacuous": -0.287,
}  # fmt: skip
