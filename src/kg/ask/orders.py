"""In what order: things with their dates, earliest first."""

from __future__ import annotations

import re

from kg.ask.drafts import LONG_ROOM, Asking, Draft, Value, covered, sentence
from kg.ask.extremes import dated_parts
from kg.ask.groups import groups
from kg.ask.question import Question
from kg.ask.spans import cells, dates, headed

_ASKS = re.compile(
    r"\b(?:in (?:what|which) (?:chronological )?order|what (?:is|was) the (?:order|sequence)|chronolog\w+)\b", re.I
)


class OrderQuestion:
    """The order of events."""

    name = "order"

    def asks(self, question: Question) -> bool:
        """``in what order …``."""
        return bool(_ASKS.search(question.text))

    def read(self, asking: Asking) -> Draft | None:
        """Dated parts of one unit, or the members of a table or list with their dates, sorted by date."""
        for scored in asking.found.units[:4]:
            parts = sorted(dated_parts(scored.plain), key=lambda p: p[0])
            if len(parts) > 1:
                labels = [span.text for _, span in parts]
                text = sentence(" → ".join(labels), scored.plain, LONG_ROOM)
                return Draft(self.name, text, tuple(Value(x) for x in labels), (scored,), 0.6)
        return self._of_group(asking)

    def _of_group(self, asking: Asking) -> Draft | None:
        for group in groups(asking.found.units):
            dated = sorted(
                (dates(u.plain)[0].earliest, n, _name(u.plain))
                for n, u in zip(group.numbers, group.units, strict=True)
                if dates(u.plain)
            )
            if len(dated) > 1 and covered(asking.found.terms, group.title + group.lead.plain) > 0.4:
                labels = [name for _, _, name in dated]
                evidence = tuple(group.scored(n) for _, n, _ in dated)
                values = tuple(Value(name, (i,)) for i, name in enumerate(labels))
                return Draft(self.name, sentence(" → ".join(labels), "", LONG_ROOM), values, evidence, 0.5)
        return None


def _name(plain: str) -> str:
    row = cells(plain)
    if len(row) > 1:
        return next((cell.text for _, cell in row if not dates(cell.text)), row[0][1].text)
    parted = headed(plain)
    return (parted[0].text if parted and not dates(parted[0].text) else plain)[:60]
