"""``kg evaluate nl2sparql DIR``: questions on an RDF graph, scored by the rows that answer them.

The folder holds ``graph.ttl`` (or ``.nt``, ``.rdf``), optionally ``ontology.ttl``, and ``questions.jsonl`` with
``{"id", "question", "sparql": … | null, "rows": [[value, …], …] | null}``: gold rows are those given, else those of the
gold query. ``exact``: the same set of rows (a column more that only names another column's things is forgiven; order
counts only where question and gold query ask for one). ``set-F1``: of the rows, averaged over questions. An entry with
``"answerable": false`` is one that the graph can't answer: right is to decline it. These are counted apart.
"""

from __future__ import annotations

import json
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from benchmarks.evaluation.answer_rows import Cells, Question, Rows, compare, text
from kg.errors import BadInput

GRAPHS = ("graph.ttl", "graph.nt", "graph.rdf")
_ORDERED = re.compile(r"\b(order|ordered|sort|sorted|rank|ranked|ascending|descending)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reply:
    """What an engine said: rows of terms, or none with the reason why it declined."""

    rows: tuple[tuple[ox.NamedNode | ox.BlankNode | ox.Literal | None, ...], ...] | None
    sparql: str | None = None
    explanation: str = ""
    reason: str | None = None
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Scored:
    """A question, the reply and how right it is."""

    question: Question
    reply: Reply
    exact: bool
    f1: float
    ms: float


def load_graph(folder: Path) -> ox.Store:
    """The graph of a folder with its ontology, in the default graph. Raises BadInput."""
    store = ox.Store()
    found = [folder / name for name in GRAPHS if (folder / name).is_file()]
    if not found:
        raise BadInput(f"there is no graph in {folder}", f"it is called {', '.join(GRAPHS)}")
    for path in (*found[:1], folder / "ontology.ttl"):
        if path.is_file():
            try:
                store.bulk_load(path=str(path))
            except (SyntaxError, ValueError, OSError) as error:
                raise BadInput(
                    f"{path} can't be read: {error}", "give RDF in the format that its suffix names"
                ) from error
    return store


def load_questions(path: Path, store: ox.Store) -> list[Question]:
    """The questions of a file with their gold rows. Raises BadInput with the line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} can't be read: {error}", "name a file with one JSON object a line") from error
    cells, found = Cells(store), []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(_question(json.loads(line), store, cells))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise BadInput(
                    f"line {number} of {path} is no question: {error!r}", "see benchmarks.evaluation.nl2sparql"
                ) from error
    return found


def _question(entry: Mapping[str, Any], store: ox.Store, cells: Cells) -> Question:
    rows, sparql = entry.get("rows"), entry.get("sparql")
    gold: Rows | None = None
    if rows is not None:
        gold = cells.rows(rows)
    elif sparql:
        gold = gold_rows(store, sparql, cells)
    ordered = bool(sparql and "ORDER BY" in sparql.upper() and _ORDERED.search(entry["question"]))
    answerable = bool(entry.get("answerable", True))
    return Question(str(entry["id"]), str(entry["question"]), sparql, gold, ordered, answerable)


def gold_rows(store: ox.Store, sparql: str, cells: Cells) -> Rows | None:
    """The rows of a gold query; None where this store can't run it."""
    try:
        results = store.query(sparql, use_default_graph_as_union=True)
    except (SyntaxError, ValueError, OSError, RuntimeError):
        return None
    if isinstance(results, ox.QueryBoolean):
        return ((text(bool(results)),),)
    assert isinstance(results, ox.QuerySolutions)
    width = len(results.variables)
    return cells.rows([[row[i] for i in range(width)] for row in results])


def score(questions: Iterable[Question], answer: Callable[[str], Reply], cells: Cells) -> list[Scored]:
    """Every question that has gold, or that can't be answered, asked and scored."""
    scored = []
    for question in questions:
        if question.rows is None and question.answerable:
            continue
        started = time.perf_counter()
        reply = answer(question.text)
        took = (time.perf_counter() - started) * 1000
        if question.rows is None:
            exact, f1 = reply.rows is None, float(reply.rows is None)
        elif reply.rows is None:
            exact, f1 = False, 0.0
        else:
            exact, f1 = compare(question.rows, cells.rows(reply.rows), question.ordered)
        scored.append(Scored(question, reply, exact, f1, took))
    return scored


def figures(scored: Sequence[Scored], without_gold: int = 0) -> dict[str, float]:
    """Shares from 0 to 1 that sum a run up, and times in milliseconds."""
    unanswerable = [s for s in scored if not s.question.answerable]
    answerable = [s for s in scored if s.question.answerable]
    count = Counter(("exact" if s.exact else "declined" if s.reply.rows is None else "wrong") for s in answerable)
    total = len(answerable) or 1
    apart = (
        {
            "unanswerable": len(unanswerable),
            "unanswerable-declined": round(sum(s.exact for s in unanswerable) / len(unanswerable), 4),
        }
        if unanswerable
        else {}
    )
    times = sorted(s.ms for s in scored) or [0.0]
    return {
        "questions": len(answerable),
        "exact": round(count["exact"] / total, 4),
        "set-F1": round(sum(s.f1 for s in answerable) / total, 4),
        "declined": round(count["declined"] / total, 4),
        "wrong": round(count["wrong"] / total, 4),
        "no-gold": without_gold,
        **apart,
        "ms_p50": round(statistics.median(times), 1),
        "ms_p95": round(times[int(0.95 * (len(times) - 1))], 1),
    }


def readings(scored: Iterable[Scored]) -> str:
    """Both readings of every question, one JSON object a line."""
    lines = []
    for s in scored:
        line = {
            "id": s.question.id,
            "question": s.question.text,
            "exact": s.exact,
            "f1": round(s.f1, 3),
            "ms": round(s.ms),
            "gold_sparql": s.question.sparql,
            "gold": (s.question.rows or ())[:20],
            "sparql": s.reply.sparql,
            "explanation": s.reply.explanation,
            "reason": s.reply.reason,
            "confidence": s.reply.confidence,
            "rows": None if s.reply.rows is None else [[str(c) for c in row] for row in s.reply.rows[:20]],
        }
        lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    return "".join(lines)


def run(
    folder: Path,
    json_file: Path | None,
    replies_file: Path | None,
    say: Callable[[str], None],
    model: str = "",
) -> None:
    """Scores a folder and prints one line of names and values."""
    from kg.semantics.engine import SemanticParser

    store = load_graph(folder)
    questions = load_questions(folder / "questions.jsonl", store)
    parser = SemanticParser.over(store, model)
    cells = Cells(store)

    def answer(text: str) -> Reply:
        parse = parser.parse(text)
        return Reply(parse.rows, parse.sparql, parse.explanation, parse.reason, parse.confidence)

    scored = score(questions, answer, cells)
    result = figures(scored, len(questions) - len(scored))
    say(" ".join(f"{name} {value:g}" for name, value in result.items()))
    if replies_file is not None:
        replies_file.write_text(readings(scored), encoding="utf-8")
    if json_file is not None:
        json_file.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


__all__ = [
    "Cells",
    "Question",
    "Reply",
    "Scored",
    "asdict",
    "compare",
    "figures",
    "load_graph",
    "load_questions",
    "run",
    "score",
]
