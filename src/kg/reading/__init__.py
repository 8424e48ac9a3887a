"""Reading answers out of passages with trained models: views of passages, a reader of spans, a judge of candidates."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kg.reading.judge import Judge
from kg.reading.reader import SHIPPED, Reader

JUDGE_FILE = "judge.json"


@dataclass(frozen=True, slots=True)
class Trained:
    """The models of one folder. The judge was fitted to candidates of this reader."""

    reader: Reader
    judge: Judge

    @classmethod
    def load(cls, folder: Path | None = None) -> Trained:
        """The models in a folder; those of the package without one. Raises ModelUnavailable."""
        folder = folder or SHIPPED
        return cls(Reader(folder), Judge.load(folder / JUDGE_FILE))


__all__ = ["JUDGE_FILE", "SHIPPED", "Judge", "Reader", "Trained"]
