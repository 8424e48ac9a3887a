"""``kg evaluate tatqa``: questions on a table and the paragraphs around it, which are all there is to answer from.

The file is a list of contexts, ``{"table": {"uid", "table": [[cell, …], …]}, "paragraphs": [{"order", "text"}, …],
"questions": [{"uid", "question", "answer", "answer_type", "answer_from", "scale"}, …]}``. Each context is written as a
document of Markdown, the table first, and a knowledge base is built from it alone and asked, as anybody's is. Scored as
in :mod:`benchmarks.evaluation.tatqa_score`, by the kind of answer and by where it is from; ``figures``: exact match
without the word of scale ("thousand"), which an answer in the units of its quoted row may lack.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.evaluation.tatqa_score import score
from kg.errors import BadInput
from kg.knowledge_base import KnowledgeBase
from kg.model import Answer
from kg.settings import Settings

HALVES = ("all", "even", "odd")


@dataclass(frozen=True, slots=True)
class Scored:
    """A question with what was replied to it. ``f1``: 0 to 1."""

    uid: str
    question: str
    kind: str
    source: str
    gold: tuple[str, ...]
    gold_scale: str
    reply: Answer
    exact: bool
    unscaled: bool
    f1: float

    @property
    def wrong(self) -> bool:
        """Whether something was said that isn't the answer, its scale apart."""
        return self.reply.status == "answered" and not self.unscaled


def load(file: Path, half: str = "all") -> list[dict[str, Any]]:
    """The contexts of a file, or of the half whose tables' identifiers hash to even or odd. Raises BadInput."""
    if half not in HALVES:
        raise BadInput(f"half is all, even or odd, not {half}")
    try:
        contexts = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{file} can't be read as JSON: {error}") from error
    good = isinstance(contexts, list) and all(
        isinstance(c, dict) and {"table", "paragraphs", "questions"} <= c.keys() for c in contexts
    )
    if not good:
        raise BadInput(f"{file} is no list of contexts with the fields table, paragraphs and questions")
    return [c for c in contexts if half == "all" or _half(str(c["table"]["uid"])) == half]


def _half(uid: str) -> str:
    return HALVES[1 + int(hashlib.sha256(uid.encode()).hexdigest(), 16) % 2]


def document(entry: dict[str, Any]) -> str:
    """A context in Markdown: its table, headed by the table's first row, and its paragraphs.

    >>> print(document({"table": {"table": [["", "2019"], ["Sales", "5|6"]]}, "paragraphs": [{"text": "Millions."}]}))
    |  | 2019 |
    | --- | --- |
    | Sales | 5\\|6 |
    <BLANKLINE>
    Millions.
    """
    rows = entry["table"]["table"]
    lines = ["| " + " | ".join(" ".join(str(cell).split()).replace("|", "\\|") for cell in row) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    paragraphs = sorted(entry["paragraphs"], key=lambda p: int(p.get("order", 0)))
    return "\n\n".join(["\n".join(lines), *(" ".join(str(p["text"]).split()) for p in paragraphs)])


def ask(entry: dict[str, Any]) -> Iterable[Scored]:
    """The replies to the questions of one context, scored."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "context.md"
        file.write_text(document(entry), encoding="utf-8")
        with KnowledgeBase.create(Path(folder) / "kb", Settings()) as knowledge_base:
            knowledge_base.add([file])
            for question in entry["questions"]:
                yield _scored(question, knowledge_base.ask(question["question"]))


def _scored(question: dict[str, Any], reply: Answer) -> Scored:
    told = question["answer"]
    gold = tuple(map(str, told)) if isinstance(told, list) else (str(told),)
    kind, scale = str(question["answer_type"]), str(question.get("scale", ""))
    given = tuple(item.label for item in reply.answers)
    exact, f1 = score(gold, scale, given, "", halves=kind in ("span", "multi-span"))
    percent = scale if scale == "percent" else ""
    unscaled = exact or score(gold, percent, given, "", halves=False)[0]
    source = str(question.get("answer_from", ""))
    return Scored(str(question["uid"]), question["question"], kind, source, gold, scale, reply, exact, unscaled, f1)


def figures(scored: Sequence[Scored]) -> dict[str, float]:
    """Shares, 0 to 1, over all and for each kind of answer and place it is from; questions of each."""
    groups: dict[str, list[Scored]] = defaultdict(list)
    for one in scored:
        groups[""].append(one)
        groups[f"{one.kind}_"].append(one)
        groups[f"{one.source}_"].append(one)
        groups[f"{one.kind}_{one.source}_"].append(one)
    found: dict[str, float] = {}
    for name, members in sorted(groups.items()):
        found[f"{name}exact"] = round(sum(m.exact for m in members) / len(members), 4)
        found[f"{name}figures"] = round(sum(m.unscaled for m in members) / len(members), 4)
        found[f"{name}wrong"] = round(sum(m.wrong for m in members) / len(members), 4)
        found[f"{name}f1"] = round(sum(m.f1 for m in members) / len(members), 4)
        found[f"{name}questions"] = len(members)
    return found


def run(file: Path, half: str, json_file: Path | None, errors: Path | None, say: Callable[[str], None]) -> None:
    """Measures a file and prints a table by kinds and one line of ``name value`` pairs. Raises BadInput."""
    contexts = load(file, half)
    started = time.perf_counter()
    scored = [one for entry in contexts for one in ask(entry)]
    if not scored:
        raise BadInput(f"{file} has no questions")
    took = time.perf_counter() - started
    found = figures(scored) | {"ms_a_question": round(took * 1000 / len(scored), 1)}
    say(f"{len(contexts)} contexts, {len(scored)} questions")
    _table(scored, found, say)
    say(" ".join(f"{name} {value}" for name, value in found.items()))
    if json_file is not None:
        json_file.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    if errors is not None:
        errors.write_text("".join(_line(one) for one in scored if not one.exact), encoding="utf-8")


def _table(scored: Sequence[Scored], found: dict[str, float], say: Callable[[str], None]) -> None:
    """Exact match by kind of answer (rows) and place it is from (columns), each with its number of questions."""
    sources = sorted({one.source for one in scored})
    say(f"{'':<12}" + "".join(f"{source:>18}" for source in (*sources, "all")) + f"{'F1':>8}")
    for kind in (*sorted({one.kind for one in scored}), ""):
        names = [*(f"{kind}_{source}_" if kind else f"{source}_" for source in sources), f"{kind}_" if kind else ""]
        cells = (
            f"{found[n + 'exact']:.3f} of {found[n + 'questions']:.0f}" if n + "exact" in found else "" for n in names
        )
        say(f"{kind or 'all':<12}" + "".join(f"{cell:>18}" for cell in cells) + f"{found[names[-1] + 'f1']:>8.3f}")


def _line(one: Scored) -> str:
    """A question that was not answered as wanted, as a line of JSON."""
    reply = one.reply
    told = {
        "uid": one.uid,
        "question": one.question,
        "kind": one.kind,
        "from": one.source,
        "gold": one.gold,
        "gold_scale": one.gold_scale,
        "given": [item.label for item in reply.answers],
        "told": reply.answer,
        "by": reply.explanation,
        "f1": one.f1,
    }
    return json.dumps(told, ensure_ascii=False) + "\n"
