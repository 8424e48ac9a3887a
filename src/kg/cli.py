"""The command ``kg``. Each command imports what it needs when it runs, so that help is instant."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kg import __version__
from kg.cli_common import Kb, open_knowledge_base
from kg.cli_evaluate import register as register_evaluations
from kg.cli_review import accept, decisions, reject
from kg.cli_server import backup, keys, mcp, restore
from kg.cli_train import train
from kg.console import complain, say
from kg.errors import BadInput, CitegraphError

if TYPE_CHECKING:
    from kg.settings import Settings

app = typer.Typer(
    name="kg",
    help="Documents in, an RDF knowledge graph with evidence for every fact out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
register_evaluations(app)
app.command()(accept)
app.command()(reject)
app.command()(decisions)
app.command()(train)
app.add_typer(keys, name="key")
app.command()(backup)
app.command()(restore)
app.command()(mcp)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def _settings(kb: Path | None, **sections: Mapping[str, Any]) -> Settings:
    """The settings in force; ``sections`` hold flags that were given (others keep what file and environment say)."""
    from kg.settings import load_settings

    flags: dict[str, Any] = {} if kb is None else {"kb": kb}
    given = {name: {k: v for k, v in values.items() if v is not None} for name, values in sections.items()}
    return load_settings(**flags, **{name: values for name, values in given.items() if values})


def _print_json(value: object) -> None:
    import json

    say(json.dumps(value, ensure_ascii=False, indent=2))


def _version(wanted: bool) -> None:
    if wanted:
        say(__version__)
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Documents in, an RDF knowledge graph with evidence for every fact out."""


@app.command()
def build(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH…", help="Files and folders of documents.", show_default=False),
    ] = None,
    kb: Kb = None,
    graph: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Existing RDF to hold and to ask; repeat for several.", show_default=False),
    ] = None,
    ontology: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Ontology (Turtle); repeat for several.", show_default=False),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help='Keep the graph on this SPARQL 1.1 server (address for queries); "folder": here. [default: as before]',
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        str | None,
        typer.Option(
            metavar="N|dask://HOST:PORT",
            help="Processes that read, or the Dask cluster that reads and embeds. [default: one for each core]",
            show_default=False,
        ),
    ] = None,
    prune: Annotated[bool, typer.Option("--prune", help="Remove documents that are not under the paths.")] = False,
) -> None:
    """Add or update documents, then graph and indexes."""
    from kg.console import progress, show_build
    from kg.knowledge_base import KnowledgeBase

    if not paths and not graph:
        raise typer.BadParameter("name files or folders of documents, or RDF with --graph")
    given = {"ontology": tuple(ontology) if ontology else None, "workers": workers}
    settings = _settings(kb, build=given, store={"url": store})
    failed = False
    if paths:
        with progress() as tell:
            report = KnowledgeBase.build(settings.kb, paths, settings, prune=prune, progress=tell)
        show_build(report, str(settings.kb))
        failed = bool(report.failed)
    if graph:
        count = KnowledgeBase.build_graph(settings.kb, [*graph, *(() if paths else ontology or ())], settings)
        say(f"{count:,} triples of {', '.join(f.name for f in graph)} in {settings.kb}")
    if failed:
        raise typer.Exit(1)


@app.command()
def remove(
    documents: Annotated[list[str], typer.Argument(metavar="DOCUMENT…", help="Identifiers or names.")],
    kb: Kb = None,
) -> None:
    """Remove documents and all that only they stated."""
    from kg.console import progress, show_build

    with open_knowledge_base(kb) as knowledge_base:
        with progress() as tell:
            report = knowledge_base.remove(documents, progress=tell)
        show_build(report, str(knowledge_base.path))


@app.command()
def documents(kb: Kb = None, json: AsJson = False) -> None:
    """List the documents."""
    from dataclasses import asdict

    from kg.console import table

    with open_knowledge_base(kb) as knowledge_base:
        found = knowledge_base.documents()
    if json:
        _print_json([asdict(d) for d in found])
        return
    rows = [(d.id, d.title, f"{d.passages:,}", f"{d.claims:,}") for d in found]
    table(("document", "title", "passages", "claims"), rows, numbers=("passages", "claims"))


@app.command()
def stats(kb: Kb = None, json: AsJson = False) -> None:
    """Count what the knowledge base holds."""
    from kg.console import table

    with open_knowledge_base(kb) as knowledge_base:
        counts = dict(knowledge_base.stats())
    if json:
        _print_json(counts)
        return
    table(("what", "count"), [(name, f"{count:,}") for name, count in counts.items()], numbers=("count",))


@app.command()
def check(kb: Kb = None) -> None:
    """Verify files, offsets, quotes, graph and shapes; list what documents disagree on."""
    from kg.console import show_check

    with open_knowledge_base(kb, pinned=True) as knowledge_base:
        report = knowledge_base.check()
    show_check(report)
    if not report.ok:
        raise typer.Exit(1)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="A question in English.")],
    kb: Kb = None,
    json: AsJson = False,
    limit: Annotated[int | None, typer.Option(min=1, max=100, help="Citations at most.", show_default=False)] = None,
) -> None:
    """Answer a question, with citations."""
    from dataclasses import asdict

    from kg.console import show_answer

    if not question.strip():
        raise BadInput("the question is empty", 'ask something: kg ask "Who built the lighthouse?"')
    with open_knowledge_base(kb) as knowledge_base:
        answer = knowledge_base.ask(question, limit=limit)
    if json:
        _print_json(asdict(answer))
    else:
        show_answer(answer)


@app.command()
def sparql(
    query: Annotated[str | None, typer.Argument(help="A SPARQL 1.1 query.", show_default=False)] = None,
    file: Annotated[
        Path | None, typer.Option("--file", "-f", metavar="FILE", help="Read the query from a file, or - .")
    ] = None,
    kb: Kb = None,
    format: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="Rows: table, json, xml, csv, tsv. Triples: turtle, nt, rdfxml, jsonld, trig, nq, n3.",
            show_default="table or turtle",
        ),
    ] = None,
) -> None:
    """Run a SPARQL query; the usual prefixes are declared."""
    from kg.cli_sparql import print_result

    if (query is None) == (file is None):
        raise typer.BadParameter("give either a query or --file")
    with open_knowledge_base(kb) as knowledge_base:
        print_result(knowledge_base, query if query is not None else _read(file), format)


def _read(file: Path | None) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else Path(file or "").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} can't be read: {error}", "name a text file in UTF-8") from error


@app.command()
def export(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The same as --output.", show_default=False)
    ] = None,
    kb: Kb = None,
    format: Annotated[
        str, typer.Option(metavar="FORMAT", help="turtle, trig, nt, nq, jsonld, rdfxml or csv (claims).")
    ] = "turtle",
    provenance: Annotated[str, typer.Option(metavar="none|full", help="none: the facts alone.")] = "full",
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write here. [default: standard output]", show_default=False
        ),
    ] = None,
) -> None:
    """Write the graph as RDF, or its claims as CSV; the same bytes for the same documents."""
    import io

    if file is not None and output is not None:
        raise typer.BadParameter("name one file to write to")
    stream = io.BytesIO()
    with open_knowledge_base(kb) as knowledge_base:
        knowledge_base.export(stream, format, provenance)
    _write(stream.getvalue(), file or output)


def _write(data: bytes, output: Path | None) -> None:
    """To a file, or to standard output. Raises BadInput."""
    if output is None:
        sys.stdout.buffer.write(data)
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        raise BadInput(f"{output} can't be written: {error.strerror}", "name a file in a folder that exists") from error


@app.command(name="draft-ontology")
def draft_ontology(
    kb: Kb = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write here. [default: standard output]", show_default=False
        ),
    ] = None,
) -> None:
    """Write the open properties of the documents as an ontology (Turtle) to edit and build with."""
    with open_knowledge_base(kb) as knowledge_base:
        text = knowledge_base.draft_ontology()
    _write(text.encode("utf-8"), output)


@app.command()
def explain(
    name: Annotated[str, typer.Argument(metavar="CLAIM|ENTITY", help="A name, an identifier or an IRI.")],
    kb: Kb = None,
) -> None:
    """Say where an entity or a claim comes from, and why names were taken for one."""
    from kg.console import show_explanation

    with open_knowledge_base(kb) as knowledge_base:
        show_explanation(knowledge_base.explain(name))


@app.command()
def serve(
    kb: Kb = None,
    host: Annotated[
        str | None, typer.Option(help="Address to listen on. [default: 127.0.0.1]", show_default=False)
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port; 0 takes a free one. [default: 8000]", show_default=False)
    ] = None,
    test_dataset: Annotated[
        bool,
        typer.Option("--test-dataset", help="Serve an empty dataset that anyone here may write, then drop it."),
    ] = False,
) -> None:
    """Answer over HTTP: questions, SPARQL, documents."""
    from kg.api.server import serve
    from kg.api.throwaway import throwaway
    from kg.knowledge_base import KnowledgeBase

    settings = _settings(kb, serve={"host": host, "port": port})
    with throwaway(settings) if test_dataset else KnowledgeBase.open(settings.kb, settings) as knowledge_base:
        serve(
            knowledge_base,
            settings,
            lambda address: say(f"Citegraph answers at {address} (ctrl-C stops it)"),
            open_dataset=test_dataset,
        )


def main() -> None:
    """Entry point of ``kg``: refusals are a sentence and a hint on standard error, exit 1 (usage: 2)."""
    try:
        app()
    except CitegraphError as error:
        complain(error.message, error.hint)
        sys.exit(1)


if __name__ == "__main__":
    main()
