"""``kg evaluate questions``: asks every question of a file and scores answers, quotations and abstentions.

A line of the file: ``{"id", "question", "type", "answers": [[form, …], …], "match": "all"|"any", "evidence": […]}``
and optionally ``versus``, ``ordered``, ``reason`` (see :mod:`benchmarks.evaluation.scoring`); type ``unanswerable``
wants an abstention, ``dropped`` is left out.
"""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.evaluation.scoring import is_right, shows_evidence
from kg.errors import BadInput

if TYPE_CHECKING:
    from kg.model import Answer

_NEEDED = ("id", "question", "type", "answers", "match", "evidence")


@dataclass(frozen=True, slots=True)
class Scored:
    """A question, the reply to it, and what was right about it; times in milliseconds."""

    question: Mapping[str, Any]
    reply: Mapping[str, Any]
    right: bool
    quoted: bool
    held: bool
    took_ms: float

    @property
    def answerable(self) -> bool:
        """Whether the documents answer the question."""
        return bool(self.question["type"] != "unanswerable")


@dataclass(frozen=True, slots=True)
class Figures:
    """Right of all by type, and the shares from 0 to 1 that sum a run up."""

    by_type: Mapping[str, tuple[int, int]]
    shares: Mapping[str, float] = field(default_factory=dict)


def load_questions(path: Path) -> list[dict[str, Any]]:
    """The questions of a file, without dropped ones. Raises BadInput with the line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} can't be read: {error}", "name a file of questions, one JSON object a line") from error
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            question = json.loads(line)
            missing = [name for name in _NEEDED if name not in question] if isinstance(question, dict) else _NEEDED
        except ValueError as error:
            raise BadInput(
                f"line {number} of {path} is no JSON: {error}", "put one JSON object on each line"
            ) from error
        if missing:
            raise BadInput(
                f"line {number} of {path} has no {', '.join(missing)}", "see benchmarks.evaluation.questions"
            )
        found.append(question)
    return [question for question in found if question["type"] != "dropped"]


def score(questions: Iterable[Mapping[str, Any]], ask: Callable[[str], Answer]) -> list[Scored]:
    """Every question asked and scored."""
    scored = []
    for question in questions:
        started = time.perf_counter()
        reply = asdict(ask(question["question"]))
        took = (time.perf_counter() - started) * 1000
        scored.append(Scored(question, reply, is_right(question, reply), *shows_evidence(question, reply), took))
    return scored


def summarise(scored: Iterable[Scored]) -> Figures:
    """Figures of a run."""
    scored = list(scored)
    total = Counter(s.question["type"] for s in scored)
    right = Counter(s.question["type"] for s in scored if s.right)
    answerable = [s for s in scored if s.answerable]
    good = [s for s in answerable if s.right]
    unanswerable = [s for s in scored if not s.answerable]
    declined = [s for s in unanswerable if s.right]
    with_reason = [s for s in declined if s.question.get("reason")]
    times = sorted(s.took_ms for s in scored) or [0.0]
    shares = {
        "right": _share(len(good), len(answerable)),
        "quoted": _share(sum(s.quoted for s in good), len(good)),
        "passage": _share(sum(s.held for s in good), len(good)),
        "shy": _share(sum(s.reply["status"] == "abstained" for s in answerable), len(answerable)),
        "declined": _share(len(declined), len(unanswerable)),
        "reason": _share(sum(s.reply["reason"] == s.question["reason"] for s in with_reason), len(with_reason)),
        "wrong": _share(sum(s.reply["status"] == "answered" and not s.right for s in scored), len(scored)),
        "ms_p50": round(statistics.median(times), 1),
        "ms_p95": round(times[int(0.95 * (len(times) - 1))], 1),
    }
    return Figures({kind: (right[kind], total[kind]) for kind in sorted(total)}, shares)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def run(
    knowledge_base: Any, file: Path, figures_file: Path | None, replies_file: Path | None, say: Callable[[str], None]
) -> None:
    """Scores a file of questions and prints a table by type, then one line of names and values."""
    scored = score(load_questions(file), knowledge_base.ask)
    figures = summarise(scored)
    for kind, (right, total) in figures.by_type.items():
        say(f"{kind:16} {right:4}/{total:<4} {right / total:6.1%}")
    say(" ".join(f"{name} {value:g}" for name, value in figures.shares.items()))
    if replies_file is not None:
        lines = (json.dumps(_line(s), ensure_ascii=False) + "\n" for s in scored)
        replies_file.write_text("".join(lines), encoding="utf-8")
    if figures_file is not None:
        figures_file.write_text(json.dumps(asdict(figures), indent=1) + "\n", encoding="utf-8")


def _line(scored: Scored) -> dict[str, Any]:
    kept = {name: scored.reply[name] for name in ("status", "answer", "reason", "sparql")}
    gold = [forms[0] for forms in scored.question["answers"]]
    named = {name: scored.question[name] for name in ("id", "type", "question")}
    return {**named, "right": scored.right, "quoted": scored.quoted, "gold": gold, **kept}
