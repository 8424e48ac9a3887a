"""Tables put together again from rows as they are quoted: "Harbour: Stromvik; 2019: 40; 2020: 44"."""

from __future__ import annotations

from collections.abc import Sequence

from kg.tabular.table import Table, table


def from_rows(rows: Sequence[str], texts: Sequence[str] = ()) -> Table:
    """The table of rows whose cells say what heads them; row n of it is ``rows[n - 1]``. ``texts``: see table."""
    parted = [[_cell(piece) for piece in row.split("; ")] for row in rows]
    heads = list(dict.fromkeys(head for row in parted for head, _ in row[1:] if head))
    corner = next((row[0][0] for row in parted if row[0][0] not in heads), "")
    lines = [[row[0][1], *_placed(heads, row[1:])] for row in parted]
    return table([[corner, *heads], *lines], texts)


def _cell(piece: str) -> tuple[str, str]:
    """Head and text of a cell; no head where its column has none."""
    head, colon, text = piece.partition(": ")
    return (head.strip(), text.strip()) if colon else ("", piece.strip())


def _placed(heads: Sequence[str], cells: Sequence[tuple[str, str]]) -> list[str]:
    """A row's cells in the order of the heads, blank where it has none."""
    found = dict(reversed(cells))
    return [found.get(head, "") for head in heads]
