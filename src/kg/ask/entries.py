"""What the indexes hold of a passage: identifiers and texts of the passage and of its units of quotation."""

from __future__ import annotations

from kg.model import Passage, Unit, UnitKind

# Headings kept in a unit's entry: the nearest say what it is about, the document's title repeats everywhere.
_HEADINGS = 2


def passage_entries(passage: Passage) -> list[tuple[str, str]]:
    """One entry: the passage's heading path and plain text."""
    body = " ".join(u.plain for u in passage.units) or passage.text
    return [(passage.id, " > ".join(passage.headings) + "\n" + body)]


def unit_id(passage: Passage, number: int) -> str:
    """Identifier of the passage's unit of that number, sortable within the passage."""
    return f"{passage.id}#{number:04d}"


def unit_text(passage: Passage, unit: Unit) -> str:
    """A unit as it is indexed: nearest headings and introduction, then its own words."""
    headings = passage.headings[-_HEADINGS:]
    path = (*headings, unit.context) if unit.context and unit.context not in headings else headings
    context = " > ".join(path)
    return f"{context}: {unit.plain}" if context else unit.plain


def unit_entries(passage: Passage) -> list[tuple[str, str]]:
    """One entry a unit that says something; headings are in the entries of what stands below them."""
    return [
        (unit_id(passage, number), unit_text(passage, unit))
        for number, unit in enumerate(passage.units)
        if unit.kind != UnitKind.HEADING or len(passage.units) == 1
    ]
