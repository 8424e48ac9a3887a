"""A logical form in plain English: what was understood, for the people who asked."""

from __future__ import annotations

from kg.semantics.graph import Graph, Step
from kg.semantics.logic import (
    Aggregate,
    And,
    Best,
    BestCount,
    Bound,
    Cell,
    Column,
    Compare,
    Count,
    CountCompare,
    Difference,
    Each,
    Form,
    Join,
    Kind,
    Minus,
    Or,
    Path,
    Rows,
    Table,
    Things,
    Truth,
    Users,
)

_FUNCTIONS = {
    "SUM": "the total",
    "AVG": "the average",
    "MIN": "the least",
    "MAX": "the greatest",
    "COUNT": "the number",
}
_ORDINALS = {1: "", 2: "second ", 3: "third "}
_WORDS = {">": "more than", "<": "less than", ">=": "at least", "<=": "at most", "=": "exactly", "!=": "not"}


def render(graph: Graph, form: Form) -> str:
    """The form in words."""
    return _Renderer(graph).say(form)


class _Renderer:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def say(self, form: Form) -> str:
        match form:
            case Count(of):
                return f"the number of {self.say(of)}"
            case Aggregate(function, of, path):
                return f"{_FUNCTIONS[function]} {self._path(path)} of {self.say(of)}"
            case Difference(left, right, unit, ratio):
                if ratio:
                    return f"{self.say(left)} divided by {self.say(right)}"
                apart = f"the {unit} between" if unit else "the difference between"
                return f"{apart} {self.say(left)} and {self.say(right)}"
            case Truth(left, right):
                return (
                    f"whether {self.say(left)} is {self.say(right)}"
                    if left != right
                    else f"whether there is {self.say(left)}"
                )
            case Each(of, path, function, within):
                what = self.say(within) if within is not None else self._path(path)
                said = f"{_FUNCTIONS[function]} of {what}" if function else what
                return f"for each of {self.say(of)}: {said}"
            case Rows(of, paths):
                return f"for each of {self.say(of)}: {', '.join(self._path(path) for path in paths)}"
            case Table(_, columns, _):
                return "; ".join(self._column(column) for column in columns)
            case _:
                return self._say_set(form)

    def _column(self, column: Column) -> str:
        said = " + ".join(self._cell(cell) for cell in column.cells)
        if column.function == "RATIO" and column.below is not None:
            return f"the total of {said} divided by {self._cell(column.below)}"
        return f"{_FUNCTIONS[column.function]} of {said}" if column.function else said

    def _cell(self, cell: Cell) -> str:
        return f"every {self._graph.name(cell.cls)}" if cell.property is None else self._step((cell.property, True))

    def _say_set(self, form: Form) -> str:
        match form:
            case Things(ids, _):
                return " or ".join(dict.fromkeys(self._graph.name(i) for i in ids[:3])) + (" …" if len(ids) > 3 else "")
            case Kind(cls):
                return f"every {self._graph.name(cls)}"
            case Users(step):
                return f"whatever has {self._step(step)}"
            case Join(step, of):
                if step[1]:
                    return f"{self._step(step)} of {self.say(of)}"
                return f"those whose {self._step((step[0], True))} is {self.say(of)}"
            case And(left, Join((prop, False), of)):
                return f"{self.say(left)} whose {self._step((prop, True))} is {self.say(of)}"
            case And(left, right):
                return f"{self.say(left)} among {self.say(right)}"
            case Or(left, right):
                return f"{self.say(left)} or {self.say(right)}"
            case Minus(left, right):
                return f"{self.say(left)} except {self.say(right)}"
            case _:
                return self._measured(form)

    def _measured(self, form: Form) -> str:
        match form:
            case Compare(of, path, operator, bound):
                than = bound.text if isinstance(bound, Bound) else self.say(bound)
                return f"{self.say(of)} with {self._path(path)} {_WORDS[operator]} {than}"
            case CountCompare(of, path, within, operator, number):
                what = self.say(within) if within is not None else self._path(path)
                return f"{self.say(of)} with {_WORDS[operator]} {number} of {what}"
            case Best(of, path, top, nth, k):
                many = f"{k} " if k > 1 else _ORDINALS.get(nth, f"{nth}th ")
                return f"{self.say(of)} with the {many}{'greatest' if top else 'least'} {self._path(path)}"
            case BestCount(of, path, within, top, nth):
                what = self.say(within) if within is not None else self._path(path)
                return (
                    f"{self.say(of)} with the {_ORDINALS.get(nth, f'{nth}th ')}{'most' if top else 'fewest'} of {what}"
                )
        return ""

    def _step(self, step: Step) -> str:
        name = self._graph.properties[step[0]].names[0]
        return f"“{name}”" if step[1] else f"“{name}” (reversed)"

    def _path(self, path: Path) -> str:
        return " of ".join(self._step(step) for step in reversed(path))
