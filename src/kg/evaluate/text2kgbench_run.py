"""Runs of Text2KGBench: trained on its sentences, on a few of them, or on none; what was learned, chosen and measured.

The threshold is chosen on development sentences whose subjects and objects (dates apart) are nowhere in the training
sentences: those of ``validation/`` where the folder has it, else a tenth of ``train/`` that is then not trained on.
"""

from __future__ import annotations

import json
import random
import re
import statistics
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kg.errors import BadInput
from kg.evaluate.text2kgbench import Case, Task, Triple, averaged, examples, load, scored
from kg.relations.align import key
from kg.relations.canonical import Canonicaliser, Stated, learn
from kg.relations.cues import cues_of, raised
from kg.relations.decode import Choice, decode
from kg.relations.fit import fit, opened
from kg.relations.inference import Scores
from kg.relations.reader import Model

METRICS = ("published", "strict")
_DATE = re.compile(r"\d{2} [A-Z][a-z]+ \d{3,4}")
_DEVELOPED = 80  # development sentences an ontology
_FEW_EPOCHS = 12
_BONUS = {"trained": 1.5, "few-shot": 3.0, "zero-shot": 3.0}  # of the lexicon's cues, in log-odds
# Where there is nothing to choose a threshold on: relations that weren't trained on score low, and most test sentences
# state something. Silence wins for strict precision.
_UNTUNED = Choice(threshold=-6.0, margin=1.5, least=-9.0)


@dataclass(frozen=True, slots=True)
class Options:
    """What to run. ``mode``: trained, few-shot or zero-shot (which needs ``model``; the others start from it)."""

    mode: str = "trained"
    model: Path | None = None
    keep: Path | None = None
    shots: int = 10
    epochs: int = 6
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Read:
    """An ontology's sentences as scored by a model, and how its labels are written."""

    task: Task
    labels: Canonicaliser
    cases: tuple[Case, ...]
    scores: tuple[Scores | None, ...]
    milliseconds: float

    def said(self, choice: Choice) -> list[list[Triple]]:
        """The triples of each sentence."""
        names = {relation.key: relation.label for relation in self.task.relations}
        found = []
        for case, scores in zip(self.cases, self.scores, strict=True):
            facts = decode(scores, self.task.relations, choice) if scores is not None else []
            found.append(
                [
                    (
                        self.labels.label(case.text, fact.subject, names[fact.relation], "subject"),
                        names[fact.relation],
                        self.labels.label(case.text, fact.object, names[fact.relation], "object"),
                    )
                    for fact in facts
                ]
            )
        return found


def read(model: Model, task: Task, cases: Iterable[Case], labels: Canonicaliser, bonus: float = 0.0) -> Read:
    """Scores an ontology's sentences, cues of the lexicon counting ``bonus``; processor time a sentence."""
    cases = tuple(cases)
    known = model.know(task.relations)
    cues = [cues_of(relation) for relation in task.relations]
    begun = time.process_time()
    plain = (model.scores(case.text, known) for case in cases)
    scores = tuple(raised(one, cues, bonus) if one is not None and bonus else one for one in plain)
    took = 1000 * (time.process_time() - begun) / max(1, len(cases))
    return Read(task, labels, cases, scores, took)


def measured(reads: Sequence[Read], choice: Choice) -> dict[str, tuple[float, float, float]]:
    """Both metrics, averaged over ontologies."""
    table: dict[str, list[tuple[float, float, float]]] = {name: [] for name in METRICS}
    for one in reads:
        said = one.said(choice)
        for name in METRICS:
            rows = [scored(c.gold, s, name == "published") for c, s in zip(one.cases, said, strict=True)]
            table[name].append(averaged(rows))
    return {name: averaged(rows) for name, rows in table.items()}


def chosen(reads: Sequence[Read]) -> Choice:
    """The choice that does best on development sentences, both metrics counting alike."""
    options = [
        Choice(threshold=step / 2, margin=margin, least=-9.0) for step in range(-12, 3) for margin in (0.5, 1.0, 2.0)
    ]

    def worth(choice: Choice) -> float:
        return sum(figures[2] for figures in measured(reads, choice).values())

    return max(options, key=lambda choice: (worth(choice), choice.threshold))


def split(task: Task, extra: Sequence[Stated], seed: int) -> tuple[list[Stated], list[Case]]:
    """Training rows, and development cases that share no entity with them."""
    rows = list(task.train)
    if extra:
        candidates, kept = list(extra), rows
    else:
        subjects = {one.subject for one in rows if zlib.crc32(f"{seed}{one.subject}".encode()) % 10 == 0}
        candidates = [one for one in rows if one.subject in subjects]
        objects = {one.object for one in candidates if not _DATE.fullmatch(one.object)}
        common = {o for o in objects if sum(one.object == o for one in rows) > 3}
        objects -= common
        kept = [one for one in rows if one.subject not in subjects and one.object not in objects]
    seen = {key(name) for one in kept for name in (one.subject, one.object) if not _DATE.fullmatch(name)}
    grouped: dict[str, list[Triple]] = {}
    for one in candidates:
        if not {key(one.subject), key(one.object)} & seen and task.keyed(one.relation):
            grouped.setdefault(one.text, []).append((one.subject, one.relation, one.object))
    cases = [Case(str(at), text, tuple(gold)) for at, (text, gold) in enumerate(grouped.items())]
    return kept, cases[:_DEVELOPED]


def prepare(folder: Path, options: Options, tell: Callable[[str], None]) -> tuple[Model, list[Task], Choice]:
    """The model for a mode, tasks with the rows that it was given, and the choice made on development sentences."""
    tasks = load(folder)
    extra = {task.id: task.train for task in load(folder, "validation")}
    splits = [split(task, extra[task.id], options.seed) for task in tasks]
    if options.mode == "trained":
        given = [replace(task, train=tuple(rows)) for task, (rows, _) in zip(tasks, splits, strict=True)]
    elif options.mode == "few-shot":
        given = [replace(task, train=tuple(few(task, options.shots, options.seed))) for task in tasks]
    else:
        given = [replace(task, train=()) for task in tasks]
    model = _model(given, options, tell)
    if options.mode != "trained":
        return model, given, _UNTUNED
    bonus = _BONUS[options.mode]
    reads = [read(model, task, dev, learn(task.train), bonus) for task, (_, dev) in zip(given, splits, strict=True)]
    return model, given, chosen(reads)


def few(task: Task, shots: int, seed: int) -> list[Stated]:
    """Rows for few-shot runs: as even over relations as can be, chosen by the seed among rows that say their labels."""
    order = list(task.train)
    random.Random(f"{seed}{task.id}").shuffle(order)
    by_relation: dict[str, list[Stated]] = {}
    for one in order:
        if examples(task, [one]) and examples(task, [one])[0].facts[0].subjects:
            by_relation.setdefault(one.relation, []).append(one)
    picked: list[Stated] = []
    while len(picked) < shots and any(by_relation.values()):
        for relation in sorted(by_relation):
            if by_relation[relation] and len(picked) < shots:
                picked.append(by_relation[relation].pop())
    return picked


def _model(given: Sequence[Task], options: Options, tell: Callable[[str], None]) -> Model:
    if options.mode == "zero-shot" or (options.mode == "few-shot" and options.shots == 0):
        if options.model is None:
            raise BadInput("zero-shot needs a model", "name one with --model")
        return opened(options.model)
    relations = [relation for task in given for relation in task.relations]
    marked = [example for task in given for example in examples(task, task.train)]
    if not marked:
        raise BadInput("there is nothing to train on", "name a folder with train/")
    epochs = options.epochs if options.mode == "trained" else _FEW_EPOCHS
    with tempfile.TemporaryDirectory() as scratch:
        target = options.keep or Path(scratch)
        return fit(marked, relations, target, epochs, options.seed, options.model, tell, trained_on=("text2kgbench",))


def run(
    folder: Path,
    options: Options,
    figures: Path | None,
    errors: Path | None,
    say: Callable[[str], None],
) -> dict[str, float]:
    """Trains as the mode asks, reads the test sentences and says the figures. Raises BadInput, ModelUnavailable."""
    model, tasks, choice = prepare(folder, options, say)
    reads = [read(model, task, task.cases, learn(task.train), _BONUS[options.mode]) for task in tasks]
    result: dict[str, float] = {}
    for one in reads:
        both = measured([one], choice)
        say(f"{one.task.id:16} published {_row(both['published'])}   strict {_row(both['strict'])}")
        result |= {f"{name}_f1_{one.task.id}": both[name][2] for name in METRICS}
    for name, row in measured(reads, choice).items():
        result |= {f"{name}_{part}": value for part, value in zip(("p", "r", "f1"), row, strict=True)}
    result["ms_per_sentence"] = statistics.median(one.milliseconds for one in reads)
    result["threshold"], result["seed"] = choice.threshold, float(options.seed)
    if errors is not None:
        _write_errors(errors, reads, choice)
    if figures is not None:
        figures.write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    head = [name for name in result if not re.search(r"_f1_\w", name)]
    say(" ".join(f"{name} {result[name]:.4g}" for name in head))
    return result


def _row(figures: tuple[float, float, float]) -> str:
    return " ".join(f"{value:.3f}" for value in figures)


def _write_errors(path: Path, reads: Sequence[Read], choice: Choice) -> None:
    """Sentences that aren't wholly right: what was said and what is gold, one JSON object a line."""
    lines = []
    for one in reads:
        for case, said in zip(one.cases, one.said(choice), strict=True):
            if scored(case.gold, said, False)[2] < 1:
                lines.append(
                    json.dumps({"id": case.id, "text": case.text, "gold": case.gold, "said": said}, ensure_ascii=False)
                )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
