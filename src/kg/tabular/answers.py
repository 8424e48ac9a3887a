"""A question on a table and the paragraphs around it → values with their scale, and what they are from."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.protocols import Encoder
from kg.tabular import prose_spans
from kg.tabular.asked import Asked, Op, analyse
from kg.tabular.choose import choose
from kg.tabular.compute import compute
from kg.tabular.lists import components, several, years_shown
from kg.tabular.locate import Finder, Sought
from kg.tabular.meanings import Meanings
from kg.tabular.prose import Prose, Told, words
from kg.tabular.reply import Reply, common_scale
from kg.tabular.table import Context
from kg.tabular.words import terms

# The paragraphs answer where they have so much more of the question's words than the cell's labels; a movement or a
# share that they state must have so much of them.
MARGIN, STATED = 0.12, 0.75


class Reader:
    """Answers questions on one context. Without ``encoder`` texts are compared by their words alone."""

    def __init__(self, context: Context, encoder: Encoder | None = None) -> None:
        meanings = Meanings(encoder) if encoder is not None else None
        self.finder = Finder(context.table, meanings)
        self.prose = Prose(context.paragraphs, meanings)

    def answer(self, question: str) -> Reply | None:
        """The best reply that the context holds; None if it holds nothing of the kind."""
        asked = analyse(question)
        told = self.prose.answer(question)
        if told is not None and self._is_told(asked, told):
            return _of_prose(told)
        found = from_table(self.finder, asked)
        return _of_prose(told) if found is None and told is not None else found

    def _is_told(self, asked: Asked, told: Told) -> bool:
        """Whether the paragraphs answer a question rather than the table."""
        if _OPEN.search(asked.text):
            return True
        if asked.op in (Op.CHANGE, Op.SHARE):
            kind = prose_spans.wanted(asked.text)
            fits = prose_spans.has(told.sentence, asked.text, kind)
            return len(asked.years) < 2 and fits and told.share >= STATED
        if asked.op is not Op.LOOKUP or years_shown(self.finder, asked) or components(self.finder, asked):
            return False
        best = self.finder.best(Sought(asked.text))
        if best is None:
            return True
        shown = {str(y) for c in self.finder.rows[best.cell.row].figures for y in self.finder.years_of(c)}
        wanted = words(asked.text) - _AMOUNTS
        return self._share(wanted, words(told.sentence)) > MARGIN + self._share(
            wanted, words(self.finder.label(best.cell)) | shown
        )

    def _share(self, wanted: Iterable[str], given: frozenset[str] | set[str]) -> float:
        total = sum(map(self.prose.weight, wanted)) or 1.0
        return sum(self.prose.weight(w) for w in wanted if w in given) / total


_OPEN = re.compile(
    r"^(?:why|who|whose|whom|where|when|how\s+(?!much|many|large|big|high)"
    r"|(?:did|does|do|is|are|was|were|has|have|had|can|could|will)\s)"
    r"|^what\s+(?:does|do|did)\b|\b(?:reasons?|caused|factors?\s+(?:that|for|behind))\b|\b(?:due\s+to|driven\s+by)\s*$",
    re.IGNORECASE,
)
_AMOUNTS = frozenset(terms("amount value number company total figure cost how much many"))


def _of_prose(told: Told) -> Reply:
    return Reply(told.spans, "", "text", told.sentence, (), told.share)


def from_table(finder: Finder, asked: Asked) -> Reply | None:
    """The reply of the table."""
    if not finder.table.cells:
        return None
    if asked.op in (Op.EXTREME, Op.COUNT, Op.FILTER):
        return choose(finder, asked)
    if found := years_shown(finder, asked) or components(finder, asked):
        return found
    if asked.respectively and (found := several(finder, asked)) is not None:
        return found
    if asked.op is not Op.LOOKUP and (found := compute(finder, asked)) is not None:
        return found
    return several(finder, asked) or lookup(finder, asked)


def lookup(finder: Finder, asked: Asked) -> Reply | None:
    """The one cell asked for."""
    best = finder.best(Sought(asked.text))
    if best is None:
        return None
    cell = best.cell
    scale = "" if cell.figure and cell.figure.percent else common_scale([cell])
    return Reply((cell.text,), scale, "lookup", "", (cell,), best.row)
