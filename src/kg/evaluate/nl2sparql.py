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
from functools import cached_property
from itertools import permutations
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyoxigraph as ox

from kg.errors import BadInput
from kg.semantics.graph import Graph

GRAPHS = ("graph.ttl", "graph.nt", "graph.rdf")
_LABEL = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
_ORDERED = re.compile(r"\b(order|ordered|sort|sorted|rank|ranked|ascending|descending)\b", re.IGNORECASE)
_PLACES = 6  # significant digits that numbers are compared to
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold; ``rows`` are canonical cells, None where there is no gold."""

    id: str
    text: str
    sparql: str | None
    rows: Rows | None
    ordered: bool = False
    answerable: bool = True


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


class Cells:
    """Terms as text that can be compared: numbers rounded, things by their names, all in small letters."""

    def __init__(self, store: ox.Store) -> None:
        self._store = store
        self._cache: dict[str, str] = {}

    def cell(self, term: object) -> str:
        """One cell; None is empty."""
        if term is None:
            return ""
        if isinstance(term, ox.NamedNode | ox.BlankNode):
            key = str(term)
            if key not in self._cache:
                self._cache[key] = _text(self._name(term))
            return self._cache[key]
        return _text(term.value if isinstance(term, ox.Literal) else term)

    def rows(self, rows: Iterable[Sequence[object]]) -> Rows:
        """Rows of cells, in their order."""
        return tuple(tuple(self.cell(cell) for cell in row) for row in rows)

    @cached_property
    def _graph(self) -> Graph:
        """For names that are not rdfs:label."""
        return Graph(self._store.quads_for_pattern(None, None, None, None))

    def _name(self, term: ox.NamedNode | ox.BlankNode) -> str:
        labels = sorted(
            q.object.value
            for q in self._store.quads_for_pattern(term, _LABEL, None, None)
            if isinstance(q.object, ox.Literal)
        )
        if labels:
            return labels[0]
        id_ = self._graph.ids.get(term)
        if id_ is not None and id_ in self._graph.names:
            return self._graph.names[id_][0]
        return unquote(re.split(r"[/#]", term.value.rstrip("/#"))[-1]).replace("_", " ")


def _text(value: object) -> str:
    text = str(value).strip().casefold()
    if isinstance(value, bool):
        return text
    try:
        return f"{float(text):.{_PLACES}g}"
    except ValueError:
        return " ".join(text.replace("_", " ").split())


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
                    f"line {number} of {path} is no question: {error!r}", "see kg.evaluate.nl2sparql"
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
        return ((_text(bool(results)),),)
    assert isinstance(results, ox.QuerySolutions)
    width = len(results.variables)
    return cells.rows([[row[i] for i in range(width)] for row in results])


def compare(gold: Rows, rows: Rows, ordered: bool = False) -> tuple[bool, float]:
    """Whether two tables hold the same rows in any order of columns, and F1 of their sets of rows.

    Columns that hold the same cells twice over count once; empty tables are equal.
    """
    gold, rows = _distinct_columns(gold), _distinct_columns(rows)
    if not gold or not rows:
        return (not gold and not rows), float(not gold and not rows)
    best = 0.0
    for order in _matchings(gold, rows):
        placed = tuple(tuple(row[i] for i in order) for row in rows)
        same = len(gold[0]) == len(rows[0])
        if same and (placed == gold if ordered else set(placed) == set(gold)):
            return True, 1.0
        best = max(best, _f1(set(gold), set(placed)))
    return False, best


def _f1(gold: set[tuple[str, ...]], found: set[tuple[str, ...]]) -> float:
    return 2 * len(gold & found) / (len(gold) + len(found))


def _distinct_columns(rows: Rows) -> Rows:
    if not rows:
        return rows
    columns = list(dict.fromkeys(zip(*rows, strict=True)))
    return tuple(zip(*columns, strict=True))


def _matchings(gold: Rows, rows: Rows) -> Iterable[tuple[int, ...]]:
    """Ways to place the found columns under the gold ones, those with the same cells; else in their order."""
    width = len(gold[0])
    if len(rows[0]) < width:
        return ()
    wanted = [set(column) for column in zip(*gold, strict=True)]
    given = [set(column) for column in zip(*rows, strict=True)]
    fitting = [[j for j, has in enumerate(given) if wants == has] for wants in wanted]
    if all(fitting) and width <= 12:
        ways = _choices(fitting)
        if ways:
            return ways
    if len(given) <= 5:
        return permutations(range(len(given)), width)
    return (tuple(range(width)),)


def _choices(fitting: Sequence[Sequence[int]], most: int = 720) -> list[tuple[int, ...]]:
    ways: list[tuple[int, ...]] = [()]
    for options in fitting:
        ways = [(*way, j) for way in ways for j in options if j not in way][:most]
    return ways


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
    train: Path | None = None,
    model: str = "",
) -> None:
    """Scores a folder and prints one line of names and values. ``train``: questions to learn weights from first."""
    from kg.semantics.engine import SemanticParser

    store = load_graph(folder)
    questions = load_questions(folder / "questions.jsonl", store)
    parser = SemanticParser.over(store, model)
    if train is not None:
        from kg.semantics.learn import trained

        parser = trained(parser, load_questions(train, store), Cells(store))
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
