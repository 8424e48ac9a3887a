"""Answers and tables as HTML for notebooks: everything escaped, nothing loaded from anywhere, no script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

_CELL = "text-align:left;vertical-align:top;padding:.15em .8em .15em 0"


def answer(reply: Any) -> str:
    """A `Answer`: how it was made, its citations with the quote marked, disagreements, and the query."""
    parts = [f"<p><strong>{escape(reply.answer)}</strong></p>"]
    if reply.explanation:
        parts.append(f"<p><small>{escape(reply.explanation)}</small></p>")
    if reply.citations:
        parts.append("<ol>" + "".join(f'<li value="{c.id}">{_citation(c)}</li>' for c in reply.citations) + "</ol>")
    for conflict in reply.conflicts:
        sides = "; ".join(f"{escape(v.value)} ({escape(v.status)})" for v in conflict.values)
        parts.append(f"<p>The documents disagree on {escape(conflict.property)}: {sides}</p>")
    if reply.sparql:
        parts.append(f"<details><summary>SPARQL</summary><pre>{escape(reply.sparql)}</pre></details>")
    return f"<div>{''.join(parts)}</div>"


def _citation(citation: Any) -> str:
    before, after = citation.text[: citation.start], citation.text[citation.end :]
    where = " › ".join((citation.title, *(h for h in citation.heading if h != citation.title)))
    page = f", page {citation.page}" if citation.page is not None else ""
    passage = f"{escape(before)}<mark>{escape(citation.quote)}</mark>{escape(after)}"
    return (
        f"<q>{escape(citation.quote)}</q> <small>{escape(where)}{page}</small>"
        f'<details><summary>passage</summary><div style="white-space:pre-wrap">{passage}</div></details>'
    )


def explanation(told: Any) -> str:
    """A :class:`kg.reports.Explanation` of an entity or claim: its names, types and claims with their sources."""
    heads = ("subject", "property", "value", "status", "source")
    rows = [(c.subject, c.predicate, c.value, c.status, f"{c.source.title}: “{c.source.quote}”") for c in told.claims]
    names = f" <small>({escape(', '.join(told.aliases))})</small>" if told.aliases else ""
    types = f"<p>{escape(', '.join(told.types))}</p>" if told.types else ""
    shown = table(heads[:3], told.triples) if told.triples else table(heads, rows)
    return f"<div><p><strong>{escape(told.label)}</strong>{names}</p>{types}{shown}</div>"


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table; None is an empty cell."""
    top = "".join(f'<th style="{_CELL}">{escape(head)}</th>' for head in heads)
    body = "".join("<tr>" + "".join(_cell(value) for value in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    return f'<td style="{_CELL}">{escape("" if value is None else str(value))}</td>'
