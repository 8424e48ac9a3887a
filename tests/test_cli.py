"""The command line as a person or a script meets it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
import typer
from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from kg.cli import main
from kg.errors import BadInput
from kg.model import Answer

from .conftest import REPOSITORY
from .lighthouses import DOCUMENTS, write

if TYPE_CHECKING:
    from kg.base.snapshot import Snapshot
    from kg.reports import CheckReport

HEIGHT = "How tall is Gannet Rock Light?"
LABELS = "SELECT ?label { ?x rdfs:label ?label FILTER(STRSTARTS(?label, 'Gannet')) }"


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str
    raw: bytes


Kg = Callable[..., Done]


@pytest.fixture
def kg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Kg:
    """Runs a command in a folder of its own, in this process."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["kg", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return Done(code, out.decode(), err.decode(), out)

    return run


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base for tests that only read."""
    from kg.knowledge_base import KnowledgeBase
    from kg.settings import Settings

    root = tmp_path_factory.mktemp("lighthouses")
    with KnowledgeBase.create(root / "kb", Settings()) as knowledge_base:
        knowledge_base.add([write(root / "docs")])
    return root / "kb"


def refused(done: Done, *words: str) -> None:
    """One sentence and perhaps a hint on standard error, nothing else, and no traceback."""
    assert done.code == 1 and done.out == ""
    lines = done.err.splitlines()
    assert lines[0].startswith("Error: ") and len(lines) <= 2
    assert all(line.startswith("Hint: ") for line in lines[1:])
    for word in words:
        assert word in done.err


# --- building ----------------------------------------------------------------------------------


def test_build_adds_updates_and_prunes(kg: Kg, tmp_path: Path) -> None:
    docs = write(tmp_path / "docs")
    first = kg("build", "docs")
    assert first.code == 0 and first.err == ""
    assert "Documents: 2 added, 0 changed, 0 unchanged" in first.out
    claims = re.search(r"^Claims: (\d+) \(.*stated \d+", first.out, re.MULTILINE)
    assert claims and int(claims[1]) > 0
    assert re.search(r"^Knowledge base: kb \(2 documents, [\d,]+ triples\)$", first.out, re.MULTILINE)
    assert "2 unchanged" in kg("build", "docs").out
    (docs / "keepers.md").write_text(
        "# Keepers' Handbook\n\nSaltmouth Beacon is kept by Ines Vole.\n", encoding="utf-8"
    )
    assert "0 added, 1 changed, 1 unchanged" in kg("build", "docs").out
    (docs / "keepers.md").unlink()
    assert "1 removed" not in kg("build", "docs").out
    assert "1 removed" in kg("build", "docs", "--prune").out


def test_build_goes_on_past_a_document_that_fails(kg: Kg, tmp_path: Path) -> None:
    docs = write(tmp_path / "docs")
    (docs / "blank.md").write_text("  \n", encoding="utf-8")
    (docs / "photo.jpeg").write_bytes(b"\xff\xd8")
    (docs / "dangling.md").symlink_to("nowhere.md")
    done = kg("build", "docs")
    assert done.code == 1
    assert "2 added" in done.out and "2 failed" in done.out
    assert "Error: dangling.md can't be opened: No such file or directory.\nHint: see that it is there" in done.err
    assert "blank.md" in done.err and "photo.jpeg" in done.err and "Traceback" not in done.err
    assert "2 unchanged" in kg("build", "docs").out


def test_build_with_an_ontology(kg: Kg, tmp_path: Path) -> None:
    write(tmp_path / "docs")
    (tmp_path / "lights.ttl").write_text(
        """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix l: <https://lights.example/terms#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        l:Lighthouse a owl:Class ; rdfs:label "lighthouse" .
        l:keepers a owl:DatatypeProperty ; rdfs:label "keepers" ;
          rdfs:domain l:Lighthouse ; rdfs:range xsd:integer .""",
        encoding="utf-8",
    )
    assert kg("build", "docs", "--ontology", "lights.ttl").code == 0
    counted = kg("sparql", "SELECT ?n { ?x rdfs:label 'Gannet Rock Light' ; l:keepers ?n }", "--format", "csv")
    assert counted.raw == b"n\r\n4\r\n"
    refused(kg("build", "docs", "--ontology", "nowhere.ttl"), "nowhere.ttl")


def test_build_refuses_what_is_not_there(kg: Kg) -> None:
    refused(kg("build", "nowhere"), "nowhere")


@pytest.mark.parametrize("kb", ["docs", ".", "docs/lights.md"])
def test_build_refuses_a_folder_that_holds_other_files_and_writes_nothing(kg: Kg, tmp_path: Path, kb: str) -> None:
    write(tmp_path / "docs")
    before = sorted(tmp_path.rglob("*"))
    refused(kg("build", "docs", "--kb", kb), f"Error: {kb} ", "Hint: name a folder of its own")
    assert sorted(tmp_path.rglob("*")) == before


def test_build_says_that_a_knowledge_base_holds_no_documents(kg: Kg, tmp_path: Path) -> None:
    write(tmp_path / "docs")
    assert kg("build", "docs", "--kb", "docs/kb").code == 0
    refused(kg("build", "docs/kb", "--kb", "docs/kb"), "no documents in docs/kb", "that is a knowledge base")


def test_remove(kg: Kg, tmp_path: Path) -> None:
    write(tmp_path / "docs")
    kg("build", "docs")
    before = kg("export", "--format", "nq").raw
    write(tmp_path / "docs", {"drum.txt": "Drum\n\nThe village of Drum lies below Corran Head Light.\n"})
    kg("build", "docs")
    assert kg("export", "--format", "nq").raw != before
    done = kg("remove", "drum.txt")
    assert done.code == 0 and "1 removed" in done.out
    assert kg("export", "--format", "nq").raw == before
    refused(kg("remove", "drum.txt"), "drum.txt")


# --- reading -----------------------------------------------------------------------------------


def test_documents_and_stats(kg: Kg, built: Path) -> None:
    listed = kg("documents", "--kb", built)
    assert listed.code == 0
    assert [line.split()[0] for line in listed.out.splitlines() if ".md" in line] == ["keepers.md", "lights.md"]
    as_json = json.loads(kg("documents", "--kb", built, "--json").out)
    assert [d["title"] for d in as_json] == ["Keepers' Handbook", "Lighthouses of the Outer Skerries"]
    counts = json.loads(kg("stats", "--kb", built, "--json").out)
    assert counts["documents"] == 2 and counts["claims"] > 5
    assert re.search(rf"^claims +{counts['claims']}$", kg("stats", "--kb", built).out, re.MULTILINE)


def test_what_is_not_kept_is_counted_alike_and_claims_among_it_apart(kg: Kg, tmp_path: Path) -> None:
    docs = write(tmp_path / "docs")
    (docs / "links.md").write_text("# Drum\n\nDrum has a pier.\n\n- Note: see below\n", encoding="utf-8")
    told = re.search(r"^Not kept: (\d+) \(", kg("build", "docs").out, re.MULTILINE)
    assert told is not None
    counts = json.loads(kg("stats", "--json").out)
    assert (counts["not kept"], counts["rejected claims"]) == (int(told[1]), 0)
    claim = re.search(r"/claim/(\w+) ", kg("explain", "Gannet Rock Light").out)
    assert claim is not None
    assert kg("reject", f" {claim[1]}\r").out == "1 decision in force\n"  # as it may be pasted
    assert kg("decisions").out.startswith(f"reject claim {claim[1]}:")
    counts = json.loads(kg("stats", "--json").out)
    assert (counts["not kept"], counts["rejected claims"]) == (int(told[1]) + 1, 1)


def test_check_reads_what_it_began_with_whatever_is_taken_out_meanwhile(
    kg: Kg, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kg.app import check
    from kg.knowledge_base import KnowledgeBase
    from kg.settings import Settings

    copy = Path(shutil.copytree(built, tmp_path / "copy"))
    really = check.check

    def late(snapshot: Snapshot) -> CheckReport:
        with KnowledgeBase.open(copy, Settings()) as other:
            other.remove([other.documents()[0].name])
        return really(snapshot)

    monkeypatch.setattr(check, "check", late)
    done = kg("check", "--kb", copy)
    monkeypatch.setattr(check, "check", really)
    assert (done.code, done.err) == (0, "")
    assert done.out == kg("check", "--kb", built).out.replace(str(built), str(copy))


def test_check(kg: Kg, built: Path, tmp_path: Path) -> None:
    sound = kg("check", "--kb", built)
    assert sound.code == 0 and sound.out.splitlines()[-1] == "Sound."
    write(tmp_path / "docs")
    kg("build", "docs")
    record = next((tmp_path / "kb" / "records").glob("*.json"))
    record.write_bytes(record.read_bytes().replace(b"Gannet", b"Ganet").replace(b"Tomas", b"Thomas"))
    broken = kg("check")
    assert broken.code == 1


def test_ask_prints_answer_and_numbered_citations(kg: Kg, built: Path) -> None:
    done = kg("ask", HEIGHT, "--kb", built)
    assert done.code == 0 and done.err == ""
    assert "51" in done.out.splitlines()[0]
    assert "Sources:" in done.out
    assert re.search(r"^\[1\] Lighthouses of the Outer Skerries › Comparison$", done.out, re.MULTILINE)
    assert "    | Gannet Rock Light | 51 m | 1888 | 4 |" in done.out


def test_ask_as_json_is_what_the_server_gives(kg: Kg, built: Path) -> None:
    reply = json.loads(kg("ask", HEIGHT, "--kb", built, "--json").out)
    assert to_jsonable_python(TypeAdapter(Answer).validate_python(reply)) == reply
    for citation in reply["citations"]:
        assert citation["text"][citation["start"] : citation["end"]] == citation["quote"]


def test_ask_declines_with_its_reason(kg: Kg, built: Path) -> None:
    question = "Who painted the ceiling of the Zanzibar Opera House?"
    reply = json.loads(kg("ask", question, "--kb", built, "--json").out)
    assert reply["status"] == "abstained"
    done = kg("ask", question, "--kb", built)
    assert done.code == 0
    assert f"({reply['reason'].replace('_', ' ')})" in done.out
    assert ("Nearest passages:" in done.out) == bool(reply["citations"])


def test_ask_refuses_an_empty_question(kg: Kg, built: Path) -> None:
    refused(kg("ask", "  ", "--kb", built), "empty")


def test_sparql_formats(kg: Kg, built: Path, tmp_path: Path) -> None:
    def run(*arguments: str) -> Done:
        return kg("sparql", *arguments, "--kb", built)

    assert run(LABELS).out.split() == ["label", "─" * 17, "Gannet", "Rock", "Light", "1", "row"]
    assert (
        json.loads(run(LABELS, "--format", "json").out)["results"]["bindings"][0]["label"]["value"]
        == "Gannet Rock Light"
    )
    assert list(csv.reader(io.StringIO(run(LABELS, "--format", "csv").out))) == [["label"], ["Gannet Rock Light"]]
    assert run("ASK { ?x a kg:Document }").out == "yes\n"
    assert run("SELECT (kg:Document AS ?x) {}").out.split()[2] == "kg:Document"
    construct = "CONSTRUCT { ?x rdfs:label ?l } WHERE { ?x rdfs:label ?l }"
    assert run(construct).raw == run(construct, "--format", "turtle").raw
    assert len(list(ox.parse(run(construct, "--format", "nt").raw, ox.RdfFormat.N_TRIPLES))) >= 3
    (tmp_path / "q.rq").write_text(LABELS, encoding="utf-8")
    assert run("-f", str(tmp_path / "q.rq"), "--format", "csv").raw == run(LABELS, "--format", "csv").raw


def test_sparql_refusals(kg: Kg, built: Path) -> None:
    def run(*arguments: object) -> Done:
        return kg("sparql", *arguments, "--kb", built)

    refused(run("SELECT * {"), "line 1")
    refused(run("SELECT * { SERVICE <http://lamp.example/> { ?s ?p ?o } }"), "SERVICE")
    refused(run("DROP ALL"), "updates")
    refused(run(LABELS, "--format", "gif"), "gif")
    refused(run(LABELS, "--format", "turtle"))
    refused(run("CONSTRUCT WHERE { ?s ?p ?o }", "--format", "csv"))
    refused(run("-f", "nowhere.rq"), "nowhere.rq")
    refused(run(" "), "the query is empty", "Hint: ask something: SELECT")
    assert run().code == 2 and run(LABELS, "-f", "x.rq").code == 2


def test_export(kg: Kg, built: Path, tmp_path: Path) -> None:
    turtle = kg("export", "--kb", built)
    full = set(ox.parse(turtle.raw, ox.RdfFormat.TURTLE))
    facts = set(ox.parse(kg("export", "--kb", built, "--provenance", "none").raw, ox.RdfFormat.TURTLE))
    assert facts < full
    written = kg("export", "--kb", built, "--format", "nq", "-o", "graph.nq")
    assert written.code == 0 and written.out == ""
    assert (tmp_path / "graph.nq").read_bytes() == kg("export", "--kb", built, "--format", "nq").raw
    assert kg("export", "again.nq", "--kb", built, "--format", "nq").code == 0
    assert (tmp_path / "again.nq").read_bytes() == (tmp_path / "graph.nq").read_bytes()
    assert kg("export", "one.nq", "--kb", built, "-o", "two.nq").code == 2
    refused(kg("export", "--kb", built, "--format", "gif"), "gif")
    refused(kg("export", "--kb", built, "-o", "no/such/folder.ttl"), "folder")


def test_explain(kg: Kg, built: Path) -> None:
    done = kg("explain", "Gannet Rock Light", "--kb", built)
    assert done.code == 0
    assert done.out.startswith("Gannet Rock Light  <")
    assert "Lighthouses of the Outer Skerries" in done.out and "51" in done.out
    claim = re.search(r"^ +(\S+/claim/\S+) ", done.out, re.MULTILINE)
    assert claim is not None
    assert claim[1] in kg("explain", claim[1], "--kb", built).out
    assert kg("explain", f" {claim[1]}\r", "--kb", built).out == kg("explain", claim[1], "--kb", built).out
    refused(kg("explain", "Nobody At All", "--kb", built), "Nobody At All", "SELECT ?name { ?x rdfs:label ?name }")
    refused(kg("explain", " ", "--kb", built), "the name is empty", "Hint: give the name of a thing")


def test_evaluate(kg: Kg, built: Path, tmp_path: Path) -> None:
    question = {"id": "1", "question": HEIGHT, "type": "factoid-number", "match": "all", "answers": [["51 m"]]}
    line = json.dumps({**question, "evidence": ["| Gannet Rock Light | 51 m |"]})
    (tmp_path / "q.jsonl").write_text(line + "\n", encoding="utf-8")
    done = kg("evaluate", "questions", "q.jsonl", "--kb", built)
    assert done.code == 0
    assert done.out.splitlines()[0].split() == ["factoid-number", "1/1", "100.0%"]
    assert done.out.splitlines()[-1].startswith("right 1 quoted 1 ")


# --- errors, settings, start -------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", [["ask", "Who?"], ["stats"], ["check"], ["documents"], ["export"], ["sparql", "ASK {}"], ["serve"]]
)
def test_without_a_knowledge_base_every_command_says_so(kg: Kg, command: list[str]) -> None:
    refused(kg(*command), "no knowledge base", "kg build")


@pytest.mark.parametrize(
    "arguments", [[], ["frobnicate"], ["build"], ["ask"], ["ask", "--frob"], ["serve", "--port", "seven"]]
)
def test_usage_errors_exit_with_2(kg: Kg, arguments: list[str]) -> None:
    done = kg(*arguments)
    assert done.code == 2 and "Traceback" not in done.err


def test_the_knowledge_base_is_named_by_flag_environment_or_file(
    kg: Kg, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kg.toml").write_text(f'kb = "{built}"\n', encoding="utf-8")
    assert kg("documents").code == 0
    monkeypatch.setenv("KG_KB", str(tmp_path / "elsewhere"))
    refused(kg("documents"), "elsewhere")
    assert kg("documents", "--kb", built).code == 0
    (tmp_path / "kg.toml").write_text("surprise = 1\n", encoding="utf-8")
    refused(kg("documents", "--kb", built), "surprise")


def python(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, check=True
    )


def test_help_loads_next_to_nothing() -> None:
    code = "import sys; sys.argv = ['kg', '--help']\nfrom kg.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    heavy = python(
        code + "print('HEAVY', *{'pydantic', 'numpy', 'pyoxigraph', 'rdflib', 'fastapi', 'torch'} & set(sys.modules))"
    )
    assert heavy.stdout.splitlines()[-1] == "HEAVY"


def test_asking_never_imports_torch(built: Path) -> None:
    code = f"import sys; sys.argv = ['kg', 'ask', {HEIGHT!r}, '--kb', sys.argv[1]]\n"
    code += "from kg.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    done = python(
        code + "print('HEAVY', *{'torch', 'sentence_transformers', 'rdflib', 'fastapi'} & set(sys.modules))", built
    )
    assert "51" in done.stdout.splitlines()[0] and done.stdout.splitlines()[-1] == "HEAVY"


# --- serving -----------------------------------------------------------------------------------


@contextmanager
def serving(*arguments: object, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process and the address that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}, cwd=REPOSITORY,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + (process.stderr.read() if process.stderr else "")
        yield process, found[0]
    finally:
        process.kill()
        process.communicate()


def fetch(address: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serve_answers_and_ends_in_peace(built: Path, number: signal.Signals) -> None:
    with serving("kg.cli", "serve", "--kb", built, "--port", 0) as (process, address):
        assert "51" in fetch(f"{address}/ask", {"question": HEIGHT})["answer"]
        assert len(fetch(f"{address}/documents")["documents"]) == len(DOCUMENTS)
        process.send_signal(number)
        out, err = process.communicate()
        assert process.returncode == 0 and out == ""
        logged = [json.loads(line) for line in err.splitlines()]
        assert [(line["path"], line["status"]) for line in logged] == [("/ask", 200), ("/documents", 200)]


def test_serve_says_that_a_port_is_taken(kg: Kg, built: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        refused(kg("serve", "--kb", built, "--port", port), f"port {port} is in use")


def test_the_demonstration_asks_its_question(built: Path) -> None:
    command = ("deploy.demo", "--port", 0, "--question", HEIGHT)
    with serving(*command, "--once", KG_KB=str(built)) as (process, _):
        out, err = process.communicate()
        assert process.returncode == 0 and err == ""
        assert out.startswith(f"Question: {HEIGHT}\nAnswer:   ") and "51 m" in out and "Source:   Lighthouses" in out
    with serving(*command[:-1], "Who painted the Zanzibar Opera House?", "--once", KG_KB=str(built)) as (process, _):
        process.communicate()
        assert process.returncode == 1


def test_benchmarks_are_commands_of_a_checkout_alone(tmp_path: Path) -> None:
    from click.utils import strip_ansi
    from typer.testing import CliRunner

    from kg.cli import register

    checkout, elsewhere = typer.Typer(no_args_is_help=True), typer.Typer()
    for app, root in ((checkout, REPOSITORY), (elsewhere, tmp_path)):
        app.command("other")(lambda: None)
        register(app, root)
    listed = strip_ansi(CliRunner().invoke(checkout, ["evaluate", "--help"]).output)
    assert "nl2sparql" in listed and "questions" in listed
    done = CliRunner().invoke(elsewhere, ["evaluate", "nl2sparql", "folder", "--json", "figures.json"])
    assert isinstance(done.exception, BadInput) and "come with the source" in str(done.exception)
