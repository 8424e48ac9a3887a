"""Tables and lists of documents as sources: put together from units of quotation, each cell with its place."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kg.algebra.links import Linked, Question, question
from kg.algebra.source import Cell, Table, read, table
from kg.model import Passage, Unit, UnitKind
from kg.text.table_figures import AS_ENGLISH, Written, in_english, totals, written, written_throughout
from kg.text.tokens import stem, words

Place = tuple[Passage, int]
"""A passage and the number of one of its units."""
_PARTED = "; "
_PATH = " > "
_ITEM = re.compile(r"^(?:[-*•–]|\(?\d{1,3}[.)])\s+")
_KEYED = re.compile(r"^(?P<key>[^:–—=]{1,60}?)(?:\s*[:=]\s+|\s+[–—-]\s+)(?P<told>\S.*)$", re.DOTALL)
_LED = re.compile(r"^(?P<key>\S+(?: \S+){0,5}?)[.!?] (?P<told>[A-Z“\"].*)$", re.DOTALL)  # "Be early. We open at six."
_MOST_ROWS, _MOST_COLUMNS = 400, 40
_MOST_TURNED = 80  # rows that become columns
_REMARK = re.compile(r"\s*\([^()]*\)\s*$")  # behind a period: the unit of what stands below it
_FEWEST_ITEMS = 2
_LONGEST_HEAD = 80


# What may be written otherwise than English would, so that the whole column has to tell.
_FOREIGN = re.compile(r"\d,\d{1,2}(?!\d)|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d\.\d{3}(?!\d)")


@dataclass(frozen=True, slots=True, eq=False)
class DocumentTable:
    """A table or list of a document. ``places``: of each row its unit; ``about``: the words of what stands above it.

    ``turned``: the same with a row a period, where columns are of periods; in it ``across`` is set, and ``places`` are
    those of its columns, the first of which, the periods, stands in none. ``parts``: the same without the rows that
    add up others, where it has such.
    """

    linked: Linked
    document: str
    places: tuple[Place, ...]
    title: str
    about: frozenset[str]
    listed: bool = False
    turned: DocumentTable | None = None
    parts: DocumentTable | None = None
    across: bool = False

    def place(self, row: int, column: int) -> Place:
        """The unit that a cell stands in."""
        return self.places[max(0, column - 1) if self.across else row]

    def covers(self, asked: Question) -> float:
        """The share of a question's words that stand in the heads, in cells, or above the table; 0 to 1."""
        own = [w for w in asked.words if not w.plain]
        said = self.about.union(*self.linked.heads)
        postings = self.linked.postings
        return sum(w.stem in said or any(w.stem in p for p in postings) for w in own) / max(1, len(own))

    @property
    def key(self) -> tuple[str, int]:
        """Identifies it: the document and where its first row begins."""
        passage, number = self.places[0]
        return self.document, passage.units[number].start


class Collection:
    """The tables of documents, found from units and each put together once. ``passages``: those of each, in order."""

    def __init__(self, passages: Iterable[Passage], titles: Mapping[str, str] | None = None, most: int = 256) -> None:
        self._documents: dict[str, list[Passage]] = {}
        for passage in passages:
            self._documents.setdefault(passage.document, []).append(passage)
        for own in self._documents.values():
            own.sort(key=lambda p: p.order)
        self._titles = titles or {}
        self._runs: dict[str, dict[tuple[int, int], tuple[Place, ...]]] = {}
        self._made: dict[tuple[str, int, int], DocumentTable | None] = {}
        self._most = most
        self._heads: list[tuple[tuple[Place, ...], frozenset[str], frozenset[str]]] | None = None
        self._times: Counter[str] = Counter()

    def tables(self, text: str, best: Iterable[tuple[Passage, int]], most: int = 8) -> list[DocumentTable]:
        """Tables for a question: those around units that were found for it, best first, then those headed by its words.

        What asks for an extreme or a count of a whole table names no row of it, so that its rows need not be found.
        """
        found = {table.key: table for table in (*self.headed(text, most // 2), *self.around(best, most))}
        return list(found.values())[:most]

    def headed(self, text: str, most: int = 4) -> list[DocumentTable]:
        """The tables whose heads, and what stands above them, have most of a question's words, by their rarity."""
        if self._heads is None:
            self._heads = list(self._headings())
            self._times = Counter(stem_ for _, heads, about in self._heads for stem_ in heads | about)
        stems = {w.stem for w in question(text).words if not w.plain}
        weight = {s: math.log(1 + len(self._heads) / self._times[s]) for s in stems if s in self._times}
        scored = []
        for n, (run, heads, about) in enumerate(self._heads):
            own = sum(weight[s] for s in stems & heads)
            if own:
                scored.append((-own - 0.5 * sum(weight[s] for s in (stems & about) - heads), n, run))
        found = [
            self._table((run[0][0].document, run[0][0].order, run[0][1]), run) for _, _, run in sorted(scored)[:most]
        ]
        return [table for table in found if table is not None]

    def _headings(self) -> Iterator[tuple[tuple[Place, ...], frozenset[str], frozenset[str]]]:
        """All tables, not lists, with the stems of their heads and of what stands above them."""
        for document in sorted(self._documents):
            for run in _each(self._of(document).values()):
                unit = run[0][0].units[run[0][1]]
                if unit.kind is UnitKind.ITEM:
                    continue
                headed = unit.kind is UnitKind.LINE
                heads = [unit.plain] if headed else _told_heads([p.units[n].plain for p, n in run])
                above = (self._titles.get(document, ""), *run[0][0].headings, unit.context)
                yield run, _stems(heads), _stems(above)

    def around(self, best: Iterable[tuple[Passage, int]], most: int = 8) -> list[DocumentTable]:
        """The tables that units given best first are rows or items of, or stand in one passage with; each once."""
        found: list[DocumentTable] = []
        seen: set[tuple[str, int, int]] = set()
        for passage, number in best:
            runs = self._of(passage.document)
            own = [runs[(passage.order, number)]] if (passage.order, number) in runs else []
            near = [run for n in range(len(passage.units)) if (run := runs.get((passage.order, n))) is not None]
            for run in (*own, *near):
                first = run[0]
                key = (passage.document, first[0].order, first[1])
                if key in seen:
                    continue
                seen.add(key)
                made = self._table(key, run)
                if made is not None:
                    found.append(made)
                if len(found) == most:
                    return found
        return found

    def lists(self, passage: Passage, numbers: Iterable[int]) -> list[DocumentTable]:
        """The lists that some units of a passage are items of, in order, each once."""
        runs = self._of(passage.document)
        found: dict[tuple[str, int], DocumentTable] = {}
        for number in numbers:
            run = runs.get((passage.order, number), ())
            if run and run[0][0].units[run[0][1]].kind is UnitKind.ITEM:
                made = self._table((passage.document, run[0][0].order, run[0][1]), run)
                if made is not None:
                    found.setdefault(made.key, made)
        return list(found.values())

    def _of(self, document: str) -> dict[tuple[int, int], tuple[Place, ...]]:
        """The run that each row or item of a document belongs to."""
        if document not in self._runs:
            found: dict[tuple[int, int], tuple[Place, ...]] = {}
            for run in runs(self._documents.get(document, ())):
                found |= {(p.order, n): run for p, n in run}
            self._runs[document] = found
        return self._runs[document]

    def _table(self, key: tuple[str, int, int], run: tuple[Place, ...]) -> DocumentTable | None:
        if key not in self._made:
            if len(self._made) >= self._most:
                self._made.clear()
            self._made[key] = made(run, self._titles.get(key[0], ""))
        return self._made[key]


def _each(found: Iterable[tuple[Place, ...]]) -> Iterable[tuple[Place, ...]]:
    """Runs, each once."""
    return {(run[0][0].order, run[0][1]): run for run in found}.values()


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(stem(w) for text in texts for w in words(text))


def runs(passages: Sequence[Passage]) -> list[tuple[Place, ...]]:
    """Units that follow each other as rows of one table (its line of heads first) or items of one list."""
    found: list[tuple[Place, ...]] = []
    here: list[Place] = []
    kind = ""
    for place in ((p, n) for p in passages for n in range(len(p.units))):
        unit = place[0].units[place[1]]
        own = _kind(unit, here, kind)
        if own == "inside":
            continue
        if own and own == kind and _goes_on(unit, here):
            here.append(place)
            continue
        if _whole(here, kind):
            found.append(tuple(here))
        here, kind = ([place], own) if own else ([], "")
        if unit.kind is UnitKind.LINE:
            here, kind = [place], "head"
    if _whole(here, kind):
        found.append(tuple(here))
    return found


def _kind(unit: Unit, here: Sequence[Place], kind: str) -> str:
    if unit.kind is UnitKind.ROW:
        return "head" if kind == "head" and here else "row"
    if unit.kind is UnitKind.ITEM:
        return "item"
    if kind == "item" and here and unit.kind is UnitKind.SENTENCE:
        first = here[0][0].units[here[0][1]]
        inner = unit.context.startswith(first.context + _PATH) if first.context else bool(unit.context)
        return "inside" if inner and unit.context else ""
    return ""


def _goes_on(unit: Unit, here: Sequence[Place]) -> bool:
    """Whether a unit belongs with those before it: rows below one head, items with one introduction."""
    first = here[0][0].units[here[0][1]]
    return unit.context == first.context


def _whole(here: Sequence[Place], kind: str) -> bool:
    if kind == "item":
        return len(here) >= _FEWEST_ITEMS
    return bool(here) and here[-1][0].units[here[-1][1]].kind is UnitKind.ROW


def made(run: Sequence[Place], title: str) -> DocumentTable | None:
    """The table of a run of units; None where its rows don't make one."""
    first, number = run[0]
    unit = first.units[number]
    headings = [h for h in first.headings if h]
    above = list(dict.fromkeys([title, *headings, *unit.context.split(_PATH)]))
    shown = next((text for text in (unit.context, *reversed(headings), title) if text), "")
    about = _stems(above)
    built = _listed(run, unit.context) if unit.kind is UnitKind.ITEM else _tabled(run)
    if built is None:
        return None
    heads, rows, places = built
    listed = unit.kind is UnitKind.ITEM
    rows = rows[:_MOST_ROWS] if listed else _as_written(rows[:_MOST_ROWS])
    own = table(heads, rows, shown)
    if len(own.columns) > _MOST_COLUMNS or not own.rows:
        return None
    turned = _turned(own, places, first.document, about)
    found = DocumentTable(Linked(own), first.document, tuple(places[:_MOST_ROWS]), shown, about, listed, turned)
    return found if listed else replace(found, parts=_parts(found, heads, rows))


def _as_written(rows: list[list[Cell]]) -> list[list[Cell]]:
    """The cells read as their columns write numbers and days: "1.774" beside "9,8" is 1774."""
    beside = written_throughout(cell.text for row in rows for cell in row)
    if beside == AS_ENGLISH and not any(_FOREIGN.search(cell.text) for row in rows for cell in row):
        return rows
    width = max(map(len, rows), default=0)
    ways = [written((row[n].text for row in rows if n < len(row)), beside) for n in range(width)]
    return [[_in_english(cell, how) for cell, how in zip(row, ways, strict=False)] for row in rows]


def _in_english(cell: Cell, how: Written) -> Cell:
    return replace(read(in_english(cell.text, how), cell.span), text=cell.text)


def _parts(found: DocumentTable, heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> DocumentTable | None:
    """A table without its rows of sums; None where it has none."""
    added = totals([[cell.text for cell in row] for row in rows])
    kept = [number for number in range(len(rows)) if number not in added]
    if len(kept) == len(rows) or not kept:
        return None
    own = Linked(table(heads, [rows[number] for number in kept], found.title))
    return replace(found, linked=own, places=tuple(found.places[number] for number in kept), turned=None)


def _turned(own: Table, places: Sequence[Place], document: str, about: frozenset[str]) -> DocumentTable | None:
    """A table whose columns are of periods with a row a period and a column for each row that has figures."""
    times = [n for n, column in enumerate(own.columns) if n and read(column.head).day is not None]
    if len(times) < 2 or 2 * len(times) < len(own.columns) - 1:
        return None
    told = [row for row in range(own.size) if own.cell(row, 0).words and any(own.cell(row, c).words for c in times)]
    if not told or len(told) > _MOST_TURNED:
        return None
    units = {found[0].strip() for c in times if (found := _REMARK.search(own.columns[c].head))}
    corner = own.columns[0].head or (units.pop() if len(units) == 1 else "period")
    heads = [corner, *(own.cell(row, 0).text for row in told)]
    rows = [[read(_REMARK.sub("", own.columns[c].head)), *(own.cell(row, c) for row in told)] for c in times]
    turned = table(heads, rows, own.title)
    return DocumentTable(Linked(turned), document, tuple(places[row] for row in told), own.title, about, across=True)


Built = tuple[list[str], list[list[Cell]], list[Place]]


def _tabled(run: Sequence[Place]) -> Built | None:
    units = [p.units[n] for p, n in run]
    headed = units[0].kind is UnitKind.LINE
    places = list(run[1:]) if headed else list(run)
    lines = [p.units[n].plain for p, n in places]
    heads = [h for h in units[0].plain.split(_PARTED) if h] if headed else _told_heads(lines)
    if not heads:
        parted = [line.split(_PARTED) for line in lines]
        width = Counter(len(row) for row in parted).most_common(1)[0][0]
        if width < 2:
            return None
        heads = [""] * width
        texts = [row[:width] for row in parted]
    else:
        blank = sum(_unheaded(line, heads) for line in lines) * 2 > len(lines)
        heads = ["", *heads] if blank else heads
        texts = [_cells(line, heads) for line in lines]
    rows = [_placed(place, row) for place, row in zip(places, texts, strict=True)]
    return heads, rows, places


def _told_heads(lines: Sequence[str]) -> list[str]:
    """Heads that most rows repeat, in their order, where the line of heads is missing."""
    counts: Counter[str] = Counter()
    for line in lines:
        heads = [piece.partition(": ")[0] for piece in line.split(_PARTED) if ": " in piece]
        counts.update(list(dict.fromkeys(heads)))  # each once a row
    return [head for head, times in counts.items() if 2 * times >= len(lines)]


def _unheaded(line: str, heads: Sequence[str]) -> bool:
    return not any(line.startswith(f"{head}: ") for head in heads)


def _cells(line: str, heads: Sequence[str]) -> list[str]:
    """A row's cells below their heads: "Head: cell; Head: cell", blank where it has none."""
    found = [""] * len(heads)
    at = -1
    for piece in line.split(_PARTED):
        column = next((n for n in range(at + 1, len(heads)) if heads[n] and piece.startswith(f"{heads[n]}: ")), None)
        if column is not None:
            found[column] = piece[len(heads[column]) + 2 :]
            at = column
        elif at < 0 and not heads[0]:
            found[0], at = piece, 0
        elif at >= 0:
            found[at] += _PARTED + piece
    return found


def _placed(place: Place, texts: Sequence[str]) -> list[Cell]:
    """Cells with their offsets in the document; a cell that isn't found in so many words has its row's."""
    passage, number = place
    unit = passage.units[number]
    own, at, found = passage.text[unit.start - passage.start : unit.end - passage.start], 0, []
    for text in texts:
        if not text:
            found.append(read(""))
            continue
        start, length = own.find(text, at), len(text)
        if start < 0:
            spaced = re.search(r"\s+".join(map(re.escape, text.split())), own[at:])
            start, length = (at + spaced.start(), spaced.end() - spaced.start()) if spaced else (-1, 0)
        if start < 0:
            found.append(read(text, (unit.start, unit.end)))
            continue
        at = start + length
        found.append(read(text, (unit.start + start, unit.start + at)))
    return found


def _listed(run: Sequence[Place], context: str) -> Built | None:
    """A list as a table: its items, or what each says of its key where most are "key: what is said"."""
    texts = [_ITEM.sub("", p.units[n].plain).strip() for p, n in run]
    keyed = [_KEYED.match(text) for text in texts]
    if all(led := [_LED.match(text) for text in texts]):
        keyed = led
    lead = context.split(_PATH)[-1].strip(" :")
    head = lead if len(lead) <= _LONGEST_HEAD else ""
    if sum(k is not None for k in keyed) * 3 >= 2 * len(texts):
        rows = [[k["key"], k["told"]] if k else [text, ""] for k, text in zip(keyed, texts, strict=True)]
        return [head, ""], [_placed(place, row) for place, row in zip(run, rows, strict=True)], list(run)
    return [head], [_placed(place, [text]) for place, text in zip(run, texts, strict=True)], list(run)
