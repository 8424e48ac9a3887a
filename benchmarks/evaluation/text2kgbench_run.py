"""Runs of Text2KGBench: trained on its sentences, on a few of them, or on none; what was learned, chosen and measured.

The decision rule is chosen on development sentences whose subjects and objects (dates apart) are nowhere in the
training sentences: some of ``validation/`` where the folder has it, else a tenth of ``train/`` that is then not trained
on. Sentences of ``validation/`` that share no entity with those can be trained on as well.
"""

from __future__ import annotations

import json
import random
import re
import statistics
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.evaluation.relations.align import key
from benchmarks.evaluation.relations.bootstrap import bootstrapped
from benchmarks.evaluation.relations.canonical import Canonicaliser, Stated, learn
from benchmarks.evaluation.relations.crossfit import completed
from benchmarks.evaluation.relations.cues import cues_of, raised
from benchmarks.evaluation.relations.priors import Priors, Weights, wants_dates
from benchmarks.evaluation.relations.reading import liked_scores
from benchmarks.evaluation.relations.verifying import verified
from benchmarks.evaluation.relations.wholeness import liked_whole
from benchmarks.evaluation.text2kgbench import Case, Task, Triple, averaged, declared, examples, load, scored
from kg.errors import BadInput
from kg.indexes.embedding import OnnxEncoder
from kg.reading import Verifier
from kg.relations.examples import fit, opened
from kg.relations.files import describe
from kg.relations.scoring import Choice, Model, Scores, decode

METRICS = ("published", "strict")
_DATE = re.compile(r"\d{2} [A-Z][a-z]+ \d{3,4}")
_DEVELOPED = 80  # development sentences an ontology
_FEW_EPOCHS = 12
_BONUS = {"trained": 1.5, "few-shot": 3.0, "zero-shot": 3.0}  # of the lexicon's cues, in log-odds
# What is known of any relation counts so much beside the scores of a model.
_KNOWN = {
    # training tells the rest better
    "trained": Weights(0.5, 0.5, topic=0.0, date=0.0, object=0.0, subject=0.0, qualifier=0.0),
    "few-shot": Weights(object=10.0, qualifier=0.0),  # as chosen with prototypes of examples' objects
    "zero-shot": Weights(),
}
# Where there is nothing to choose on: relations that weren't trained on score low, and most test sentences state
# something, so that a fact is told by how near it comes to the sentence's best (set on 800 training sentences).
_UNTUNED = Choice(threshold=-9.0, margin=1.5, least=-9.0, behind=1.5)
# The published scorer takes no fact of a relation that the sentence isn't marked with for wrong.
_FORGIVEN = Choice(threshold=-6.0, margin=1.5, least=-9.0)
_TEACHING = 2  # passes of a model that only guesses what training sentences don't mark


@dataclass(frozen=True, slots=True)
class Options:
    """What to run. ``mode``: trained, few-shot or zero-shot (which needs ``model``; the others start from it).

    Of trained runs: ``epochs`` 0 takes the model as it is; ``validation`` trains on sentences of ``validation/`` too;
    ``guesses`` lets models of half the sentences guess what the other half states beside what is marked. ``dates`` says
    how the data set writes dates where no sentence shows it (``relations.canonical.formatted``). Of zero-shot
    runs: with ``bootstrap`` what an ontology's test sentences, none marked, show together counts for each of them.
    ``forgiven`` decides as suits the published scorer, which takes no other relation's fact for wrong.
    """

    mode: str = "trained"
    model: Path | None = None
    keep: Path | None = None
    shots: int = 10
    epochs: int = 6
    seed: int = 7
    validation: bool = True
    guesses: bool = True
    dates: str = ""
    bootstrap: bool = True
    forgiven: bool = False


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


def read(
    model: Model,
    task: Task,
    cases: Iterable[Case],
    labels: Canonicaliser,
    bonus: float = 0.0,
    weights: Weights | None = None,
    bootstrap: bool = False,
    verifier: Verifier | None = None,
) -> Read:
    """Scores an ontology's sentences, cues of the lexicon counting ``bonus``; processor time a sentence.

    With ``weights`` what is known of any relation counts too (``relations.priors``), and with ``bootstrap`` what
    its surest facts in all ``cases`` show (``relations.bootstrap``). A ``verifier`` is asked about the likeliest.
    """
    cases = tuple(cases)
    known = model.know(task.relations)
    cues = [cues_of(relation) for relation in task.relations]
    shown = objects_shown(task) if weights is not None and weights.object else {}
    priors = Priors.of(task.relations, OnnxEncoder().encode, weights, shown) if weights is not None else None

    def scored_as(text: str) -> Scores | None:
        one = model.scores(text, known) if priors is None else liked_scores(model, text, known, liked_whole)
        one = raised(one, cues, bonus) if bonus and one is not None else one
        return priors.grounded(one) if priors is not None and one is not None else one

    begun = time.process_time()
    scores = tuple(scored_as(case.text) for case in cases)
    if priors is not None:
        last = bootstrapped(priors, [one for one in scores if one is not None]) if bootstrap else priors
        scores = tuple(last.likened(one) if one is not None else None for one in scores)
    if verifier is not None:
        scores = tuple(
            verified(one, task.relations, case.text, verifier) if one is not None else None
            for case, one in zip(cases, scores, strict=True)
        )
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


def chosen(reads: Sequence[Read], metric: str) -> Choice:
    """The choice that does best on development sentences by one metric's F1.

    These have one of their facts marked, so that strict precision takes the others for wrong and a choice by it is
    rather too strict than too loose.
    """
    options = [
        Choice(threshold=float(threshold), margin=margin, least=-12.0, behind=behind)
        for threshold in range(-9, 1)
        for margin in (1.0, 2.0)
        for behind in (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 99.0)
    ]
    return max(options, key=lambda choice: (measured(reads, choice)[metric][2], choice.threshold))


def split(task: Task, extra: Sequence[Stated], seed: int) -> tuple[list[Stated], list[Case]]:
    """Training rows, and development cases that share no entity with them; ``extra`` rows become either or neither."""
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
    seen = {name for one in kept for name in _entities((one.subject, one.object))}
    grouped: dict[str, list[Triple]] = {}
    for one in candidates:
        if not {key(one.subject), key(one.object)} & seen and task.keyed(one.relation):
            grouped.setdefault(one.text, []).append((one.subject, one.relation, one.object))
    order = sorted(grouped, key=lambda text: (zlib.crc32(f"{seed}{text}".encode()), text))
    cases = [Case(str(at), text, tuple(grouped[text])) for at, text in enumerate(order[:_DEVELOPED])]
    held = {name for case in cases for s, _, o in case.gold for name in _entities((s, o))}
    texts = {case.text for case in cases}
    free = [one for one in extra if one.text not in texts and not {key(one.subject), key(one.object)} & held]
    return kept + free, cases


def _entities(names: Iterable[str]) -> set[str]:
    return {key(name) for name in names if not _DATE.fullmatch(name)}


def prepare(folder: Path, options: Options, tell: Callable[[str], None]) -> tuple[Model, list[Task], Choice]:
    """The model for a mode, tasks with the rows that it was given, and the choice made on development sentences."""
    tasks = load(folder) if options.mode != "trained" else [declared(task) for task in load(folder)]
    extra = {task.id: task.train for task in load(folder, "validation")}
    splits = [split(task, extra[task.id], options.seed) for task in tasks]
    if options.mode == "trained":
        given = [
            replace(task, train=tuple(rows if options.validation or not extra[task.id] else task.train))
            for task, (rows, _) in zip(tasks, splits, strict=True)
        ]
    elif options.mode == "few-shot":
        given = [replace(task, train=tuple(few(task, options.shots, options.seed))) for task in tasks]
    else:
        given = [replace(task, train=()) for task in tasks]
    model = _model(given, options, tell)
    if options.mode != "trained":
        return model, given, _FORGIVEN if options.forgiven else _UNTUNED
    if options.epochs == 0 and model.about.choice and not options.forgiven:
        return model, given, Choice.of(model.about.choice)
    bonus, weights = _BONUS[options.mode], _KNOWN[options.mode]
    reads = [
        read(model, task, dev, learn(task.train), bonus, weights) for task, (_, dev) in zip(given, splits, strict=True)
    ]
    choice = chosen(reads, "published" if options.forgiven else "strict")
    if options.keep is not None and options.epochs > 0:
        model.about = replace(model.about, choice=choice.numbers)
        describe(options.keep, model.about)
    for name, figures in measured(reads, choice).items():
        tell(f"development {name} {_row(figures)}")
    return model, given, choice


def objects_shown(task: Task) -> dict[str, list[str]]:
    """The objects that a task's rows show, by the relation's key."""
    shown: dict[str, list[str]] = {}
    for one in task.train:
        shown.setdefault(task.keyed(one.relation), []).append(one.object)
    return shown


def labels_of(task: Task, dates: str) -> Canonicaliser:
    """How labels are written, learned from a task's sentences; dates as ``dates`` says where none shows it."""
    learned = learn(task.train)
    if not dates:
        return learned
    told = {relation.label: dates for relation in task.relations if wants_dates(relation)}
    return replace(learned, dates=told | dict(learned.dates))


def commonest_dates(tasks: Sequence[Task]) -> str:
    """How the few sentences of all ontologies write dates, most of them; empty where they have none."""
    forms = Counter(form for task in tasks for form in learn(task.train).dates.values())
    return min(forms, key=lambda form: (-forms[form], form), default="")


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
    if options.mode == "trained" and options.epochs == 0:
        if options.model is None:
            raise BadInput("no passes, and no model to take as it is", "name one with --model")
        return opened(options.model)
    relations = [relation for task in given for relation in task.relations]
    marked = [example for task in given for example in examples(task, task.train)]
    if not marked:
        raise BadInput("there is nothing to train on", "name a folder with train/")
    epochs = options.epochs if options.mode == "trained" else _FEW_EPOCHS
    if options.mode == "trained" and options.guesses:
        marked = completed(marked, relations, _TEACHING, options.seed, options.model, tell)
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
    if options.mode == "zero-shot" and "text2kgbench" in model.about.trained_on:
        say("this model was trained on sentences of Text2KGBench: on its data sets these are no zero-shot figures")
    bonus, weights = _BONUS[options.mode], _KNOWN[options.mode]
    dates = options.dates or (commonest_dates(tasks) if options.mode == "few-shot" else "")
    together = options.bootstrap and options.mode == "zero-shot"
    verifier = Verifier(workers=1) if options.mode == "zero-shot" and not options.forgiven else None
    reads = [
        read(model, task, task.cases, labels_of(task, dates), bonus, weights, together, verifier) for task in tasks
    ]
    result: dict[str, float] = {}
    for one in reads:
        both = measured([one], choice)
        say(f"{one.task.id:16} published {_row(both['published'])}   strict {_row(both['strict'])}")
        result |= {f"{name}_f1_{one.task.id}": both[name][2] for name in METRICS}
    for name, row in measured(reads, choice).items():
        result |= {f"{name}_{part}": value for part, value in zip(("p", "r", "f1"), row, strict=True)}
    result["ms_per_sentence"] = statistics.median(one.milliseconds for one in reads)
    result |= choice.numbers | {"seed": float(options.seed)}
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
