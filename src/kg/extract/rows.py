"""What a table's rows are about: things by their labels, the thing of the section, or observations of their own."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kg.extract.build import About, Frame, Given, Property, claim, named
from kg.extract.classify import classes_of
from kg.extract.codes import are_serials, is_bare
from kg.extract.grid import BARE, PERSON, Column, Grid, Row, grid_of, names_rows
from kg.extract.label_kinds import likely, row_features
from kg.extract.labels import label_words
from kg.extract.properties import allows, candidates, kind_wanted, predicate_of
from kg.extract.source import Placed, Source, sentences
from kg.extract.subjects import carried, is_thing, title_of
from kg.extract.titles import VERB
from kg.extract.values import Kind, items, without_bracket
from kg.extract.words import WORD
from kg.model import Block, BlockKind, Claim, Context, EntityName, EventName, Predicate
from kg.namespaces import KG, SCHEMA
from kg.text import dates, quantities
from kg.text.names import name_key
from kg.text.scales import leading_quantity, whole_date
from kg.text.stretch import Stretch

_NAME = "tables"
_PURPOSE = re.compile(r"\s+((?:for|of|on)\s+[^(:–—]*[^\s(:–—])\s*$")
_ABOUT = Predicate("observation about", SCHEMA + "observationAbout")
_FEW, _MOST_NAME = 5, 12
_NUMBER = re.compile(r"\d{1,3}(?:st|nd|rd|th)?")
_CAPTION = 200
"""The most characters of a paragraph that is taken for a table's caption."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table in its place. ``subject``: the column that names what the rows are about, or None."""

    placed: Placed
    grid: Grid
    columns: Sequence[Column]
    subject: int | None


def context_of(source: Source, table: Table, row: Row, label: Stretch | None) -> Context:
    """What is written around a table's cell: the row's label, the header over that, and the caption above the table."""
    first, placed = label or row_label(row), table.placed
    words = label_words(placed)
    above = words.text if words is not None and len(words.text) <= _CAPTION else ""
    declared = source.once("what a table's figures are in", placed.block, lambda: _declared_above(source, placed))
    caption = " ".join(dict.fromkeys(text for text in (above, declared) if text))
    stub = next((c.label for c in table.columns if row.cells[c.index] is first and c.head is not None), None)
    told = " ".join(source.cut(span) for span in stub.spans) if stub is not None and first is not None else ""
    return Context(caption=caption, row=first.text if first is not None else "", stub=told)


_DECLARES = re.compile(
    r"(?:all\s+)?(?:the\s+)?(?:prices|amounts|sums|figures|fees|charges|costs|fares|rates|premiums|values|measurements|dimensions)"
    r"\s+(?:(?:are|were)\s+)?(?:(?:given|stated|shown|quoted)\s+)?in\s+\w",
    re.IGNORECASE,
)
"""What all figures below are in, where that is said once in words ("Prices in crowns, without tax")."""


def _declared_above(source: Source, placed: Placed) -> str:
    """The last sentence above a table, in its section or one around it, that says what the figures below are in."""
    declared = source.once("what figures are in", None, lambda: list(_declaring(source)))
    at = placed.block.start
    above = (s.text for sections, s in declared if s.span[0] < at and sections == placed.sections[: len(sections)])
    return ([*above] or [""])[-1]


def _declaring(source: Source) -> Iterator[tuple[tuple[Block, ...], Stretch]]:
    for placed in source.placed:
        for sentence in sentences(Stretch.whole(placed.block.inline)) if placed.block.inline is not None else ():
            if len(sentence.text) <= _CAPTION and _DECLARES.match(sentence.text):
                yield placed.sections, sentence


def row_label(row: Row) -> Stretch | None:
    """The first cell of a row in which no column names the rows, if it isn't but a figure."""
    first = next((c for c in row.cells if c is not None), None)
    return None if first is None or _is_bare_figure(first) else first


def subjects_of_row(source: Source, table: Table, cell: Stretch | None, row: Row) -> list[About]:
    """What a row is about. A table of one row without a name tells of its section's thing; a row whose label is judged
    to name nothing (a number, a total, a day, a role) is an observation.
    """
    placed, grid, subject = table.placed, table.grid, table.subject
    if subject is None or cell is None:
        sole, first = _sole_thing(source, placed, grid, row), cell or row_label(row)
        if sole is None and first is not None and _is_paragraph(_first_line(first)):
            return []
        return [sole or _observation(source, table, row, cell)]
    cell = _first_line(cell)
    if _is_paragraph(cell):
        return []
    if (below := _BELOW.match(cell.text)) and (group := _group(grid, row, subject)) is not None:
        label = cell.part(below.end())
        return [About(EntityName(f"{group.text}: {label.text}"), (group.span, label.span))]
    if subject and source.once("serial numbers", grid, lambda: are_serials([c.text for c in grid.cells(subject - 1)])):
        return [_coded(source, grid, subject, cell, row)]
    column = table.columns[subject]
    abouts = _row_subjects(source, placed, grid, column, cell)
    if any(about.classes for about in abouts):
        return abouts
    if _told_apart_by_signs(grid, subject)[name_key(cell.text)] > 1:
        return [_observation(source, table, row, cell)]  # "A - B" and "A -- B": one name, two rows
    named = names_rows(column) or len(abouts) > 1 or _is_name(source, grid, column, cell)
    of_nothing = is_bare(cell.text) and _owner(source, placed, judged=False) is None  # "2.0", but of what
    return abouts if named and not of_nothing else [_observation(source, table, row, cell)]


def _coded(source: Source, grid: Grid, subject: int, cell: Stretch, row: Row) -> About:
    """A thing named beside its serial number, which tells it from others of the name ("Projector EQ-006")."""
    classes, code = classes_of(source, cell.text), row.cells[subject - 1]
    alike = source.once("names alike", grid, lambda: Counter(c.text.casefold() for c in grid.cells(subject)))
    if alike[cell.text.casefold()] > 1 and code is not None:
        return About(EntityName(f"{cell.text} {code.text}", classes), (cell.span, code.span))
    return About(EntityName(cell.text, classes), (cell.span,), cell)


def _is_paragraph(cell: Stretch) -> bool:
    """Whether a row's first cell is several sentences: such name nothing."""
    return len(list(sentences(cell))) > 1 and bool(WORD.findall(cell.text)[_MOST_NAME:])


_BELOW = re.compile(r"[~–—•·↳]\s+(?=\w)")


def _group(grid: Grid, row: Row, column: int) -> Stretch | None:
    """The label of the row without values that rows with a mark before theirs stand below ("Ale", "~ Gallon")."""
    for above in reversed(grid.rows[: grid.rows.index(row)]):
        label = above.cells[column]
        if label is not None and not _BELOW.match(label.text):
            return label if sum(c is not None for c in above.cells) == 1 else None
    return None


def _first_line(cell: Stretch) -> Stretch:
    """A label without what further lines of its cell tell."""
    line = cell.text.find("\n")
    return cell.part(0, line).strip() if line > 0 else cell


def _sole_thing(source: Source, placed: Placed, grid: Grid, row: Row) -> About | None:
    """What a table's only row tells of: the thing that the heading right above names, or, where the row has but
    figures and that heading is an aspect ("Statistics"), the thing above it.
    """
    told = [cell for cell in row.cells if cell is not None]
    if len(grid.rows) > 1 or not any(map(_is_figure, told)):
        return None
    figures = len(told) > 1 and all(map(_is_figure, told))
    owner = _owner(source, placed, judged=not figures)
    if owner is not None and _is_innermost(placed, owner):
        return owner
    title = title_of(source, placed.sections[-1]) if figures and placed.sections else None
    if title is None:
        return None
    if all(source.words.aspect(word) for word in WORD.findall(title.topic.text)):
        return owner
    return _of_record(source, placed, grid, title.topic)


def _of_record(source: Source, placed: Placed, grid: Grid, topic: Stretch) -> About | None:
    """The thing named by a heading above one of several tables of one row with the same header: each is a record."""
    if VERB.search(topic.text) or whole_date(topic) or any(map(source.words.aspect, WORD.findall(topic.text))):
        return None
    sections = source.once("tables of one row", None, lambda: _of_one_row(source))
    if len(sections.get(_header(grid), ())) < _RECORDS:
        return None
    return named(source, topic)


def _of_one_row(source: Source) -> dict[tuple[str, ...], set[int]]:
    """The headings above tables of one row, by the header of these."""
    found: dict[tuple[str, ...], set[int]] = {}
    for other in source.placed:
        one = grid_of(other.block) if other.block.kind is BlockKind.TABLE and other.sections else None
        if one is not None and len(one.rows) == 1:
            found.setdefault(_header(one), set()).add(other.sections[-1].start)
    return found


_RECORDS = 2
"""Under so many headings the same header makes each a record's."""


def _header(grid: Grid) -> tuple[str, ...]:
    return tuple(" ".join(word.text.casefold() for word in head.words) for head in grid.heads)


def _is_figure(cell: Stretch | None) -> bool:
    return cell is not None and leading_quantity(cell.text) is not None


def _is_innermost(placed: Placed, owner: About) -> bool:
    """Whether a thing is named by the heading right above its table."""
    last = placed.sections[-1] if placed.sections else None
    return last is not None and any(last.start <= start < last.end for start, _ in owner.spans)


_TOTAL = re.compile(r"(?:sub-?|grand )?totals?|sum|all|overall", re.IGNORECASE)
_SURE = 1e-2  # a probability beyond which a label says no more of its column


def _is_name(source: Source, grid: Grid, column: Column, cell: Stretch) -> bool:
    """Whether a label is a name, which its column's labels are or aren't together, but for bare figures and totals:
    things of which only some were known as such would be counted and ranked wrongly.
    """
    if BARE.fullmatch(cell.text) or _TOTAL.fullmatch(cell.text):
        return False
    return source.once(f"names in {column.index}", grid, lambda: _are_names(source, grid, column))


def _are_names(source: Source, grid: Grid, column: Column) -> bool:
    head = column.label.text if column.head else ""
    cells = grid.cells(column.index)
    judged = [row_features(source, head, cells, _first_line(cell), len(grid.heads)) for cell in cells]
    chances = (min(1 - _SURE, max(_SURE, likely("row", features)["name"])) for features in judged)
    return sum(math.log(chance / (1 - chance)) for chance in chances) >= 0


def tied_to_owner(
    source: Source, table: Table, about: About, cell: Stretch | None, row: Row, frame: Frame
) -> Iterator[Claim]:
    """The claim that ties a row to its section's thing: a version to what it is of, an observation to its subject."""
    if isinstance(about.name, EventName):
        owner, first = _owner(source, table.placed), next((c for c in row.cells if c is not None), None)
        if owner is not None and first is not None and isinstance(owner.name, EntityName):
            given = Given(owner.name, first.span, owner.name.surface)
            yield claim(source, _NAME, about, Property(_ABOUT, owner.spans), given, Frame())
    elif table.subject is not None and cell is not None and is_bare(cell.text):
        column = table.columns[table.subject]
        named = _naming(source, table.placed, column, about, cell, frame) if names_rows(column) else None
        yield from [named] if named is not None else []


@lru_cache(maxsize=8)
def _told_apart_by_signs(grid: Grid, column: int) -> Counter[str]:
    """How many labels, each written otherwise, the same name is made of, by that; kept, since every row asks."""
    return Counter(name_key(text) for text in {cell.text.casefold() for cell in grid.cells(column)})


@lru_cache(maxsize=8)
def _without_brackets(grid: Grid, column: int) -> Counter[str]:
    """How many labels there are of the same words, what they have in brackets apart."""
    return Counter(without_bracket(cell)[0].text.casefold() for cell in grid.cells(column))


def _row_subjects(source: Source, placed: Placed, grid: Grid, column: Column, cell: Stretch) -> list[About]:
    """The things that a row is about: one, or each name of a list of persons. A bracket that alone tells it from
    another row's ("Bind9", "Bind9 (Agent)") belongs to the name.
    """
    classes = tuple(c.iri for c in source.ontology.by_label(column.label.text, "class"))
    if names_rows(column) and (numbered := _numbered(source, placed, cell, classes)):
        return [numbered]
    names = items(source, cell, column.label.text) or [cell]
    if len(names) > 1 and not (PERSON.fullmatch(column.label.text) or all(classes_of(source, n.text) for n in names)):
        names = [cell]  # "Dental and Vision Insurance" is one, and so is "Recreate + maxUnavailable"
    abouts = []
    for stretch in names:
        main, _ = without_bracket(stretch)
        if stretch == cell and _without_brackets(grid, column.index)[main.text.casefold()] > 1:
            main = stretch
        own = classes_of(source, main.text)
        fitting = [c for c in classes if allows(source.ontology, (c,), own)]
        abouts.append(About(EntityName(main.text, own or tuple(sorted(fitting))), (main.span,)))
    return abouts


def _numbered(source: Source, placed: Placed, cell: Stretch, classes: tuple[str, ...]) -> About | None:
    """What a bare number or version names ("2.0"): of the thing that the section is about ("Aurora 2.0")."""
    owner = _owner(source, placed, judged=False)
    if owner is None or not is_bare(cell.text):
        return None
    name = f"{owner.name.surface} {cell.text}" if isinstance(owner.name, EntityName) else cell.text
    return About(EntityName(name, classes_of(source, name) or classes), (*owner.spans, cell.span))


def _owner(source: Source, placed: Placed, judged: bool = True) -> About | None:
    """The thing that a table's section is about, with what its heading says it is for ("Depot for Kiel")."""
    found = carried(source, placed)
    if not isinstance(found.name, EntityName) or found.name.surface == source.document.name:
        return None
    if judged and not found.classes and not _is_of_thing(source, placed, found.spans):
        return None
    if found.at is not None:
        after = Stretch(found.at.inline, found.at.end, len(found.at.inline.text))
        purpose = _PURPOSE.match(after.text)
        if purpose and source.words.has_proper(purpose[1]):
            whole = Stretch(found.at.inline, found.at.start, found.at.end + purpose.end(1))
            return named(source, whole)
    return About(found.name, found.spans)


def _naming(source: Source, placed: Placed, column: Column, about: About, cell: Stretch, frame: Frame) -> Claim | None:
    """The claim that a row's version is one of its owner's."""
    owner = _owner(source, placed, judged=False)
    if owner is None or not owner.spans or not isinstance(owner.name, EntityName) or column.head is None:
        return None
    if not isinstance(about.name, EntityName):
        return None
    found = [p for p in candidates(source, column.label, owner.name.classes) if kind_wanted(p) in (None, Kind.NAME)]
    predicate = predicate_of(found[0]) if found else Predicate(column.label.text)
    given = Given.of(about.name, cell)
    return claim(source, _NAME, owner, Property(predicate, column.label.spans), given, frame)


def _is_of_thing(source: Source, placed: Placed, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether what a section is told of is named by a heading that is judged to name a thing."""
    for depth, heading in enumerate(placed.sections):
        if any(heading.start <= start < heading.end for start, _ in spans):
            title = title_of(source, heading)
            return title is not None and is_thing(source, heading, placed.sections[:depth], title)
    return bool(spans)


def _observation(source: Source, table: Table, row: Row, cell: Stretch | None) -> About:
    """A row about no named thing: a node of its own, labelled by its first cell within the section's topic."""
    first, placed = cell or next((c for c in row.cells if c is not None), None), table.placed
    passage = source.passage_at(row.block.start)
    heading = placed.sections[-1].inline if placed.sections else None
    topic = heading.text.strip() if heading else source.document.title
    owner = _owner(source, placed)
    if owner is not None and isinstance(owner.name, EntityName) and owner.name.surface not in topic:
        topic = f"{owner.name.surface}, {topic}"
    label = f"{topic}: {_with_head(table.columns, row, first)}{_told_apart(table.grid, row, first)}" if first else topic
    start = first.span[0] if row.half and first is not None else row.block.start
    node = EventName(f"{KG}Observation", label, local=f"{passage.id}:{start - passage.start}")
    return About(node, (first.span,) if first else ())


def _told_apart(grid: Grid, row: Row, first: Stretch) -> str:
    """The few further words of a row whose label another has too: ", Rho" of "Single, Rho"."""
    if labelled(grid)[first.text] < 2:
        return ""
    return ", ".join(["", *(t for t in _worded(row) if t != first.text and not WORD.findall(t)[_FEW:])])


@lru_cache(maxsize=8)
def labelled(grid: Grid) -> Counter[str]:
    """How many rows have each label; kept, since every row asks."""
    return Counter(text for row in grid.rows for text in _worded(row)[:1])


def _worded(row: Row) -> list[str]:
    return [cell.text for cell in row.cells if cell is not None and not _is_figure(cell)]


def _with_head(columns: Sequence[Column], row: Row, first: Stretch) -> str:
    """A row's label with its column's header where it is but a figure ("Level 11th", "Price $5"), which is no name."""
    head = next((c.label.text for c in columns if row.cells[c.index] is first and c.head is not None), "")
    return f"{head} {first.text}" if head and _is_bare_figure(first) else _first_line(first).text


def _is_bare_figure(cell: Stretch) -> bool:
    dated = dates.parse(cell.text.rstrip("+ ")) is not None
    return bool(_NUMBER.fullmatch(cell.text)) or (not dated and quantities.parse(cell.text) is not None)
