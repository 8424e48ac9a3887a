"""PathQuestion (Zhou et al. 2018) as an nl2sparql folder: a graph of triples, questions of two or three hops.

Gold rows are the ends of the gold path walked in the graph.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

import pyoxigraph as ox

ENTITY, RELATION = "http://example.org/entity/", "http://example.org/relation/"
_LABEL = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
Edges = Mapping[tuple[str, str], set[str]]


def convert(source: Path, target: Path, hops: int, limit: int | None = None) -> int:
    """Writes the folder of the questions of so many hops (every n-th if ``limit`` are wanted); how many."""
    triples = [line.split("\t") for line in (source / f"{hops}H-kb.txt").read_text("utf-8").splitlines() if line]
    target.mkdir(parents=True, exist_ok=True)
    (target / "graph.nt").write_text(graph(triples), encoding="utf-8")
    edges: dict[tuple[str, str], set[str]] = defaultdict(set)
    for subject, relation, object_ in triples:
        edges[subject, relation].add(object_)
    lines = (source / f"PQ-{hops}H.txt").read_text("utf-8").splitlines()
    step = max(1, len(lines) // limit) if limit else 1
    written = [_line(f"{hops}h-{n}", line, edges) for n, line in enumerate(lines) if n % step == 0]
    (target / "questions.jsonl").write_text("".join(written), encoding="utf-8")
    return len(written)


def graph(triples: Sequence[Sequence[str]]) -> str:
    """The triples as N-Triples, everything labelled with its name."""
    lines = set()
    for subject, relation, object_ in triples:
        terms = [
            ox.NamedNode(ENTITY + quote(subject)),
            ox.NamedNode(RELATION + quote(relation)),
            ox.NamedNode(ENTITY + quote(object_)),
        ]
        lines.add(f"{terms[0]} {terms[1]} {terms[2]} .\n")
        for term, name in zip(terms, (subject, relation, object_), strict=True):
            lines.add(f"{term} {_LABEL} {ox.Literal(name.replace('_', ' '))} .\n")
    return "".join(sorted(lines))


def walked(path: str, edges: Edges) -> set[str]:
    """The ends of a path ``start#relation#…#relation#…#<end>#answer``."""
    parts = path.split("#<end>")[0].split("#")
    here = {parts[0]}
    for relation in parts[1::2]:
        here = {object_ for subject in here for object_ in edges.get((subject, relation), ())}
    return here


def _line(id_: str, line: str, edges: Edges) -> str:
    question, _, path = line.split("\t")
    rows = [[name.replace("_", " ")] for name in sorted(walked(path, edges))]
    return json.dumps({"id": id_, "question": question, "sparql": None, "rows": rows}) + "\n"
