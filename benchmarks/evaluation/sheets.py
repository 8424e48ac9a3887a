"""Gold tables: documents with the cells that their tables state (layout in :mod:`benchmarks.evaluation.tables`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchmarks.evaluation.cells import fold, fold_header
from kg.errors import BadInput

ROW_FIELD = "releaseCycle"


@dataclass(frozen=True, slots=True)
class Thing:
    """An entity or property with all its names."""

    iri: str
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a gold table."""

    document: str
    row: str
    header: str
    value: Any


@dataclass(frozen=True)
class Sheet:
    """A gold table. ``document``: file name; ``titles``: of document and gold; ``key``: header of the rows' names."""

    document: str
    titles: tuple[str, ...]
    key: str
    rows: tuple[str, ...]
    cells: tuple[Cell, ...]

    @cached_property
    def headers(self) -> dict[str, str]:
        """Headers of the cells' columns, by their folded form."""
        return {fold_header(c.header): c.header for c in self.cells}

    @cached_property
    def _title_words(self) -> frozenset[str]:
        return frozenset(word for title in self.titles for word in fold(title).split())

    @cached_property
    def _rows(self) -> dict[str, str]:
        return {fold(row): row for row in self.rows}

    def row_of(self, thing: Thing) -> set[str]:
        """Rows that one of the names of a thing names."""
        found = set()
        for name in map(fold, thing.names):
            words = name.split()
            for at in range(len(words)):
                row = self._rows.get(" ".join(words[at:]))
                if row is not None and self._title_words.issuperset(words[:at]):
                    found.add(row)
        return found

    def header_of(self, property_: Thing) -> set[str]:
        """Headers that name a property."""
        return {self.headers[n] for n in map(fold_header, property_.names) if n in self.headers}


def load(folder: Path) -> list[tuple[Path, Mapping[str, Any]]]:
    """Documents with their gold, sorted. Raises BadInput if the folder isn't laid out so."""
    documents = sorted((folder / "documents").glob("*.md"))
    if not documents:
        raise BadInput(f"{folder} holds no documents/*.md", "name a folder with documents/*.md and gold/*.json")
    return [(path, _gold(folder / "gold" / f"{path.stem}.json")) for path in documents]


def _gold(path: Path) -> Mapping[str, Any]:
    try:
        gold = json.loads(path.read_text(encoding="utf-8"))
        shape = bool(gold["columns"]) and all(isinstance(r, dict) for r in gold["releases"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(
            f"{path} can't be read as gold: {error!r}", "see benchmarks.evaluation.tables for its layout"
        ) from error
    if not shape:
        raise BadInput(f"{path} has no columns or releases", "see benchmarks.evaluation.tables for its layout")
    found: Mapping[str, Any] = gold
    return found


def sheet_of(document: str, title: str, gold: Mapping[str, Any]) -> Sheet:
    """The gold table of a document; ``title`` is the document's."""
    columns: Mapping[str, str] = gold["columns"]
    key = ROW_FIELD if ROW_FIELD in columns else next(iter(columns))
    rows = [r for r in gold["releases"] if str(r.get(key, "")).strip()]
    cells = [
        Cell(document, str(row[key]), header, row[name])
        for row in rows
        for name, header in columns.items()
        if name != key and row.get(name) not in (None, "", [])
    ]
    titles = (title, str(gold.get("title", "")), str(gold.get("product", "")))
    return Sheet(document, titles, columns[key], tuple(str(r[key]) for r in rows), tuple(cells))
