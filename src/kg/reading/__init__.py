"""Reading answers out of passages with trained models: views of passages, a reader of spans, a judge of candidates."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kg.reading.judge import Judge
from kg.reading.reader import SHIPPED, Reader

JUDGE_FILE, TYPED_FILE = "judge.json", "judge-ontology.json"


@dataclass(frozen=True, slots=True)
class Trained:
    """The models of one folder. The judges were fitted to candidates of this reader.

    ``typed``: the judge where an ontology types what documents say, and queries are to be trusted otherwise.
    """

    reader: Reader
    judge: Judge
    typed: Judge

    def judge_of(self, typed: bool) -> Judge:
        """The judge for a knowledge base with or without an ontology."""
        return self.typed if typed else self.judge

    @classmethod
    def load(cls, folder: Path | None = None) -> Trained:
        """The models in a folder; those of the package without one. Raises ModelUnavailable."""
        folder = folder or SHIPPED
        judge = Judge.load(folder / JUDGE_FILE)
        typed = folder / TYPED_FILE
        return cls(Reader(folder), judge, Judge.load(typed) if typed.exists() else judge)


__all__ = ["JUDGE_FILE", "SHIPPED", "TYPED_FILE", "Judge", "Reader", "Trained"]
