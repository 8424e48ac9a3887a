"""A SPARQL query run in this process for the person who owns it: the same results as over HTTP, without limits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from kg.errors import Unsupported
from kg.stores.guard import check_query

if TYPE_CHECKING:
    from kg.knowledge_base import KnowledgeBase

_T = TypeVar("_T")
_STACK = 512 * 1024 * 1024
_NO_LIMIT = 1 << 62


def run_query(
    knowledge_base: KnowledgeBase, query: str, rows_format: str | None, graph_format: str | None
) -> tuple[bytes, bool]:
    """The serialised result and whether it is a graph; formats are pyoxigraph's names (``JSON``, ``TURTLE``).

    Raises QueryRefused, BadQuery, Unsupported.
    """
    from kg.api.worker import evaluate
    from kg.stores.oxigraph import bad_query

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
