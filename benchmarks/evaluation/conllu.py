"""Treebanks in CoNLL-U (https://universaldependencies.org/format.html)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from kg.errors import BadInput
from kg.syntax.parser import Parsed

_COLUMNS = 10


def read_conllu(path: Path) -> list[Parsed]:
    """The sentences of a file, without the lines of words written together and of empty words. Raises BadInput."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} can't be read", "give a treebank in CoNLL-U") from error
    return list(_sentences(path, lines))


def _sentences(path: Path, lines: list[str]) -> Iterator[Parsed]:
    for blank, block in groupby(lines, key=lambda line: not line.strip()):
        rows = [line.split("\t") for line in block if not line.startswith("#")] if not blank else []
        rows = [row for row in rows if row[0].isdigit()]
        if not rows:
            continue
        if any(len(row) != _COLUMNS or not row[6].isdigit() or int(row[6]) > len(rows) for row in rows):
            raise BadInput(f"{path} isn't CoNLL-U: a word hasn't ten columns or a head", "give a treebank in CoNLL-U")
        words, tags, labels = ([row[column] for row in rows] for column in (1, 3, 7))
        yield Parsed(tuple(words), tuple(tags), tuple(int(row[6]) - 1 for row in rows), tuple(labels))
