"""Logical forms: what a question means, as sets of a graph's terms composed of one another, and numbers over them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Literal

from kg.semantics.graph import Step

Path = tuple[Step, ...]
Operator = Literal[">", "<", ">=", "<=", "=", "!="]
Function = Literal["SUM", "AVG", "MIN", "MAX"]


class _Hashed:
    """Remembers its hash: forms are deep, and looked up again and again."""

    __slots__ = ("_hash",)
    _hash: int

    def __init_subclass__(cls) -> None:
        cls.__hash__ = _Hashed.cached  # type: ignore[method-assign, assignment]

    def cached(self) -> int:
        """The hash of all fields."""
        try:
            return self._hash
        except AttributeError:
            names = type(self).__slots__
            object.__setattr__(self, "_hash", hash((type(self).__name__, *(getattr(self, n) for n in names))))
            return self._hash


@dataclass(frozen=True, slots=True)
class Things(_Hashed):
    """Named things: those that a name may mean."""

    ids: tuple[int, ...]
    name: str


@dataclass(frozen=True, slots=True)
class Kind:
    """The instances of a class."""

    cls: int


@dataclass(frozen=True, slots=True)
class Users:
    """Everything from which a step leads somewhere."""

    step: Step


@dataclass(frozen=True, slots=True)
class Join(_Hashed):
    """What a step leads to from the things of a set."""

    step: Step
    of: Set


@dataclass(frozen=True, slots=True)
class And(_Hashed):
    """Things in both sets."""

    left: Set
    right: Set


@dataclass(frozen=True, slots=True)
class Or(_Hashed):
    """Things in either set."""

    left: Set
    right: Set


@dataclass(frozen=True, slots=True)
class Minus(_Hashed):
    """Things of the first set that are not in the second."""

    left: Set
    right: Set


@dataclass(frozen=True, slots=True)
class Bound:
    """A number or a date that a question names; a year or month is the stretch from ``value`` to ``until``."""

    value: float
    text: str
    date: bool = False
    until: float | None = None


@dataclass(frozen=True, slots=True)
class Number(_Hashed):
    """How many things (of a set) a path leads to, of each thing."""

    path: Path
    within: Set | None


@dataclass(frozen=True, slots=True)
class Compare(_Hashed):
    """Things some value of which compares so with the bound, with a value of a set, or with a number over values."""

    of: Set
    measure: Path | Number
    operator: Operator
    bound: Bound | Set | Aggregate


@dataclass(frozen=True, slots=True)
class Best(_Hashed):
    """Things with the n-th greatest (least) value, all that share it; or with the k greatest (least) values."""

    of: Set
    measure: Path | Number
    top: bool
    nth: int = 1
    k: int = 1

    @property
    def of_values(self) -> bool:
        """Whether values are compared, not counts."""
        return not isinstance(self.measure, Number)


@dataclass(frozen=True, slots=True)
class Contains(_Hashed):
    """Things a text of which (no path: a name) contains these characters, capital or small."""

    of: Set
    path: Path
    text: str


Set = Things | Kind | Users | Join | And | Or | Minus | Compare | Best | Contains


@dataclass(frozen=True, slots=True)
class Count:
    """How many things a set has."""

    of: Set


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A number over the values of a set's things, each thing's counted."""

    function: Function
    of: Set
    path: Path


@dataclass(frozen=True, slots=True)
class Difference:
    """How far two sets' values are apart (of dates in a unit of time), or how many times the second the first is."""

    left: Set
    right: Set
    unit: str = ""
    ratio: bool = False


@dataclass(frozen=True, slots=True)
class Truth:
    """Whether the sets share a thing."""

    left: Set
    right: Set


@dataclass(frozen=True, slots=True)
class Each:
    """For each thing of a set, what a path leads to, or how many (of a set) or which number over it."""

    of: Set
    path: Path
    function: Function | Literal["COUNT", ""]
    within: Set | None = None


@dataclass(frozen=True, slots=True)
class Overall:
    """A number over the numbers of each thing: the average of counts."""

    function: Function
    each: Each


@dataclass(frozen=True, slots=True)
class Share:
    """How many of a set's things are in a part of it, in per cent."""

    part: Set
    whole: Set


@dataclass(frozen=True, slots=True)
class More:
    """Whether one set has more (fewer, as many) things than another."""

    left: Set
    operator: Operator
    right: Set


@dataclass(frozen=True, slots=True)
class BestOfEach:
    """For each thing of a set, what a path leads to among the things of another that has the greatest (least) value."""

    each: Set
    path: Path
    within: Set
    measure: Path
    top: bool


@dataclass(frozen=True, slots=True)
class Rows:
    """For each thing of a set, what several paths lead to, side by side; a thing may lack some of them."""

    of: Set
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """An attribute of a class's things, or (no property) the things."""

    cls: int
    property: int | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: a value, or a number over the sum of values; ``below``: what it is divided by."""

    function: Function | Literal["", "COUNT", "RATIO"]
    cells: tuple[Cell, ...]
    below: Cell | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A step from the things of a class to those of another."""

    start: int
    step: Step
    end: int


@dataclass(frozen=True, slots=True)
class Condition:
    """What rows have to fulfil."""

    cell: Cell
    operator: Operator
    bound: Bound


@dataclass(frozen=True, slots=True)
class Table:
    """Rows over things joined; numbers are grouped by the other columns."""

    edges: tuple[Edge, ...]
    columns: tuple[Column, ...]
    conditions: tuple[Condition, ...] = ()


Scalar = Count | Aggregate | Difference | Overall | Share
Form = Set | Scalar | Truth | More | Each | BestOfEach | Rows | Table


def parts(form: Form | Number) -> Iterator[Form | Number]:
    """The form and all forms in it."""
    yield form
    for field in fields(form):
        value = getattr(form, field.name)
        if isinstance(value, Set | Number | Each | Aggregate):
            yield from parts(value)


def along(path: Path, of: Set) -> Set:
    """What a path leads to from a set."""
    for step in path:
        of = Join(step, of)
    return of


def base(of: Set) -> Set:
    """What a set is chosen from: "ships" of "ships longer than 50 metres that fly a flag"."""
    while True:
        match of:
            case And(left, _) | Minus(left, _):
                of = left
            case Compare(of=inner) | Contains(of=inner):
                of = inner
            case _:
                return of


def back(path: Path) -> Path:
    """The path from the other end."""
    return tuple((prop, not forward) for prop, forward in reversed(path))
