"""``kg evaluate text2kgbench``: facts of sentences by ontologies, by the published metric and without its loophole.

A folder holds ``ontologies/*.json``, ``train/``, ``test/`` and ``ground_truth/`` with a JSONL file an ontology each.
``published`` is the benchmark's own scorer (Mihindukulasooriya et al. 2023): triples whose relation is not among that
sentence's gold relations are dropped first; precision, recall and F1 are taken a sentence and averaged, a sentence with
nothing said counting 0. ``strict`` drops nothing. Figures are averages over ontologies.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.evaluation.relations.aliases import places
from benchmarks.evaluation.relations.align import aligned, key
from benchmarks.evaluation.relations.canonical import Stated, aliases_in
from kg.errors import BadInput
from kg.relations.encoding import Example, Marked, Relation, Words

Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """A test sentence with its gold triples (subject, relation, object)."""

    id: str
    text: str
    gold: tuple[Triple, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """One ontology: its relations, training rows and test sentences."""

    id: str
    relations: tuple[Relation, ...]
    train: tuple[Stated, ...]
    cases: tuple[Case, ...]

    def keyed(self, label: str) -> str:
        """The key of a relation's label, empty if the ontology hasn't it."""
        wanted = key(label)
        return next((relation.key for relation in self.relations if key(relation.label) == wanted), "")


def load(folder: Path, train: str = "train") -> list[Task]:
    """The ontologies of a folder with their sentences, by file name. Raises BadInput."""
    files = sorted((folder / "ontologies").glob("*.json"), key=lambda path: (len(path.name), path.name))
    if not files:
        raise BadInput(f"{folder} has no ontologies/*.json", "name a folder as Text2KGBench lays it out")
    return [_task(folder, path, train) for path in files]


def _task(folder: Path, path: Path, train: str) -> Task:
    try:
        given = json.loads(path.read_text("utf-8"))
        name = str(given["id"])
        concepts = {str(one["qid"]): str(one["label"]) for one in given["concepts"]}
        relations = _relations(name, given["relations"], concepts)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path} is no ontology of Text2KGBench", "see benchmarks.evaluation.text2kgbench") from error
    rows = _lines(folder / train, name)
    stated = tuple(Stated(row["sent"], row["rel_label"], row["sub_label"], row["obj_label"]) for row in rows)
    truth = [
        Case(row["id"], row["sent"], tuple((t["sub"], t["rel"], t["obj"]) for t in row["triples"]))
        for row in _lines(folder / "ground_truth", name)
    ]
    return Task(name, relations, stated, tuple(truth))


def _relations(name: str, given: Sequence[Mapping[str, str]], concepts: Mapping[str, str]) -> tuple[Relation, ...]:
    """Relations, those of the same label taken for one with all their types."""
    types: dict[str, tuple[list[str], list[str]]] = {}
    for one in given:
        sides = types.setdefault(one["label"].strip(), ([], []))
        for side, label in zip(sides, (one.get("domain", ""), one.get("range", "")), strict=True):
            said = concepts.get(label, "" if re.fullmatch(r"Q\d+", label) else label)
            side += [said] if said and said not in side else []
    return tuple(
        Relation(f"{name}/{label}", label, "", " or ".join(domain), " or ".join(range_))
        for label, (domain, range_) in types.items()
    )


def declared(task: Task) -> Task:
    """The task with the relations that its training rows state though the ontology doesn't list them, untyped."""
    listed = {key(relation.label) for relation in task.relations}
    unlisted = {key(one.relation): one.relation.strip() for one in task.train if key(one.relation) not in listed}
    found = tuple(Relation(f"{task.id}/{label}", label) for label in sorted(unlisted.values()))
    return replace(task, relations=task.relations + found)


def _lines(folder: Path, name: str) -> list[dict[str, Any]]:
    """Rows of the folder's file of an ontology; none where the folder isn't there."""
    found = sorted(folder.glob(f"{name}_*.jsonl"))
    if not found:
        return []
    try:
        return [json.loads(line) for line in found[0].read_text("utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise BadInput(f"{found[0]} isn't JSON, one object a line", "see benchmarks.evaluation.text2kgbench") from error


def examples(task: Task, stated: Iterable[Stated]) -> list[Example]:
    """Training sentences with the places where their facts' labels are said; a fact whose object isn't is left out."""
    stated = list(stated)
    aliases = aliases_in(stated)
    rows: dict[str, list[Stated]] = {}
    for one in stated:
        rows.setdefault(one.text, []).append(one)
    asked = tuple(relation.key for relation in task.relations)
    made = []
    for text, facts in rows.items():
        words = Words.of(text)
        marked = []
        for fact in facts:
            relation, objects = task.keyed(fact.relation), places(words, fact.relation, fact.object, aliases)
            if relation and objects:
                marked.append(Marked(relation, aligned(words, fact.subject), objects))
        if marked:
            made.append(Example(text, tuple(marked), asked, exhaustive=False))  # one fact of several is given
    return made


# --- scores ------------------------------------------------------------------------------------


def scored(gold: Iterable[Triple], said: Iterable[Triple], published: bool) -> tuple[float, float, float]:
    """Precision, recall and F1 of one sentence; ``published`` first drops relations that gold hasn't."""
    wanted = {tuple(map(key, triple)) for triple in gold}
    given = {tuple(map(key, triple)) for triple in said}
    if published:
        relations = {triple[1] for triple in wanted}
        given = {triple for triple in given if triple[1] in relations}
    hits = len(wanted & given)
    precision = hits / len(given) if given else 0.0
    recall = hits / len(wanted) if wanted and given else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0


def averaged(rows: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    """The mean of each column."""
    count = max(1, len(rows))
    return sum(r[0] for r in rows) / count, sum(r[1] for r in rows) / count, sum(r[2] for r in rows) / count


def judged(
    cases: Sequence[Case], say: Callable[[str], Sequence[Triple]]
) -> tuple[dict[str, tuple[float, float, float]], list[Sequence[Triple]]]:
    """Both metrics over an ontology's sentences, and what was said of each."""
    said = [say(case.text) for case in cases]
    both = {
        name: averaged([scored(case.gold, one, name == "published") for case, one in zip(cases, said, strict=True)])
        for name in ("published", "strict")
    }
    return both, said
