"""The reference says what the code says, and leaves nothing out."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from ..conftest import REPOSITORY
from .pages import DOCS

WRITTEN = "\n".join(p.read_text(encoding="utf-8") for p in sorted(DOCS.rglob("*.md")) if "samples" not in p.parts)


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", DOCS / "tools" / "reference.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(reference: ModuleType) -> dict[str, str]:
    found: dict[str, str] = reference.pages()
    return found


def test_the_pages_are_as_the_code_is(made: dict[str, str]) -> None:
    folder = DOCS / "reference"
    stale = [name for name, text in made.items() if (folder / name).read_text(encoding="utf-8") != text]
    assert not stale, "run make reference"
    assert sorted(made) == sorted(p.name for p in folder.glob("*.md"))


def test_nothing_lacks_a_description(reference: ModuleType, made: dict[str, str]) -> None:
    assert made
    assert sorted(set(reference.MISSING)) == []


def test_every_command_and_option_is_there(made: dict[str, str]) -> None:
    import typer

    from kg.cli import app

    page = made["commands.md"]

    def walk(name: str, group: object) -> list[str]:
        found: list[str] = []
        for word, command in group.commands.items():  # type: ignore[attr-defined]
            full = f"{name} {word}"
            assert re.search(rf"^##+ {re.escape(full)}$", page, re.MULTILINE), full
            found.append(full)
            if hasattr(command, "commands"):
                found += walk(full, command)
                continue
            section = re.split(r"^##", page.split(f" {full}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
            for param in command.params:
                shown = param.opts[0] if param.opts[0].startswith("-") else param.metavar or param.name.upper()
                assert shown.replace("|", "\\|") in section, f"{full} {shown}"
        return found

    assert len(walk("kg", typer.main.get_command(app))) > 20


def test_every_setting_is_there(made: dict[str, str]) -> None:
    from kg.settings import BuildSettings, ServeSettings, Settings

    for prefix, model in (("", Settings), ("BUILD__", BuildSettings), ("SERVE__", ServeSettings)):
        for name, field in model.model_fields.items():
            if hasattr(field.annotation, "model_fields"):
                continue
            assert f"| `{name}` | `KG_{prefix}{name.upper()}` |" in made["settings.md"]
            assert (
                field.description
                and " ".join(field.description.split())[:30].replace("|", "\\|") in made["settings.md"]
            )


def test_every_variable_that_the_code_reads_is_told_of() -> None:
    read = set()
    for root in (REPOSITORY / "src" / "kg", REPOSITORY / "api"):
        for path in root.rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            read |= set(re.findall(r"environ(?:\.get\(|\[)\s*[\"'](KG_\w+)", text))
    assert "KG_MODEL_CACHE" in read
    assert {name for name in read if name not in WRITTEN} == set()


def test_every_route_is_there(made: dict[str, str], tmp_path: Path) -> None:
    from kg.api.app import create_app

    from kg.knowledge_base import KnowledgeBase
    from kg.settings import Settings

    with KnowledgeBase.create(tmp_path / "kb", Settings()) as empty:
        app = create_app(empty, Settings())
        routes = {
            (method, getattr(route, "path", ""))
            for route in app.router.routes
            for method in getattr(route, "methods", None) or ()
        }
        described = app.openapi()["paths"]
    for path, operations in described.items():
        for method in operations:
            assert f"## `{method.upper()} {path}`" in made["http.md"]
    for _, path in routes:  # those that OpenAPI leaves out are named in the page's introduction
        assert path in described or f"`{path}`" in made["http.md"] or path == "", path


@pytest.mark.parametrize(
    ("file", "page"), [("kg.ttl", "vocabulary.md"), ("ai-infrastructure.ttl", "sample-ontology.md")]
)
def test_every_term_is_there(made: dict[str, str], file: str, page: str) -> None:
    import rdflib

    graph = rdflib.Graph().parse(REPOSITORY / "ontology" / file, format="turtle")
    owl = "http://www.w3.org/2002/07/owl#"
    kinds = ("Class", "ObjectProperty", "DatatypeProperty", "AnnotationProperty", "NamedIndividual")
    for kind in kinds:
        for term in graph.subjects(rdflib.RDF.type, rdflib.URIRef(owl + kind)):
            if isinstance(term, rdflib.URIRef):
                assert f"`{graph.namespace_manager.qname(term)}`" in made[page], term


def test_every_public_name_is_there(made: dict[str, str]) -> None:
    import kg

    for name in kg.__all__:
        assert name.startswith("__") or f"### `kg.{name}" in made["python.md"]
    for method in ("build", "add", "remove", "ask", "query", "rows", "frame", "search", "network", "rdf", "export"):
        assert f"| `{method}(" in made["python.md"]


def test_every_tool_of_agents_is_on_their_page() -> None:
    from kg.api.agents import TOOLS

    page = (DOCS / "how-to" / "mcp-client.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == set(TOOLS)


def test_every_annotation_that_the_reader_of_ontologies_knows_is_a_term(made: dict[str, str]) -> None:
    page = (DOCS / "how-to" / "own-ontology.md").read_text(encoding="utf-8")
    for term in set(re.findall(r"`(kg:\w+)`", page)):
        assert f"`{term}`" in made["vocabulary.md"], term
