"""The command ``kg``. Each command imports what it needs when it runs, so that help is instant."""

from __future__ import annotations

import enum
import io
import json
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import kg
from kg import __version__
from kg.app.console import (
    Kb,
    complain,
    counted,
    progress,
    say,
    settings_for,
    show_answer,
    show_build,
    show_check,
    show_explanation,
    table,
)
from kg.app.queries import run_query
from kg.errors import BadInput, CitegraphError, NotFound, Unsupported
from kg.stores.guard import check_query

if TYPE_CHECKING:
    from kg.app.backup import BackupReport
    from kg.decisions import Accept, Decision, Reject
    from kg.knowledge_base import KnowledgeBase

_CHECKOUT = Path(kg.__file__).resolve().parents[2]


app = typer.Typer(
    name="kg",
    help="Documents in, an RDF knowledge graph with evidence for every fact out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def register(app: typer.Typer, checkout: Path = _CHECKOUT) -> None:
    """Adds the commands of a checkout's ``benchmarks.evaluation``; one that says where they are if there is none."""
    if not (checkout / "benchmarks" / "evaluation" / "commands.py").is_file():
        app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(evaluate)
        return
    if str(checkout) not in sys.path:
        sys.path.append(str(checkout))  # behind everything that is installed
    from benchmarks.evaluation.commands import evaluations

    app.add_typer(evaluations, name="evaluate")


def evaluate(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="Which; a checkout has them.")] = "",
) -> None:
    """Measure against data with known answers: only in a checkout of the source."""
    raise BadInput(
        "kg evaluate isn't part of the installed package: benchmarks come with the source",
        "get the source, and install it from there with pip install -e .",
    )


register(app)


def open_knowledge_base(kb: Path | None, *, pinned: bool = False) -> KnowledgeBase:
    """The knowledge base that the flag, or else the settings, name. Raises as :meth:`KnowledgeBase.open`.

    ``pinned``: to be read for long; no writer takes away what is read.
    """
    from kg.knowledge_base import KnowledgeBase

    settings = settings_for(kb)
    opening = KnowledgeBase.open_pinned if pinned else KnowledgeBase.open
    return opening(settings.kb, settings)


Claims = Annotated[list[str], typer.Argument(metavar="CLAIM…", help="Identifiers or IRIs (kg explain shows them).")]
Undo = Annotated[bool, typer.Option("--undo", help="Take the decision back.")]


@app.command()
def accept(claims: Claims, kb: Kb = None, undo: Undo = False) -> None:
    """Make claims facts, whatever their standing or validation says; the decision survives rebuilds."""
    from kg.decisions import Accept

    _decide(Accept, claims, kb, undo)


@app.command()
def reject(claims: Claims, kb: Kb = None, undo: Undo = False) -> None:
    """Keep claims from being facts; the decision survives rebuilds."""
    from kg.decisions import Reject

    _decide(Reject, claims, kb, undo)


def _decide(kind: type[Accept] | type[Reject], claims: list[str], kb: Path | None, undo: bool) -> None:
    with open_knowledge_base(kb) as knowledge_base:
        decisions = [kind(_known(knowledge_base, claim)) for claim in claims]
        (knowledge_base.undo if undo else knowledge_base.decide)(*decisions)
        say(f"{counted(len(knowledge_base.snapshot.decisions), 'decision')} in force")


@app.command()
def decisions(kb: Kb = None) -> None:
    """List reviewers' decisions that are in force."""
    from kg.decisions import told

    with open_knowledge_base(kb) as knowledge_base:
        held = sorted(knowledge_base.snapshot.decisions, key=told)
        for decision in held:
            say(told(decision).removeprefix("to ") + _said(knowledge_base, decision))
        if not held:
            say("No decision is in force.")


def _said(knowledge_base: KnowledgeBase, decision: Decision) -> str:
    """What a decision on a claim is about."""
    from kg.decisions import Accept, Reject

    if not isinstance(decision, Accept | Reject):
        return ""
    try:
        found = knowledge_base.explain(knowledge_base.snapshot.namespaces.claim(decision.claim)).claims
    except NotFound:  # its document was removed, or says something else now
        return ": no document says it now"
    return "".join(f": {claim.subject} – {claim.predicate} – {claim.value or '(no value)'}" for claim in found[:1])


def _known(knowledge_base: KnowledgeBase, claim: str) -> str:
    """The identifier of a claim that is there. Raises NotFound."""
    prefix, claim = knowledge_base.snapshot.namespaces.claim(""), claim.strip()  # pasted with the end of a line
    try:
        found = knowledge_base.explain(claim if "://" in claim else prefix + claim)
    except NotFound as error:
        raise NotFound(f"there is no claim {claim}", "kg explain NAME shows the claims about a thing") from error
    if not found.iri.startswith(prefix):
        raise NotFound(f"{claim} is no claim", "kg explain NAME shows the claims about a thing")
    return found.iri.removeprefix(prefix)


keys = typer.Typer(help="Keys for the server: who may read, write, administer.", no_args_is_help=True)
app.add_typer(keys, name="key")


class KeyRole(enum.StrEnum):
    """Roles of keys."""

    read = "read"
    write = "write"
    admin = "admin"


Name = Annotated[str, typer.Argument(metavar="NAME", help="What the key is called (a person, a program).")]


def _folder(kb: Path | None) -> Path:
    """The knowledge base's folder. Raises NotFound where there is none."""
    from kg.storage import Folder

    settings = settings_for(kb)
    Folder(settings.kb).manifest()
    return settings.kb


@keys.command()
def add(
    name: Name,
    role: Annotated[KeyRole, typer.Option(help="What its holder may do.")] = KeyRole.write,
    kb: Kb = None,
) -> None:
    """Make a key and print it, this once; servers that run take it at once. A first read key ends reading by all."""
    from kg.app.keys import Role, add_key

    say(add_key(_folder(kb), name, Role[role.name.upper()]))


@keys.command(name="list")
def list_(kb: Kb = None) -> None:
    """List the names and roles of the keys."""
    from kg.app.keys import read_keys

    table(("name", "role"), [(key.name, key.role.name.lower()) for key in read_keys(_folder(kb))])


@keys.command()
def revoke(name: Name, kb: Kb = None) -> None:
    """Take a key out of force, also at servers that run."""
    from kg.app.keys import revoke_key

    revoke_key(_folder(kb), name)
    say(f"{name} is no key any more")


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; compressed where it ends in .gz.")],
    kb: Kb = None,
) -> None:
    """Write the knowledge base to one file, also while it is served or built."""
    from kg.app.backup import backup

    _tell(backup(_folder(kb), file), str(file))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that kg backup wrote.")],
    kb: Kb = None,
) -> None:
    """Make the knowledge base of a backup, every file checked; the folder must be empty or not there."""
    from kg.app.backup import restore

    settings = settings_for(kb)
    _tell(restore(file, settings.kb), str(settings.kb))


def _tell(report: BackupReport, where: str) -> None:
    files = f"{counted(report.files, 'file')} checked, {report.bytes:,} bytes"
    say(f"{where}: {counted(report.documents, 'document')}, {files}")


@app.command()
def mcp(kb: Kb = None) -> None:
    """Serve agents over standard input and output (Model Context Protocol)."""
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise CitegraphError("this needs the MCP SDK", "pip install 'citegraph[agents]'")
    from kg.api.agents import agent_server
    from kg.api.live import Live

    with open_knowledge_base(kb) as knowledge_base, closing(Live(knowledge_base, settings_for(kb))) as live:
        agent_server(live).run("stdio")


ROWS = {"json": "JSON", "xml": "XML", "csv": "CSV", "tsv": "TSV"}
GRAPHS = {
    "turtle": "TURTLE",
    "ttl": "TURTLE",
    "nt": "N_TRIPLES",
    "rdfxml": "RDF_XML",
    "jsonld": "JSON_LD",
    "trig": "TRIG",
    "nq": "N_QUADS",
    "n3": "N3",
}


def print_result(knowledge_base: KnowledgeBase, query: str, format: str | None) -> None:
    """Runs the query and prints its result. Raises Unsupported for a format that can't hold it."""
    if format in (None, "table"):
        form = check_query(query)
        as_graph = form is not None and form.gives_graph and format is None
        body, graph = run_query(knowledge_base, query, "JSON", "TURTLE" if as_graph else None)
        if graph:
            _write(body, None)
        else:
            _table(json.loads(body), knowledge_base.snapshot.prefixes)
        return
    if format not in ROWS and format not in GRAPHS:
        raise Unsupported(f"there is no format {format}", "choose one of table, " + ", ".join([*ROWS, *GRAPHS]))
    body, _ = run_query(knowledge_base, query, ROWS.get(format), GRAPHS.get(format))
    _write(body, None)
    if format == "json":
        say()


def _table(result: dict[str, Any], prefixes: dict[str, str]) -> None:
    if "boolean" in result:
        say("yes" if result["boolean"] else "no")
        return
    heads = result["head"]["vars"]
    rows = [[_cell(row.get(head), prefixes) for head in heads] for row in result["results"]["bindings"]]
    if heads:
        table(heads, rows)
    say(counted(len(rows), "row"))


def _cell(term: dict[str, Any] | None, prefixes: dict[str, str]) -> str:
    if term is None:
        return ""
    if term["type"] == "triple":
        return " ".join(_cell(term["value"][part], prefixes) for part in ("subject", "predicate", "object"))
    value = str(term["value"])
    if term["type"] != "uri":
        return value
    fitting = [(len(iri), prefix, iri) for prefix, iri in prefixes.items() if value.startswith(iri)]
    _, prefix, iri = max(fitting, default=(0, "", ""))
    return f"{prefix}:{value[len(iri) :]}" if iri else value


@app.command()
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


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Write here. [default: standard output]", show_default=False),
]


def _print_json(value: object) -> None:
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
    """Add or update documents, then graph and indexes.

    "Not kept" counts what was found and became no fact; the page of kg serve lists it (GET /review/rejected).
    """
    from kg.knowledge_base import KnowledgeBase

    if not paths and not graph:
        raise typer.BadParameter("name files or folders of documents, or RDF with --graph")
    given = {"ontology": tuple(ontology) if ontology else None, "workers": workers}
    settings = settings_for(kb, build=given, store={"url": store})
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
    with open_knowledge_base(kb) as knowledge_base:
        with progress() as tell:
            report = knowledge_base.remove(documents, progress=tell)
        show_build(report, str(knowledge_base.path))


@app.command()
def documents(kb: Kb = None, json: AsJson = False) -> None:
    """List the documents."""

    with open_knowledge_base(kb) as knowledge_base:
        found = knowledge_base.documents()
    if json:
        _print_json([asdict(d) for d in found])
        return
    rows = [(d.id, d.title, f"{d.passages:,}", f"{d.claims:,}") for d in found]
    table(("document", "title", "passages", "claims"), rows, numbers=("passages", "claims"))


@app.command()
def stats(kb: Kb = None, json: AsJson = False) -> None:
    """Count what the knowledge base holds.

    "not kept" is that of kg build; rejected claims are those among it that are in the graph (kg explain).
    """
    with open_knowledge_base(kb) as knowledge_base:
        counts = dict(knowledge_base.stats())
    if json:
        _print_json(counts)
        return
    table(("what", "count"), [(name, f"{count:,}") for name, count in counts.items()], numbers=("count",))


@app.command()
def check(kb: Kb = None) -> None:
    """Verify files, offsets, quotes, graph and shapes; list what documents disagree on."""
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
    output: Output = None,
) -> None:
    """Write the graph as RDF, or its claims as CSV; the same bytes for the same documents."""
    if file is not None and output is not None:
        raise typer.BadParameter("name one file to write to")
    stream = io.BytesIO()
    with open_knowledge_base(kb) as knowledge_base:
        knowledge_base.export(stream, format, provenance)
    _write(stream.getvalue(), file or output)


def _write(data: bytes, output: Path | None) -> None:
    """To a file, or to standard output. Raises BadInput."""
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        raise BadInput(f"{output} can't be written: {error.strerror}", "name a file in a folder that exists") from error


@app.command(name="draft-ontology")
def draft_ontology(kb: Kb = None, output: Output = None) -> None:
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
    from kg.api.server import serve, throwaway
    from kg.knowledge_base import KnowledgeBase

    settings = settings_for(kb, serve={"host": host, "port": port})
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
