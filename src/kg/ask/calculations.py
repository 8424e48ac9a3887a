"""Arithmetic over the cells of a document's table: what changed between its years, an average, a sum, a share.

Speaks only where one of the passages found has a table with the rows and columns that the question names. The rows
used are the evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from kg.ask.drafts import Asking, Draft, Value, clip, covered
from kg.ask.question import Question
from kg.ask.retrieve import Scored, Term
from kg.ask.terms import tokens
from kg.model import Passage, UnitKind
from kg.tabular.asked import Asked, Op, analyse
from kg.tabular.captions import FACTORS
from kg.tabular.compute import compute
from kg.tabular.locate import Finder
from kg.tabular.meanings import Meanings
from kg.tabular.reply import Reply, number
from kg.tabular.rows import from_rows
from kg.tabular.times import years

_COMPUTED = frozenset((Op.CHANGE, Op.PERCENT_CHANGE, Op.DIFFERENCE, Op.AVERAGE, Op.SUM, Op.SHARE, Op.RATIO))
# Units looked at for tables, and tables read.
_DEPTH, _TABLES = 12, 3
# Passages before and after one that its table may go on in.
_REACH = 4
# A row's name must fit the question so well, and its words with the headings above account for so much of it.
_FIT, _EXPLAINED = 0.6, 0.75

# Judged as other answers are that weigh several figures.
_KIND = "difference"

Place = tuple[Passage, int]


@dataclass(frozen=True, slots=True)
class Found:
    """A result with the units of its rows."""

    reply: Reply
    places: tuple[Place, ...]
    explained: float
    sign: str


class CalculationQuestion:
    """What has to be computed from cells of one table."""

    name = "calculation"

    def asks(self, question: Question) -> bool:
        """A change, difference, average, sum, ratio or share, at years or between names."""
        return analyse(question.text).op in _COMPUTED

    def read(self, asking: Asking) -> Draft | None:
        """The result that accounts for most of the question, with the rows of its cells."""
        asked = analyse(asking.question.text)
        found = [f for run in _runs(asking) if (f := _computed(asking, asked, run)) is not None]
        if not found:
            return None
        best = max(found, key=lambda f: f.explained)
        scored = [asking.retriever.scored_at(asking.found, p.id, p.units[n].start) for p, n in best.places]
        evidence = tuple(s for s in scored if s is not None)
        label = _label(best)
        quote = clip(evidence[0].plain, 0, 130) if evidence else ""
        text = f"{label}: {best.reply.shown} – “{quote}”"
        value = Value(label, tuple(range(len(evidence))))
        return Draft(_KIND, text, (value,), evidence, best.reply.fit, explained=best.explained)


def _runs(asking: Asking) -> Iterator[list[Place]]:
    """The tables that the best units are rows of or stand in a passage with."""
    seen: set[tuple[str, int]] = set()
    best = asking.found.units[:_DEPTH]
    documents = _documents(asking, {s.passage.document for s in best})
    for scored in best:
        for run in _tables_of(documents[scored.passage.document], scored):
            key = run[0][0].id, run[0][1]
            if key not in seen and len(seen) < _TABLES:
                seen.add(key)
                yield run


def _documents(asking: Asking, wanted: set[str]) -> dict[str, list[Passage]]:
    """The passages of documents, in order."""
    found: dict[str, list[Passage]] = {id_: [] for id_ in wanted}
    for passage in asking.retriever.view.passages.values():
        if passage.document in wanted:
            found[passage.document].append(passage)
    return {id_: sorted(own, key=lambda p: p.order) for id_, own in found.items()}


def _tables_of(document: Sequence[Passage], scored: Scored) -> Iterator[list[Place]]:
    """Rows that follow each other in a unit's passage, with those over its ends."""
    at = scored.passage.order
    near = [p for p in document if abs(p.order - at) <= _REACH]
    run: list[Place] = []
    for place in [*((p, n) for p in near for n in range(len(p.units))), None]:
        if place is not None and place[0].units[place[1]].kind is UnitKind.ROW:
            run.append(place)
            continue
        if any(p.id == scored.passage.id for p, _ in run):
            yield run
        run = []


def _computed(asking: Asking, asked: Asked, run: Sequence[Place]) -> Found | None:
    rows = [p.units[n] for p, n in run]
    first = run[0][0]
    texts = (rows[0].context, *first.headings[-2:], *(u.plain for u in first.units if u.kind is UnitKind.SENTENCE))
    table = from_rows([r.plain for r in rows], texts)
    encoder = asking.retriever.view.encoder
    finder = Finder(table, Meanings(encoder) if encoder is not None else None)
    reply = compute(finder, asked) if table.cells else None
    if reply is None or reply.fit < _FIT:
        return None
    told = {y for cell in reply.cells for y in finder.years_of(cell)}
    if not set(years(asked.text)) <= told:
        return None
    places = tuple(dict.fromkeys(run[cell.row - 1] for cell in reply.cells))
    words = " ".join((*map(finder.label, reply.cells), rows[0].context, *first.headings, *map(str, sorted(told))))
    explained = covered(_asked_terms(asking, asked), words)
    sign = next((c.figure.sign for c in table.cells if c.figure and c.figure.sign), "")
    return Found(reply, places, explained, sign) if explained >= _EXPLAINED else None


def _asked_terms(asking: Asking, asked: Asked) -> list[Term]:
    """The question's words beside those of the operation."""
    kept = {t.term for t in tokens(asked.body)} | {t.term for name in asking.question.names for t in tokens(name.text)}
    return [t for t in asking.found.terms if t.word.term in kept]


def _label(found: Found) -> str:
    """The result with its unit: percent, or the currency of the table, its scale written out."""
    reply = found.reply
    if reply.by == Op.RATIO:
        return number(Decimal(reply.values[0]), 2)
    value = Decimal(reply.values[0].strip("()%").replace(",", ""))
    if reply.scale == "percent" or reply.values[0].endswith("%"):
        points = reply.by in (Op.CHANGE, Op.DIFFERENCE)
        return f"{number(value, 2)} percentage points" if points else f"{number(value, 2)}%"
    value *= FACTORS.get(reply.scale, 1)
    sign = found.sign if reply.scale or any(c.figure and c.figure.sign for c in reply.cells) else ""
    return f"{'-' if value < 0 else ''}{sign}{Decimal(number(abs(value), 2)):,}"
