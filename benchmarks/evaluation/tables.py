"""``kg evaluate tables``: which cells of documents' tables became facts, with no ontology.

A folder holds ``documents/*.md`` and, for each, ``gold/NAME.json``: ``{"title", "product"?, "columns": {field: header},
"releases": [{field: value}]}``. The field ``releaseCycle`` (else the first of ``columns``) names the row; every other
field of ``columns`` that a release has is a cell. Fields outside ``columns`` are in no table and not counted.

All documents are built into one graph in memory, and the graph is judged. A cell is *right* if the graph asserts a
triple, stated by that document, with all of:

- subject: an entity whose label or alias is the row's name, or the row's name behind words of the document's or gold
  title ("Harbour Lamp 2.0" for row "2.0" of the "Harbour Lamp Handbook"); and that is not also the entity of another
  row, in this or any other document;
- property: one whose label or alias is the header (case, punctuation and camelCase apart), and of no other header of
  the table;
- value, by the gold value: true or false (or a text "Yes"/"No") wants that ``xsd:boolean``; a number an equal number of
  a numeric type, exactly stated (no range, no bound) – under a header that ends in "version" or "versions", where gold
  made from YAML can't tell a number from a name, also a string of an equal number; a date that date to the same
  precision, as ``xsd:date``, ``xsd:gYearMonth`` or ``xsd:gYear`` (a text of four digits may be a year or a string); any
  other text, links and code marks apart, an equal ``xsd:string`` or an entity so named – never a number: 1.10 is not
  1.1; a list all its items.

Facts are judged the other way round: every triple that a cell under a judged header gives, and every triple that
says something of a row under a header's property, wherever it stands, is *wrong* unless it is a gold cell or tells the
row's own name. Facts of other columns and tables are counted as not judged.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.evaluation.cells import Value, fold, fold_header, same_text, same_value
from benchmarks.evaluation.sheets import Cell, Sheet, Thing, load, sheet_of

if TYPE_CHECKING:
    import pyoxigraph as ox

    from kg.model import Block, Document
    from kg.records import Record


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement of one document. ``header``: of the column in which its value stands, "" outside judged tables.

    ``exact``: the value is no range or bound.
    """

    document: str
    subject: Thing
    property: Thing
    value: Value
    asserted: bool = True
    exact: bool = True
    header: str = ""

    def __str__(self) -> str:
        """Names of the parts, the value with its type."""
        value = self.value
        shown = f"“{min(value.names)}”" if value.names else f"{value.text!r} ({value.datatype})"
        return f"{min(self.subject.names, default='?')} | {min(self.property.names, default='?')} | {shown}"


@dataclass(frozen=True, slots=True)
class Judged:
    """Cells with the reason why each isn't right ("" if it is), and judged facts with whether each is right."""

    cells: tuple[tuple[Cell, str], ...]
    facts: tuple[tuple[Fact, bool], ...]
    others: int = 0

    @property
    def shares(self) -> dict[str, float]:
        """Figures from 0 to 1, and counts."""
        right = sum(not why for _, why in self.cells)
        wrong = sum(not good for _, good in self.facts)
        return {
            "cells": len(self.cells),
            "right": round(right / len(self.cells), 4) if self.cells else 0.0,
            "facts": len(self.facts),
            "wrong": round(wrong / len(self.facts), 4) if self.facts else 0.0,
            "not_judged": self.others,
        }


# --- judging -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Table:
    """A sheet with its document's facts. ``shared``: subjects that stand for several rows."""

    sheet: Sheet
    facts: tuple[Fact, ...]
    shared: frozenset[str]
    rows: dict[str, set[str]] = field(default_factory=dict)
    heads: dict[str, set[str]] = field(default_factory=dict)

    def is_row(self, fact: Fact, row: str) -> bool:
        """Whether the fact's subject is named as the row is."""
        return row in self.rows.setdefault(fact.subject.iri, self.sheet.row_of(fact.subject))

    def is_head(self, fact: Fact, header: str) -> bool:
        """Whether the fact's property is named as the header is."""
        return header in self.heads.setdefault(fact.property.iri, self.sheet.header_of(fact.property))

    def alone(self, fact: Fact) -> bool:
        """Whether subject and property stand for one row and one header."""
        return fact.subject.iri not in self.shared and len(self.heads[fact.property.iri]) == 1


def judge(sheets: Iterable[Sheet], facts: Iterable[Fact]) -> Judged:
    """Cells and facts of all sheets judged."""
    sheets, by_document = list(sheets), defaultdict(list)
    for fact in facts:
        by_document[fact.document].append(fact)
    shared = _shared(sheets, by_document)
    cells: list[tuple[Cell, str]] = []
    judged: list[tuple[Fact, bool]] = []
    others = 0
    for sheet in sheets:
        table = _Table(sheet, tuple(by_document[sheet.document]), shared)
        cells += [(cell, _failure(table, cell)) for cell in sheet.cells]
        found = list(_judged_facts(table))
        judged += found
        others += sum(f.asserted for f in table.facts) - len(found)
    return Judged(tuple(cells), tuple(judged), others)


def _shared(sheets: Iterable[Sheet], facts: Mapping[str, Sequence[Fact]]) -> frozenset[str]:
    """Subjects of facts about more than one row."""
    rows: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for sheet in sheets:
        for subject in {f.subject for f in facts[sheet.document] if f.header or sheet.header_of(f.property)}:
            rows[subject.iri] |= {(sheet.document, row) for row in sheet.row_of(subject)}
    return frozenset(iri for iri, named in rows.items() if len(named) > 1)


def _items(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _failure(table: _Table, cell: Cell) -> str:
    """Why a cell isn't right, by the fact that comes closest; "" if it is."""
    reasons = [_item_failure(table, cell, item) for item in _items(cell.value)]
    return max(reasons, key=_CLASSES.index)


_CLASSES = (
    "", "not asserted", "merged property", "merged subject", "wrong type", "wrong value", "wrong property",
    "wrong subject", "no fact",
)  # fmt: skip


def _item_failure(table: _Table, cell: Cell, gold: Any) -> str:
    best = _CLASSES.index("no fact")
    for fact in table.facts:
        row, head = table.is_row(fact, cell.row), table.is_head(fact, cell.header)
        right = fact.exact and same_value(fact.value, gold, cell.header)
        if row and head and right:
            several = "merged subject" if fact.subject.iri in table.shared else "merged property"
            reason = several if not table.alone(fact) else "" if fact.asserted else "not asserted"
        elif row and head:
            reason = "wrong type" if same_text(fact.value, gold) else "wrong value"
        elif row and right:
            reason = "wrong property"
        elif right and (head or fold_header(fact.header) == fold_header(cell.header)):
            reason = "wrong subject"
        else:
            continue
        best = min(best, _CLASSES.index(reason))
    return _CLASSES[best]


def _judged_facts(table: _Table) -> Iterator[tuple[Fact, bool]]:
    """Asserted facts that the sheet can judge, each triple once, with whether it is right."""
    sheet, seen = table.sheet, set()
    mine = {*sheet.headers, fold_header(sheet.key)}
    gold: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for cell in sheet.cells:
        gold[cell.row, cell.header] += _items(cell.value)
    for fact in table.facts:
        rows, heads = sheet.row_of(fact.subject), sheet.header_of(fact.property)
        if not fact.asserted or not (fold_header(fact.header) in mine or (rows and heads)):
            continue
        triple = fact.subject.iri, fact.property.iri, fact.value
        if triple in seen:
            continue
        seen.add(triple)
        cells = [(value, head) for row in rows for head in heads for value in gold.get((row, head), ())]
        single = fact.subject.iri not in table.shared and len(heads) == 1
        right = single and fact.exact and any(same_value(fact.value, *cell) for cell in cells)
        yield fact, right or _tells_name(sheet, fact)


def _tells_name(sheet: Sheet, fact: Fact) -> bool:
    """Whether a fact says, under the header of the rows' names, what a row is called."""
    if fold_header(sheet.key) not in map(fold_header, fact.property.names):
        return False
    names = fact.value.names or ({fact.value.text} if fact.value.is_string else set())
    named = sheet.row_of(Thing("", frozenset(names)))
    about = sheet.row_of(fact.subject)
    return bool(named) and (not about or bool(named & about))


# --- the graph -----------------------------------------------------------------------------------


def build(documents: Iterable[tuple[Path, Mapping[str, Any]]]) -> tuple[list[Sheet], list[Fact]]:
    """The sheets, and the facts of one graph of all documents, made without an ontology."""
    from benchmarks.whole_graph import build as build_graph
    from kg.ontology import Ontology
    from kg.readers import MAX_BYTES, read
    from kg.workers.pipeline import make_record

    sheets, records, heads = [], [], {}
    for path, gold in documents:
        data = path.read_bytes()
        document = read(data, path.name)
        sheet = sheet_of(path.name, document.title, gold)
        sheets.append(sheet)
        records.append(make_record(data, path.name, Ontology.empty(), MAX_BYTES))
        heads[path.name] = list(_columns(document, sheet.key))
    return sheets, list(_facts(build_graph(records, Ontology.empty()), records, heads))


def _columns(document: Document, key: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and header of every cell of the tables that have the key's header."""
    for table in _tables(document.blocks):
        heads = [_text(c) for row in table.children if row.header for c in row.children]
        if fold_header(key) not in map(fold_header, heads):
            continue
        for row in table.children:
            for cell, head in zip(row.children if not row.header else (), heads, strict=False):
                yield cell.start, cell.end, head


def _tables(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.kind == "table":
            yield block
        yield from _tables(block.children)


def _text(cell: Block) -> str:
    return cell.inline.text if cell.inline is not None else ""


def _facts(
    quads: Iterable[ox.Quad], records: Sequence[Record], heads: Mapping[str, Sequence[tuple[int, int, str]]]
) -> Iterator[Fact]:
    """The graph's claims with a value; one counts as asserted if its triple is in the default graph."""
    import pyoxigraph as ox

    from benchmarks.evaluation.claims import read_claims
    from kg.namespaces import RDFS, SKOS, Namespaces

    default = [q for q in quads if isinstance(q.graph_name, ox.DefaultGraph)]
    names: dict[str, set[str]] = defaultdict(set)
    triples = {(str(q.subject), q.predicate.value, q.object) for q in default}
    for subject, predicate, object_ in triples:
        if predicate in (RDFS + "label", SKOS + "altLabel") and isinstance(object_, ox.Literal):
            names[subject.strip("<>")].add(object_.value)
    place = {p.id: r.document.name for r in records for p in r.passages}
    for claim in read_claims(default, Namespaces()):
        if claim.object is None:
            continue
        document = place[claim.passage]
        start, end = next((e.start, e.end) for e in claim.evidence if e.role == "value")
        held = (f"<{claim.subject}>", claim.predicate, claim.object) in triples
        yield Fact(
            document,
            Thing(claim.subject, frozenset(names[claim.subject])),
            Thing(claim.predicate, frozenset(names[claim.predicate])),
            Value.of(claim.object, names),
            claim.asserted and held,
            claim.lower == claim.upper,
            next((head for a, b, head in heads[document] if a <= start and end <= b), ""),
        )


# --- report --------------------------------------------------------------------------------------


def run(folder: Path, figures_file: Path | None, errors_file: Path | None, say: Callable[[str], None]) -> None:
    """Judges a folder and prints shares by document, failures by class, then one line of names and values."""
    sheets, facts = build(load(folder))
    judged = judge(sheets, facts)
    for sheet in sheets:
        mine = [why for cell, why in judged.cells if cell.document == sheet.document]
        bad = sum(not good for fact, good in judged.facts if fact.document == sheet.document)
        share = sum(not why for why in mine) / len(mine) if mine else 0.0
        say(f"{sheet.document:40} {sum(not w for w in mine):5}/{len(mine):<5} {share:6.1%}  wrong facts {bad}")
    classes = Counter(why for _, why in judged.cells if why)
    for why, count in sorted(classes.items(), key=lambda c: (-c[1], c[0])):
        say(f"{why:40} {count:5}")
    if errors_file is not None:
        errors_file.write_text("".join(f"{line}\n" for line in _errors(judged, facts)), encoding="utf-8")
    if figures_file is not None:
        figures = {"shares": judged.shares, "failures": dict(sorted(classes.items()))}
        figures_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    say(" ".join(f"{name} {value:g}" for name, value in judged.shares.items()))


def _errors(judged: Judged, facts: Sequence[Fact]) -> Iterator[str]:
    """A line for each cell that isn't right, with what its place or row gave, and for each wrong fact."""
    for cell, why in judged.cells:
        if why:
            row = fold(cell.row)
            near = [str(f) for f in facts if f.document == cell.document and f.header == cell.header]
            shown = [text for text in near if row in fold(text)][:3]
            found = {"document": cell.document, "row": cell.row, "header": cell.header, "gold": cell.value}
            yield json.dumps({"failure": why, **found, "found": shown}, ensure_ascii=False)
    for fact, right in judged.facts:
        if not right:
            wrong = {"failure": "wrong fact", "document": fact.document, "fact": str(fact), "header": fact.header}
            yield json.dumps(wrong, ensure_ascii=False)
