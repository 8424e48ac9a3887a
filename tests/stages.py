"""What each stage of a build is made of, and the hash that its version in :mod:`kg.versions` was given for.

    python -m tests.stages                 notes the hashes of stages whose versions were raised
    python -m tests.stages --same reading  notes that a change left what the stage makes as it was

A stage is the modules below with all modules of the package that they import, at the top or inside functions, and the
data files of those modules' packages. What an earlier stage is made of belongs to that one alone.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import kg
from kg import versions
from kg.ontology import vocabulary

PACKAGE = Path(kg.__file__).parent
NOTED = Path(__file__).with_name("stages.json")
ROOTS = {
    "reading": ("kg.readers", "kg.text.passages"),
    "extraction": ("kg.workers.pipeline", "kg.records", "kg.extract"),
    "resolution": ("kg.resolution.contributions", "kg.graph.document_graph", "kg.base.generations"),
    "index": ("kg.indexes.segments",),
}
# Versions themselves, and what is about a stage and no part of it.
_OUTSIDE = {"kg.versions"}
_NO_DATA = {".py", ".pyc", ".md", ".typed"}


def version(stage: str) -> str:
    """The stage's version in the code."""
    return str(getattr(versions, stage.upper()))


def file_of(module: str) -> Path | None:
    """The file of a module of the package; none where there is no such module."""
    place = PACKAGE.joinpath(*module.split(".")[1:])
    return next((p for p in (place / "__init__.py", place.with_suffix(".py")) if p.is_file()), None)


def imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What code imports, as module and name in it, inside functions too; not what only type checkers read."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level
            yield from ((node.module, alias.name) for alias in node.names)
        else:
            yield from imported(node)


@cache
def _needed(module: str) -> frozenset[str]:
    """Modules of the package that a module names, with the packages around them and it."""
    path = file_of(module)
    assert path is not None
    found = imported(ast.parse(path.read_bytes()))
    names = {".".join(filter(None, pair)) for pair in found if pair[0].partition(".")[0] == "kg"}
    parts = [name.split(".") for name in (*names, module)]
    around = {".".join(one[:count]) for one in parts for count in range(1, len(one) + 1)}
    return frozenset(name for name in around if file_of(name))


def modules(stage: str) -> set[str]:
    """The modules of a stage."""
    earlier: set[str] = set(_OUTSIDE)
    for name in ROOTS:
        found, rest = set(earlier), list(ROOTS[name])
        while rest:
            module = rest.pop()
            if module not in found:
                found.add(module)
                rest += _needed(module)
        if name == stage:
            return found - earlier
        earlier = found
    raise KeyError(stage)


def data_files(module: str) -> Iterator[Path]:
    """Data in the package that a module is in, or is: what lies beside it or in folders without code.

    At the top a module's own are those of its name.
    """
    path = file_of(module)
    assert path is not None
    if path.parent == PACKAGE:
        yield from (file for file in PACKAGE.glob(f"{path.stem}.*") if file.suffix not in _NO_DATA)
        return
    for file in path.parent.rglob("*"):
        between = file.relative_to(path.parent).parents
        code = any((path.parent / one / "__init__.py").is_file() for one in between if one != Path("."))
        if file.is_file() and file.suffix not in _NO_DATA and not code:
            yield file


def content(stage: str) -> dict[str, bytes]:
    """The files of a stage by their paths in the package, and Citegraph's own vocabulary with what reads it."""
    found = modules(stage)
    files = {path for module in found for path in (file_of(module), *data_files(module)) if path}
    by_path = {path.relative_to(PACKAGE).as_posix(): path.read_bytes() for path in files}
    return by_path | ({"vocabulary/kg.ttl": vocabulary()} if "kg.ontology" in found else {})


def hashed(files: dict[str, bytes]) -> str:
    """One hash of files and their paths."""
    lines = (f"{hashlib.sha256(data).hexdigest()} {path}\n" for path, data in sorted(files.items()))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def noted() -> dict[str, dict[str, str]]:
    """Version and hash of each stage as last noted."""
    found: dict[str, dict[str, str]] = json.loads(NOTED.read_text(encoding="utf-8"))
    return found


def stale(stage: str, before: dict[str, str], now: dict[str, str]) -> str:
    """What is to be done about a stage; empty where all is as noted."""
    if now == before:
        return ""
    if now["version"] != before["version"]:
        return "run python -m tests.stages: it notes the new version"
    return (
        f"what {stage} is made of has changed: raise versions.{stage.upper()} and run python -m tests.stages – or, "
        f"where it makes the same of every document, python -m tests.stages --same {stage}"
    )


def now(stage: str) -> dict[str, str]:
    """Version and hash of a stage as it is."""
    return {"version": version(stage), "hash": hashed(content(stage))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--same", nargs="*", choices=ROOTS, default=[])
    same = parser.parse_args().same
    found = noted() if NOTED.is_file() else {stage: now(stage) for stage in ROOTS}
    for stage, before in found.items():
        told = stale(stage, before, now(stage))
        if before["version"] == version(stage) and stage not in same and told:
            sys.exit(told)
        found[stage] = now(stage)
    NOTED.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
