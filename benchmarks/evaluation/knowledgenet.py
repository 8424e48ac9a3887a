"""``kg evaluate knowledgenet``: facts of web passages, by the benchmark's text metric.

A fact counts as found when a fact of the same property overlaps it in subject and object (each gold fact once); only
properties for which a passage was read exhaustively count. Micro precision, recall and F1 (Mesquita et al. 2019).
"""

from __future__ import annotations

import json
import re
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.errors import BadInput
from kg.relations.encoding import Example, Marked, Relation, Scored, Span
from kg.relations.examples import fit, opened
from kg.relations.scoring import Choice, Model

Passage = tuple[Sequence[Marked], Sequence[Scored], Sequence[str]]  # gold facts, said facts, properties read for

KNOWLEDGENET: tuple[Relation, ...] = tuple(
    Relation(*row)
    for row in (
        ("DATE_OF_BIRTH", "date of birth", "when a person was born", "person", "date"),
        ("DATE_OF_DEATH", "date of death", "when a person died", "person", "date"),
        ("PLACE_OF_BIRTH", "place of birth", "where a person was born", "person", "place"),
        ("PLACE_OF_RESIDENCE", "place of residence", "where a person lives or lived", "person", "place"),
        ("NATIONALITY", "nationality", "country whose citizen a person is", "person", "nationality"),
        ("SPOUSE", "spouse", "whom a person is or was married to", "person", "person"),
        ("CHILD_OF", "child of", "father or mother of a person", "person", "person"),
        ("EDUCATED_AT", "educated at", "school or university that a person attended", "person", "school"),
        (
            "EMPLOYEE_OR_MEMBER_OF", "employee or member of",
            "organisation that a person works for or belongs to", "person", "organisation",
        ),
        ("POLITICAL_AFFILIATION", "political affiliation", "party that a person belongs to", "person", "party"),
        ("CEO", "chief executive officer", "person who runs a company as its CEO", "organisation", "person"),
        ("FOUNDED_BY", "founded by", "who founded an organisation", "organisation", "person"),
        ("DATE_FOUNDED", "date founded", "when an organisation was founded", "organisation", "date"),
        ("HEADQUARTERS", "headquarters", "place where an organisation is based", "organisation", "place"),
        ("SUBSIDIARY_OF", "subsidiary of", "organisation that owns another", "organisation", "organisation"),
    )
)  # fmt: skip


def examples(rows: Iterable[Mapping[str, Any]]) -> list[Example]:
    """Passages of KnowledgeNet; each was read for the properties that it names."""
    made = []
    for row in rows:
        start = int(row["passageStart"])
        facts = tuple(
            Marked(
                str(fact["property"]),
                ((fact["subjectStart"] - start, fact["subjectEnd"] - start),),
                ((fact["objectStart"] - start, fact["objectEnd"] - start),),
            )
            for fact in row["facts"]
        )
        made.append(Example(str(row["passageText"]), facts, tuple(sorted(row["properties"]))))
    return made


@dataclass(frozen=True, slots=True)
class Found:
    """Hits, and facts said and wanted, by property."""

    hits: Counter[str]
    said: Counter[str]
    wanted: Counter[str]

    def figures(self, property_: str = "") -> tuple[float, float, float]:
        """Precision, recall and F1 of a property, or of all."""
        hits, said, wanted = (
            (c[property_] if property_ else sum(c.values())) for c in (self.hits, self.said, self.wanted)
        )
        precision, recall = hits / said if said else 0.0, hits / wanted if wanted else 0.0
        return precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0


def load(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The passages of files, one JSON object a line. Raises BadInput."""
    rows: list[dict[str, Any]] = []
    for path in paths:
        try:
            rows += [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
            _ = [(row["fold"], row["passageText"], row["properties"], row["facts"]) for row in rows]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadInput(
                f"{path} isn't a file of KnowledgeNet passages", "see benchmarks.evaluation.knowledgenet"
            ) from error
    return rows


def in_folds(rows: Sequence[Mapping[str, Any]], folds: Iterable[int]) -> list[Mapping[str, Any]]:
    """The passages of folds."""
    wanted = set(folds)
    return [row for row in rows if int(row["fold"]) in wanted]


def compare(pairs: Iterable[Passage]) -> Found:
    """Gold and said facts of passages with the properties that each was read for."""
    hits: Counter[str] = Counter()
    said: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    for gold, found, asked in pairs:
        free = [fact for fact in gold if fact.relation in asked]
        wanted.update(fact.relation for fact in free)
        for one in found:
            if one.relation not in asked:
                continue
            said[one.relation] += 1
            match = next((fact for fact in free if _same(fact, one)), None)
            if match is not None:
                free.remove(match)
                hits[one.relation] += 1
    return Found(hits, said, wanted)


def _same(gold: Marked, one: Scored) -> bool:
    return gold.relation == one.relation and _over(gold.subjects[0], one.subject) and _over(gold.objects[0], one.object)


def _over(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def best_threshold(
    scored: Sequence[Passage],
    measure: Callable[[Found], float] = lambda found: found.figures()[2],
) -> float:
    """The log-odds above which facts are best said, by a measure on development passages."""
    steps = [step / 4 for step in range(-24, 17)]

    def worth(step: float) -> float:
        return measure(compare((gold, [f for f in found if f.score >= step], asked) for gold, found, asked in scored))

    return max(steps, key=lambda step: (worth(step), -abs(step)))


# --- runs --------------------------------------------------------------------------------------


def read(model: Model, rows: Sequence[Mapping[str, Any]], relations: Sequence[Relation]) -> tuple[list[Passage], float]:
    """Gold, all candidates above a low floor, and properties of passages; milliseconds of processor time a passage."""
    known = model.know(relations)
    floor = Choice(threshold=-6.0, one_subject=False, margin=99.0)
    read_for = examples(rows)
    begun = time.process_time()
    found: list[Passage] = [
        (example.facts, model.read(example.text, known, floor), example.asked) for example in read_for
    ]
    return found, 1000 * (time.process_time() - begun) / max(1, len(rows))


def split(rows: Sequence[Mapping[str, Any]], share: int = 8) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """Training passages, and development passages of other documents without a subject in common."""
    held = [row for row in rows if zlib.crc32(str(row["documentId"]).encode()) % share == 0]
    names = {
        fact["subjectText"] for row in held for fact in row["facts"] if re.match(r"[A-Z]\w{3}", fact["subjectText"])
    }
    held_ids = {row["passageId"] for row in held}
    kept = [
        row
        for row in rows
        if row["passageId"] not in held_ids and not names & {fact["subjectText"] for fact in row["facts"]}
    ]
    return kept, held


def run(
    files: Sequence[Path],
    train_folds: Sequence[int],
    test_folds: Sequence[int],
    start: Path | None,
    keep: Path | None,
    epochs: int,
    seed: int,
    figures: Path | None,
    say: Callable[[str], None],
) -> dict[str, float]:
    """Trains on folds and measures on others; without folds to train on, the model in ``start`` as it is."""
    rows = load(files)
    with tempfile.TemporaryDirectory() as scratch:
        if train_folds:
            kept, held = split(in_folds(rows, train_folds))
            model = fit(
                examples(kept), KNOWLEDGENET, keep or Path(scratch), epochs, seed, start, say,
                trained_on=("knowledgenet",),
            )  # fmt: skip
            threshold = best_threshold(read(model, held, KNOWLEDGENET)[0])
        elif start is not None:
            model = opened(start)
            threshold = model.about.thresholds.get("0.9", 0.0)
        else:
            raise BadInput("there is no model to measure", "name one with --model, or --train-folds")
        pairs, took = read(model, in_folds(rows, test_folds), KNOWLEDGENET)
    result = _summary(pairs, threshold, say) | {"ms_per_passage": took, "threshold": threshold, "seed": float(seed)}
    if figures is not None:
        figures.write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    say(" ".join(f"{name} {value:.4g}" for name, value in result.items()))
    return result


def _summary(
    pairs: Sequence[Passage],
    threshold: float,
    say: Callable[[str], None],
) -> dict[str, float]:
    spoken = [(gold, [f for f in found if f.score >= threshold], asked) for gold, found, asked in pairs]
    found = compare(spoken)
    for name in sorted(found.wanted):
        say(f"{name:24} " + " ".join(f"{value:.3f}" for value in found.figures(name)) + f"  of {found.wanted[name]}")
    say("threshold  precision  recall")
    for step in range(-4, 9, 1):
        at = compare((gold, [f for f in said if f.score >= step / 2], asked) for gold, said, asked in pairs)
        say(f"{step / 2:9.1f}  {at.figures()[0]:9.3f}  {at.figures()[1]:6.3f}")
    return dict(zip(("p", "r", "f1"), found.figures(), strict=True))
