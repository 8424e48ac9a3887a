"""``kg train`` and the evaluations of facts from prose."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kg.console import say
from kg.errors import BadInput

Figures = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write the figures here.", show_default=False)
]
Keep = Annotated[Path | None, typer.Option(metavar="DIR", help="Keep the trained model here.", show_default=False)]
Start = Annotated[
    Path, typer.Option(metavar="DIR", help="Start from this model; `general` is the one that comes along, `none` none.")
]
Epochs = Annotated[int, typer.Option(min=1, max=200, help="Passes over the training sentences.")]
Seed = Annotated[int, typer.Option(help="Seed of training and sampling.")]


class Mode(StrEnum):
    """How much of a benchmark's training data a run sees."""

    trained = "trained"
    few_shot = "few-shot"
    zero_shot = "zero-shot"


class Dates(StrEnum):
    """Formats of dates (:func:`kg.relations.canonical.formatted`)."""

    iso = "iso"
    year = "year"
    long = "long"


def folds(text: str) -> list[int]:
    """Numbers separated by commas. Raises BadInput."""
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError as error:
        raise BadInput(f"{text!r} isn't a list of folds", "write them as 1,2") from error


def train(
    output: Annotated[Path, typer.Argument(metavar="DIR", help="Where the model goes.")],
    examples: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Sentences with marked facts (JSONL); repeat.", show_default=False),
    ] = None,
    knowledgenet: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="KnowledgeNet passages.", show_default=False)
    ] = None,
    docred: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Re-DocRED documents.", show_default=False)
    ] = None,
    text2kgbench: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Text2KGBench folder.", show_default=False)
    ] = None,
    documents: Annotated[int, typer.Option(min=0, help="Re-DocRED: documents from the file's start.")] = 400,
    train_folds: Annotated[str, typer.Option(help="KnowledgeNet: folds to train on.")] = "1,2,3",
    groups: Annotated[int, typer.Option(min=0, help="Invented ontologies of the lexicon's relations.")] = 150,
    model: Start = Path("general"),
    epochs: Epochs = 4,
    seed: Seed = 7,
) -> None:
    """Train the extractor of facts from prose, on your sentences, published data sets and the lexicon."""
    from kg.relations.recipe import Recipe, cook
    from kg.relations.shipped import model_of

    recipe = Recipe(
        examples=tuple(examples or ()),
        knowledgenet=tuple(knowledgenet or ()),
        folds=tuple(folds(train_folds)),
        docred=docred,
        documents=documents,
        text2kgbench=text2kgbench,
        groups=groups,
    )
    cook(recipe, output, model_of(model), epochs, seed, say)


def text2kgbench(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with ontologies, train, test, ground_truth.")],
    mode: Annotated[Mode, typer.Option(help="How much of its training data to use.")] = Mode.trained,
    model: Start = Path("general"),
    keep: Keep = None,
    shots: Annotated[int, typer.Option(min=0, help="Few-shot: sentences an ontology.")] = 10,
    epochs: Annotated[int, typer.Option(min=0, max=200, help="Trained: passes; 0 takes the model as it is.")] = 6,
    seed: Seed = 7,
    validation: Annotated[
        bool, typer.Option(help="Trained: learn from validation/ too, but for what the decision rule is chosen on.")
    ] = True,
    guesses: Annotated[
        bool, typer.Option(help="Trained: first let models of half the sentences guess what the others don't mark.")
    ] = True,
    dates: Annotated[
        Dates | None, typer.Option(help="Zero-shot: how the data set writes dates, as in 01 January 2010 (long).")
    ] = None,
    bootstrap: Annotated[
        bool,
        typer.Option(help="Zero-shot: learn from all sentences read, none marked, what relations' arguments mean."),
    ] = True,
    json: Figures = None,
    errors: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write sentences read wrongly here.", show_default=False)
    ] = None,
) -> None:
    """Facts of sentences by ontologies: published and strict precision, recall, F1."""
    from kg.evaluate.text2kgbench_run import Options, run
    from kg.relations.shipped import model_of

    run(
        folder,
        Options(mode.value, model_of(model), keep, shots, epochs, seed, validation, guesses, dates or "", bootstrap),
        json,
        errors,
        say,
    )


def knowledgenet(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Passages, one JSON object a line.")],
    train_folds: Annotated[str, typer.Option(help="Folds to train on; empty: measure --model as it is.")] = "1,2",
    test_fold: Annotated[str, typer.Option(help="Folds to measure on.")] = "3",
    model: Start = Path("general"),
    keep: Keep = None,
    epochs: Epochs = 5,
    seed: Seed = 7,
    json: Figures = None,
) -> None:
    """Facts of web passages: text precision, recall, F1."""
    from kg.evaluate.knowledgenet import run
    from kg.relations.shipped import model_of

    run(files, folds(train_folds), folds(test_fold), model_of(model), keep, epochs, seed, json, say)


def register(app: typer.Typer, evaluations: typer.Typer) -> None:
    """Adds the commands."""
    app.command()(train)
    evaluations.command()(text2kgbench)
    evaluations.command()(knowledgenet)
