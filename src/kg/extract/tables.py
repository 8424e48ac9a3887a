"""Tables → claims: rows that are entities, persons, events, properties or observations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kg.extract.build import About, Frame, Given, Property, claim, named
from kg.extract.codes import are_serials
from kg.extract.grid import (
    STATE,
    Column,
    Grid,
    Row,
    Use,
    columns_of,
    filled_down,
    grid_of,
    in_english_of,
    is_event_table,
    names_beside,
    names_rows,
    rows_are_properties,
    subject_of,
    totals_of,
)
from kg.extract.happenings import event_of, parties, sums
from kg.extract.labels import NOTE, Label, label_of, label_words, predicate_of_label, read_label
from kg.extract.properties import REMARK, Fact, candidates, claims_of, facts, predicate_of
from kg.extract.rows import Table, context_of, labelled, row_label, subjects_of_row, tied_to_owner
from kg.extract.source import Placed, Source
from kg.extract.standing import hedge_of, section_frame, standing_of_label
from kg.extract.subjects import carried, title_of
from kg.extract.values import Kind, Part, name_or_text
from kg.model import (
    BlockKind,
    Claim,
    Context,
    DateValue,
    EntityName,
    EventName,
    Flag,
    Hedge,
    Polarity,
    Predicate,
    Quantity,
    Status,
)
from kg.namespaces import KG
from kg.text import dates
from kg.text.hedges import combine
from kg.text.scales import Measure, counts_each, leading_quantity, whole_date
from kg.text.stretch import Stretch
from kg.text.table_heads import caption_of, is_header

NAME = "tables"
_CAPTION_LENGTH = 160
_TOTAL = re.compile(r"(?:sub|grand )?total\b|net\b|sum\b|all\b", re.IGNORECASE)
_UNMERGED = ("text/csv", "text/tab-separated-values")
"""Formats in which no cell reaches over several rows, so that a blank one repeats nothing."""
_FACTS = re.compile(r"\s*;\s+")


def extract(source: Source) -> Iterator[Claim]:
    """Reads every table of a document."""
    for placed in source.placed:
        if placed.block.kind is BlockKind.TABLE and (grid := grid_of(placed.block)):
            yield from _table(source, placed, grid)


def _table(source: Source, placed: Placed, grid: Grid) -> Iterator[Claim]:
    columns = columns_of(source, grid, _caption(source, placed))
    base = section_frame(source, placed)
    if rows_are_properties(source, grid, columns):
        yield from _property_rows(source, Table(placed, grid, columns, None), base)
        return
    if source.document.media_type not in _UNMERGED:
        grid = filled_down(grid, columns)
    subject = subject_of(source, grid, columns)
    table = Table(placed, grid, columns, subject)
    event = is_event_table(grid, columns)
    if event is not None and not (subject == 0 and names_rows(columns[0])):
        for row in grid.rows:
            yield from _event_row(source, table, event, row, base)
        return
    yield from _entity_rows(source, table, base)


def _entity_rows(source: Source, table: Table, base: Frame) -> Iterator[Claim]:
    grid, columns, subject = table.grid, list(table.columns), table.subject
    if subject and are_serials([code.text for code in grid.cells(subject - 1)]):
        columns[subject - 1] = replace(columns[subject - 1], kind=Kind.TEXT)
        table = replace(table, columns=columns)
    above: Stretch | None = None
    merges, added = source.document.media_type not in _UNMERGED, totals_of(grid, columns)
    beside = names_beside(grid, columns, subject) if subject is not None else None
    for number, row in enumerate(grid.rows):
        if number in added:
            label = row_label(row) or next(cell for cell in row.cells if cell is not None)
            yield from _entity_row(source, replace(table, subject=None), label, row, base, adds_up=True)
            continue
        own = subject
        if subject is not None:
            above = row.cells[subject] or (above if merges else None)
            own = subject if above is not None else beside
        cell = above if own == subject or own is None else row.cells[own]
        yield from _entity_row(source, replace(table, subject=own), cell, row, base)


def _caption(source: Source, placed: Placed) -> Measure | None:
    """The measure that the paragraph right above a table, its label or its heading declares for its figures."""
    at = source.places[placed]
    above = source.placed[at - 1] if at else None
    told = [above.block] if above is not None and above.sections == placed.sections else []
    texts = [b.inline.text for b in (*told, *placed.sections[-1:]) if b.inline is not None]
    found = [caption for text in texts if len(text) <= _CAPTION_LENGTH and (caption := caption_of(text)) is not None]
    return found[0] if found and found[0].scale != 1 else None


# --- rows that are entities ------------------------------------------------------------------------


def _entity_row(
    source: Source, table: Table, cell: Stretch | None, row: Row, base: Frame, adds_up: bool = False
) -> Iterator[Claim]:
    if cell is not None and standing_of_label(cell.text) == Hedge(Status.UNDISCLOSED):
        return  # "TBD": what the row is of isn't told yet
    placed, columns, subject = table.placed, table.columns, table.subject
    frame = row_frame(source, columns, row, base, subject)
    own = replace(frame, valid_from=None, valid_until=None)
    abouts = subjects_of_row(source, table, cell, row)
    if abouts and any(row.cells[c.index] is not None for c in columns if c.head is not None and c.index != subject):
        yield from tied_to_owner(source, table, abouts[0], cell, row, frame)
    frame, own = (replace(f, context=context_of(source, table, row, cell)) for f in (frame, own))
    measured = read_label(cell) if cell is not None else label_of("")
    repeated = row_label(row) if abouts and isinstance(abouts[0].name, EventName) else None
    labels = labelled(table.grid)
    for about in abouts:
        classes = about.kinds
        for each in columns:
            value = row.cells[each.index]
            if each.index == subject or value is None or each.head is None:
                continue  # what stands under no header tells nothing
            if value is repeated and whole_date(value) is None and labels[value.text] < 2:
                continue  # an observation's label, said again; one of several rows tells their kind
            sure = each.use is Use.STANDING and not STATE.fullmatch(each.label.text)
            if sure and standing_of_label(value.text):
                continue  # how sure the row is: the standing of its other claims
            if adds_up and cell is not None and value.text == cell.text:
                continue  # a label over several columns
            column = _read_for(source, placed, each, measured, cell if adds_up else None)
            told = own if column.use is Use.PERIOD or column.kind is Kind.DATE else frame
            if column.when is not None:
                told = replace(frame, qualifiers=(*frame.qualifiers, *column.told)).within(column.when)
            yield from _cell(source, about, column, value, classes, told)


def _read_for(source: Source, placed: Placed, column: Column, row: Label, total: Stretch | None) -> Column:
    """The column as it reads for a row: with what the table is of where its header doesn't say, or as a sum."""
    column = _of_row(column, row)
    if column.bare:
        column = _qualified(source, placed, column)
    if column.when is not None and not column.worded:
        # A column for each time: without words of their own they give what the table's heading says, "Fares".
        column = _topical(source, placed, column)
    return column if total is None else _added(column, total)


def _of_row(column: Column, row: Label) -> Column:
    """The column with the measure or unit that a row's own name declares ("Water (m³)")."""
    if row.measure is None and not row.unit:
        return column
    return replace(column, label=replace(column.label, measure=row.measure, unit=row.unit or column.label.unit))


def _topical(source: Source, placed: Placed, column: Column) -> Column:
    """The column under the words of the heading or label above the table."""
    label = label_words(placed)
    unit = column.label.unit
    title = title_of(source, placed.sections[-1]) if placed.sections else None
    if label is not None and len(label.text.split()) <= 6:
        topic = read_label(label)
    else:
        topic = read_label(title.topic) if title else label_of("value")
    return replace(
        column, label=replace(topic, measure=topic.measure or column.label.measure, unit=topic.unit or unit), kind=None
    )


def _qualified(source: Source, placed: Placed, column: Column) -> Column:
    """A column whose header is but a month, a number or the like, under what the table is of ("Rain, June")."""
    topic = _topical(source, placed, column).label
    label = label_of(f"{topic.text}, {column.label.text}", (*topic.spans, *column.label.spans))
    return replace(column, label=replace(label, unit=column.label.unit or topic.unit, measure=column.label.measure))


def _added(column: Column, cell: Stretch) -> Column:
    """The column for a row that adds up others: what it gives is no figure of one thing ("Net, Total")."""
    both = label_of(f"{column.label.text}, {cell.text}", (*column.label.spans, cell.span))
    return replace(column, label=replace(both, unit=column.label.unit, measure=column.label.measure))


def row_frame(source: Source, columns: Sequence[Column], row: Row, base: Frame, subject: int | None = None) -> Frame:
    """Standing and validity that a row's own columns add to the table's.

    Of several dates none tells when all holds; nor does one behind what a row is about, of which it is a property
    ("Rex | 1995 | Orr Works").
    """
    frame = base
    dated = any(c.kind is Kind.DATE and c.use is not Use.PERIOD for c in columns)
    for column in columns:
        cell = row.cells[column.index]
        if cell is None:
            continue
        if column.use is Use.STANDING and (hedge := standing_of_label(cell.text)):
            frame = replace(frame, hedge=combine(frame.hedge, hedge), qualifiers=(*frame.qualifiers, cell.span))
        behind = subject is not None and column.index > subject
        plain = in_english_of(source, cell, column.written)
        if column.use is Use.PERIOD and not (dated or behind) and (date := whole_date(plain)):
            frame = replace(frame, qualifiers=(*frame.qualifiers, cell.span)).within(date)
    return frame


def _cell(
    source: Source, about: About, column: Column, value: Stretch, classes: Sequence[str], frame: Frame
) -> Iterator[Claim]:
    kind = Kind.TEXT if column.use is Use.STANDING or (column.lists and "," in value.text) else column.kind
    plain = replace(frame, hedge=Hedge()) if column.use is not Use.DATA else frame
    words = " ".join(source.cut(span) for span in column.label.spans)
    plain = replace(plain, context=replace(plain.context or Context(), column=words))
    if column.letters and (flag := {"y": True, "n": False}.get(value.text.strip(" .*").casefold())) is not None:
        yield from claims_of(source, NAME, about, [_flagged(source, column, value, classes, flag)], plain)
        return
    found = _facts(source, column, value, classes, kind)
    if column.when is None and _tells_another_time(value, frame):
        plain = replace(plain, valid_from=None, valid_until=None)  # it tells its own time ("gift of Ada Wren, 1961")
    yield from claims_of(source, NAME, about, found, plain)


def _facts(source: Source, column: Column, value: Stretch, classes: Sequence[str], kind: Kind | None) -> list[Fact]:
    """What a cell states: its figures and dates read as its column writes them, and quoted as they stand."""
    plain = in_english_of(source, value, column.written)
    found = facts(source, column.label, plain, classes, kind)
    if plain is value:
        return found
    if not all(isinstance(fact.part.value, Quantity | DateValue) for fact in found):
        return facts(source, column.label, value, classes, kind)
    return [replace(fact, part=_as_it_stands(fact.part, plain, value)) for fact in found]


def _as_it_stands(part: Part, plain: Stretch, value: Stretch) -> Part:
    """A figure or date that was read from a cell in English, with the words of the cell itself."""
    at = replace(part.at, inline=value.inline)
    if not isinstance(part.value, Quantity | DateValue):
        return replace(part, at=at)
    start = plain.inline.text.find(part.value.stated, part.at.start)
    stated = value.inline.text[start : start + len(part.value.stated)] if start >= 0 else at.text
    return replace(part, at=at, value=replace(part.value, stated=stated))


def _tells_another_time(value: Stretch, frame: Frame) -> bool:
    """Whether a value has dates, and none of them lies in the time for which its row holds."""
    told = [found.value for found in dates.find(value.text)]
    first, last = frame.valid_from, frame.valid_until
    return bool(told) and not any(
        (first is None or first.earliest <= date.latest) and (last is None or date.earliest <= last.latest)
        for date in told
    )


def _flagged(source: Source, column: Column, value: Stretch, classes: Sequence[str], flag: bool) -> Fact:
    """Yes or no under a column that has but these letters."""
    known = candidates(source, column.label, classes)
    predicate = predicate_of(known[0]) if known else predicate_of_label(column.label)
    return Fact(Property(predicate, column.label.spans), Part(Flag(flag), value))


# --- rows that are properties ----------------------------------------------------------------------


def _property_rows(source: Source, table: Table, base: Frame) -> Iterator[Claim]:
    """Metric and value, or a table turned on its side: each further column is a value, a thing or a time."""
    about, columns = carried(source, table.placed), table.columns
    group: Stretch | None = None
    timed = any(column.when is not None for column in columns)
    # Where a figure is from and how sure it is belongs to the claim, not to what is measured.
    remarks = [c for c in columns[1:] if c.use is Use.STANDING or (c.head and REMARK.fullmatch(c.label.text))]
    for row in table.grid.rows:
        head = row.cells[0]
        if head is None:
            continue
        if not any(row.cells[1:]):
            group = head
            continue
        if _TOTAL.match(head.text):
            group = None
        label, frame = _grouped(group, head), row_frame(source, columns[1:], row, base)
        sources = [cell.span for c in remarks if c.use is not Use.STANDING and (cell := row.cells[c.index]) is not None]
        context = replace(context_of(source, table, row, head), row=label.text, stub=_corner(table.placed))
        frame = replace(frame, qualifiers=(*frame.qualifiers, *sources), context=context)
        for column in columns[1:]:
            value = row.cells[column.index]
            if value is None or column in remarks:
                continue
            whom, when = _of_column(source, column, about, frame)
            beside = whom is about and not column.when and (timed or _is_statistic(column))
            told = _beside(label, column) if beside else label
            measured = told if told.measure or counts_each(told.text) else replace(told, measure=column.label.measure)
            heads = column.head.text if column.head is not None else ""
            placed_at = replace(when, context=replace(context, column=heads))
            told_here = _facts(source, replace(column, label=measured), value, whom.classes, None)
            yield from claims_of(source, NAME, whom, told_here, placed_at)
        yield from _remarked(source, about, columns, row, base)


def _grouped(group: Stretch | None, head: Stretch) -> Label:
    """A row's label behind that of the row without values above it ("Debts:", then "long-term")."""
    if group is None:
        return read_label(head)
    above, label = read_label(group), read_label(head)
    if set(above.text.lower().split()) <= set(label.text.lower().split()):
        return label
    told = label_of(f"{above.text}: {label.text}", (*above.spans, *label.spans))
    return replace(told, unit=label.unit or above.unit, measure=label.measure or above.measure)


def _beside(label: Label, column: Column) -> Label:
    """A row's label with what a column beside those of values or times tells of it ("Fares, change")."""
    both = label_of(f"{label.text}, {column.label.text}", (*label.spans, *column.label.spans))
    return replace(both, unit=label.unit or column.label.unit, measure=label.measure)


def _corner(placed: Placed) -> str:
    """What stands over the row labels: what they are, or what the figures are counted in ("Million crowns")."""
    header = next((row for row in placed.block.children if is_header(row) and row.children), None)
    corner = header.children[0].inline if header is not None else None
    return corner.text.strip() if corner is not None else ""


# Heads that say which figure of many is given: no thing that figures are of.
_STATISTIC = re.compile(
    r"(?:(?:arithmetic )?mean|min(?:imum)?|max(?:imum)?|lowest|highest|av(?:era)?ge?|median|mode|variance|range|"
    r"total|sum|count|"
    r"s\.?d|st(?:d|andard)?\.? ?dev(?:iation)?|std|\d{1,2}(?:th|\.\d)? ?(?:%|percentile)|q[1-4])\.?",
    re.IGNORECASE,
)


def _is_statistic(column: Column) -> bool:
    return column.head is not None and _STATISTIC.fullmatch(column.head.text) is not None


def _of_column(source: Source, column: Column, about: About, frame: Frame) -> tuple[About, Frame]:
    if column.head is None or _is_statistic(column):
        return about, frame
    if column.when is not None:
        return about, replace(frame, qualifiers=(*frame.qualifiers, *column.told)).within(column.when)
    part = name_or_text(source, column.head)
    if isinstance(part.value, EntityName):
        return About(part.value, (part.at.span,)), frame
    return about, frame


# --- columns of notes: "| Lamp | Kappa-3 | Not Orr-LM; lent by Kiel |" ---------------------------------

_NOTES = re.compile(r"(?:notes?|remarks?|comments?)", re.IGNORECASE)
_NOT = re.compile(r"not\s+(?=\S)", re.IGNORECASE)
_EITHER = re.compile(r"\s*,\s+(?:or\s+)?|\s+(?:or|nor)\s+")


def _denied(source: Source, note: Stretch) -> Iterator[Part]:
    """The names that a note says it isn't ("Not Kappa or Rolf-LM"); nothing where one of them is no name."""
    denied = _NOT.match(note.text)
    pieces = list(note.part(denied.end()).split(_EITHER)) if denied else []
    parts = [name_or_text(source, piece) for piece in pieces]
    if all(isinstance(part.value, EntityName) for part in parts):
        yield from parts


def _remarked(source: Source, whom: About, columns: Sequence[Column], row: Row, base: Frame) -> Iterator[Claim]:
    """What a column of notes says of the one name that a row gives, else of what the row is called; what it isn't."""
    head = row.cells[0]
    assert head is not None
    noted = [c for c in columns[1:] if c.head and _NOTES.fullmatch(c.label.text) and row.cells[c.index] is not None]
    values = [c for c in row.cells[1:] if c is not None and all(c is not row.cells[n.index] for n in noted)]
    if len(noted) != 1 or len(values) != 1 or leading_quantity(values[0].text):
        return
    given_here = facts(source, read_label(head), values[0], ())
    part = given_here[0].part if len(given_here) == 1 else None
    about = named(source, head)
    if part is not None and isinstance(part.value, EntityName):
        about = About(part.value, (part.at.span,), part.at)
    cell = row.cells[noted[0].index]
    for piece in cell.split(_FACTS) if cell is not None else ():
        if given_here and (denied := list(_denied(source, piece))):
            for other in denied:
                given = Given.of(other.value, other.at, Hedge(polarity=Polarity.NEGATED))
                yield claim(source, NAME, whom, given_here[0].property, given, base)
            continue
        told = replace(hedge_of(piece.text), polarity=Polarity.AFFIRMED)  # the words themselves say no
        given = Given.words(piece, told)
        yield claim(source, NAME, about, Property(NOTE, noted[0].label.spans), given, base)


# --- rows that are events --------------------------------------------------------------------------


def _event_row(source: Source, table: Table, event: int, row: Row, base: Frame) -> Iterator[Claim]:
    cell = row.cells[event]
    if cell is None:
        yield from _entity_row(source, replace(table, subject=None), None, row, base)
        return
    section, columns = carried(source, table.placed), table.columns
    base = replace(base, valid_from=None, valid_until=None)
    for stretch in cell.split(_FACTS) if ";" in cell.text else [cell]:
        about = event_of(source, stretch)
        head = columns[event].label
        link = Property(Predicate(head.text), head.spans)
        yield claim(source, NAME, section, link, Given.of(about.name, stretch), base)
        yield from sums(source, NAME, about, stretch, base)
        yield from parties(source, NAME, about, stretch, base)
        for column in columns:
            value = row.cells[column.index]
            if value is not None and column.index != event:
                yield from _cell(source, about, column, value, (f"{KG}Event",), base)
