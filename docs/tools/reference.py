"""Writes docs/reference/ from the code: commands, settings, HTTP, ontologies, Python.

    python docs/tools/reference.py           write the pages
    python docs/tools/reference.py --check   exit 1 where a page is stale or something has no description

Pages are a pure function of the code. What has no description is collected in ``MISSING`` and is an error.
"""

from __future__ import annotations

import inspect
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "reference"
NOTE = "<!-- Made by docs/tools/reference.py: edit the code that this describes, then run make reference. -->\n"
MISSING: list[str] = []
"""What has no description, by name."""

PUBLIC = {
    "kg": None,  # its __all__
    "kg.results": ("native", "rows", "frame"),
    "kg.reports": ("BuildReport", "CheckReport", "DocumentSummary", "Explanation", "Failure", "SearchHit"),
    "kg.model": ("AnswerItem", "Conflict", "ConflictValue", "Reason", "Status", "Polarity", "Mood"),
    "kg.decisions": ("Accept", "Reject", "Merge", "Split"),
    "kg.protocols": ("Reader", "Extractor", "GraphStore", "TextIndex", "Hit", "Encoder"),
    "kg.readers": ("has_reader", "read", "reader_for", "suffixes"),
    "kg.extract": ("extract",),
    "kg.stores": ("names", "make"),
    "kg.indexes": ("names", "make"),
}
"""What programs may rely on, by module."""


def told(text: str | None, name: str) -> str:
    """A description on one line; noted as missing where there is none."""
    if not text or not text.strip():
        MISSING.append(name)
        return ""
    return " ".join(text.split())


def cell(text: str) -> str:
    """Text for a cell of a Markdown table: bars and angle brackets must not be read as markup."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("``", "`")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A Markdown table; nothing where there are no rows."""
    kept = [f"| {' | '.join(map(cell, row))} |" for row in rows]
    if kept:
        yield from (f"| {' | '.join(heads)} |", "|" + "---|" * len(heads), *kept, "")


# --- commands --------------------------------------------------------------------------------------


def commands() -> Iterator[str]:
    """Every command of ``kg`` with its arguments and options."""
    import typer

    from kg.cli import app

    yield from ("# Commands", "", "`kg COMMAND --help` prints the same. Errors are a sentence and a hint on")
    yield from ("standard error; the exit status is then 1, and 2 for a command line that can't be read.", "")
    yield from _group("kg", typer.main.get_command(app))


def _group(name: str, group: Any) -> Iterator[str]:
    for word in sorted(group.commands):
        command = group.commands[word]
        if hasattr(command, "commands"):
            yield from (f"## {name} {word}", "", told(command.help, f"{name} {word}"), "")
            yield from _group(f"{name} {word}", command)
        else:
            yield from _command(f"{name} {word}", command)


def _command(name: str, command: Any) -> Iterator[str]:
    words = [_argument(p) for p in command.params if not p.opts[0].startswith("-")]
    yield from (f"{'##' if name.count(' ') == 1 else '###'} {name}", "", told(command.help, name), "")
    yield from ("```text", " ".join([name, *words]), "```", "")
    rows = []
    for param in command.params:
        option = param.opts[0].startswith("-")
        shown = ", ".join(param.opts + param.secondary_opts) if option else _argument(param)
        value = "" if not option or param.is_flag else f" {param.metavar or _value(param)}"
        help_ = told(param.help, f"{name} {shown}")
        rows.append((f"`{shown}{value}`", help_ + _default(param), "yes" if param.multiple else ""))
    yield from table(("argument or option", "what it does", "repeatable"), rows)


def _value(param: Any) -> str:
    kinds = {"int": "NUMBER", "float": "NUMBER", "str": "TEXT", "Path": "PATH", "PosixPath": "PATH"}
    annotation = param.type_descriptor.annotation
    members = getattr(annotation, "__members__", None)
    return "|".join(m.value for m in members.values()) if members else kinds.get(annotation.__name__, "VALUE")


def _argument(param: Any) -> str:
    return param.metavar or param.name.upper()


def _default(param: Any) -> str:
    value = getattr(param.default, "value", param.default)
    if callable(value) or value in (None, False, ()) or param.required or param.show_default is False:
        return ""
    return f" Default: `{value}`."


# --- settings --------------------------------------------------------------------------------------


def settings() -> Iterator[str]:
    """Every setting with its variable and its default."""
    from kg.settings import Settings

    yield from ("# Settings", "")
    yield from (
        "Defaults, then `kg.toml` of the current folder, then environment variables, then flags: the later ones win.",
        "Lists are written in TOML as `[…]` and in variables as JSON. A setting that isn't known is an error.",
        "",
    )
    yield from _section("Top level", "", Settings.model_fields.items())


def _section(title: str, prefix: str, fields: Iterable[tuple[str, Any]]) -> Iterator[str]:
    fields = list(fields)
    rows, below = [], []
    for name, field in fields:
        inner = getattr(field.annotation, "model_fields", None)
        if inner is not None:
            below.append((name, inner.items()))
            continue
        default = field.get_default(call_default_factory=True)
        variable = "KG_" + (f"{prefix}_".upper() + "_" if prefix else "") + name.upper()
        description = told(field.description, f"setting {prefix}.{name}")
        rows.append((f"`{name}`", f"`{variable}`", f"`{_plain(default)}`", description))
    yield from (f"## {title}", "")
    yield from table(("setting", "variable", "default", "what it does"), rows)
    for name, inner in below:
        yield from _section(f"[{name}]", name, inner)


def _plain(value: object) -> str:
    text = str(value) if not isinstance(value, tuple) else str(list(value))
    return text or '""'


# --- HTTP ------------------------------------------------------------------------------------------


_HTTP_NOTES = """Errors are problem details ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)).
Beside these routes, `/` is the web page, `/static` its files, and `/mcp` the
[agents' server](../how-to/mcp-client.md). [SPARQL over HTTP](../sparql.md) tells more of `/sparql` and `/graphs`."""


def http() -> Iterator[str]:
    """Every route from the server's own OpenAPI description."""
    from kg.api.app import create_app

    from kg.knowledge_base import KnowledgeBase
    from kg.settings import Settings

    with tempfile.TemporaryDirectory() as folder, KnowledgeBase.create(Path(folder) / "kb", Settings()) as empty:
        found = create_app(empty, Settings()).openapi()
    yield from ("# HTTP", "", "The server describes itself at `/openapi.json`; `/docs` shows that as a page.", "")
    yield from (_HTTP_NOTES, "")
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            yield from _operation(f"{method.upper()} {path}", operation)


def _operation(name: str, operation: dict[str, Any]) -> Iterator[str]:
    yield from (f"## `{name}`", "", told(operation.get("summary"), f"{name}: summary") + ".", "")
    yield from (told(operation.get("description"), f"{name}: description").replace("``", "`"), "")
    if "security" in operation:
        yield from ("Takes a key: `Authorization: Bearer KEY`.", "")
    rows = []
    for parameter in operation.get("parameters", []):
        if parameter["name"] == "accept":
            continue
        schema = parameter.get("schema", {})
        needed = "yes" if parameter.get("required") else ""
        rows.append((f"`{parameter['name']}`", parameter["in"], needed, parameter.get("description") or _type(schema)))
    yield from table(("parameter", "in", "required", "what it is"), rows)
    if body := operation.get("requestBody", {}).get("content"):
        kinds = [f"`{kind}`{_reference(told_.get('schema', {}))}" for kind, told_ in body.items()]
        yield from (f"Body: {', '.join(kinds)}.", "")


def _type(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(filter(None, (_type(one) for one in schema["anyOf"] if one.get("type") != "null")))
    bounds = [f"{word} {schema[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in schema]
    return " ".join([str(schema.get("type", "value")), *bounds])


def _reference(schema: dict[str, Any]) -> str:
    return f" ({schema['$ref'].rsplit('/', 1)[-1]})" if "$ref" in schema else ""


# --- ontologies ------------------------------------------------------------------------------------


def vocabulary(file: str, title: str, about: str) -> Callable[[], Iterator[str]]:
    """The page of an ontology: its classes, properties and named individuals."""

    def page() -> Iterator[str]:
        import rdflib

        graph = rdflib.Graph().parse(ROOT / "ontology" / file, format="turtle")
        yield from (f"# {title}", "", about, "")
        for heading, kinds in _KINDS.items():
            terms = {s for kind in kinds for s in graph.subjects(rdflib.RDF.type, rdflib.URIRef(_OWL + kind))}
            own = sorted(t for t in terms if isinstance(t, rdflib.URIRef))
            if own:
                yield from (f"## {heading}", "")
                yield from table(_HEADS[heading], [_term(graph, term, heading) for term in own])

    return page


_OWL = "http://www.w3.org/2002/07/owl#"
_KINDS = {
    "Classes": ("Class",),
    "Properties": ("ObjectProperty", "DatatypeProperty"),
    "Annotations": ("AnnotationProperty",),
    "Individuals": ("NamedIndividual",),
}
_HEADS = {
    "Classes": ("class", "under", "what it is"),
    "Properties": ("property", "from → to", "what it says"),
    "Annotations": ("annotation", "from → to", "what it says"),
    "Individuals": ("individual", "kind", "what it is"),
}


def _term(graph: Any, term: Any, heading: str) -> tuple[str, str, str]:
    from rdflib import RDF, RDFS, SKOS

    def short(iri: Any) -> str:
        try:
            return str(graph.namespace_manager.qname(iri))
        except Exception:  # a blank node (a union of classes), or an IRI that no prefix fits
            return "…"

    def all_of(predicate: Any) -> str:
        found = sorted(short(o) for o in graph.objects(term, predicate))
        return ", ".join(o for o in found if not o.startswith("owl:"))

    meaning = graph.value(term, SKOS.definition) or graph.value(term, RDFS.comment)
    described = told(str(meaning or ""), f"term {short(term)}")
    if heading == "Classes":
        place = all_of(RDFS.subClassOf)
    elif heading == "Individuals":
        place = all_of(RDF.type)
    else:
        place = f"{all_of(RDFS.domain) or 'anything'} → {all_of(RDFS.range) or 'anything'}"
    return f"`{short(term)}`", place, described


# --- Python ----------------------------------------------------------------------------------------


def python() -> Iterator[str]:
    """What programs may rely on, from its docstrings."""
    yield from ("# Python", "", "What isn't listed here may change without notice. Offsets count code points.", "")
    for module_name, chosen in PUBLIC.items():
        module = import_module(module_name)
        names = chosen or [n for n in module.__all__ if not n.startswith("__")]
        yield from (f"## {module_name}", "", told(_first(module.__doc__), module_name), "")
        for name in names:
            yield from _member(module_name, name, getattr(module, name))


def _first(doc: str | None) -> str:
    """A docstring's first paragraph."""
    return inspect.cleandoc(doc or "").split("\n\n", 1)[0]


def _prose(doc: str | None, name: str) -> str:
    """A docstring as Markdown: its examples fenced, its roles plain."""
    text = inspect.cleandoc(doc or "")
    told(text, name)
    prose = text.split("\n>>> ", 1)[0] if not text.startswith(">>> ") else ""
    return prose.replace(":class:", "").replace(":func:", "").replace(":meth:", "").replace(":mod:", "").replace(
        "``", "`"
    )  # fmt: skip


def _member(module: str, name: str, value: Any) -> Iterator[str]:
    full = f"{module}.{name}"
    if not inspect.isclass(value):
        yield from (f"### `{full}{_signature(value)}`", "", _prose(value.__doc__, full), "")
        return
    yield from (f"### `{full}`", "", _prose(value.__doc__, full), "")
    fields = getattr(value, "__dataclass_fields__", None)
    if fields:
        yield from table(("field", "type"), [(f"`{f}`", f"`{_annotation(d.type)}`") for f, d in fields.items()])
    if members := getattr(value, "__members__", None):
        yield from (", ".join(f"`{m.value}`" for m in members.values()), "")
        return
    rows = []
    for key, found in vars(value).items():
        inner = getattr(found, "__func__", getattr(found, "fget", found))
        if key.startswith("_") or not (inspect.isfunction(inner)) or key in (fields or ()):
            continue
        shown = key if isinstance(found, property) else f"{key}{_signature(inner)}"
        rows.append((f"`{shown}`", _prose(_first(inner.__doc__), f"{full}.{key}").replace("\n", " ")))
    yield from table(("method", "what it does"), rows)


def _annotation(kind: Any) -> str:
    return kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))


def _signature(value: Any) -> str:
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    kept = [
        p.replace(annotation=inspect.Parameter.empty)
        for p in found.parameters.values()
        if p.name not in ("self", "cls")
    ]
    # A default that is a function is shown by its name: its address differs from run to run.
    return re.sub(r"<function (\w+) at 0x[0-9a-f]+>", r"\1", str(inspect.Signature(kept)))


# --- all -------------------------------------------------------------------------------------------

PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "commands.md": commands,
    "settings.md": settings,
    "http.md": http,
    "vocabulary.md": vocabulary(
        "kg.ttl",
        "Citegraph's vocabulary",
        "Terms of `https://w3id.org/citegraph/kg#`, prefix `kg:`. Every graph uses them. "
        "The file is [ontology/kg.ttl](../../ontology/kg.ttl); it has an example query for each term.",
    ),
    "sample-ontology.md": vocabulary(
        "ai-infrastructure.ttl",
        "The sample ontology",
        "Terms of `https://w3id.org/citegraph/ai#`, prefix `ai:`, for the documents of `corpus/`. Nothing in Citegraph "
        "depends on them. The file is [ontology/ai-infrastructure.ttl](../../ontology/ai-infrastructure.ttl).",
    ),
    "python.md": python,
}


def pages() -> dict[str, str]:
    """The text of every page, by its name."""
    MISSING.clear()
    return {name: NOTE + "\n" + "\n".join(page()).rstrip() + "\n" for name, page in PAGES.items()}


def main() -> int:
    """Writes or checks; the exit status."""
    found = pages()
    for name in sorted(set(MISSING)):
        print(f"no description: {name}", file=sys.stderr)
    stale = [n for n, t in found.items() if not (p := FOLDER / n).is_file() or p.read_text(encoding="utf-8") != t]
    if "--check" in sys.argv:
        for name in stale:
            print(f"stale: docs/reference/{name}; run make reference", file=sys.stderr)
        return 1 if stale or MISSING else 0
    FOLDER.mkdir(exist_ok=True)
    for name, text in found.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 1 if MISSING else 0


if __name__ == "__main__":
    sys.exit(main())
