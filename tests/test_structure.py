"""What the source's parts import of each other: nothing in a circle."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from functools import cache

import networkx as nx
import pytest

from .stages import PACKAGE, imported


@cache
def modules() -> Mapping[str, frozenset[str]]:
    """Every module of the package with those that it imports, inside functions too; not those of types alone."""
    paths = {("kg", *path.relative_to(PACKAGE).with_suffix("").parts): path for path in PACKAGE.rglob("*.py")}
    named = {".".join(parts).removesuffix(".__init__"): path for parts, path in paths.items()}
    found: dict[str, set[str]] = {name: set() for name in named}
    for name, path in named.items():
        for module, part in imported(ast.parse(path.read_bytes())):
            found[name].add(f"{module}.{part}" if f"{module}.{part}" in named else module)
    return {name: frozenset(others & named.keys() - {name}) for name, others in found.items()}


def package(module: str) -> str:
    """The package that a module is in; a module at the top is one by itself."""
    return module.split(".")[1] if "." in module else module


def circles(arrows: Mapping[str, frozenset[str]]) -> list[list[str]]:
    graph = nx.DiGraph((one, other) for one, others in arrows.items() for other in others if one != other)
    return sorted(sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1)


def packages() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for module, others in modules().items():
        found.setdefault(package(module), set()).update(map(package, others))
    return {name: frozenset(others) for name, others in found.items()}


def test_no_module_needs_itself() -> None:
    assert circles(modules()) == []


def test_no_package_needs_itself() -> None:
    assert circles(packages()) == []


def test_few_names_of_modules_are_used_twice() -> None:
    names = Counter(module.rpartition(".")[2] for module in modules())
    assert len([name for name, count in names.items() if count > 1]) <= 20


def test_what_reads_documents_is_no_deep_stack() -> None:
    arrows = ((one, other) for one, others in modules().items() for other in others)
    inside = [(one, other) for one, other in arrows if package(one) == package(other) == "extract"]
    assert len(nx.dag_longest_path(nx.DiGraph(inside))) <= 13


@pytest.mark.parametrize(
    ("name", "others"),
    [("model", {"errors", "notebook_html"}), ("readers", {"errors", "model", "protocols"})],
)
def test_the_lower_parts_know_nothing_of_the_upper(name: str, others: set[str]) -> None:
    assert packages()[name] - {name} <= others
