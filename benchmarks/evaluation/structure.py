"""``kg evaluate structure``: which table cells and key-value bullets of a knowledge base's documents gave claims.

The documents are read again, so that what counts doesn't lean on what the extractors saw:

- *cells*: those of a table's body that hold a value – not blank, a dash or "N/A" – without the cell that names its row
  (the one that other cells' claims cite as subject or property, one a row);
- *bullets*: list items and paragraphs of the shape ``**Key**: value``, and list items ``Key: value``.

One *gives a claim* if the evidence of a claim's value lies within it, or it is all of a claim's qualifier (where a
figure is from, how sure it is). Those claims are *typed* if their property is
declared (by the ontology or a vocabulary such as SKOS), else *open*; an *observation* is a claim about a row that has
no subject of its own.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import BadInput
from kg.model import Block, BlockKind, Claim, MarkKind, Role
from kg.namespaces import KG
from kg.text.hedges import absent

if TYPE_CHECKING:
    from kg.knowledge_base import KnowledgeBase
    from kg.model import Document

_MAX_KEY_WORDS = 7
_KEY = re.compile(r"([^\W\d_][^:.!?;]{0,70}?)\s*:\s+\S")
_AFTER_BOLD = re.compile(r"\s*(?:\([^()]*\)\s*)?:\s*\S")


@dataclass(frozen=True, slots=True)
class Slot:
    """A stretch of a document that should give a claim; ``row`` tells the rows of all tables apart."""

    kind: str
    start: int
    end: int
    row: int = -1


@dataclass(frozen=True, slots=True)
class Filled:
    """A slot with its document, text and the claims whose values stand in it."""

    document: str
    slot: Slot
    text: str
    claims: tuple[Claim, ...]


# --- what documents hold -------------------------------------------------------------------------


def slots(document: Document) -> list[Slot]:
    """Cells with a value and key-value bullets, in document order."""
    return sorted([*_cells(document.blocks), *_bullets(document.blocks)], key=lambda s: (s.start, s.end))


def _walk(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _walk(block.children)


def _cells(blocks: Iterable[Block]) -> Iterator[Slot]:
    for row in _walk(blocks):
        if row.kind is BlockKind.TABLE_ROW and not row.header:
            for cell in row.children:
                if not cell.header and cell.inline is not None and not absent(cell.inline.text.strip()):
                    yield Slot("cell", cell.start, cell.end, row.start)


def _bullets(blocks: Iterable[Block], in_item: bool = False) -> Iterator[Slot]:
    for block in blocks:
        if block.kind is BlockKind.PARAGRAPH and _is_pair(block, in_item):
            yield Slot("bullet", block.start, block.end)
        elif block.kind not in (BlockKind.TABLE, BlockKind.PARAGRAPH):
            inside = in_item or block.kind is BlockKind.LIST_ITEM
            if block.kind is BlockKind.LIST_ITEM and block.inline is not None and _is_pair(block, True):
                yield Slot("bullet", block.start, block.end)
            yield from _bullets(block.children, inside)


def _is_pair(block: Block, in_item: bool) -> bool:
    """Whether a paragraph is a key and its value; without bold only as an item, and no address or quotation."""
    assert block.inline is not None
    text = block.inline.text.strip()
    for mark in block.inline.marks:
        if mark.kind is MarkKind.STRONG and mark.start == 0 and len(text[: mark.end].split()) <= 2 * _MAX_KEY_WORDS:
            inside = text[: mark.end].rstrip().endswith(":") and len(text) > mark.end
            return inside or _AFTER_BOLD.match(text, mark.end) is not None or ": " in text[: mark.end]
    found = _KEY.match(text)
    return in_item and found is not None and len(found[1].split()) <= _MAX_KEY_WORDS


# --- what the claims cover -----------------------------------------------------------------------


def fill(name: str, document: Document, claims: Sequence[Claim]) -> list[Filled]:
    """The slots of a document with their claims, without the cells that name their rows."""
    wanted = slots(document)
    valued = {slot: tuple(c for c in claims if _cites(c, Role.VALUE, slot) or _qualifies(c, slot)) for slot in wanted}
    naming = _naming(wanted, claims)
    return [
        Filled(name, slot, document.text[slot.start : slot.end].strip(" |"), valued[slot])
        for slot in wanted
        if slot not in naming
    ]


def _qualifies(claim: Claim, slot: Slot) -> bool:
    """Whether the slot holds nothing but a qualifier of the claim: its source, its standing."""
    return any(
        e.role is Role.QUALIFIER
        and slot.start <= e.start
        and e.end <= slot.end
        and 2 * (e.end - e.start) > slot.end - slot.start
        for e in claim.evidence
    )


def _cites(claim: Claim, role: Role, slot: Slot) -> bool:
    return any(e.role is role and slot.start <= e.start and e.end <= slot.end for e in claim.evidence)


def _naming(wanted: Sequence[Slot], claims: Sequence[Claim]) -> set[Slot]:
    """Of each row the cell that most values of its other cells cite as subject or property."""
    rows: dict[int, list[Slot]] = defaultdict(list)
    for slot in wanted:
        if slot.kind == "cell":
            rows[slot.row].append(slot)
    found = set()
    for cells in rows.values():
        cited: Counter[Slot] = Counter()
        for claim in claims:
            held = next((c for c in cells if _cites(claim, Role.VALUE, c)), None)
            for cell in cells if held else ():
                names = _cites(claim, Role.SUBJECT, cell) or _cites(claim, Role.PREDICATE, cell)
                cited[cell] += cell is not held and names
        named = [cell for cell in cells if cited[cell]]
        found.update(sorted(named, key=lambda c: (-cited[c], c.start))[:1])
    return found


# --- figures -------------------------------------------------------------------------------------


def shares(filled: Iterable[Filled]) -> dict[str, float]:
    """Counts of cells and bullets, those with a claim, and the shares of their claims (0 to 1) by sort of property."""
    found = list(filled)
    claims = {c.id: c for f in found for c in f.claims}.values()
    typed = sum(bool(c.predicate.iri) for c in claims)
    observed = sum(c.subject.kind == "event" and c.subject.cls == KG + "Observation" for c in claims)
    figures: dict[str, float] = {}
    for kind in ("cell", "bullet"):
        mine = [f for f in found if f.slot.kind == kind]
        figures[f"{kind}s"] = len(mine)
        figures[f"{kind}s_with_claim"] = _share(sum(bool(f.claims) for f in mine), len(mine))
    figures["claims"] = len(claims)
    figures["typed"] = _share(typed, len(claims))
    figures["open"] = _share(len(claims) - typed, len(claims))
    figures["observations"] = _share(observed, len(claims))
    return figures


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0


def of_knowledge_base(knowledge_base: KnowledgeBase) -> list[Filled]:
    """The slots of all its documents, read anew from the bytes that it keeps."""
    from kg.readers import read

    snapshot = knowledge_base.snapshot
    found: list[Filled] = []
    for id_ in snapshot.manifest.documents:
        record = snapshot.record(id_)
        document = read(snapshot.source(id_), record.document.name)
        found += fill(record.document.name, document, record.extraction.claims)
    return found


def run(
    knowledge_base: KnowledgeBase, figures_file: Path | None, errors_file: Path | None, say: Callable[[str], None]
) -> None:
    """Prints what gave claims by document, then one line of names and values. Raises BadInput for an empty one."""
    filled = of_knowledge_base(knowledge_base)
    if not filled:
        raise BadInput("the documents hold no table cells and no key-value bullets", "build documents that have some")
    for name in dict.fromkeys(f.document for f in filled):
        mine = [f for f in filled if f.document == name]
        figures = shares(mine)
        given = sum(bool(f.claims) for f in mine)
        say(f"{name:40} {given:5}/{len(mine):<5} {given / len(mine):6.1%}  typed {figures['typed']:6.1%}")
    figures = shares(filled)
    if errors_file is not None:
        errors_file.write_text("".join(f"{line}\n" for line in _lacking(filled)), encoding="utf-8")
    if figures_file is not None:
        figures_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    say(" ".join(f"{name} {value:g}" for name, value in figures.items()))


def _lacking(filled: Iterable[Filled]) -> Iterator[str]:
    """A line of JSON for each slot without a claim, then for each claim on an open property."""
    found = list(filled)
    for one in found:
        if not one.claims:
            place = {"document": one.document, "start": one.slot.start, "text": one.text}
            yield json.dumps({"failure": f"{one.slot.kind} without claim", **place}, ensure_ascii=False)
    for one in found:
        for claim in one.claims:
            if not claim.predicate.iri:
                subject = claim.subject.surface if claim.subject.kind == "entity" else claim.subject.label
                told = {"property": claim.predicate.label, "subject": subject, "value": claim.stated_value}
                yield json.dumps({"failure": "open property", "document": one.document, **told}, ensure_ascii=False)
