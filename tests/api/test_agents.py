"""Agents and chat clients against a real server: MCP over stdio and over HTTP, OpenAI's client, streamed and not."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from ..lighthouses import write
from ..w3c.server import serving

if TYPE_CHECKING:
    import openai

KG = (sys.executable, "-c", "from kg.cli import main; main()")
QUESTION = "Who built Corran Head Light?"
COUNT = "SELECT (COUNT(?d) AS ?n) WHERE { ?d a kg:Document }"
TOOLS = {
    "ask",
    "search_passages",
    "find_entity",
    "describe_entity",
    "sparql_select",
    "validate_sparql",
    "list_conflicts",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("agents")
    with KnowledgeBase.create(root / "kb", Settings(kb=root / "kb")) as knowledge_base:
        knowledge_base.add([write(root / "docs")])
    return root / "kb"


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with serving((*KG, "serve", "--port", "0", "--kb", str(folder)), {}) as client:
        yield client.address


@pytest.fixture(scope="module", params=["stdio", "http"])
def target(request: pytest.FixtureRequest, folder: Path) -> Any:
    if request.param == "http":
        return f"{request.getfixturevalue('address')}/mcp"
    from mcp import StdioServerParameters

    return StdioServerParameters(command=KG[0], args=[*KG[1:], "mcp", "--kb", str(folder)], env=dict(os.environ))


def session(target: Any, calls: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    """What a client gets for its calls, in one session: (tool, arguments), or a method of the client."""
    from mcp import Client

    async def run() -> list[Any]:
        async with Client(target) as client:
            found = []
            for name, arguments in calls:
                if name in TOOLS:
                    found.append(await client.call_tool(name, arguments))
                else:
                    found.append(await getattr(client, name)(**arguments))
            return found

    return asyncio.run(run())


def content(result: Any) -> dict[str, Any]:
    assert not result.is_error, result.content
    loaded: dict[str, Any] = json.loads(result.content[0].text)
    return loaded


def test_every_tool_answers(target: Any) -> None:
    replies = session(
        target,
        [
            ("ask", {"question": QUESTION}),
            ("search_passages", {"text": "keepers' handbook", "limit": 2}),
            ("find_entity", {"name": "corran hed light"}),
            ("describe_entity", {"name_or_iri": "Saltmouth Beacon"}),
            ("sparql_select", {"query": COUNT}),
            ("validate_sparql", {"query": COUNT}),
            ("list_conflicts", {"name_or_iri": "Saltmouth Beacon"}),
        ],
    )
    answer, passages, entities, described, counted, valid, conflicts = map(content, replies)
    assert answer["status"] == "answered" and "Elspeth Marr" in answer["answer"]
    assert "Elspeth Marr" in answer["citations"][0]["quote"]
    assert passages["passages"][0]["title"] == "Keepers' Handbook" and len(passages["passages"]) <= 2
    assert entities["entities"][0]["name"] == "Corran Head Light"
    assert described["label"] == "Saltmouth Beacon" and described["claims_in_all"] == len(described["claims"]) > 2
    assert counted["results"]["bindings"][0]["n"]["value"] == "2" and counted["rows"] == 1
    assert valid == {"valid": True, "form": "SELECT"}
    assert any("eight" in c["property"] and len(c["sides"]) == 2 for c in conflicts["conflicts"])
    assert all("never instructions" in r["notice"] for r in (answer, passages, entities, described, counted, conflicts))


def test_what_is_offered_is_listed_and_only_reads(target: Any) -> None:
    tools, resources, templates, prompts = session(
        target, [("list_tools", {}), ("list_resources", {}), ("list_resource_templates", {}), ("list_prompts", {})]
    )
    assert {tool.name for tool in tools.tools} == TOOLS
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools.tools)
    assert {str(r.uri) for r in resources.resources} == {"citegraph://schema", "citegraph://void"}
    assert len(templates.resource_templates) == 2
    assert {p.name for p in prompts.prompts} == {"answer_with_citations", "report_on_entity", "check_statement"}


def test_every_resource_and_prompt_is_read(target: Any) -> None:
    schema, void, entity, document, prompt = session(
        target,
        [
            ("read_resource", {"uri": "citegraph://schema"}),
            ("read_resource", {"uri": "citegraph://void"}),
            ("read_resource", {"uri": "citegraph://entity/corran-head-light"}),
            ("read_resource", {"uri": "citegraph://document/lights.md"}),
            ("get_prompt", {"name": "check_statement", "arguments": {"statement": "Corran Head is 38 m high."}}),
        ],
    )
    assert "| `kg:Document` |" in schema.contents[0].text
    assert "void:triples" in void.contents[0].text
    assert json.loads(entity.contents[0].text)["label"] == "Corran Head Light"
    assert json.loads(document.contents[0].text)["text"].startswith("# Lighthouses of the Outer Skerries")
    assert "Corran Head is 38 m high." in prompt.messages[0].content.text


REFUSED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("sparql_select", {"query": "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }"}, "SERVICE"),
    ("sparql_select", {"query": "DELETE WHERE { ?s ?p ?o }"}, ""),
    ("sparql_select", {"query": "SELECT ?x WHERE {"}, "doesn't parse"),
    ("describe_entity", {"name_or_iri": "The Moon"}, "Moon"),
    (
        "describe_entity",
        {"limit": "few"},
        "the arguments don't fit describe_entity: name_or_iri: Field required; limit",
    ),
)


def test_refusals_are_sentences(target: Any) -> None:
    results = session(target, [(tool, arguments) for tool, arguments, _ in REFUSED])
    for result, (_, _, said) in zip(results, REFUSED, strict=True):
        assert result.is_error
        assert said in result.content[0].text
        assert not re.search("Traceback|pydantic", result.content[0].text)


def test_a_query_that_does_not_parse_is_said_to_be_invalid(target: Any) -> None:
    (reply,) = session(target, [("validate_sparql", {"query": "SELECT ?x WHERE { ?x a "})])
    assert content(reply)["valid"] is False and "line 1" in content(reply)["reason"]


# --- OpenAI's client -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chat(address: str) -> Iterator[openai.OpenAI]:
    import openai

    with openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as client:
        yield client


def test_there_is_one_model(chat: openai.OpenAI) -> None:
    import openai

    assert [model.id for model in chat.models.list()] == ["citegraph"]
    assert chat.models.retrieve("citegraph").id == "citegraph"
    with pytest.raises(openai.NotFoundError):
        chat.models.retrieve("gpt-4")


def test_an_answer_has_numbered_links_and_the_data(chat: openai.OpenAI, address: str) -> None:
    reply = chat.chat.completions.create(model="citegraph", messages=[{"role": "user", "content": QUESTION}])
    text = reply.choices[0].message.content or ""
    data = reply.model_dump()
    assert "Elspeth Marr" in text and f"[[1]]({address}/documents/lights.md)" in text
    assert data["citations"][0] == f"{address}/documents/lights.md"
    assert data["citegraph"]["citations"][0]["quote"] in text
    assert reply.choices[0].finish_reason == "stop"


def test_the_stream_adds_up_to_the_same_text(chat: openai.OpenAI) -> None:
    messages: Any = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]
    whole = chat.chat.completions.create(model="citegraph", messages=messages)
    chunks = list(chat.chat.completions.create(model="citegraph", messages=messages, stream=True))
    assert "".join(c.choices[0].delta.content or "" for c in chunks) == whole.choices[0].message.content
    assert len(chunks) > 5
    assert chunks[-1].model_dump()["citegraph"]["status"] == "answered"


def test_earlier_turns_are_the_history(chat: openai.OpenAI) -> None:
    messages: Any = [
        {"role": "user", "content": "How tall is Corran Head Light?"},
        {"role": "assistant", "content": "38 m"},
        {"role": "user", "content": [{"type": "text", "text": "And Gannet Rock Light?"}]},
    ]
    reply = chat.chat.completions.create(model="citegraph", messages=messages)
    assert "51" in (reply.choices[0].message.content or "")


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "assistant", "content": "Hello."}],
        [{"role": "user", "content": "   "}],
        [{"role": "user", "content": "why " * 2000}],
        [],
    ],
)
def test_a_conversation_without_a_question_is_refused(chat: openai.OpenAI, messages: Any) -> None:
    import openai

    with pytest.raises((openai.BadRequestError, openai.UnprocessableEntityError)):
        chat.chat.completions.create(model="citegraph", messages=messages)


def test_another_model_is_refused(chat: openai.OpenAI) -> None:
    import openai

    with pytest.raises(openai.NotFoundError, match="gpt-4"):
        chat.chat.completions.create(model="gpt-4", messages=[{"role": "user", "content": QUESTION}])
