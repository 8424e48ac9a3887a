"""Candidates that are computed from the tables and lists around what was found."""

from __future__ import annotations

from collections.abc import Sequence

from kg.algebra.answers import Computed, Computer
from kg.algebra.documents import Collection, Place
from kg.algebra.forms import Cells, Every
from kg.algebra.links import Likeness
from kg.ask.candidates import Candidate, Source
from kg.ask.drafts import ROOM, Asking, Draft, Value, clip, listed, sentence
from kg.ask.question import Question
from kg.ask.question_kinds import asks_one, expected, shape_of_question
from kg.ask.retrieve import Scored
from kg.ask.view import View

ANSWERS = 3
_TABLES = 8  # around the best units or with fitting heads; of them the few with most of the question's words are read
_CITED = 6
_KINDS = {"Count": "count", "Distinct": "count", "Aggregate": "number", "Difference": "number", "Ratio": "number"}
_WHETHER = ("Holds", "Greater", "Equal")
_NEAR = 20  # units around which tables are looked for


class Tables:
    """The tables of one view's documents; safe to ask from several threads, each question by itself."""

    def __init__(self, base: View) -> None:
        titles = {id_: info.title for id_, info in base.documents.items()}
        self.collection = Collection(base.passages.values(), titles)
        self._computer = Computer(likeness=Likeness.packaged())

    def candidates(self, asking: Asking) -> list[Candidate]:
        """What is computed for a question, the likeliest first."""
        best = [(unit.passage, unit.number) for unit in asking.found.units[:_NEAR]]
        tables = self.collection.tables(asking.question.text, best, _TABLES)
        found = self._computer.answers(asking.question.text, tables, ANSWERS)
        made = (_candidate(asking, one) for one in found if one.values and not _beside(asking.question, one))
        return [one for one in made if one is not None]


def _beside(question: Question, computed: Computed) -> bool:
    """Whether it is none of what is asked: a number of rows for an amount ("how many hours"), all rows for one."""
    if _kind(computed) == "count":
        return bool(expected(question))
    every = isinstance(computed.form, Cells) and isinstance(computed.form.of, Every) and len(computed.values) > 1
    return every and bool(asks_one(question) or shape_of_question(question.text)["most"])


def _candidate(asking: Asking, computed: Computed) -> Candidate | None:
    evidence = _cited(asking, computed.places)
    if not evidence:
        return None
    numbers = {scored.key: n for n, scored in enumerate(evidence)}
    held = {cell.text: numbers.get((cell.place[0].id, cell.place[1]), 0) for cell in computed.evidence}
    values = tuple(Value(text, (held.get(text, 0),)) for text in computed.values)
    draft = Draft(
        _kind(computed), _told(computed, evidence), values, evidence, 1.0,
        members=len(computed.places), reading=computed.reading,
    )  # fmt: skip
    return Candidate(draft, Source.COMPUTED, computed=computed)


def _cited(asking: Asking, places: Sequence[Place]) -> tuple[Scored, ...]:
    """The rows or items that are quoted, as units scored for the question."""
    found = (
        asking.retriever.scored_at(asking.found, passage.id, passage.units[number].start)
        for passage, number in places[:_CITED]
    )
    return tuple(scored for scored in found if scored is not None)


def _kind(computed: Computed) -> str:
    if computed.operation in _WHETHER:
        return "boolean"
    return _KINDS.get(computed.operation) or ("list" if len(computed.values) > 1 else "entity")


def _told(computed: Computed, evidence: Sequence[Scored]) -> str:
    """The values, with what was counted or the first row that they rest on."""
    label = ", ".join(computed.values)
    if _kind(computed) == "boolean":
        return f"{label}: “{clip(evidence[0].plain, 0, ROOM - 8)}”"
    return (
        sentence(label, evidence[0].plain) if len(computed.values) < 2 else listed(computed.values, evidence[0].plain)
    )
