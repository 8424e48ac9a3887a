"""Candidates as the verifier reads them: the question with one answer, beside what is quoted for it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from kg.ask.candidate_features import features
from kg.ask.candidates import Candidate, Read, Source
from kg.ask.figures import in_any_unit
from kg.reading import Trained, Verifier, bounded, heading_path

ROOM = 360  # characters of a unit around its answer, and of all units from which no more are shown
_LABEL, _LABELS, _UNITS = 160, 8, 4  # characters of an answer, values of a list, units quoted
_ASKED = 400  # characters of a question
_SOUGHT = 60  # characters of a value that are looked for in its unit
_VERIFIED = 8  # candidates of a question

Pair = tuple[str, str]
Quoted = tuple[str, str, str, str]  # headings, what introduces the unit, its text, the value it is quoted for


def asserted(question: str, answer: str) -> str:
    """A question with an answer to it."""
    return f"{question[:_ASKED]} = {answer[:_LABEL]}"


def quoted(units: Iterable[Quoted]) -> str:
    """What is quoted, each unit below its headings and what introduces it, long ones around their value."""
    told: list[str] = []
    above = ""
    for headings, introduced, text, label in units:
        parts = (headings if headings != above else "", introduced, _around(text, label))
        told.append("\n".join(part for part in parts if part))
        above = headings
        if sum(map(len, told)) > ROOM:
            break
    return "\n".join(told)


def _around(text: str, label: str) -> str:
    start = max(0, text.casefold().find(label.casefold()[:_SOUGHT]) - ROOM // 2) if len(text) > ROOM else 0
    return text[start : start + ROOM]


def pair(question: str, candidate: Candidate, titles: Mapping[str, str]) -> Pair | None:
    """A candidate for a question; None for one without a value or a quotation. ``titles``: of documents."""
    labels = [v.label for v in candidate.draft.values][:_LABELS]
    evidence = candidate.draft.evidence[:_UNITS]
    answer = ", ".join(labels)[:_LABEL]
    if not labels or not evidence:
        return None
    places = [heading_path(s.passage, titles.get(s.passage.document, "")) for s in evidence]
    sought = [*labels, *[answer] * len(evidence)]
    shown = [(p, s.unit.context, s.plain, label) for p, s, label in zip(places, evidence, sought, strict=False)]
    return asserted(question, answer), quoted(shown)


def verified(
    question: str, candidates: Sequence[Candidate], titles: Mapping[str, str], verifier: Verifier
) -> list[dict[str, float]]:
    """Of each candidate the verifier's logit as a feature, none of one that it can't read; equal ones are read once.

    Of whole lists it is also weighed apart.
    """
    pairs = [pair(question, candidate, titles) for candidate in candidates]
    once = list(dict.fromkeys(p for p in pairs if p is not None))
    held = dict(zip(once, map(bounded, verifier.verify(once)), strict=True))
    return [
        {} if p is None else {"verified": held[p]} | ({"items*verified": held[p]} if c.source == Source.ITEMS else {})
        for p, c in zip(pairs, candidates, strict=True)
    ]


def weighed(
    candidates: Sequence[Candidate], rows: Sequence[Mapping[str, float]], checked: Sequence[Mapping[str, float]]
) -> list[dict[str, float]]:
    """Candidates' features with the verifier's say; of a yes or no also how much surer it is of that than of the other.

    On the same quotation (``polar_lead``), and on all of them by their shares of what was read (``polar_vote``, ±1).
    """
    told = [{**row, **one} for row, one in zip(rows, checked, strict=True)]
    said: dict[tuple[str, int], dict[str, int]] = {}
    for at, (candidate, row) in enumerate(zip(candidates, told, strict=True)):
        if candidate.source == Source.POLAR and "verified" in row:
            said.setdefault(candidate.draft.evidence[0].key, {})[candidate.draft.values[0].label] = at
    both = [(told[x["Yes"]], told[x["No"]]) for x in said.values() if len(x) > 1]
    leads = [yes["verified"] - no["verified"] for yes, no in both]
    vote = sum(math.exp(yes["unit_share"]) * math.tanh(lead / 2) for (yes, _), lead in zip(both, leads, strict=True))
    for (yes, no), lead in zip(both, leads, strict=True):
        yes |= {"polar_lead": lead, "polar_vote": vote}
        no |= {"polar_lead": -lead, "polar_vote": -vote}
    return told


def chances(read: Read, candidates: Sequence[Candidate], titles: Mapping[str, str], models: Trained) -> list[float]:
    """Of each candidate the probability that it is right; 0 of all but the likeliest, which alone are verified.

    To verify all would take longer than to read, and on sets left out hardly ever is another one the best then.
    """
    judge = models.judge_of(bool(read.asking.retriever.view.ontology))
    rows = features(read, candidates)
    first = [judge.chance(row) for row in rows]
    if models.verifier is None:
        return first
    likely = sorted(range(len(rows)), key=lambda n: (-first[n], n))[:_VERIFIED]
    best = [candidates[n] for n in likely]
    checked = verified(in_any_unit(read.asking.question), best, titles, models.verifier)
    told = dict(zip(likely, weighed(best, [rows[n] for n in likely], checked), strict=True))
    return [judge.chance(told[n]) if n in told else 0.0 for n in range(len(rows))]
