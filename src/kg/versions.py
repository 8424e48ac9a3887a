"""A version for each stage of a build. Raised when what the stage makes may change: what is older is made anew.

A version names code and data together with all that they import: see ``tests/stages.py``.
"""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

READING = "13"
"""Bytes to text, blocks and passages."""
EXTRACTION = "35"
"""Passages to claims, mentions and aliases: the record of a document."""
RESOLUTION = "6"
"""Records to entities, properties and the graph."""
INDEX = "1"
"""Passages to what search looks them up by."""

# Not stores and indexes: a knowledge base is always kept in those that come with this, whatever is installed.
_PLUG_INS = ("kg.readers", "kg.extractors")


@cache
def plug_ins() -> tuple[str, ...]:
    """Other packages' readers and extractors, each with its version and code."""
    points = {(group, point) for group in _PLUG_INS for point in entry_points(group=group)}
    others = ((group, point) for group, point in points if point.module.partition(".")[0] != "kg")
    return tuple(sorted(f"{group.removeprefix('kg.')} {point.name} {_version(point)}" for group, point in others))


def _version(point: EntryPoint) -> str:
    """The version of the package that brings it, and a hash of its code: while it is written its version stays."""
    stated = (point.dist.version if point.dist else "").replace("+", "_")
    return f"{stated} {code_hash(point.module)[:16]}"


def code_hash(module: str) -> str:
    """SHA-256 over the Python files of a module's outermost package."""
    outermost = module.partition(".")[0]
    spec = sys.modules[outermost].__spec__ if outermost in sys.modules else find_spec(outermost)
    origin = Path(spec.origin) if spec is not None and spec.origin else None
    sha = hashlib.sha256()
    if origin is not None:
        files = origin.parent.rglob("*.py") if origin.name == "__init__.py" else (origin,)
        for path in sorted(files):
            sha.update(path.relative_to(origin.parent).as_posix().encode() + b"\0" + path.read_bytes())
    return sha.hexdigest()
