"""A SPARQL query run in this process for the person who owns it: the same results as over HTTP, without limits.

What is wrong with a query that doesn't parse, in words: the parser's own list everything that it could have read.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from kg.errors import BadQuery, Unsupported
from kg.stores.guard import LEFT_ALONE, check_query

if TYPE_CHECKING:
    from kg.knowledge_base import KnowledgeBase

_CLASSES = re.compile(r",? ?\['?.'? ?\.\.=? ?'.*?'\]|,? ?\[_\]|,? ?\['.'\]")
# What brackets may stand in without being any.
_QUIET = re.compile(LEFT_ALONE, re.VERBOSE | re.DOTALL)
_PAIRS = {"}": "{", ")": "(", "]": "["}
_CLOSERS = {opened: closed for closed, opened in _PAIRS.items()}
_MODIFIER = re.compile(r"\b(?:ORDER\s+BY|GROUP\s+BY|HAVING|LIMIT|OFFSET)\b", re.IGNORECASE)
_NAME = re.compile(r"([A-Za-z][\w-]*|):[\w.%-]*\W?\s*$")
_KEYWORD = re.compile(r"[A-Za-z_ ]+")
_SENTENCE = re.compile(
    r"(?:expected (?:one of )?|, )?([A-Z][A-Za-z]* [a-z][A-Za-z ]*?|The [A-Z]+ [a-z][A-Za-z ]*)(?=,|$)"
)


def readable(message: str, query: str, line: int, column: int) -> str:
    """The parser's message about a place of a query (both from 1) as something to act on.

    Looked for in turn: a prefix that isn't declared, brackets and quotation marks that don't match, what the parser
    itself says in a sentence, what it expected where these are signs. Lists of keywords say nothing and are left out.
    """
    reason = _CLASSES.sub("", " ".join(message.split()))
    sentence = _SENTENCE.search(reason)
    if sentence and sentence[1].startswith("Prefix not found"):
        name = _NAME.search((query.splitlines() or [""])[line - 1][:column])
        return f"the prefix {name[1]}: is not declared" if name else "a prefix is not declared"
    if told := _unmatched(query):
        return told
    if sentence:
        return sentence[1][0].lower() + sentence[1][1:]
    expected = reason.removeprefix("expected one of ").removeprefix("expected ").strip(" ,")
    if all(_KEYWORD.fullmatch(each) or not each for each in expected.split(", ")):
        return "what stands there doesn't fit"
    return f"expected one of {expected}"


def _unmatched(query: str) -> str:
    """Says which bracket or quotation mark has no other; nothing where all have."""
    plain = _QUIET.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), query)
    opened: list[tuple[str, int]] = []
    for match in re.finditer(r"[{}()\[\]\"]", plain):
        sign, at = match[0], match.start()
        if sign == '"':
            return f"the quotation mark of line {_line(plain, at)} is not closed"
        if sign in _CLOSERS:
            opened.append((sign, at))
        elif not opened:
            return f"the {sign} of line {_line(plain, at)} closes nothing"
        else:
            other, before = opened.pop()
            if other != _PAIRS[sign]:
                lines = _line(plain, before), _line(plain, at)
                return f"the {other} of line {lines[0]} is not closed before the {sign} of line {lines[1]}"
    if not opened:
        return ""
    sign, at = opened[-1]
    modifier = _MODIFIER.search(plain, at)
    where = f" before {' '.join(modifier[0].upper().split())}" if modifier else ""
    return f"the {sign} of line {_line(plain, at)} is not closed; perhaps a {_CLOSERS[sign]} is missing{where}"


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


_T = TypeVar("_T")
_STACK = 512 * 1024 * 1024
_NO_LIMIT = 1 << 62


def bad_query(message: str, query: str) -> BadQuery:
    """The error for a query that the engine doesn't take, with the line where it shows."""
    message = " ".join(message.split())
    place, _, reason = message.partition(": ") if message.startswith("error at ") else ("", "", message)
    try:
        line, column = (int(n) for n in place.removeprefix("error at ").split(":"))
        shown = query.splitlines()[line - 1].strip()[:120]
    except (ValueError, IndexError):
        return BadQuery(f"the query can't be run: {message}", "see the SPARQL 1.1 specification")
    told = readable(reason, query, line, column)
    return BadQuery(f"the query doesn't parse at line {line}, column {column}: {told}", f"look at: {shown}")


def run_query(
    knowledge_base: KnowledgeBase, query: str, rows_format: str | None, graph_format: str | None
) -> tuple[bytes, bool]:
    """The serialised result and whether it is a graph; formats are pyoxigraph's names (``JSON``, ``TURTLE``).

    Raises QueryRefused, BadQuery, Unsupported.
    """
    from kg.api.worker import evaluate

    check_query(query)
    request: dict[str, object] = {
        "query": query,
        "rows_format": rows_format,
        "graph_format": graph_format,
        "default_graph": [],
        "named_graph": [],
        "base": knowledge_base.snapshot.namespaces.base,
        "prefixes": knowledge_base.snapshot.prefixes,
        "max_rows": _NO_LIMIT,
        "max_bytes": _NO_LIMIT,
    }
    run = partial(knowledge_base.steadily, lambda: evaluate(knowledge_base.snapshot.store.evaluate, request))
    reply, body = _with_deep_stack(run)
    if reply.get("error") == "format":
        kind = "triples" if reply["graph"] else "rows"
        raise Unsupported(f"the result is {kind}, which the format asked for can't hold", "choose another --format")
    if "error" in reply:
        raise bad_query(str(reply["message"]), query)
    return body, bool(reply["graph"])


def _with_deep_stack(work: Callable[[], _T]) -> _T:
    """The result of ``work``: only threads can have the stack that long chains of operators take."""
    outcome: Future[_T] = Future()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    before = threading.stack_size(_STACK)
    try:
        threading.Thread(target=run, daemon=True).start()
    finally:
        threading.stack_size(before)
    return outcome.result()
