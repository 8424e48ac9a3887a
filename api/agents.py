"""The knowledge base for agents: a server of the Model Context Protocol, over stdio (``kg mcp``) or HTTP (``/mcp``).

Tools only read. What documents say is handed on as data: every result carries a notice, and the server's instructions
tell a model to treat what is quoted as content, never as instructions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import ValidationError

from kg import __version__
from kg.errors import CitegraphError
from kg.stores.guard import check_query

from .agent_views import (
    NOTICE,
    conflicts_of,
    described_document,
    described_entity,
    found_entities,
    found_passages,
    reply,
    schema,
    void,
)
from .asked import Dataset
from .live import Live

ROWS = 200
"""Rows, and claims, that a result holds at most."""
# A graph that holds nothing: on it a query is parsed and planned, and done at once.
_NOTHING = Dataset(("urn:citegraph:nothing",), ("urn:citegraph:nothing",))
_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_INSTRUCTIONS = f"""A knowledge graph (RDF) made from documents, in which every fact has its evidence.
Use `ask` for questions in English: it answers with citations, or says that the documents don't say – believe that.
Use `find_entity` and `describe_entity` to look around, `sparql_select` for what `ask` can't do (counts over groups,
paths), `search_passages` for wording, `list_conflicts` for what the documents disagree on. The resource
citegraph://schema lists classes and properties. Cite documents by the title and quotation that results give.
{NOTICE}"""

_R = TypeVar("_R")


class _Server(MCPServer):
    """Tells arguments that don't fit a tool in a sentence; the library's own text is for programmers."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.__cause__.errors())
            raise ToolError(f"the arguments don't fit {name}: {wrong}") from error


def agent_server(live: Live) -> MCPServer:
    """The server over a knowledge base, always its newest generation."""
    server = _Server("citegraph", title="Citegraph", version=__version__, instructions=_INSTRUCTIONS)
    _add_tools(server, live)
    _add_resources(server, live)
    _add_prompts(server)
    return server


def _told(work: Callable[..., _R], kind: type[Exception]) -> Callable[..., _R]:
    """Refusals reach the model as a sentence and what to do about it."""

    @wraps(work)
    def run(*arguments: Any, **named: Any) -> _R:
        try:
            return work(*arguments, **named)
        except CitegraphError as error:
            raise kind(f"{error.message}{f' ({error.hint})' if error.hint else ''}") from error

    return run


class Tools:
    """What a model may call; each method is a tool, its docstring what the model is told of it."""

    def __init__(self, live: Live) -> None:
        self._live = live

    def ask(self, question: str, limit: int = 5) -> dict[str, Any]:
        """Answers a question in English with at most ``limit`` citations, or says that the documents don't say."""
        return reply(self._live.current().ask(question, limit=_within(limit, 1, 20)))

    def search_passages(self, text: str, limit: int = 5) -> dict[str, Any]:
        """Finds the passages that speak most about a text."""
        return found_passages(self._live.current(), text, _within(limit, 1, 20))

    def find_entity(self, name: str, limit: int = 5) -> dict[str, Any]:
        """Finds entities by name or alias, nearest spelling first: IRI, label, types, likeness from 0 to 100."""
        return found_entities(self._live.current(), name, _within(limit, 1, 20))

    def describe_entity(self, name_or_iri: str, limit: int = 50) -> dict[str, Any]:
        """Tells what is known of an entity: names, types, and its claims with status, document and quotation."""
        return described_entity(self._live.current(), name_or_iri, _within(limit, 1, ROWS))

    def sparql_select(self, query: str, limit: int = ROWS) -> dict[str, Any]:
        """Runs a read-only SPARQL 1.1 query (SELECT or ASK; the usual prefixes are declared); at most 200 rows."""
        found: dict[str, Any] = json.loads(self._live.sandbox().run(query, "JSON", None).body)
        rows = found.get("results", {}).get("bindings", [])
        kept = rows[: _within(limit, 1, ROWS)]
        if "boolean" not in found:
            found["results"]["bindings"] = kept
        return {"notice": NOTICE, "rows": len(rows), "shown": len(kept), **found}

    def validate_sparql(self, query: str) -> dict[str, Any]:
        """Says whether a query parses and may be run, without running it on the data; if not, why and where."""
        try:
            form = check_query(query)
            self._live.sandbox().run(query, "JSON", "TURTLE", _NOTHING)
        except CitegraphError as error:
            return {"valid": False, "reason": error.message, "hint": error.hint}
        return {"valid": True, "form": form.value if form is not None else "unknown"}

    def list_conflicts(self, name_or_iri: str = "", limit: int = 20) -> dict[str, Any]:
        """Lists what the documents disagree on – of one entity, or of all – each side with its claims."""
        return conflicts_of(self._live.current(), name_or_iri, _within(limit, 1, ROWS))


TOOLS = (
    "ask", "search_passages", "find_entity", "describe_entity", "sparql_select", "validate_sparql", "list_conflicts",
)  # fmt: skip


def _add_tools(server: MCPServer, live: Live) -> None:
    tools = Tools(live)
    for name in TOOLS:
        server.add_tool(_told(getattr(tools, name), ToolError), name=name, annotations=_READS, structured_output=False)


def _add_resources(server: MCPServer, live: Live) -> None:
    kb = live.current

    @server.resource("citegraph://schema", name="schema", mime_type="text/markdown")
    def of_schema() -> str:
        """Classes and properties of the graph with how often each is used, and the prefixes of queries."""
        return schema(kb())

    @server.resource("citegraph://void", name="void", mime_type="text/turtle")
    def of_void() -> str:
        """What the dataset holds, as VoID in Turtle."""
        return void(kb())

    @server.resource("citegraph://entity/{id}", name="entity", mime_type="application/json")
    def of_entity(id: str) -> str:
        """An entity by the last part of its IRI: names, types and claims."""
        return _json(_told(described_entity, ResourceError)(kb(), id, ROWS))

    @server.resource("citegraph://document/{id}", name="document", mime_type="application/json")
    def of_document(id: str) -> str:
        """A document by its identifier: title and text."""
        return _json(_told(described_document, ResourceError)(kb(), id))


def _add_prompts(server: MCPServer) -> None:
    @server.prompt(title="Answer with citations")
    def answer_with_citations(question: str) -> str:
        """Answers a question from the documents alone, every statement cited."""
        return (
            f"Answer this from the Citegraph knowledge base alone: {question}\n"
            "Call `ask` first. If it declines, try `search_passages` once; if they don't say it either, say so. "
            "Put the number of a citation behind every statement and list the citations below with title and quotation."
        )

    @server.prompt(title="Report on an entity")
    def report_on_entity(name: str) -> str:
        """Writes what the documents say of one thing, with what they disagree on."""
        return (
            f"Write a short report on {name}. Call `find_entity`, then `describe_entity` and `list_conflicts` for it. "
            "Group facts by subject, give hedges (leaked, estimated, planned) in words, cite each fact, and end with "
            "what the documents disagree on."
        )

    @server.prompt(title="Check a statement")
    def check_statement(statement: str) -> str:
        """Holds a statement against the documents."""
        return (
            f"Check this statement against the Citegraph knowledge base: {statement}\n"
            "Break it into single facts. For each say: supported, contradicted or not stated, with the quotation that "
            "decides. Don't use what you know from elsewhere."
        )


def _within(value: int, low: int, high: int) -> int:
    return max(low, min(high, value))


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
