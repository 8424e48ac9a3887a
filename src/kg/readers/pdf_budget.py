"""How much work a PDF may make its reader do: counted in bytes, objects and characters, never in seconds."""

from __future__ import annotations

import zlib
from contextvars import ContextVar
from dataclasses import dataclass

__all__ = ["CURRENT", "Budget", "Exhausted", "spend"]

_COSTS = {"unpacked": 12, "parsed": 60, "content": 600, "objects": 1_500, "glyphs": 10_000, "names": 0, "steps": 500}
"""Work of a unit of each kind, in nanoseconds on the machine where they were measured; their ratios are what counts."""
_BASE = 2_500_000_000  # work that any file may make
_A_BYTE = 30_000  # and for each byte that it can't do without; prose and tables take 12,000
_MOST = 100_000_000_000  # that of 3,000 full pages


class Exhausted(Exception):
    """A file that takes more work than a document does."""


@dataclass(slots=True)
class Budget:
    """What is left for a file: bytes unpacked and parsed, those of pages apart; objects, characters, names, steps.

    ``work``: what all of them may take together. A document of 3,000 full pages stays below.
    """

    unpacked: int = 150_000_000
    parsed: int = 250_000_000
    content: int = 60_000_000
    objects: int = 10_000_000
    glyphs: int = 10_000_000
    names: int = 50_000
    steps: int = 100_000_000
    work: int = _MOST
    spent: bool = False

    @classmethod
    def of(cls, data: bytes) -> Budget:
        """That of a file: the more it says, the more work it may make. What can be packed away says nothing."""
        return cls(work=min(_MOST, _BASE + _A_BYTE * len(zlib.compress(data, 1))))

    def spend(self, what: str, amount: int) -> None:
        """Takes ``amount`` off. Raises Exhausted."""
        left = getattr(self, what) - amount
        setattr(self, what, left)
        self.work -= _COSTS[what] * amount
        if left < 0 or self.work < 0:
            self.spent = True
            raise Exhausted(what)


CURRENT: ContextVar[Budget | None] = ContextVar("pdf_budget", default=None)
"""The budget of the file that the current thread reads."""


def spend(what: str, amount: int = 1) -> None:
    """Takes from the current file's budget, if there is one. Raises Exhausted."""
    budget = CURRENT.get()
    if budget is not None:
        budget.spend(what, amount)
