"""How many questions are answered with a query of those that a fact of the graph could answer.

    python -m benchmarks.graph_answers SETS… [--kbs FOLDER] [--out FILE]

``SETS`` and ``--kbs`` as in :mod:`benchmarks.reading_sets`. A fact could answer a question when it is claimed in the
words that the question's author named as evidence, when its values (all of one thing's property in one passage) or the
thing itself are what the question wants, and when the rest of it has a word of the question. Yes or no, why and how
are left out: no value answers them. Prints for each set how many there are, the shares answered rightly, with a query,
and both. Last figures: precision.md.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.evaluation.questions import load_questions
from benchmarks.evaluation.scoring import is_right
from benchmarks.reading_sets import knowledge_base, sets
from kg.ask.engine import Asker
from kg.ask.facts import Fact, Facts
from kg.knowledge_base import KnowledgeBase
from kg.text.terms import bag

_NO_VALUE = frozenset(("boolean", "how-why", "unanswerable"))


@dataclass(frozen=True, slots=True)
class Answered:
    """A question that a fact could answer, and what became of it."""

    question: Mapping[str, Any]
    fact: str
    status: str
    answer: str
    right: bool
    query: bool


def evidence_spans(asker: Asker, question: Mapping[str, Any]) -> Iterator[tuple[str, int, int]]:
    """Where the question's evidence stands: passage, and start and end in the document's text."""
    for evidence in question["evidence"]:
        wanted = re.compile(r"\s+".join(map(re.escape, evidence.split())))
        for passage in asker.view.passages.values():
            for match in wanted.finditer(passage.text):
                yield passage.id, passage.start + match.start(), passage.start + match.end()


def could_answer(facts: Facts, question: Mapping[str, Any], told: Iterable[Fact]) -> str:
    """The first fact that holds the answer, in words; "" if none does."""
    groups: dict[tuple[str, str, str], list[Fact]] = defaultdict(list)
    for fact in told:
        groups[fact.passage, fact.subject, fact.predicate].append(fact)
    asked = bag(question["question"])
    for (_, subject, predicate), own in groups.items():
        name, relation = facts.label(subject), facts.label(predicate)
        values = list(dict.fromkeys(facts.label(f.object) if f.object is not None else f.stated for f in own))
        stated = list(dict.fromkeys(f.stated for f in own))
        for answer, rest in ((values, (name, relation)), (stated, (name, relation)), ([name], (relation, *values))):
            reply = {"status": "answered", "answer": "; ".join(answer), "answers": [{"label": a} for a in answer]}
            if is_right(question, reply) and asked & frozenset().union(*map(bag, rest)):
                return f"{name} | {relation} | {'; '.join(values)}"
    return ""


def answered(base: KnowledgeBase, questions: Iterable[Mapping[str, Any]]) -> Iterator[Answered]:
    """Those of some questions that a fact could answer, asked."""
    asker = base.asker
    assert asker.graph is not None
    facts = asker.graph.facts
    for question in questions:
        if question["type"] in _NO_VALUE:
            continue
        spans = list(evidence_spans(asker, question))
        told = {
            f.claim: f
            for passage, start, end in spans
            for f in facts.in_passage(passage)
            if f.start < end and start < f.end
        }
        if fact := could_answer(facts, question, told.values()):
            reply = asdict(base.ask(question["question"]))
            right = is_right(question, reply)
            yield Answered(question, fact, reply["status"], reply["answer"], right, bool(reply["sparql"]))


def line(name: str, found: list[Answered], of: int) -> str:
    """A row of the table."""
    total = len(found) or 1
    right, query = sum(a.right for a in found), sum(a.query for a in found)
    both = sum(a.right and a.query for a in found)
    shares = " | ".join(f"{n / total:6.3f}" for n in (right, query, both))
    return f"| {name:14} | {of:9} | {len(found):5} | {shares} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--kbs", type=Path, default=Path("build/reading-sets"))
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    print("| set            | questions | could | right  | query  | both   |")
    every: list[Answered] = []
    asked = 0
    for folder in sets(options.sets):
        questions = [q for q in load_questions(folder / "questions.jsonl") if q["type"] not in _NO_VALUE]
        with knowledge_base(options.kbs / folder.name, folder / "documents") as base:
            found = list(answered(base, questions))
        print(line(folder.name, found, len(questions)), flush=True)
        every, asked = every + found, asked + len(questions)
    print(line("all", every, asked))
    if options.out is not None:
        options.out.write_text("".join(json.dumps(asdict(a), ensure_ascii=False) + "\n" for a in every))


if __name__ == "__main__":
    main()
