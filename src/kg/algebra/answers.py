"""Answers computed from the tables and lists of documents: what whoever answers questions is given to judge.

collection = Collection(passages, titles)            # once for a knowledge base
tables = collection.tables(question, best_units)     # units of passages as they were found, best first
computed = Computer(likeness=Likeness(encoder)).answers(question, tables)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kg.algebra.documents import DocumentTable, Place
from kg.algebra.evaluate import Result
from kg.algebra.features import Features
from kg.algebra.forms import (
    Aggregate,
    Cells,
    Change,
    Commonest,
    Count,
    Difference,
    Distinct,
    Extreme,
    Form,
    Ratio,
    Where,
    english,
    figure,
    parts,
)
from kg.algebra.links import Likeness, Question
from kg.algebra.links import question as read
from kg.algebra.parse import Parse, Parser, Ranker
from kg.algebra.source import Cell, Table, Type
from kg.text.scales import counts_each
from kg.text.table_heads import caption_of
from kg.text.units import label

_MOST_EVIDENCE = 40
_PERCENT_PLACES = 2
_TABLES = 3  # that are read for one question


@dataclass(frozen=True, slots=True)
class EvidenceCell:
    """A cell that an answer rests on: its text, offsets in the document, and the unit that it stands in."""

    text: str
    start: int
    end: int
    place: Place


@dataclass(frozen=True, slots=True)
class Computed:
    """An answer computed from one table. ``reading``: what was computed, in English.

    ``values`` as they are told, numbers with their unit; ``operation``: the outermost step ("Count"); ``confidence``:
    the probability that it is right, calibrated where half of the tables asked don't answer; ``features``: what that
    and the choice of the table are judged by.
    """

    values: tuple[str, ...]
    reading: str
    operation: str
    evidence: tuple[EvidenceCell, ...]
    confidence: float
    features: Features
    table: DocumentTable
    form: Form

    @property
    def places(self) -> tuple[Place, ...]:
        """The rows or items to be cited, in order."""
        return tuple({(p.id, n): (p, n) for p, n in (cell.place for cell in self.evidence)}.values())


class Computer:
    """Computes answers with one parser."""

    def __init__(self, ranker: Ranker | None = None, likeness: Likeness | None = None) -> None:
        """Raises ModelUnavailable where the packaged weights can't be read."""
        self._parser = Parser(ranker, likeness)

    def answers(
        self, question: str, tables: Sequence[DocumentTable], most: int = 3, least: float = 0.0
    ) -> list[Computed]:
        """The likeliest answers, best first; none below ``least`` (a probability).

        Of the tables, in the order in which they were found, the few that have most of the question's words are read.
        """
        found: list[Computed] = []
        asked = read(question)
        stems = frozenset(asked.stems)
        nearest = _nearest(asked, tables)
        nearest += [(table.turned, share) for table, share in nearest if table.turned is not None]
        nearest += [(table.parts, share) for table, share in nearest if table.parts is not None]
        for rank, (table, covered) in enumerate(nearest):
            for n, parse in enumerate(self._parser.parse(question, table.linked, table.about, most)):
                if table.parts is not None and _takes_all(parse.form):
                    continue  # what is counted, ranked or added are the rows that aren't sums themselves
                features = parse.features | {
                    "table": float(rank),
                    "covered": covered,
                    "rank": float(n),
                    "listed": float(table.listed),
                    "about": float(len(stems & table.about)),
                }
                found.append(_computed(parse, table, features))
        found = [one for one in found if one.confidence >= least]
        return sorted(found, key=lambda c: -c.confidence)[:most]


def _takes_all(form: Form) -> bool:
    """Whether rows are counted, ranked or added."""
    return any(isinstance(part, Aggregate | Extreme | Count | Distinct | Commonest) for part in parts(form))


def _nearest(asked: Question, tables: Sequence[DocumentTable]) -> list[tuple[DocumentTable, float]]:
    """The tables that have most of a question's words, each with their share; of equals the one found first."""
    shares = [(table, table.covers(asked)) for table in tables]
    return sorted(shares, key=lambda one: -one[1])[:_TABLES]


def _computed(parse: Parse, table: DocumentTable, features: Features) -> Computed:
    source = table.linked.table
    values = told(parse.form, parse.result, source)
    places = table.linked.evaluator.evidence(parse.form)[:_MOST_EVIDENCE]
    cells = []
    for row, column in places:
        cell = source.cell(row, column)
        if cell.span is not None:
            cells.append(EvidenceCell(cell.text, *cell.span, table.place(row, column)))
    reading = english(parse.form, source)
    operation = type(parse.form).__name__
    return Computed(values, reading, operation, tuple(cells), parse.chance, features, table, parse.form)


def told(form: Form, result: Result, source: Table) -> tuple[str, ...]:
    """A result as it is said: cells as they are written, numbers with the unit that they are in."""
    if result.truth is not None:
        return ("Yes" if result.truth else "No",)
    if result.number is None:
        return result.texts
    unit = unit_of(form, source)
    shown = figure(round(result.number, _PERCENT_PLACES) if unit == "%" else result.number)
    if len(shown.partition(".")[0].lstrip("-")) > 4:
        whole, point, rest = shown.partition(".")
        shown = f"{int(whole):,}{point}{rest}"
    if unit == "%":
        return (f"{shown}%",)
    return (" ".join(part for part in (shown, _scale(form, source), unit) if part),)


_SCALES = {10**3: "thousand", 10**6: "million", 10**9: "billion"}


def _scale(form: Form, source: Table) -> str:
    """What the figures of a form's column are multiplied by, as its head or that of the rows' names says: "million"."""
    column = next((p.column for p in parts(form) if isinstance(p, Cells | Aggregate)), None)
    if column is None or not isinstance(form, Aggregate | Difference | Change):
        return ""
    named = [p.value.text for p in parts(form) if isinstance(p, Where) and isinstance(p.value, Cell)]
    if any(map(counts_each, [source.columns[column].head, *named])):  # no caption multiplies what is told of each
        return ""
    told = (caption_of(text) for text in (source.columns[column].head, source.columns[0].head, source.title))
    return next((_SCALES.get(int(m.scale), "") for m in told if m is not None), "")


def unit_of(form: Form, source: Table) -> str:
    """The unit of a computed number, as it is printed: that of its column's cells or head; empty for counts."""
    if isinstance(form, Ratio) or (isinstance(form, Change) and form.percent):
        return "%" if form.percent else ""
    if not isinstance(form, Aggregate | Difference | Change):
        return ""
    column = next((p.column for p in parts(form) if isinstance(p, Cells | Aggregate)), None)
    if column is None:
        return ""
    if source.columns[column].type is Type.DATE:
        return "years" if isinstance(form, Difference) and form.years else "days"
    unit = source.columns[column].unit
    return label(unit) if unit else ""
