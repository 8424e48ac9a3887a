"""Two steps read one after the other: what a question describes is looked for first, then what it asks of that.

"What party did the president who declared war on poverty belong to?": who did, and what party did he belong to. Both
steps are read by the same reader; how sure each was is among what the judge weighs.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from dataclasses import replace

from kg.ask.descriptions import Description, descriptions
from kg.ask.drafts import Asking
from kg.ask.proposals import Candidate, Read, Source, bounded, spans
from kg.ask.shapes import shape_of_question

# Descriptions that are tried, things that each may describe, and answers taken of each of these.
_DESCRIPTIONS, _THINGS, _ANSWERS = 2, 2, 1
_LONGEST = 60  # characters of what may be the name of a thing

Look = Callable[[Asking], Read]


def stepped(asking: Asking, look: Look) -> list[Candidate]:
    """Answers to the question with each description replaced by what it may describe. ``look``: reads a question."""
    if shape_of_question(asking.question.text)["whether"]:
        return []
    found: list[Candidate] = []
    for described in itertools.islice(descriptions(asking.question), _DESCRIPTIONS):
        inner = asking.about(described.asks)
        if inner.found.unknown_names:
            continue
        for first in _likeliest(look(inner), _THINGS):
            label = re.sub(r"^(?:the|an?)\s+|[.,;:]+$", "", first.draft.values[0].label, flags=re.IGNORECASE)
            if label and len(label) <= _LONGEST and not asking.mentions(label):
                found += [
                    _joined(asking, described, first, label, last) for last in _onward(asking, described, label, look)
                ]
    return found


def _onward(asking: Asking, described: Description, label: str, look: Look) -> list[Candidate]:
    """What is read for the question asked of a thing by its name."""
    text = asking.question.text
    outer = asking.about(text[: described.start] + label + text[described.end :])
    return [c for c in _likeliest(look(outer), _ANSWERS) if c.label not in ("", label.casefold())]


def _likeliest(read: Read, most: int) -> list[Candidate]:
    """The best spans of all views, each label once."""
    ordered = sorted(spans(read), key=_score, reverse=True)
    return list({c.label: c for c in reversed(ordered)}.values())[::-1][:most]


def _score(candidate: Candidate) -> float:
    return candidate.place[1].score if candidate.place is not None else -math.inf


def _joined(asking: Asking, described: Description, first: Candidate, label: str, last: Candidate) -> Candidate:
    """The second step's answer, quoting both, with how sure each step was."""
    evidence = (*last.draft.evidence, *first.draft.evidence)
    values = tuple(replace(v, evidence=(0, 1)) for v in last.draft.values)
    via = f"{asking.question.text[described.start : described.end]}: {label}"
    draft = replace(last.draft, values=values, evidence=tuple(dict.fromkeys(evidence)), via=(via,))
    sure = {"step_first": bounded(_score(first)), "step_last": bounded(_score(last))}
    sure |= {
        "step_least": min(sure.values()),
        "step_clause": float(described.clause),
        "step_loose": float(described.loose),
    }
    return Candidate(draft, Source.STEP, steps=sure)
