"""What a general model is trained on, and how sure it has to be: ``kg train``."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kg.errors import BadInput
from kg.relations.corpora import KNOWLEDGENET, docred, invented, knowledgenet
from kg.relations.decode import Choice
from kg.relations.docred_relations import RELATIONS
from kg.relations.files import describe
from kg.relations.fit import brief, fit
from kg.relations.reader import Model
from kg.relations.schema import Example, Marked, Relation

_LONGEST = 400  # characters of a sentence that is trained on
PRECISIONS = (0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Files to train on. ``documents``: so many of the DocRED file; those after them are development data."""

    examples: tuple[Path, ...] = ()
    knowledgenet: tuple[Path, ...] = ()
    folds: tuple[int, ...] = (1, 2, 3)
    docred: Path | None = None
    documents: int = 400
    text2kgbench: Path | None = None
    groups: int = 150


Lot = tuple[list[Relation], list[Example]]


def gathered(recipe: Recipe) -> Lot:
    """Relations and sentences of a recipe. Half of a data set's sentences see its relations without definitions."""
    lots: list[Lot] = []
    for path in recipe.examples:
        lots.append(own_examples(path))
    if recipe.docred:
        found = docred(recipe.docred, RELATIONS, 0, recipe.documents)
        lots.append((list(RELATIONS), [e for at, e in enumerate(found) if e.facts or at % 4 == 0]))
    if recipe.knowledgenet:
        from kg.evaluate.knowledgenet import in_folds, load

        lots.append((list(KNOWLEDGENET), knowledgenet(in_folds(load(recipe.knowledgenet), recipe.folds))))
    lots = [both for lot in lots for both in ((lot[0], lot[1][0::2]), brief(lot[0], lot[1][1::2]))]
    if recipe.text2kgbench:
        from kg.evaluate import text2kgbench

        for task in text2kgbench.load(recipe.text2kgbench):
            lots.append((list(task.relations), text2kgbench.examples(task, task.train)))
    if recipe.groups:
        lots.append(invented(recipe.groups))
    relations = [relation for lot in lots for relation in lot[0]]
    return relations, [e for lot in lots for e in lot[1] if len(e.text) <= _LONGEST]


def own_examples(path: Path) -> Lot:
    """Relations and sentences of a file of your own, JSON lines. Raises BadInput with the line.

    A line with ``relation`` (``definition``, ``domain``, ``range``) declares one; a line with ``text`` and ``facts``
    (``{"subject": [start, end], "relation": …, "object": [start, end]}``) is a sentence read for all declared ones.
    """
    relations: list[Relation] = []
    rows: list[tuple[str, list[Marked]]] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            given = json.loads(line) if line.strip() else {}
            if "text" in given:
                facts = [Marked(f["relation"], (tuple(f["subject"]),), (tuple(f["object"]),)) for f in given["facts"]]
                rows.append((given["text"], facts))
            elif given:
                parts = {name: str(given.get(name, "")) for name in ("definition", "domain", "range")}
                relations.append(Relation(f"{path.stem}/{given['relation']}", str(given["relation"]), **parts))
        except (ValueError, KeyError, TypeError) as error:
            raise BadInput(f"line {number} of {path} is no example", "see kg.relations.recipe") from error
    keys = {relation.label: relation.key for relation in relations}
    unknown = sorted({f.relation for _, facts in rows for f in facts} - set(keys))
    if unknown:
        raise BadInput(f"{path} doesn't declare {unknown[0]!r}", 'add a line {"relation": …, "domain": …, "range": …}')
    asked = tuple(keys.values())
    named = [(text, tuple(replace(f, relation=keys[f.relation]) for f in facts)) for text, facts in rows]
    return relations, [Example(text, facts, asked) for text, facts in named]


def cook(recipe: Recipe, output: Path, start: Path | None, epochs: int, seed: int, say: Callable[[str], None]) -> Model:
    """Trains, finds thresholds on development documents where the recipe has some, and writes the model."""
    relations, examples = gathered(recipe)
    if not examples:
        raise BadInput("there is nothing to train on", "name files of examples, or leave --groups as it is")
    say(f"{len(examples):,} sentences, {len(relations):,} relations")
    names = (*(n for n in ("knowledgenet", "docred", "text2kgbench") if getattr(recipe, n)), "lexicon")
    model = fit(examples, relations, output, epochs, seed, start, say, trained_on=names)
    if recipe.docred:
        held = docred(recipe.docred, RELATIONS, recipe.documents)
        model.about = replace(model.about, thresholds=thresholds(model, held, RELATIONS))
        describe(output, model.about)
        for precision, odds in sorted(model.about.thresholds.items()):
            say(f"precision {precision} from log-odds {odds:.2f}")
    return model


def thresholds(model: Model, held: Sequence[Example], relations: Sequence[Relation]) -> dict[str, float]:
    """For each of :data:`PRECISIONS` the log-odds above which that share of what is said is marked as a fact."""
    known = model.know(relations)
    judged: list[tuple[float, bool]] = []
    for example in held:
        true = {(f.relation, s, o) for f in example.facts for s in f.subjects for o in f.objects}
        for one in model.read(example.text, known, Choice(threshold=-3.0, margin=6.0)):
            judged.append((one.score, (one.relation, one.subject, one.object) in true))
    judged.sort(reverse=True)
    found: dict[str, float] = {}
    hits = 0
    for count, (score, right) in enumerate(judged, 1):
        hits += right
        for precision in PRECISIONS:
            if count >= 20 and hits / count >= precision:
                found[str(precision)] = round(score, 3)
    return found
