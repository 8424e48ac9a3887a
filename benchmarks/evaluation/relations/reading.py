"""Other candidates of a model of relations than its own: names that are given, and stretches that something else likes.

With the latter come the meanings of spans, in the space in which relations' texts are embedded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from kg.relations.encoding import Encoded, Span, encode, enumerate_spans, places
from kg.relations.scoring import Floats, Ints, Known, Model, Scores

MORE = 10  # spans that are scored beside the network's own choice where something else speaks for them

Liking = Callable[[Encoded], Floats]


@dataclass(frozen=True, slots=True)
class Meant(Scores):
    """Scores with unit vectors of the spans, shape (N, hidden); None where a model's export doesn't hold them."""

    meaning: Floats | None = None


def liked_scores(model: Model, text: str, known: Known, liked: Liking) -> Meant | None:
    """As :meth:`kg.relations.scoring.Model.scores`, with :data:`MORE` spans.

    What is ``liked``, for all stretches that :func:`enumerate_spans` gives, is added to what the network holds of them
    to choose these.
    """
    encoded = encode(text, model.pieces)
    if encoded.size < 2 or not known.relations:
        return None
    hidden, plain = model.encoder(encoded.ids)
    every, kept = enumerate_spans(encoded), model.heads.kept
    mention = model.heads.mention(encoded, hidden, every)
    own = np.argsort(-mention, kind="stable")[:kept]
    other = np.argsort(-(mention + liked(encoded)), kind="stable")[: kept + MORE]
    scores = model.heads.scores(encoded, hidden, known, every[np.union1d(own, other)])
    meant = None if plain is None else meaning(encoded, plain, scores.spans)
    return Meant(**{field.name: getattr(scores, field.name) for field in fields(scores)}, meaning=meant)


def meaning(encoded: Encoded, plain: Floats, spans: Ints) -> Floats:
    """Unit vectors of spans, shape (N, hidden): the mean of their pieces' vectors by the encoder before training."""
    sums = np.concatenate([np.zeros((1, plain.shape[1]), np.float32), np.cumsum(plain, 0, dtype=np.float32)])
    first, last = encoded.first[spans[:, 0]], encoded.last[spans[:, 1]] + 1
    total = sums[last] - sums[first]
    return np.asarray(total / (np.linalg.norm(total, axis=1, keepdims=True) + np.float32(1e-6)), np.float32)


def between(model: Model, text: str, names: Sequence[Span], known: Known, most: int) -> Scores | None:
    """Log-odds of the pairs of names given by their places and no others, in a text of up to ``most`` pieces.

    A text may be of several sentences. None where the network sees fewer than two of the names.
    """
    encoded = encode(text, model.pieces, most)
    seen = places(names, encoded)
    if len(seen) < 2 or not known.relations:
        return None
    return model.heads.scores(encoded, model.encoder(encoded.ids)[0], known, np.array(seen, np.int64))
