"""Fits, and measures, which property a question seeks (``kg.ask.sought``) on questions about invented things.

    python benchmarks/property_questions.py

Builds a knowledge base of the things in property_questions.txt, measures every property of the thing that a question
is about, and fits the weights of the logistic regression. Printed: the weights; and with the domain of each question
held out, how often the property sought is the likeliest, and at thresholds how many are answered rightly, answered
wrongly, and declined when the property sought is taken away.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kg.ask.engine import Asker
from kg.ask.facts import Fact
from kg.ask.graph import Graph
from kg.ask.sought import Measured, Seeker
from kg.ask.view import view
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

DATA = Path(__file__).with_suffix(".txt")


@dataclass(frozen=True)
class Asked:
    """A question about a thing of a domain, and the property that it seeks."""

    domain: str
    thing: str
    text: str
    property: str
    value: str


def read(path: Path) -> tuple[dict[str, str], list[Asked]]:
    """The documents by name, a fact box for each thing, and the questions."""
    boxes: dict[tuple[str, str], list[str]] = {}
    asked: list[Asked] = []
    domain, names = "", []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            domain, listed = line[2:].split(": ", 1)
            names = listed.split(", ")
        elif "|" in line and not line.startswith("#"):
            label, values, questions = (part.strip() for part in line.split("|"))
            for name, value in zip(names, values.split("; "), strict=True):
                boxes.setdefault((domain, name), []).append(f"- **{label.capitalize()}**: {value}")
                told = (f"What is the {label} of {name}?", *(q.format(name) for q in questions.split("; ")))
                asked += [Asked(domain, name, q, label, value) for q in told]
    documents = {
        f"{domain}-{i}.md": f"# The {domain}s\n\n## {name}\n\n" + "\n".join(lines) + "\n"
        for i, ((domain, name), lines) in enumerate(boxes.items())
    }
    return documents, asked


@dataclass(frozen=True)
class Case:
    """A question with what speaks for each property of its thing, and whether that is the one sought.

    ``without``: the same where the one sought is taken away.
    """

    asked: Asked
    properties: tuple[tuple[str, bool, Measured], ...]
    without: tuple[Measured, ...]


def measure(asker: Asker, asked: list[Asked]) -> Iterator[Case]:
    """The questions whose thing and property are in the graph."""
    assert asker.graph is not None
    graph = asker.graph.graph
    seeker = Seeker(graph)
    for one in asked:
        asking = asker.asking(one.text)
        linked = next((x for x in graph.links(asking.question) if x.text.startswith(one.thing.split()[0])), None)
        if linked is None:
            continue
        thing, spans = linked.things[0], [(linked.start, linked.end)]
        facts = by_property(graph, thing)
        found = seeker.ranked(asking, thing, facts, spans)
        right = {f.predicate for f in graph.facts.of_subject(thing) if f.stated and f.stated in one.value}
        if right:
            rest = {p: own for p, own in facts.items() if p not in right}
            without = tuple(s.measured for s in seeker.ranked(asking, thing, rest, spans))
            rows = tuple((graph.facts.label(s.predicate), s.predicate in right, s.measured) for s in found)
            yield Case(one, rows, without)


def by_property(graph: Graph, thing: str) -> dict[str, tuple[Fact, ...]]:
    """The facts of a thing by property."""
    facts = graph.facts.of_subject(thing)
    return {p: tuple(f for f in facts if f.predicate == p) for p in sorted({f.predicate for f in facts})}


def fit(rows: list[tuple[Measured, bool]], steps: int = 4000, rate: float = 0.5) -> np.ndarray:
    """Weights and constant of a logistic regression, by gradient descent with a little shrinkage."""
    x = np.array([[*m.values, 1.0] for m, _ in rows])
    y = np.array([float(right) for _, right in rows])
    w = np.zeros(x.shape[1])
    weight = np.where(y > 0, (1 - y).sum() / max(y.sum(), 1) / 2, 1.0)
    for _ in range(steps):
        p = 1 / (1 + np.exp(-x @ w))
        grad = x.T @ ((p - y) * weight) / weight.sum() + 0.0005 * np.array([*w[:-1], 0])
        w -= rate * grad
    return w


def chance(w: np.ndarray, m: Measured) -> float:
    """Probability by weights that are being fitted."""
    return float(1 / (1 + np.exp(-np.array([*m.values, 1.0]) @ w)))


def rows(cases: Iterable[Case]) -> list[tuple[Measured, bool]]:
    """Every property of every question, with the one sought and, again, without it."""
    return [
        row for c in cases for row in (*((m, right) for _, right, m in c.properties), *((m, False) for m in c.without))
    ]


def report(cases: list[Case]) -> None:
    """Prints what is found with the domain of each question held out."""
    held: list[tuple[Case, list[tuple[float, bool, str]], float]] = []
    for domain in sorted({c.asked.domain for c in cases}):
        weights = fit(rows(c for c in cases if c.asked.domain != domain))
        for case in (c for c in cases if c.asked.domain == domain):
            ranked = sorted(((chance(weights, m), right, label) for label, right, m in case.properties), reverse=True)
            held.append((case, ranked, max((chance(weights, m) for m in case.without), default=0.0)))
    for name, named in (("by name", True), ("in other words", False)):
        part = [(ranked, without) for case, ranked, without in held if _by_name(case) == named]
        first = [ranked[0] for ranked, _ in part if ranked]
        print(f"{name}: the property sought is the likeliest for {sum(right for _, right, _ in first)} of {len(part)}")
        for least in (0.5, 0.6, 0.7, 0.75, 0.8, 0.9):
            right = sum(p >= least and right for p, right, _ in first)
            wrong = sum(p >= least and not right for p, right, _ in first)
            declined = sum(without < least for _, without in part)
            print(f"  at {least}: right {right}, wrong {wrong}; without the property sought declined {declined}")
    print("weights and constant", [round(float(x), 2) for x in fit(rows(cases))])


def _by_name(case: Case) -> bool:
    return case.asked.text == f"What is the {case.asked.property} of {case.asked.thing}?"


def main() -> None:
    """Builds, measures, fits, prints."""
    documents, asked = read(DATA)
    with tempfile.TemporaryDirectory() as folder:
        docs = Path(folder) / "docs"
        docs.mkdir()
        for name, text in documents.items():
            (docs / name).write_text(text, encoding="utf-8")
        with KnowledgeBase.create(Path(folder) / "kb", Settings(build={"ontology": ()})) as knowledge_base:
            knowledge_base.add([docs])
            report(list(measure(Asker(view(knowledge_base.snapshot)), asked)))


if __name__ == "__main__":
    main()
