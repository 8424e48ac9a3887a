"""Which … are, who were: several things that one unit, one list or one column names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kg.ask.drafts import DEPTH, LONG_ROOM, Around, Asking, Draft, Value, covered, matched, sentence
from kg.ask.groups import Group, columns, groups
from kg.ask.question import Question
from kg.ask.retrieve import Scored
from kg.ask.spans import Span, cells, enumerations
from kg.ask.terms import bag
from kg.model import UnitKind

_MOST = 20
# A sentence was cut at its commas where a piece is an adverbial or a bare year.
_PIECE = re.compile(r"(?:on|in|at|by|with|together|from|after|before|during|since|until)\s|\d{4}$")
# What begins like this is a clause or a phrase rather than a thing's name.
_CLAUSE = re.compile(
    r"(?:the|their|its|his|her|for|but|he|she|it|they|we|when|which|while|as|because|so|that|this)\b|.*\b(?:is|are|was|were|has|had|built|said|told)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Listing:
    """Things named together. ``fit``: how well they are what was asked for, 0 to 1."""

    items: tuple[str, ...]
    evidence: tuple[Scored, ...]
    quote: str
    score: float
    fit: float

    @property
    def total(self) -> float:
        """Score and fit together."""
        return self.score + 0.6 * self.fit


class ListQuestion:
    """Several things."""

    name = "list"

    def asks(self, question: Question) -> bool:
        """A plural noun after ``which`` or ``what``, ``who are``, ``list …``, ``name the …``."""
        if re.match(r"(?:list|name|enumerate|give)\b", question.lower):
            return True
        if re.match(
            r"who\s+(?:are|were)\b|who\s+(?:was|is|belongs?|belonged|worked|makes? up)\s+(?:on|in|to|up)\b",
            question.lower,
        ):
            return True
        if question.opening not in ("what", "which", "what kinds", "what types"):
            return False
        return plural(question)

    def read(self, asking: Asking) -> Draft | None:
        """The best listing, if the units have one that fits."""
        found = listings(asking)
        if not found or found[0].fit < 0.25:
            return None
        best = found[0]
        text = sentence(", ".join(best.items), best.quote, LONG_ROOM)
        return Draft(self.name, text, tuple(Value(i) for i in best.items), best.evidence, best.fit)


def plural(question: Question) -> bool:
    """Whether the noun asked for is in the plural."""
    if question.focus:
        head = question.focus[-1].text
        return bool(re.search(r"(?:[^s'’u]s|(?:people|men|women|children|criteria|data))$", head))
    return bool(re.match(r"(?:what|which)\s+(?:are|were|where)\s+the\b", question.lower))


def listings(asking: Asking) -> list[Listing]:
    """Enumerations, lists and columns among the best units, best first."""
    found = [x for s in asking.found.units[:DEPTH] for x in _inline(asking, s)]
    found += [x for g in groups(asking.found.units) for x in _grouped(asking, g)]
    return sorted(found, key=lambda x: (-x.total, x.evidence[0].key, x.items))


def _enumerated(scored: Scored) -> Iterator[tuple[Span, ...]]:
    """Enumerations of a unit; of a row those within one cell."""
    if scored.unit.kind != UnitKind.ROW:
        yield from enumerations(scored.plain)
        return
    for _, cell in cells(scored.plain):
        for spans in enumerations(cell.text):
            yield tuple(Span(cell.start + s.start, cell.start + s.end, s.text) for s in spans)


def _inline(asking: Asking, scored: Scored) -> Iterator[Listing]:
    focus, around = asking.focus_terms(), Around(asking.found.terms, scored.plain)
    for spans in _enumerated(scored):
        items = [i.text for i in spans if not asking.mentions(i.text)]
        if len(items) < 2 or len(items) > _MOST:
            continue
        whole = Span(spans[0].start, spans[-1].end, "")
        label = next((h for h, c in cells(scored.plain) if c.start <= whole.start < c.end), "")
        before = scored.plain[max(0, whole.start - 60) : whole.start]
        fit = 0.2 + 0.1 * min(len(items), 4) + 0.3 * around.near(whole)
        fit += 0.3 * max(matched(focus, label), 0.8 * matched(focus, before), 0.5 * matched(focus, scored.unit.context))
        fit -= 0.4 * sum(bool(_CLAUSE.match(i)) for i in items) / len(items)
        fit -= 0.4 if any(_PIECE.match(i) for i in items) else 0.0
        if label and focus and matched(focus, label) < 0.5:
            fit -= 0.3  # a cell of another column
        if len(spans) == 2 and " and " not in scored.plain[spans[0].end : spans[1].start + 1]:
            fit -= 0.2
        yield Listing(tuple(items), (scored,), scored.plain, scored.score, min(fit, 1.0))


def _grouped(asking: Asking, group: Group) -> Iterator[Listing]:
    focus, terms = asking.focus_terms(), asking.found.terms
    about = covered(terms, group.title)
    evidence = (group.lead, *(group.scored(n) for n in group.numbers if n != group.lead.number))
    if group.units[0].kind == UnitKind.ROW:
        yield from _rows_with(asking, group)
        for head, column in columns(group).items():
            items = tuple(dict.fromkeys(c.text for c in column if c.text))
            fit = 0.75 * matched(focus, head) * (0.4 + 0.6 * about)
            if 2 <= len(items) <= _MOST and focus:
                yield Listing(items, evidence, group.lead.plain, group.lead.score, fit)
        return
    items = tuple(heading_of(u.plain) for u in group.units)
    own = group.lead.own
    fit = 0.2 + 0.8 * about if about > 0.5 and own < 0.6 else 0.2 * about
    if len(items) <= _MOST:
        yield Listing(items, evidence, "; ".join(items), group.lead.score, fit)


def _rows_with(asking: Asking, group: Group) -> Iterator[Listing]:
    """What the rows that have a name of the question in a cell are called (in the column asked for)."""
    focus = asking.focus_terms()
    for name in asking.question.names:
        wanted = bag(name.text)
        rows = [(n, row) for n in group.numbers if (row := cells(group.passage.units[n].plain)) and len(row) > 1]
        having = [(n, row) for n, row in rows if any(wanted and wanted <= bag(c.text) for _, c in row[1:])]
        if not 1 < len(having) < len(rows):
            continue
        head = max((h for h, _ in having[0][1]), key=lambda h: matched(focus, h))
        column = head if matched(focus, head) > 0.5 else having[0][1][0][0]
        items = tuple(dict.fromkeys(c.text for _, row in having for h, c in row if h == column))
        evidence = tuple(group.scored(n) for n, _ in having)
        yield Listing(items, evidence, evidence[0].plain, group.lead.score, 0.95)


def heading_of(plain: str) -> str:
    """The part of a list item that names the thing: before a dash or colon, else the item, shortened."""
    head = re.split(r"\s+(?:—|–|-{1,3})\s+|:\s", plain)[0]
    return head if len(head) <= 60 else head[:57].rsplit(" ", 1)[0] + "…"
