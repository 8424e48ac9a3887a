"""The commands of ``kg evaluate``: measure against data with known answers."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.app.console import Kb, say, settings_for
from kg.errors import BadInput

if TYPE_CHECKING:
    from kg.knowledge_base import KnowledgeBase

evaluations = typer.Typer(help="Measure against data with known answers.", no_args_is_help=True)

Figures = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write the figures here.", show_default=False)
]

Keep = Annotated[Path | None, typer.Option(metavar="DIR", help="Keep the trained model here.", show_default=False)]
Start = Annotated[
    Path, typer.Option(metavar="DIR", help="Start from this model; `general` is the one that comes along, `none` none.")
]
Epochs = Annotated[int, typer.Option(min=1, max=200, help="Passes over the training sentences.")]
Seed = Annotated[int, typer.Option(help="Seed of training and sampling.")]
Parser = Annotated[
    Path | None, typer.Option("--parser", metavar="FILE", help="A parser; default: the package's.", show_default=False)
]


def _opened(kb: Path | None) -> KnowledgeBase:
    from kg.knowledge_base import KnowledgeBase

    settings = settings_for(kb)
    return KnowledgeBase.open(settings.kb, settings)


class Mode(StrEnum):
    """How much of a benchmark's training data a run sees."""

    trained = "trained"
    few_shot = "few-shot"
    zero_shot = "zero-shot"


class Dates(StrEnum):
    """Formats of dates (:func:`benchmarks.evaluation.relations.canonical.formatted`)."""

    iso = "iso"
    year = "year"
    long = "long"


def folds(text: str) -> list[int]:
    """Numbers separated by commas. Raises BadInput."""
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError as error:
        raise BadInput(f"{text!r} isn't a list of folds", "write them as 1,2") from error


@evaluations.command()
def questions(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Questions, one JSON object a line.")],
    kb: Kb = None,
    json: Figures = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every reply here.", show_default=False)
    ] = None,
) -> None:
    """Ask every question of a file and score the answers and their quotations."""
    from benchmarks.evaluation.questions import run

    with _opened(kb) as knowledge_base:
        run(knowledge_base, file, json, out, say)


@evaluations.command()
def nl2sparql(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with graph.ttl and questions.jsonl.")],
    json: Figures = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write both readings of each here.", show_default=False)
    ] = None,
) -> None:
    """Ask questions on an RDF graph and compare the rows with those of the gold queries."""
    from benchmarks.evaluation.nl2sparql import run

    run(folder, json, out, say)


@evaluations.command()
def tables(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with documents/*.md and gold/*.json.")],
    json: Figures = None,
    errors: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write cells that aren't right here.", show_default=False)
    ] = None,
) -> None:
    """Score which cells of documents' tables become facts, without an ontology."""
    from benchmarks.evaluation.tables import run

    run(folder, json, errors, say)


@evaluations.command()
def structure(
    kb: Kb = None,
    json: Figures = None,
    errors: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write cells and bullets without a claim here.", show_default=False),
    ] = None,
) -> None:
    """Count which table cells and key-value bullets of the documents gave claims, and on which properties."""
    from benchmarks.evaluation.structure import run

    with _opened(kb) as knowledge_base:
        run(knowledge_base, json, errors, say)


@evaluations.command()
def retrieval(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with corpus.jsonl and questions.jsonl.")],
    json: Figures = None,
) -> None:
    """Score which passages are found for questions, beside BM25 alone and dense retrieval alone."""
    from benchmarks.evaluation.retrieval import run

    run(folder, json, say)


@evaluations.command()
def docred(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Documents in DocRED's layout.")],
    half: Annotated[str, typer.Option(help="Which documents: all, even or odd places in the file.")] = "all",
    json: Figures = None,
    errors: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write wrong and missed joins here.", show_default=False)
    ] = None,
) -> None:
    """Score how mentions of one thing are joined within a document, and which mentions are found."""
    from benchmarks.evaluation.docred import run

    run(file, half, json, errors, say)


@evaluations.command()
def docred_facts(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Documents in Re-DocRED's layout.")],
    first: Annotated[int, typer.Option(min=0, help="The first document to measure, counted from 0.")] = 0,
    last: Annotated[int | None, typer.Option(min=0, help="The last one.", show_default=False)] = None,
    model: Annotated[
        Path, typer.Option(metavar="DIR", help="The relation model; `general` is the one that comes along.")
    ] = Path("general"),
    build: Annotated[bool, typer.Option(help="Read as a build does, a sentence at a time.")] = False,
    sentences: Annotated[
        int, typer.Option(min=0, help="Without --build: neighbouring sentences read together; 0: the document.")
    ] = 0,
    threshold: Annotated[
        float | None, typer.Option(help="Also give figures for these log-odds.", show_default=False)
    ] = None,
    json: Figures = None,
) -> None:
    """Facts between entities from raw text, no mention given: precision, recall, F1."""
    from benchmarks.evaluation.docred_facts import run
    from kg.relations.files import model_of

    run(file, first, last, model_of(model), None if build else sentences, threshold, json, say)


@evaluations.command()
def tatqa(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Contexts in TAT-QA's layout.")],
    half: Annotated[
        str, typer.Option(help="Which contexts: all, or those whose table's uid hashes even or odd.")
    ] = "all",
    json: Figures = None,
    errors: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write questions not answered exactly here.", show_default=False)
    ] = None,
) -> None:
    """Score answers to questions on a table and its paragraphs: exact match and F1, by kind and place of the answer."""
    from benchmarks.evaluation.tatqa import run

    run(file, half, json, errors, say)


@evaluations.command()
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
    forgiven: Annotated[
        bool,
        typer.Option(help="Say what suits the published scorer, which forgives other relations."),
    ] = False,
    json: Figures = None,
    errors: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write sentences read wrongly here.", show_default=False)
    ] = None,
) -> None:
    """Facts of sentences by ontologies: published and strict precision, recall, F1."""
    from benchmarks.evaluation.text2kgbench_run import Options, run
    from kg.relations.files import model_of

    run(
        folder,
        Options(
            mode.value,
            model_of(model),
            keep,
            shots,
            epochs,
            seed,
            validation,
            guesses,
            dates or "",
            bootstrap,
            forgiven,
        ),
        json,
        errors,
        say,
    )


@evaluations.command()
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
    from benchmarks.evaluation.knowledgenet import run
    from kg.relations.files import model_of

    run(files, folds(train_folds), folds(test_fold), model_of(model), keep, epochs, seed, json, say)


@evaluations.command()
def dependencies(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Sentences in CoNLL-U.")],
    parser: Parser = None,
    json: Figures = None,
) -> None:
    """Score the parser on a treebank: tags, heads, labelled heads."""
    from benchmarks.evaluation.dependencies import run

    run(file, parser, json, say)
