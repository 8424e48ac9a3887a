"""Lists from items that come one after another, each with its depth: word processors and pages know no nesting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kg.model import BlockKind
from kg.readers.rendering import Node

__all__ = ["Item", "lists"]

_DEEPEST = 30


@dataclass(frozen=True, slots=True)
class Item:
    """An item: how far it is set in (any measure that grows), its number if it has one, its blocks."""

    depth: float
    number: int | None
    nodes: tuple[Node, ...]
    info: str = ""


@dataclass(slots=True)
class _Branch:
    item: Item
    nested: list[_Branch]


def lists(items: Sequence[Item], level: int = 1) -> list[Node]:
    """The lists that consecutive items make up; an item deeper than the one before it is nested in that one."""
    root = _Branch(Item(float("-inf"), None, ()), [])
    stack = [root]
    for item in items:
        while len(stack) > 1 and (item.depth <= stack[-1].item.depth or len(stack) > _DEEPEST):
            stack.pop()
        branch = _Branch(item, [])
        stack[-1].nested.append(branch)
        stack.append(branch)
    return _lists(root.nested, level)


def _lists(branches: Sequence[_Branch], level: int) -> list[Node]:
    """Lists of siblings: a new one where the numbering starts again, or numbers and bullets change."""
    runs: list[list[_Branch]] = []
    for branch in branches:
        last = runs[-1][-1].item.number if runs else None
        number = branch.item.number
        restarts = last is not None and number is not None and number <= last
        if not runs or (last is None) != (number is None) or restarts:
            runs.append([])
        runs[-1].append(branch)
    return [_list(run, level) for run in runs]


def _list(run: Sequence[_Branch], level: int) -> Node:
    items = tuple(
        Node(
            BlockKind.LIST_ITEM,
            children=(*branch.item.nodes, *_lists(branch.nested, level + 1)),
            number=branch.item.number,
            info=branch.item.info,
        )
        for branch in run
    )
    return Node(BlockKind.LIST, children=items, level=level, info="ordered" if run[0].item.number is not None else "")
