"""Tables as grids of cells, and what their columns are for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from kg.extract.codes import are_codes, are_serials, names_by_number
from kg.extract.labels import Label, label_of, read_label
from kg.extract.properties import REMARK, candidates
from kg.extract.source import Source
from kg.extract.standing import standing_of_label
from kg.extract.values import Kind, Part, kind_of_column, read
from kg.extract.words import WORD
from kg.model import Block, BlockKind, DateValue, MarkKind, Precision, Quantity
from kg.text import dates, hedges
from kg.text.scales import Measure, counts_each, whole_date
from kg.text.stretch import Stretch
from kg.text.table_figures import AS_ENGLISH, Written, in_english, totals, written, written_throughout
from kg.text.table_heads import Head, compose, header_rows, is_header, is_time


class Use(StrEnum):
    """What a column is for."""

    DATA = "data"
    SUBJECT = "subject"
    PERIOD = "period"
    STANDING = "standing"


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A row of data: its block and its cells (None where blank), as many as the grid has columns.

    ``half``: it is printed with others in one row of the table.
    """

    block: Block
    cells: tuple[Stretch | None, ...]
    half: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column. ``head`` is None without a header; ``kind`` the form that most of its cells share.

    ``when`` is the time that its header tells, at ``told``; ``worded``: it tells more than that.

    ``codes``: its numbers are versions or the like, names and not figures. ``letters``: it has but Y and N. ``bare``:
    its header is a month, a day, a number or the like, which names no property alone. ``lists``: commas part numbers.
    ``written``: how its numbers and days are.
    """

    index: int
    head: Stretch | None
    label: Label
    kind: Kind | None
    use: Use = Use.DATA
    codes: bool = False
    letters: bool = False
    bare: bool = False
    lists: bool = False
    when: DateValue | None = None
    told: tuple[tuple[int, int], ...] = ()
    worded: bool = True
    written: Written = AS_ENGLISH


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A table's header cells and rows."""

    heads: tuple[Head, ...]
    rows: tuple[Row, ...]

    def cells(self, column: int) -> list[Stretch]:
        """The cells of a column that hold text."""
        return [cell for row in self.rows if (cell := row.cells[column]) is not None]


METRIC = re.compile(
    r"(?:key )?(?:metrics?|measures?|indicators?|parameters?|attributes?|propert(?:y|ies)|fields?|specifications?"
    r"|specs?"
    r"|characteristics?|statistics?|stats?|figures?|aspects?|items?|keys?|dimensions?|quantit(?:y|ies)|facts?|particulars?"
    r"|features?|data|settings?|variables?)",
    re.IGNORECASE,
)
VALUE = re.compile(
    r"(?:values?|amounts?|figures?|numbers?|quantit(?:y|ies)|results?|details?|measurements?|readings?|data|answers?"
    r"|current(?: value)?|setting|specification|description|total)",
    re.IGNORECASE,
)
EVENT = re.compile(
    r"(?:key )?(?:events?|milestones?|developments?|what happened|happenings?|incidents?|announcements?"
    r"|changes?|achievements?)",
    re.IGNORECASE,
)
PERIOD = re.compile(
    r"(?:model |calendar |fiscal )?(?:years?|periods?|eras?|timeframes?|time frame|time"
    r"|quarters?|months?|seasons?|dates?|when|decades?)",
    re.IGNORECASE,
)
PERSON = re.compile(
    r"(?:persons?|people|names?|members?|who|held by|holders?|authors?|keepers?|employees?|individuals?)", re.IGNORECASE
)
_STANDING = re.compile(
    r"(?:confidence|status|certainty|reliability|standing|evidence(?: level)?|verified|confirmed\??|official\??)",
    re.IGNORECASE,
)
STATE = re.compile(r"(?:\w+ )?(?:status|state|stage|phase|condition)", re.IGNORECASE)  # told in words, not by names
_NOTE = re.compile(
    r"\s*(?:\[(?:\^[\w-]+|\d{1,3}|[a-e])\]|\s\([*†‡§]+\)|(?<=\d\d)[*†‡§]+|(?<=\w\w\w)[*†‡§]+|(?<=\W)[†‡§*]+|(?<=\w)[†‡§¹⁴-⁹]+|(?<=[^\W\d_]{4})[²³])$"
)
_LETTER = re.compile(r"\W*[YN]\W*", re.IGNORECASE)
BARE = re.compile(
    r"\d+(?:st|nd|rd|th)?|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|mon|tues?|wed|thurs?|fri|sat|sun)\.?"
    r"|(?:january|february|march|april|august|september|october|november|december)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|q[1-4]|[IVX]+",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(?!\d{1,3}(?:,\d{3})+$)\d+(?:,\d+){2,}")
_CLOCK = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?", re.IGNORECASE)
_NUMBERING = re.compile(r"(?:#|no\.?|nr\.?|n[°º]|number|s/n|index|row)", re.IGNORECASE)


def grid_of(table: Block) -> Grid | None:
    """A table's grid, or None if it has no row of data."""
    rows = [r for r in table.children if r.kind is BlockKind.TABLE_ROW]
    width = max((len(r.children) for r in rows), default=0)
    heads = [r for r in rows if is_header(r)]
    data = [r for r in rows if not is_header(r)]
    if not data or not width:
        return None
    found = [Row(r, _cells(r, width)) for r in data]
    if not heads:
        return Grid((Head(),) * width, tuple(found))
    above = [_cells(r, width) for r in heads]
    more = header_rows(above[-1], [row.cells for row in found])
    grid = _unfolded(Grid(compose([*above, *(row.cells for row in found[:more])]), tuple(found[more:])))
    return grid if grid.rows else None  # columns printed beside one another may hold nothing that is told apart


def _unfolded(grid: Grid) -> Grid:
    """A table printed in two or three columns ("Day | Hours | Day | Hours") as the long one that it is."""
    heads = [" ".join(w.text.casefold() for w in (*h.told, *h.words)) for h in grid.heads]
    for width in range(2, len(heads) // 2 + 1):
        times, left = divmod(len(heads), width)
        if not left and all(heads[:width]) and len(set(heads[:width])) == width and heads == heads[:width] * times:
            parts = [
                Row(row.block, row.cells[start : start + width], half=True)
                for start in range(0, len(heads), width)
                for row in grid.rows
                if not _begin_alike(row.cells[::width])
            ]
            return Grid(grid.heads[:width], tuple(row for row in parts if any(row.cells)))
    return grid


def _begin_alike(cells: Sequence[Stretch | None]) -> bool:
    """Whether the parts of a printed row have the same label ("Monday" in two weeks): nothing tells them apart."""
    labels = [cell.text.casefold() for cell in cells if cell is not None]
    return len(set(labels)) < len(labels)


def _cells(row: Block, width: int) -> tuple[Stretch | None, ...]:
    cells: list[Stretch | None] = []
    for cell in row.children:
        stretch = _without_note(Stretch.whole(cell.inline)) if cell.inline is not None else None
        cells.append(stretch if stretch else None)
    return (*cells, *(None for _ in range(width - len(cells))))


def _without_note(cell: Stretch) -> Stretch:
    """The cell without marks of footnotes at its end; the powers of units stay ("40 km²", but "Fastnet²")."""
    for link, _ in cell.marked(MarkKind.LINK):
        if link.end == cell.end and cell.start < link.start and not link.text.strip("*†‡§"):
            cell = cell.part(0, link.start - cell.start).strip()
    while (note := _NOTE.search(cell.text)) and note.start():
        cell = cell.part(0, note.start()).strip()
    return cell


def columns_of(source: Source, grid: Grid, common: Measure | None = None) -> list[Column]:
    """The columns with their labels, forms and uses; the subject's is chosen by :func:`subject_of`.

    ``common`` is the measure that a caption declares for the whole table.
    """
    columns: list[Column] = []
    for index, above in enumerate(grid.heads):
        head = (*above.told, *above.words)[-1] if above.words or above.told else None
        label = _label(above if above.measure or not index else replace(above, measure=common), index)
        how = written((cell.text for cell in grid.cells(index)), written_in(source))
        cells = [in_english_of(source, cell, how) for cell in grid.cells(index)]
        parts = [read(source, cell, label=label.text)[:1] for cell in cells]
        kind = kind_of_column(parts)
        codes = _are_codes(grid, index, label, kind)
        told = tuple(t.span for t in above.told)
        if (money := _money(parts)) is not None and not label.unit:
            own = label.measure or Measure()
            label = replace(label, measure=own if own.unit else replace(own, unit=money))
        form, use = Kind.TEXT if codes or STATE.fullmatch(label.text) else kind, _use(cells, label, parts)
        letters = bool(grid.cells(index)) and all(_LETTER.fullmatch(cell.text) for cell in grid.cells(index))
        bare = len(above.words) == 1 and bool(BARE.fullmatch(label.text)) and above.when is None and index > 0
        head = head if index == 0 or head is None or re.search(r"[^\W_]|[%#№]", head.text) else None
        lists = any(_LISTED.fullmatch(cell.text) for cell in grid.cells(index))
        worded = bool(above.words)
        columns.append(
            Column(index, head, label, form, use, codes, letters, bare, lists, above.when, told, worded, how)
        )
    return columns


def written_in(source: Source) -> Written:
    """How the tables of a document write numbers and days, where a column leaves it open."""
    return source.once("how numbers are written", None, lambda: written_throughout(_all_cells(source)))


def _all_cells(source: Source) -> Iterator[str]:
    tables = (placed.block for placed in source.placed if placed.block.kind is BlockKind.TABLE)
    cells = (cell for table in tables for row in table.children if not is_header(row) for cell in row.children)
    return (cell.inline.text for cell in cells if cell.inline is not None)


def in_english_of(source: Source, cell: Stretch, how: Written) -> Stretch:
    """A cell with its numbers and days as English writes them, each sign in its place; itself where nothing changes."""
    text = in_english(cell.inline.text, how)
    if text == cell.inline.text:
        return cell
    inline = source.once(f"in English, {how}", cell.inline, lambda: replace(cell.inline, text=text))
    return Stretch(inline, cell.start, cell.end)


def totals_of(grid: Grid, columns: Sequence[Column]) -> frozenset[int]:
    """The numbers of the rows that add up others."""
    return totals(
        [[in_english(c.text, columns[n].written) if c else "" for n, c in enumerate(r.cells)] for r in grid.rows]
    )


def _money(parts: Sequence[Sequence[Part]]) -> str | None:
    """The currency of a column of accounts: its sign stands at the first figure and at totals, not at each."""
    values = [p[0].value for p in parts if p and isinstance(p[0].value, Quantity)]
    units = [v.unit for v in values]
    if len(values) < 3 or None not in units or not (units[0] or "").startswith("CCY_"):
        return None
    return units[0] if set(units) <= {None, units[0], "PERCENT"} and not any(v.noun for v in values) else None


def _label(head: Head, index: int) -> Label:
    """The words over a column as one label, with the measure that its header declares."""
    words = head.words or head.told
    if not words:
        return label_of(f"column {index + 1}")
    spans = tuple(w.span for w in words)
    label = read_label(words[0]) if len(words) == 1 else label_of(" ".join(w.text for w in words), spans)
    inherited = None if counts_each(label.text) else head.measure
    return replace(label, measure=label.measure or inherited)


def _are_codes(grid: Grid, index: int, label: Label, kind: Kind | None) -> bool:
    """Whether the column's numbers are versions or the like; in the first, they may name the rows."""
    if label.unit:
        return False
    told = [row for row in grid.rows if (cell := row.cells[index]) is not None and not hedges.absent(cell.text)]
    texts = [_undated(cell.text) for row in told if (cell := row.cells[index]) is not None]
    names = [cell.text if (cell := row.cells[0]) is not None else "" for row in told] if index else []
    return are_codes(label.text, texts, names, kind is Kind.DATE)


def _undated(text: str) -> str:
    """A cell without a date in the bracket at its end ("2.4.1 (2 March 2025)")."""
    bracket = re.search(r"\s*\(([^()]*)\)$", text)
    return text[: bracket.start()] if bracket and dates.parse(bracket[1]) else text


def _use(cells: list[Stretch], label: Label, parts: list[list[Part]]) -> Use:
    if PERIOD.fullmatch(label.text) and _mostly_dates(cells):
        return Use.PERIOD
    if _STANDING.fullmatch(label.text):
        told = sum(standing_of_label(cell.text) is not None for cell in cells)
        if told * 2 >= len(parts) > 0:
            return Use.STANDING
    return Use.DATA


def _mostly_dates(cells: list[Stretch]) -> bool:
    return bool(cells) and sum(whole_date(cell) is not None for cell in cells) * 2 > len(cells)


def is_event_table(grid: Grid, columns: list[Column]) -> int | None:
    """The column of events in a table of dates and events, or None."""
    if not any(c.use is Use.PERIOD for c in columns):
        return None
    others = [c for c in columns if c.use is Use.DATA]
    named = [c.index for c in others if EVENT.fullmatch(c.label.text)]
    if named:
        return named[0]
    if len(others) == 1 and columns[0].use is Use.PERIOD:
        cells = grid.cells(others[0].index)
        long = sum(len(WORD.findall(c.text)) > 5 for c in cells)
        return others[0].index if long * 2 > len(cells) else None
    return None


def subject_of(source: Source, grid: Grid, columns: list[Column]) -> int | None:
    """The column whose cells the rows are about, or None.

    The first column if it holds versions; the names beside a first column of serial numbers; a column of persons; else
    the leftmost one that is neither numbers, dates nor standings, if its cells differ from row to row and are short;
    where that repeats itself, one whose header is a class of the ontology.
    """
    if _numbers_rows(grid, columns):
        return 0
    named = names_beside(grid, columns, 0)
    if named is not None and are_serials([cell.text for cell in grid.cells(0)]):
        return named
    eligible = [c for c in columns if c.use is Use.DATA and not _is_remark(grid, c)]
    eligible = [c for c in eligible if c.kind in (Kind.NAME, Kind.TEXT) and not _NUMBERING.fullmatch(c.label.text)]
    eligible = [c for c in eligible if not all(_CLOCK.fullmatch(cell.text) for cell in grid.cells(c.index))]
    naming = [c for c in eligible if _distinct(grid, c) and _short(grid, c)]
    persons = (c for c in naming if PERSON.fullmatch(c.label.text))
    others = (c for c in naming if c is eligible[0] or source.ontology.by_label(c.label.text, "class"))
    return next((c.index for c in (*persons, *others)), None)


def filled_down(grid: Grid, columns: Sequence[Column]) -> Grid:
    """The grid with a first column's label repeated in the rows that it reaches over, where these are records.

    A record's cells tell of one another ("Jupiter" over rows of craft, date and manner), and not each of the label. A
    row with one cell beside it gives the label a further value.
    """
    if columns[0].use is not Use.DATA or columns[0].kind not in (Kind.NAME, Kind.TEXT) or grid.rows[0].cells[0] is None:
        return grid
    told = [c.index for c in columns[1:] if c.head is not None and c.use is Use.DATA]
    below = [row for row in grid.rows if row.cells[0] is None]
    records = sum(sum(row.cells[n] is not None for n in told) > 1 for row in below)
    if 2 * records <= len(below):
        return grid
    rows: list[Row] = []
    for row in grid.rows:
        label = row.cells[0] or rows[-1].cells[0]
        rows.append(replace(row, cells=(label, *row.cells[1:])))
    return replace(grid, rows=tuple(rows))


def names_beside(grid: Grid, columns: Sequence[Column], codes: int) -> int | None:
    """The column right of one of codes that names what these stand for: few words, in lower case too, told apart."""
    column = columns[codes + 1] if codes + 1 < len(columns) else None
    if column is None or column.head is None or column.use is not Use.DATA or column.codes or _is_remark(grid, column):
        return None
    cells = [cell.text for cell in grid.cells(column.index)]
    worded = sum(_NAME.match(text) is not None and len(WORD.findall(text)) <= _MOST_WORDS for text in cells)
    named = column.kind in (Kind.NAME, Kind.TEXT) and worded >= 0.9 * len(grid.rows) and _distinct(grid, column)
    return column.index if named else None


_NAME = re.compile(r"(?=.*[^\W\d_][^\W\d_A-Z])\w", re.DOTALL)
_MOST_WORDS = 5


def _is_remark(grid: Grid, column: Column) -> bool:
    """Whether a column only remarks on the others; one in front, all different, is what the rows are about."""
    return bool(REMARK.fullmatch(column.label.text)) and not (column.index == 0 and _distinct(grid, column))


def names_rows(column: Column) -> bool:
    """Whether numbers of the column, if it is the subject's, name its rows."""
    return column.index == 0 and (column.codes or names_by_number(column.label.text))


def _numbers_rows(grid: Grid, columns: list[Column]) -> bool:
    """Whether the first column names the rows by version or model; years do only where no other column has names."""
    first = columns[0]
    if first.use is not Use.DATA or not _distinct(grid, first) or not _short(grid, first):
        return False
    if first.codes or not names_by_number(first.label.text):
        return first.codes
    dated = [whole_date(cell) for cell in grid.cells(0)]
    if any(date is not None and date.precision is not Precision.YEAR for date in dated):
        return False
    return None in dated or not any(c.kind in (Kind.NAME, Kind.TEXT) and not c.codes for c in columns[1:])


def _distinct(grid: Grid, column: Column) -> bool:
    cells = [c.text.casefold() for c in grid.cells(column.index)]
    blank_first = grid.rows[0].cells[column.index] is None
    return not blank_first and len(set(cells)) >= 0.9 * len(cells)


def _short(grid: Grid, column: Column) -> bool:
    cells = grid.cells(column.index)
    return sum(len(WORD.findall(c.text)) <= 8 for c in cells) * 4 >= 3 * len(cells)


def rows_are_properties(source: Source, grid: Grid, columns: list[Column]) -> bool:
    """Whether the first column names properties: metric/value tables, and tables turned on their side."""
    if len(columns) < 2 or columns[0].kind in (Kind.QUANTITY, Kind.DATE):
        return False
    corner, others = columns[0].label.text if columns[0].head else "", columns[1:]
    first_is_value = bool(others[0].head and VALUE.fullmatch(others[0].label.text))
    named = columns[0].head.text if columns[0].head else ""
    if (METRIC.fullmatch(corner) or METRIC.fullmatch(named)) and (first_is_value or _heads_are_things(source, others)):
        return True
    if len(columns) == 2 and (first_is_value or not others[0].head) and not corner:
        return True
    corner = "" if is_time(corner) else corner
    timed = sum(c.when is not None and not c.worded for c in others)
    if not corner and timed > 1 and 2 * timed >= len(others) and not any(c.when and c.worded for c in others):
        return 2 * sum(source.words.sure(cell.text) for cell in grid.cells(0)) <= len(grid.rows)  # accounts by year
    known = sum(bool(candidates(source, read_label(cell), ())) for cell in grid.cells(0))
    known_heads = sum(bool(c.head and candidates(source, c.label, ())) for c in others)
    if known * 2 >= len(grid.rows) and known > known_heads:
        return True
    return not corner and _heads_are_things(source, others) and _steadier_by_row(source, grid) and not known_heads


def _heads_are_things(source: Source, columns: list[Column]) -> bool:
    """Whether all headers are names or dates (remarks apart): each column is a thing or a time."""

    def is_thing(head: str) -> bool:
        return source.words.has_proper(head) and not all(map(source.words.aspect, WORD.findall(head)))

    heads = [c for c in columns if not REMARK.fullmatch(c.label.text)]
    return bool(heads) and all(c.head and (c.when is not None or is_thing(c.head.text)) for c in heads)


def _steadier_by_row(source: Source, grid: Grid) -> bool:
    """Whether the cells of a row are of one form more often than the cells of a column."""
    forms = [[_form(source, cell) for cell in row.cells[1:]] for row in grid.rows]
    by_row = sum(_agree(row) for row in forms) / len(forms)
    turned = [list(column) for column in zip(*forms, strict=True)]
    by_column = sum(_agree(column) for column in turned) / len(turned)
    return by_row > by_column


def _agree(forms: list[str]) -> float:
    known = [f for f in forms if f]
    return max((known.count(f) for f in set(known)), default=0) / len(known) if known else 1.0


def _form(source: Source, cell: Stretch | None) -> str:
    parts = read(source, cell) if cell else []
    if not parts or parts[0].value is None:
        return ""
    value = parts[0].value
    unit = getattr(value, "unit", None) or getattr(value, "noun", "")
    return f"{value.kind}:{unit}"
