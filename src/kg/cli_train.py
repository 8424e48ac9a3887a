"""``kg train``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kg.console import say


def train(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the model goes.")],
    ontology: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Ontology whose properties the examples mark; repeat.", show_default=False),
    ] = None,
    examples: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Sentences with marked facts (JSONL); repeat.", show_default=False),
    ] = None,
    groups: Annotated[int, typer.Option(min=0, help="Invented ontologies of the lexicon's relations.")] = 150,
    model: Annotated[
        Path,
        typer.Option(metavar="DIR", help="Start from this model; `general` is the one that comes along, `none` none."),
    ] = Path("general"),
    epochs: Annotated[int, typer.Option(min=1, max=200, help="Passes over the training sentences.")] = 4,
    seed: Annotated[int, typer.Option(help="Seed of training and sampling.")] = 7,
) -> None:
    """Train the extractor of facts from prose, on your sentences and the lexicon."""
    from kg.ontology import load
    from kg.relations.examples import learn
    from kg.relations.files import model_of
    from kg.relations.prose import relations_of

    declared = relations_of(load(ontology)) if ontology else ()
    learn(examples or (), declared, output, groups, model_of(model), epochs, seed, say)
