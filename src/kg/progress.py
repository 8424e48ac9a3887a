"""How far a build is, from what it tells of itself: the rate of the stage at work, the time left of all stages."""

from __future__ import annotations

import time
from collections.abc import Callable

_REACHED = {"reading": 0.0, "graph": 0.5, "indexes": 0.6, "done": 1.0}
"""How much of a build from nothing is behind it where a stage begins, roughly; in the stages' order."""
_UNITS = ((3600, 1, "hour"), (60, 1, "minute"), (1, 10, "second"))


def stage_of(what: str) -> str:
    """The stage that a build tells of.

    >>> stage_of("notes/lights.md"), stage_of("index of notes/lights.md"), stage_of("graph")
    ('reading', 'indexes', 'graph')
    """
    return what if what in _REACHED else "indexes" if what.startswith("index of ") else "reading"


def share_done(stage: str, part: float) -> float:
    """How much of a build is done when a part of a stage is.

    >>> share_done("reading", 0.5), share_done("done", 0.0)
    (0.25, 1.0)
    """
    later = [share for share in _REACHED.values() if share > _REACHED[stage]]
    return _REACHED[stage] + part * (min(later, default=1.0) - _REACHED[stage])


class Course:
    """A build's way through its stages. ``clock`` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._began = self._stage_began = clock()
        self._first = self._share = 0.0
        self.stage, self.done, self.total = "", 0, 0

    def tell(self, what: str, done: int, total: int) -> None:
        """Takes what a build tells: at what it is, how many are done and of how many."""
        stage, now = stage_of(what), self.clock()
        documents = what not in _REACHED  # else stages are counted
        share = share_done(stage, done / total if documents and total else 0.0)
        if not self.stage or (stage == "reading" and not done):
            self._began, self._first = now, share  # what is skipped at the beginning says nothing of the speed
        if stage != self.stage or not done:
            self._stage_began = now
        self._share, self.stage = share, stage
        self.done, self.total = (done, total) if documents else (0, 0)

    @property
    def rate(self) -> float | None:
        """Documents a second of the stage at work; None until one is done."""
        seconds = self.clock() - self._stage_began
        return self.done / seconds if self.done and seconds > 0 else None

    @property
    def left_s(self) -> float | None:
        """Seconds left of this and the later stages, at the speed so far; None until there is one.

        At least what the stage at work needs at its own rate: many small documents are read faster than indexed.
        """
        gone = self._share - self._first
        if gone <= 0:
            return None
        here = (self.total - self.done) / self.rate if self.rate else 0.0
        return max(here, (self.clock() - self._began) * (1 - self._share) / gone)

    def sentence(self) -> str:
        """All of that in one line."""
        parts = [f"{self.stage} {self.done:,} of {self.total:,}" if self.total else self.stage]
        if self.rate:
            parts.append(f"{self.rate:.1f} documents a second")
        if self.left_s is not None:
            parts.append(f"about {roughly(self.left_s)} left")
        return ", ".join(parts)


def roughly(seconds: float) -> str:
    """A time in its largest unit.

    >>> roughly(48.2), roughly(61), roughly(7400), roughly(0)
    ('50 seconds', '1 minute', '2 hours', '10 seconds')
    """
    size, step, unit = next((u for u in _UNITS if seconds >= u[0]), _UNITS[-1])
    count = max(1, round(seconds / size / step)) * step
    return f"{count} {unit}" + ("s" if count > 1 else "")
