"""What the chart holds: a stretch of the question with a meaning, complete (a set, a number) or wanting something.

Categories: S set · R relation · M superlative · C "how many" · G "total", "average" · N negation · T comparison wanting
what it compares with · K number · P condition · NS what is excluded · ES "each …" · X number or table ·
O "third" · B "both" · D "by how much", "how many times" · DS the same with one of the two · TS a comparison with its
subject · Q "what percentage of" · QS the same with its whole · V "more …" whose number is compared · VS the same with
what is counted · F "most common" · KS "three …" · L several columns · TX a text that is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kg.semantics.logic import Bound, Form, Path, Set

Features = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A reading of the words from ``start`` to ``end``; ``local`` are the features of this step alone."""

    cat: str
    start: int
    end: int
    score: float
    form: Form | None = None
    path: Path = ()
    hints: tuple[str, ...] = ()
    top: bool = True
    nth: int = 1
    k: int = 1
    within: Set | None = None
    op: str = ""
    bound: Bound | None = None
    fn: str = ""
    unit: str = ""
    noun: bool | None = None
    single: bool = False
    focus: bool = False
    head: int = -1
    plural: bool = False
    generic: bool = False
    name: str = ""
    columns: tuple[Path | int, ...] = ()
    kids: tuple[Item, ...] = ()
    local: Features = ()

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes two items of one stretch the same reading."""
        return (
            self.cat, self.form, self.path, self.hints, self.top, self.nth, self.k, self.within, self.op, self.bound,
            self.fn, self.focus, self.unit, self.columns,
        )  # fmt: skip

    @property
    def fit(self) -> float:
        """How well each word fits what it is linked to, 0 to 1; of a reading that is made of others 0."""
        return dict(self.local).get("match", 0.0) / max(1, self.end - self.start)

    def set(self) -> Set:
        """The form of a set."""
        assert self.form is not None
        return self.form  # type: ignore[return-value]

    def leaves(self) -> Iterator[Item]:
        """The words' own readings that this one is made of."""
        if not self.kids:
            yield self
        for kid in self.kids:
            yield from kid.leaves()

    def features(self) -> dict[str, float]:
        """Features of the whole tree, summed."""
        total: dict[str, float] = {}
        stack: list[Item] = [self]
        while stack:
            item = stack.pop()
            for name, value in item.local:
                total[name] = total.get(name, 0.0) + value
            stack.extend(item.kids)
        return total
