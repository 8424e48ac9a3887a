"""``kg train-parser`` and ``kg evaluate dependencies``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kg.console import say

_Parser = Annotated[
    Path | None, typer.Option("--parser", metavar="FILE", help="A parser; default: the package's.", show_default=False)
]


def train_parser(
    treebank: Annotated[Path, typer.Argument(metavar="FILE", help="Training sentences in CoNLL-U.")],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="Where the parser goes (.npz).")],
    epochs: Annotated[int, typer.Option(min=1, max=100, help="Passes over the sentences.")] = 14,
    seed: Annotated[int, typer.Option(help="Seed of training.")] = 7,
    frozen: Annotated[int, typer.Option(min=0, max=6, help="Encoder layers kept as they are.")] = 3,
    trained: Annotated[int, typer.Option(min=0, max=6, help="Encoder layers above them that are trained.")] = 2,
) -> None:
    """Train the dependency parser on a treebank (needs torch)."""
    from kg.syntax.training import Plan, fit

    fit(treebank, output, Plan(epochs=epochs, seed=seed, frozen=frozen, trained=trained), say)


def dependencies(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Sentences in CoNLL-U.")],
    parser: _Parser = None,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures here.", show_default=False)
    ] = None,
) -> None:
    """Score the parser on a treebank: tags, heads, labelled heads."""
    from kg.evaluate.dependencies import run

    run(file, parser, json, say)


def register(app: typer.Typer, evaluations: typer.Typer) -> None:
    """Adds the commands."""
    app.command("train-parser")(train_parser)
    evaluations.command()(dependencies)
