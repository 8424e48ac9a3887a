"""``kg evaluate``: measure against data with known answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kg.cli_common import Kb, open_knowledge_base
from kg.console import say

evaluations = typer.Typer(help="Measure against data with known answers.", no_args_is_help=True)

Figures = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write the figures here.", show_default=False)
]


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
    from kg.evaluate.questions import run

    with open_knowledge_base(kb) as knowledge_base:
        run(knowledge_base, file, json, out, say)


@evaluations.command()
def nl2sparql(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with graph.ttl and questions.jsonl.")],
    train: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Learn from these questions first.", show_default=False)
    ] = None,
    json: Figures = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write both readings of each here.", show_default=False)
    ] = None,
) -> None:
    """Ask questions on an RDF graph and compare the rows with those of the gold queries."""
    from kg.evaluate.nl2sparql import run

    run(folder, json, out, say, train)


@evaluations.command()
def tables(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with documents/*.md and gold/*.json.")],
    json: Figures = None,
    errors: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write cells that aren't right here.", show_default=False)
    ] = None,
) -> None:
    """Score which cells of documents' tables become facts, without an ontology."""
    from kg.evaluate.tables import run

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
    from kg.evaluate.structure import run

    with open_knowledge_base(kb) as knowledge_base:
        run(knowledge_base, json, errors, say)


@evaluations.command()
def retrieval(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with corpus.jsonl and questions.jsonl.")],
    json: Figures = None,
) -> None:
    """Score which passages are found for questions, beside BM25 alone and dense retrieval alone."""
    from kg.evaluate.retrieval import run

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
    from kg.evaluate.docred import run

    run(file, half, json, errors, say)


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
    from kg.evaluate.tatqa import run

    run(file, half, json, errors, say)
