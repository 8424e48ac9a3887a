"""Units that belong together: the rows of a table, the items of a list, the lines of a listing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kg.ask.retrieve import Scored
from kg.ask.spans import Span, cells
from kg.model import Passage, Unit, UnitKind

_TOGETHER = (UnitKind.ROW, UnitKind.ITEM, UnitKind.LINE)


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring units of one kind under one introduction. ``lead``: the best scored of them."""

    lead: Scored
    passage: Passage
    numbers: tuple[int, ...]

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units in document order."""
        return tuple(self.passage.units[n] for n in self.numbers)

    @property
    def title(self) -> str:
        """What introduces the group: its context and nearest heading."""
        return " ".join((self.units[0].context, *self.passage.headings[-1:]))

    def scored(self, number: int) -> Scored:
        """A unit of the group as evidence, with the lead's scores."""
        lead = self.lead
        return lead if number == lead.number else replace(lead, number=number)


def group_of(scored: Scored) -> Group | None:
    """The group that a unit belongs to, if it has at least one neighbour in it."""
    units, at = scored.passage.units, scored.number
    kind = units[at].kind
    if kind not in _TOGETHER:
        return None
    first = last = at
    while first and _same(units[first - 1], units[at]):
        first -= 1
    while last + 1 < len(units) and _same(units[last + 1], units[at]):
        last += 1
    numbers = tuple(n for n in range(first, last + 1) if kind != UnitKind.ROW or cells(units[n].plain))
    if kind == UnitKind.LINE:
        numbers = _output(units, numbers)
    return Group(scored, scored.passage, numbers) if len(numbers) > 1 else None


def _output(units: tuple[Unit, ...], numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Lines of a listing without the command that gave them: its first line, where no other has several words."""
    if len(numbers) > 2 and " " in units[numbers[0]].plain.strip():
        rest = numbers[1:]
        return numbers if any(" " in units[n].plain.strip() for n in rest) else rest
    return numbers


def _same(unit: Unit, other: Unit) -> bool:
    if unit.kind != other.kind or unit.context != other.context:
        return False
    if unit.kind != UnitKind.ROW:
        return True
    # Empty cells are left out of what a row says: rows of one table begin alike and share most of their columns.
    one, two = ([head for head, _ in cells(u.plain)] for u in (unit, other))
    return one[:1] == two[:1] and 2 * len(set(one) & set(two)) > min(len(one), len(two))


def groups(units: tuple[Scored, ...], depth: int = 20) -> list[Group]:
    """Groups of the best units, each once, best first."""
    seen: set[tuple[str, int]] = set()
    found = []
    for scored in units[:depth]:
        group = group_of(scored)
        if group is not None and (group.passage.id, group.numbers[0]) not in seen:
            seen.add((group.passage.id, group.numbers[0]))
            found.append(group)
    return found


def columns(group: Group) -> dict[str, list[Span]]:
    """Cells of a table's rows by column head, in row order (an absent cell is empty)."""
    rows = [dict(cells(u.plain)) for u in group.units]
    heads = list(dict.fromkeys(h for row in rows for h in row))
    return {h: [row.get(h, Span(0, 0, "")) for row in rows] for h in heads}
