"""By how much a figure that the documents give for several years grew or fell between two of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.ask.drafts import DEPTH, Asking, Draft, Value
from kg.ask.question import Question, Role
from kg.ask.retrieve import Scored
from kg.ask.spans import Number, cells, dates, numbers
from kg.ask.terms import bag

_ASKS = re.compile(
    r"\b(?:by how (?:many|much)|by what percentage|how (?:many|much) (?:more|fewer|less|higher|lower))\b|"
    r"\bhow did\b.+\b(?:change|develop|grow)\b|\b(?:growth|increase|decrease|rise|fall|change|difference) (?:in|of)\b",
    re.IGNORECASE,
)
_MOVING = re.compile(
    r"(?:gr[eo]w\w*|ris\w+|rose|f[ae]ll\w*|increas\w*|decreas\w*|declin\w*|drop\w*|chang\w*|shr[iau]nk\w*|develop\w*|"
    r"differ\w*|numbers?|figures?|amounts?|percentage|many|much)",
    re.IGNORECASE,
)


class GrowthQuestion:
    """The difference of one figure between two years."""

    name = "difference"

    def asks(self, question: Question) -> bool:
        """``by how much did … grow from 2019 to 2022``, ``how many more … in 2022 than in 2019``."""
        return bool(_ASKS.search(question.text)) and len(_years(question.text)) == 2

    def read(self, asking: Asking) -> Draft | None:
        """The difference and the percentage; None unless the same thing is stated for both years."""
        first, last = _years(asking.question.text)
        found: dict[str, dict[str, tuple[Number, Scored]]] = {}
        for year, label, figure, scored in _stated(asking, (first, last)):
            found.setdefault(label, {}).setdefault(year, (figure, scored))
        both = next((f for f in found.values() if len(f) == 2), None)
        if both is None:
            return None
        (one, before), (two, after) = both[first], both[last]
        if one.measure != two.measure:
            return None
        change = two.low - one.low
        share = f", {change / one.low:+.1%}" if one.low else ""
        label = f"{abs(change):,.10g}"
        how = "more" if change > 0 else "fewer or less" if change < 0 else "no change"
        text = f"{label} ({how}{share}) – {first}: {one.text}, {last}: {two.text}"
        return Draft(self.name, text, (Value(label, (0, 1)),), (before, after), 0.9, explained=1.0)


def _years(text: str) -> tuple[str, ...]:
    """The years that a question names, the earlier first."""
    return tuple(sorted({d.earliest[:4] for d in dates(text) if d.precision == 1 and d.earliest[:4] == d.latest[:4]}))


def _stated(asking: Asking, years: tuple[str, str]) -> Iterator[tuple[str, str, Number, Scored]]:
    """Lines ``visitors in 2022: 91,200`` about all that is asked: the year, the label without it, figure and unit."""
    asked = [
        t
        for t in asking.found.terms
        if t.word.role != Role.KIND and not t.word.token.digits and not _MOVING.fullmatch(t.word.token.lower)
    ]
    if not asked:
        return
    for scored in asking.found.units[: 2 * DEPTH]:
        row = cells(scored.plain)
        for head, cell in row:
            told = [y for y in years if y in head]
            figures = numbers(cell.text)
            words = bag(f"{head} {row[0][1].text if len(row) > 1 else ''}")
            if len(told) == 1 and figures and all(t.found(words) >= 0.5 for t in asked):
                own = row[0][1].text if len(row) > 1 else ""
                yield told[0], f"{own} {head.replace(told[0], '')}".strip(), figures[0], scored
