"""What workers are asked for and what they give, and what is refused before any of them hears of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from kg.errors import Unsupported
from kg.stores.guard import QueryForm, check_query

_JUDGED = 2_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What a query may take: seconds, processes side by side, rows, bytes of the result, memory, cache."""

    timeout_s: float = 10
    workers: int = 2
    max_rows: int = 100_000
    max_bytes: int = 100_000_000
    memory_mb: int = 2_000
    cache_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Dataset:
    """Graphs that the protocol's ``default-graph-uri`` and ``named-graph-uri`` name; none: the store's own."""

    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphChange:
    """A request of the Graph Store Protocol: ``graph`` is None for the default graph.

    ``method``: PUT, POST or DELETE. ``parts``: media types and payloads. ``base`` resolves their relative IRIs.
    """

    method: str
    graph: str | None
    parts: tuple[tuple[str, bytes], ...]
    base: str


@dataclass(frozen=True, slots=True)
class QueryResult:
    """A serialised result; ``format`` is pyoxigraph's name of the format (``JSON``, ``TURTLE``)."""

    body: bytes
    format: str
    graph: bool


@lru_cache(maxsize=512)
def _judged(query: str) -> QueryForm | None:
    return check_query(query)


def judged(query: str) -> QueryForm | None:
    """:func:`kg.stores.guard.check_query`, short queries' verdicts being remembered. Raises QueryRefused."""
    return _judged(query) if len(query) <= _JUDGED else check_query(query)


def check_format(form: QueryForm | None, rows_format: str | None, graph_format: str | None) -> None:
    """Raises Unsupported for a form whose result none of the formats can hold."""
    if form is not None and (graph_format if form.gives_graph else rows_format) is None:
        kinds: Sequence[str] = ("JSON, XML, CSV or TSV", "Turtle, N-Triples, RDF/XML or JSON-LD")
        raise Unsupported(
            f"a {form} result can't be given in the format asked for", f"ask for {kinds[form.gives_graph]}"
        )
