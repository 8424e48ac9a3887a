"""Candidates that can't be what is asked: a figure for somebody, one cell for a sum, another year's row, a row beside."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.algebra.forms import Beside, Cells, Side, parts
from kg.ask.candidates import Candidate
from kg.ask.question import Question
from kg.ask.retrieve import Scored
from kg.model import UnitKind
from kg.text.question_words import AGGREGATES
from kg.text.spans import dates, numbers
from kg.text.tokens import stem, words

_NAMED = ("who", "whom", "where")
_AGGREGATES = frozenset(map(stem, AGGREGATES))
_YEAR = re.compile(r"(?<![\d.,/-])(?:1[5-9]|20)\d\d(?![\d,-]|\.\d)")
_KEYED = re.compile(r"[^\w]*\w[^:;]{0,50}:\s")
_ORDER = re.compile(
    r"\b(?:after|before|next|previous\w*|follow\w*|preced\w*|prior|earlier|later|succe\w+|above|below|beside|since|until|"
    r"between|first|last|then)\b",
    re.IGNORECASE,
)


def fitting(question: Question, candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates that may be what is asked for."""
    found = [c for c in candidates if c.draft.evidence]
    if question.opening in _NAMED:
        found = [c for c in found if not _is_figure(c)]
    if _asks_aggregate(question):
        found = [c for c in found if _is_computed(c) or not _is_cell(c.draft.evidence[0]) or _tells_aggregate(c)]
    if years := set(_YEAR.findall(question.text)):
        found = [c for c in found if not _of_other_year(c.draft.evidence[0], years)]
    if not _ORDER.search(question.text):
        found = [c for c in found if not _is_beside(c)]
    return found


def _is_figure(candidate: Candidate) -> bool:
    """Whether all that it tells are numbers and dates, which nobody and no place is."""
    labels = [v.label for v in candidate.draft.values]
    return bool(labels) and all(map(is_figure, labels))


def is_figure(label: str) -> bool:
    """Whether a label is a number or a date and nothing else.

    >>> is_figure("January, 1998"), is_figure("$20"), is_figure("Building 7"), is_figure("A100")
    (True, True, False, False)
    """
    found = [(x.start, x.end) for x in (*dates(label), *numbers(label))]
    rest = [c for i, c in enumerate(label) if not any(start <= i < end for start, end in found)]
    return bool(found) and not re.search(r"[^\W\d_]", "".join(rest))


def _asks_aggregate(question: Question) -> bool:
    """Whether a sum or a mean is asked for."""
    return any(t.lower in AGGREGATES for t in question.tokens) or "in all" in question.lower


def _is_computed(candidate: Candidate) -> bool:
    """Whether it is more than what cells say."""
    return candidate.draft.exact or (candidate.computed is not None and not isinstance(candidate.computed.form, Cells))


def _is_cell(scored: Scored) -> bool:
    """Whether what is quoted is a row, or a line with a key, which tell single values."""
    return scored.unit.kind == UnitKind.ROW or bool(_KEYED.match(scored.plain))


def _tells_aggregate(candidate: Candidate) -> bool:
    """Whether a row's own heads or label speak of a total or a mean."""
    return bool(_AGGREGATES & {stem(word) for word in words(candidate.draft.evidence[0].plain)})


def _of_other_year(scored: Scored, asked: set[str]) -> bool:
    """Whether what is quoted is a row of other years than those asked for, by its cells, heads and headings."""
    if not _is_cell(scored):
        return False
    own = set(_YEAR.findall(scored.plain))
    above = _YEAR.findall(" ".join((*scored.passage.headings, scored.unit.context)))
    return bool(own) and not asked & {*own, *above}


def _is_beside(candidate: Candidate) -> bool:
    """Whether it tells of the rows after or before those that the question names."""
    computed = candidate.computed
    return computed is not None and any(isinstance(part, Beside | Side) for part in parts(computed.form))
