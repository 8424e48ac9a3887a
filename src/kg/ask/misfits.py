"""Candidates that can't be what is asked: a figure for somebody, a cell for a sum, another year's row, one beside."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.algebra.answers import Computed
from kg.algebra.forms import Beside, Cells, Change, Every, Extreme, Nth, Side, Where, Without, parts
from kg.algebra.source import Column, Type
from kg.ask.candidates import Candidate, Source
from kg.ask.linking import compared
from kg.ask.question import Question
from kg.ask.question_kinds import asks_price, measures
from kg.ask.retrieve import Scored
from kg.ask.units_told import asked_unit
from kg.model import UnitKind
from kg.text import units
from kg.text.question_words import AGGREGATES
from kg.text.spans import cells, dates, numbers
from kg.text.tokens import stem, words

_NAMED = ("who", "whom", "where")
_AGGREGATES = frozenset(map(stem, AGGREGATES))
_YEAR = re.compile(r"(?<![\d.,/-])(?:1[5-9]|20)\d\d(?![\d,-]|\.\d)")
_NEXT_CELL = re.compile(r"; [^;:]{1,60}: ")
_KEYED = re.compile(r"[^\w]*\w[^:;]{0,50}:\s")
_EXCEPTING = re.compile(
    r"\b(?:not|no|non|never|none|nor|neither|without|except\w*|exclud\w*|other|others|else|but|besides|apart|lack\w*|"
    r"fail\w*|rest|remaining|cannot)\b|n['’]t\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:after|before|next|previous\w*|follow\w*|preced\w*|prior|earlier|later|succe\w+|above|below|beside|since|until|"
    r"between|first|last|then)\b",
    re.IGNORECASE,
)


def fitting(question: Question, candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates that may be what is asked for."""
    found = [c for c in candidates if c.draft.evidence and not _crosses_cells(c)]
    if question.opening in _NAMED:
        found = [c for c in found if not _is_figure(c)]
    if _asks_aggregate(question):
        found = [c for c in found if _is_computed(c) or not _is_cell(c.draft.evidence[0]) or _tells_aggregate(c)]
    elif not question.has("total", "totals", "sum"):
        found = [c for c in found if not _is_total(c)]
    if years := set(_YEAR.findall(question.text)):
        found = [c for c in found if not _of_other_year(c.draft.evidence[0], years)]
    if wanted := _dimensions_asked(question):
        found = [c for c in found if not _dimension_of_cell(c) or _dimension_of_cell(c) in wanted]
    if asks_price(question):
        found = [c for c in found if not _measures_else(c)]
    if _WHO_IS.fullmatch(question.text):
        found = [c for c in found if not _names_other(c, question)]
    return found


def is_meant(question: Question, computed: Computed) -> bool:
    """Whether what was computed may be meant: no rows beside those named, or all but them, where nothing says so."""
    steps = list(parts(computed.form))
    beside = any(isinstance(step, Beside | Side) for step in steps) and not _ORDER.search(question.text)
    without = any(isinstance(step, Without) for step in steps) and not _EXCEPTING.search(question.text)
    return not (beside or without or _ranks_by_other(question, computed) or _leaves_out(question, computed))


def _crosses_cells(candidate: Candidate) -> bool:
    """Whether its one value runs from one cell of a row into the next: "16:50; Arrives: 18:05"."""
    values, row = candidate.draft.values, candidate.draft.evidence[0].unit.kind == UnitKind.ROW
    return row and len(values) == 1 and bool(_NEXT_CELL.search(values[0].label))


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


# What a measure that a question asks for is in.
_OF_MEASURE = {"duration": "time", "length": "length", "weight": "mass", "temperature": "temperature", "rate": "speed"}


def _dimensions_asked(question: Question) -> frozenset[str]:
    """What the figure asked for measures: that of the unit asked for, or of "how fast", "how heavy"."""
    unit = asked_unit(question)
    if unit is not None:
        return frozenset((units.dimension(unit),))
    return frozenset(_OF_MEASURE[m] for m in measures(question) if m in _OF_MEASURE)


def _dimension_of_cell(candidate: Candidate) -> str:
    """What a bare figure of a row measures by its column's head, "" if that doesn't tell."""
    label = candidate.draft.values[0].label if len(candidate.draft.values) == 1 else ""
    scored = candidate.draft.evidence[0]
    if scored.unit.kind != UnitKind.ROW or not is_figure(label):
        return ""
    heads = (head for head, cell in cells(scored.plain) if cell.text == label)
    unit = next((found for head in heads if (found := units.unit_in_head(head)[0])), None)
    return units.dimension(unit) if unit else ""


def _measures_else(candidate: Candidate) -> bool:
    """Whether all that it tells are figures of other measures than money."""
    told = [n.measure for v in candidate.draft.values for n in numbers(v.label)]
    return bool(told) and _is_figure(candidate) and not {"money", ""} & set(told)


def _asks_aggregate(question: Question) -> bool:
    """Whether a sum or a mean is asked for."""
    return any(t.lower in AGGREGATES for t in question.tokens) or "in all" in question.lower


def _is_computed(candidate: Candidate) -> bool:
    """Whether it is more than what cells say, or how one differs from another."""
    computed = candidate.computed
    return candidate.draft.exact or (computed is not None and not isinstance(computed.form, Cells | Change))


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


def _is_total(candidate: Candidate) -> bool:
    """Whether it gives the name of a row of totals for one of those that are added up."""
    labels = [frozenset(map(stem, words(v.label))) for v in candidate.draft.values]
    return any(own and own <= _AGGREGATES | {"grand", "subtot"} for own in labels)


_WHO_IS = re.compile(r"(?i:who)(?:'s|’s| is| was| are| were) (?:[A-Z][\w'’.-]*\s?)+\??")
_NAME = re.compile(r"(?:[A-Z][\w'’.-]+)(?: [A-Z][\w'’.-]+)+")


def _names_other(candidate: Candidate, question: Question) -> bool:
    """Whether it tells another's name of somebody named: what stands over a row, or in the row beside."""
    label = candidate.draft.values[0].label if candidate.draft.values else ""
    named = _NAME.match(label)
    if named is None or set(words(named.group())) & set(words(question.text)):
        return False
    return candidate.source in (Source.HEADING, Source.COMPUTED) or label[named.end() :][:1] in ("", ",")


# What adjectives of degree speak of ("price" of "cheaper"), as stems, and what the units of such figures measure.
_DIMENSIONS = {
    "length": "length distanc elev height altitud width breadth depth", "mass": "mass weight",
    "temperature": "temperatur",
    "speed": "speed veloc pace", "time": "durat", "area": "area", "volume": "volum",
    "currency": "fee cost price wealth revenu incom worth",
}  # fmt: skip


def _ranks_by_other(question: Question, computed: Computed) -> bool:
    """Whether rows are ranked by a column that the adjective doesn't speak of, beside one that it does."""
    asked = compared(t.lower for t in question.tokens)
    if asked is None or not asked[1]:
        return False
    columns = computed.table.linked.table.columns
    said = {stem(t.lower) for t in question.tokens}
    used = [columns[part.column] for part in parts(computed.form) if isinstance(part, Extreme)]
    fits = [_speaks_of(column, asked[1]) for column in columns]
    return any(fits) and any(not _speaks_of(c, asked[1]) and not said & set(map(stem, c.words)) for c in used)


_STATES = 6  # different cells of a column, at most, of which each is a state that rows are in ("done", "planned")


def _leaves_out(question: Question, computed: Computed) -> bool:
    """Whether all rows are told or counted though the question says a state that only some of them are in."""
    steps = list(parts(computed.form))
    if not any(isinstance(step, Every) for step in steps) or any(isinstance(s, Where | Extreme | Nth) for s in steps):
        return False
    table = computed.table.linked.table
    said = {t.lower for t in question.tokens}
    for column in range(len(table.columns)):
        keys = {row[column].key for row in table.rows}
        if 1 < len(keys) <= _STATES and len(keys) < table.size and keys & said:
            return True
    return False


def _speaks_of(column: Column, nouns: frozenset[str]) -> bool:
    """Whether a column is of what some nouns, as stems, mean: by its head, its unit or as dates."""
    measured = units.dimension(column.unit).split()[:1] if column.unit else []
    by_unit = any(nouns & set(_DIMENSIONS.get(name, "").split()) for name in measured)
    dated = column.type is Type.DATE and "date" in nouns
    return by_unit or dated or bool(nouns & set(map(stem, column.words)))
