"""The lexicon's words beside a model's scores: "directed by" right before an object speaks for the director.

A cue is what a phrasing says between its arguments, without auxiliaries, on the side of the object. Where it stands
right at a candidate object, with a candidate subject on the side that the phrasing has it, the pair's log-odds rise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.evaluation.relations.lexicon import phrasings_for
from kg.relations.encoding import Relation
from kg.relations.scoring import Scores

BONUS = 3.0
_AUXILIARY = re.compile(
    r"^(?:['’]s\s|,\s|(?:which|who|that|was|were|is|are|be|been|being|has|have|had|also|first|later|a|an|the)\s)+"
)
_EMPTY = frozenset(
    {"", "of", "by", "in", "at", "on", "to", "is", "was", "'s", "’s", "for", "with", "from", "and", "as"}
)


@dataclass(frozen=True, slots=True)
class Cues:
    """Of one relation: words right before an object that follows its subject, and right after one that precedes it."""

    before: tuple[str, ...]
    after: tuple[str, ...]


def cues_of(relation: Relation) -> Cues:
    """What the lexicon says for a relation of the same meaning; nothing where it has none."""
    before, after = set(), set()
    for phrasing in phrasings_for(relation.label, (), relation.domain, relation.range):
        subject, object_ = phrasing.find("{subject}"), phrasing.find("{object}")
        if subject < object_:
            before.add(_bare(phrasing[subject + len("{subject}") : object_]))
        else:
            after.add(_bare(phrasing[object_ + len("{object}") : subject]))
    return Cues(tuple(sorted(before - _EMPTY)), tuple(sorted(after - _EMPTY)))


def _bare(text: str) -> str:
    """A phrasing's middle without what only links it."""
    said = " ".join(text.lower().split()) + " "
    return _AUXILIARY.sub("", said).strip(" ,")


def raised(scores: Scores, cues: Sequence[Cues], bonus: float = BONUS) -> Scores:
    """Scores with the bonus where a relation's cue stands at an object. ``cues`` in the order of the relations."""
    text = scores.encoded.words.text.lower()
    odds = scores.odds.copy()
    starts, ends = scores.spans[:, 0], scores.spans[:, 1]
    for place, (first, last) in enumerate(scores.spans.tolist()):
        start, end = scores.encoded.span(first, last)
        left = re.sub(r"\s(?:the|an?)$", "", text[:start].rstrip(" \"“‘'"))
        right = _AUXILIARY.sub("", text[end:].lstrip(' ,"”'))
        for number, cue in enumerate(cues):
            if any(left.endswith(" " + words) or left == words for words in cue.before):
                odds[ends < first, place, number] += np.float32(bonus)
            elif any(right.startswith(words + " ") for words in cue.after):
                odds[starts > last, place, number] += np.float32(bonus)
    return replace(scores, odds=odds)
