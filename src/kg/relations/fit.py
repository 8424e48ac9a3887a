"""From examples to a model on disk. Needs torch; the folder that comes out doesn't."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from kg.indexes.embedding import OnnxEncoder, model_folder, model_hash
from kg.relations.encoder_export import load_network, save
from kg.relations.files import TOKENIZER, About, read_about
from kg.relations.reader import Model
from kg.relations.schema import Example, Relation

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
    int8: bool = True,
    trained_on: tuple[str, ...] = (),
) -> Model:
    """Trains on examples, from a model's folder if one is given, and writes the model. Raises ModelUnavailable."""
    from kg.relations.network import Sizes
    from kg.relations.training import Plan, train

    base = model_folder()
    model_hash(base, pinned=True)
    encoder = OnnxEncoder()
    plan = Plan(epochs=epochs, seed=seed)
    begun = load_network(start, base) if start else None
    network = train(examples, relations, encoder.encode, base, plan, begun, tell=tell)
    before = read_about(start).trained_on if start else ()
    sizes = Sizes()
    about = About(sizes.kept, sizes.heads, plan.frozen, trained_on=(*before, *trained_on))
    save(network, base / TOKENIZER, folder, about, int8)
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
