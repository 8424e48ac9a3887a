"""Your own sentences with marked facts, what is trained on with them, and how sure a model has to be: ``kg train``.

Training needs torch; the folder that comes out doesn't.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from kg.errors import BadInput
from kg.indexes.embedding import OnnxEncoder, model_folder, model_hash
from kg.relations.encoder_export import load_network, save
from kg.relations.encoding import Example, Marked, Relation
from kg.relations.files import TOKENIZER, About, describe, read_about
from kg.relations.phrasebook import invented
from kg.relations.scoring import Choice, Model

Tell = Callable[[str], None]


def silent(_: str) -> None:
    """Says nothing."""


def fit(
    examples: Sequence[Example],
    relations: Sequence[Relation],
    folder: Path,
    epochs: int = 6,
    seed: int = 7,
    start: Path | None = None,
    tell: Tell = silent,
    trained_on: tuple[str, ...] = (),
) -> Model:
    """Trains on examples, from a model's folder if one is given, and writes the model. Raises ModelUnavailable."""
    from kg.relations.training import Plan, Sizes, train

    base = model_folder()
    model_hash(base, pinned=True)
    encoder = OnnxEncoder()
    plan = Plan(epochs=epochs, seed=seed)
    begun = load_network(start, base) if start else None
    network = train(examples, relations, encoder.encode, base, plan, begun, tell=tell)
    before = read_about(start).trained_on if start else ()
    sizes = Sizes()
    about = About(sizes.kept, sizes.heads, plan.frozen, trained_on=(*before, *trained_on))
    save(network, base / TOKENIZER, folder, about)
    return Model(folder, encoder.encode)


def opened(folder: Path) -> Model:
    """A model on disk, ready to read. Raises ModelUnavailable."""
    return Model(folder, OnnxEncoder().encode)


def brief(relations: Sequence[Relation], examples: Sequence[Example]) -> tuple[list[Relation], list[Example]]:
    """The same relations without definitions under keys of their own, and the examples read for those."""
    named = {relation.key: f"{relation.key}~" for relation in relations}
    renamed = [
        replace(
            example,
            facts=tuple(replace(fact, relation=named[fact.relation]) for fact in example.facts),
            asked=tuple(named[key] for key in example.asked),
        )
        for example in examples
    ]
    return [replace(r, key=named[r.key], definition="") for r in relations], renamed


Lot = tuple[list[Relation], list[Example]]

PRECISIONS = (0.7, 0.8, 0.9, 0.95)
_LONGEST = 400  # characters of a sentence that is trained on
_HELD = 5  # every so many-th sentence tells how sure is sure enough, and isn't trained on
_FEWEST = 100  # below so many sentences all are trained on


def own_examples(path: Path, declared: Sequence[Relation] = ()) -> Lot:
    """Relations and sentences of a file of your own, JSON lines. Raises BadInput with the line.

    A line with ``relation`` (``definition``, ``domain``, ``range``) declares one beside those of an ontology; a line
    with ``text`` and ``facts`` (``{"subject": [start, end], "relation": …, "object": [start, end]}``) is a sentence
    read for all declared ones.
    """
    relations = list(declared)
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
            raise BadInput(f"line {number} of {path} is no example", "see kg.relations.examples") from error
    keys = {relation.label: relation.key for relation in relations}
    unknown = sorted({f.relation for _, facts in rows for f in facts} - set(keys))
    if unknown:
        raise BadInput(f"{path} doesn't declare {unknown[0]!r}", 'name its ontology, or add a line {"relation": …}')
    asked = tuple(keys.values())
    return relations, [
        Example(text, tuple(replace(f, relation=keys[f.relation]) for f in facts), asked) for text, facts in rows
    ]


def learn(
    files: Iterable[Path],
    declared: Sequence[Relation],
    output: Path,
    groups: int,
    start: Path | None,
    epochs: int,
    seed: int,
    say: Callable[[str], None],
) -> Model:
    """Trains on files' sentences and invented ontologies, writes the model with its thresholds. Raises BadInput."""
    lots, held = [], []
    for path in files:
        relations, examples = own_examples(path, declared)
        kept = [e for at, e in enumerate(examples) if len(examples) < _FEWEST or at % _HELD]
        held.append((relations, examples[::_HELD] if len(examples) >= _FEWEST else []))
        lots += halves(relations, kept)
    lots += [invented(groups)] if groups else []
    model = train(lots, output, start, epochs, seed, say)
    keep_thresholds(model, output, united(held), say)
    return model


def halves(relations: Sequence[Relation], examples: Sequence[Example]) -> list[Lot]:
    """Sentences in two lots: one half sees the relations without definitions."""
    return [(list(relations), list(examples[0::2])), brief(relations, examples[1::2])]


def united(lots: Iterable[Lot]) -> Lot:
    """Lots in one, each relation once."""
    pairs = list(lots)
    relations = {relation.key: relation for lot in pairs for relation in lot[0]}
    return list(relations.values()), [example for lot in pairs for example in lot[1]]


def train(
    lots: Iterable[Lot],
    output: Path,
    start: Path | None,
    epochs: int,
    seed: int,
    say: Callable[[str], None],
    trained_on: tuple[str, ...] = ("lexicon",),
) -> Model:
    """A model trained on lots and written. Raises BadInput where there is no sentence."""
    relations, examples = united(lots)
    examples = [e for e in examples if len(e.text) <= _LONGEST]
    if not examples:
        raise BadInput("there is nothing to train on", "name files of examples, or leave --groups as it is")
    say(f"{len(examples):,} sentences, {len(relations):,} relations")
    return fit(examples, relations, output, epochs, seed, start, say, trained_on=trained_on)


def keep_thresholds(model: Model, output: Path, held: Lot, say: Callable[[str], None]) -> None:
    """Writes what a model says of sentences that it wasn't trained on as its thresholds, where there are any."""
    if held[1]:
        model.about = replace(model.about, thresholds=thresholds(model, held[1], held[0]))
        describe(output, model.about)
        for precision, odds in sorted(model.about.thresholds.items()):
            say(f"precision {precision} from log-odds {odds:.2f}")


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
