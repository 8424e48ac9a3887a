"""Definition lists: a glossary as paragraphs ``Term — definition.``, short values as items ``Term: value``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.model import BlockKind
from kg.readers.rendering import Node, Piece, plain, strong

__all__ = ["Entry", "definitions"]

_WORDS_OF_A_DEFINITION = 6


@dataclass(frozen=True, slots=True)
class Entry:
    """The blocks of a term or of what is said of it."""

    nodes: tuple[Node, ...]
    term: bool


@dataclass(frozen=True, slots=True)
class _Group:
    """Terms that share their definitions."""

    terms: tuple[tuple[Piece, ...], ...]
    said: tuple[tuple[Node, ...], ...]


def definitions(entries: Sequence[Entry], level: int) -> list[Node]:
    """Nodes of a definition list; ``level`` is the nesting of a list that stands there."""
    groups = list(_groups(entries))
    texts = [plain(nodes[0].pieces) for group in groups for nodes in group.said if nodes]
    if not texts:
        return [Node(BlockKind.PARAGRAPH, strong(pieces)) for group in groups for pieces in group.terms]
    sentences = sum(len(t.split()) >= _WORDS_OF_A_DEFINITION or t.endswith(".") for t in texts)
    if sentences * 2 > len(texts):
        return [node for group in groups for node in _glossary(group)]
    items = tuple(item for group in groups for item in _items(group))
    return [Node(BlockKind.LIST, children=items, level=level)]


def _groups(entries: Sequence[Entry]) -> Iterator[_Group]:
    terms: list[tuple[Piece, ...]] = []
    said: list[tuple[Node, ...]] = []
    for entry in entries:
        if entry.term and said:
            yield _Group(tuple(terms), tuple(said))
            terms, said = [], []
        if entry.term:
            terms.append(tuple(piece for node in entry.nodes for piece in node.pieces))
        elif entry.nodes:
            said.append(entry.nodes)
    if terms or said:
        yield _Group(tuple(terms), tuple(said))


def _term(group: _Group) -> tuple[Piece, ...]:
    """The terms, parted by slashes as names of one thing, without a colon at their end."""
    found: list[Piece] = []
    for pieces in group.terms:
        if found:
            found.append(Piece(" / "))
        found.extend(strong(pieces))
    while found and not found[-1].text.rstrip(" :"):
        found.pop()
    if found:
        found[-1] = Piece(found[-1].text.rstrip(" :"), found[-1].marks)
    return tuple(found)


def _glossary(group: _Group) -> Iterator[Node]:
    term = _term(group)
    for nodes in group.said or ((),):
        first, rest = _split(nodes)
        joined = (*term, Piece(" — "), *first) if term and first else (*term, *first)
        yield Node(BlockKind.PARAGRAPH, joined)
        yield from rest


def _items(group: _Group) -> Iterator[Node]:
    term = _term(group)
    for nodes in group.said or ((),):
        first, rest = _split(nodes)
        own = Node(BlockKind.PARAGRAPH, (*term, Piece(": "), *first) if term else first)
        yield Node(BlockKind.LIST_ITEM, children=(own, *rest))


def _split(nodes: Sequence[Node]) -> tuple[tuple[Piece, ...], tuple[Node, ...]]:
    """Text of the first block if it has any of its own, and the other blocks."""
    if nodes and nodes[0].pieces:
        return nodes[0].pieces, tuple(nodes[1:])
    return (), tuple(nodes)
