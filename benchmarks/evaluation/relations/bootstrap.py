"""What the sentences to be read show of a relation, none of them marked: its own surest facts.

Bootstrapping (Brin 1998; Agichtein and Gravano 2000, "Snowball"): all sentences are read with what is known of the
relations, and what the objects and subjects of a relation's surest facts mean becomes part of what it looks for when
they are read again. A relation's name and types say little of its arguments; the documents have them by the dozen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from benchmarks.evaluation.relations.priors import Priors
from benchmarks.evaluation.relations.reading import Meant
from kg.relations.scoring import NEVER, Scores

Floats = npt.NDArray[np.float32]

# Set on sentences of Text2KGBench's validation part (benchmarks/relations.md).
_ROUNDS = 2
_SHARE = 1 / 6  # of the sentences: the surest of a relation
_FEWEST = 5
_OBJECTS, _SUBJECTS = 2.0, 1.0  # what the surest facts' arguments count beside names and types


def bootstrapped(told: Priors, read: Sequence[Scores]) -> Priors:
    """What is known of relations, with what their surest facts in ``read`` mean.

    ``read``: all sentences' scores, grounded (``Priors.grounded``); of equally sure facts the
    first count. Sentences without meanings say nothing, and neither do fewer than five.
    """
    usable = [scores for scores in read if isinstance(scores, Meant) and scores.meaning is not None]
    if len(usable) < _FEWEST:
        return told
    now = told
    for _ in range(_ROUNDS):
        objects, subjects = _surest(now, usable)
        now = replace(told, objects=_unit(told.objects + _OBJECTS * objects))
        now = replace(now, subjects=_unit(told.subjects + _SUBJECTS * subjects))
    return now


def _surest(told: Priors, read: Sequence[Meant]) -> tuple[Floats, Floats]:
    """What objects and subjects of each relation's surest facts mean on average: unit vectors, shape (R, hidden)."""
    sure, objects, subjects = [], [], []
    for scores in read:
        odds, meaning = told.likened(scores).odds, scores.meaning
        assert meaning is not None
        count, relations = odds.shape[0], odds.shape[2]
        places = odds.reshape(count * count, relations).argmax(axis=0)
        who, what = np.unravel_index(places, (count, count))
        sure.append(odds[who, what, np.arange(relations)])
        subjects.append(meaning[who])
        objects.append(meaning[what])
    table = np.stack(sure)
    most = max(_FEWEST, round(_SHARE * len(read)))
    order = np.argsort(-table, axis=0, kind="stable")[:most]
    possible = np.take_along_axis(table, order, axis=0) > NEVER
    return _averages(np.stack(objects), order, possible), _averages(np.stack(subjects), order, possible)


def _averages(meanings: Floats, order: npt.NDArray[np.intp], possible: npt.NDArray[np.bool_]) -> Floats:
    picked = np.take_along_axis(meanings, order[:, :, None], axis=0) * possible[:, :, None]
    return _unit(picked.sum(axis=0))


def _unit(rows: Floats) -> Floats:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), np.float32)
