"""What the indexes hold of a passage: identifiers and texts of the passage and of its units of quotation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kg.model import Passage, Unit, UnitKind

# Headings kept in a unit's entry: the nearest say what it is about, the document's title repeats everywhere.
_HEADINGS = 2
_PATH = " > "

Span = tuple[int, int]


def passage_entries(passage: Passage) -> list[tuple[str, str]]:
    """One entry: the passage's heading path and plain text."""
    body = " ".join(u.plain for u in passage.units) or passage.text
    return [(passage.id, _PATH.join(passage.headings) + "\n" + body)]


def head_length(passage: Passage) -> int:
    """How many characters of the text of :func:`passage_entries` are its headings."""
    return len(_PATH.join(passage.headings)) + 1


def unit_id(passage: Passage, number: int) -> str:
    """Identifier of the passage's unit of that number, sortable within the passage."""
    return f"{passage.id}#{number:04d}"


def unit_text(passage: Passage, unit: Unit) -> str:
    """A unit as it is indexed: nearest headings and introduction, then its own words."""
    headings = passage.headings[-_HEADINGS:]
    path = (*headings, unit.context) if unit.context and unit.context not in headings else headings
    context = _PATH.join(path)
    return f"{context}: {unit.plain}" if context else unit.plain


def unit_entries(passage: Passage) -> list[tuple[str, str]]:
    """One entry a unit that says something; headings are in the entries of what stands below them."""
    return [(unit_id(passage, number), unit_text(passage, passage.units[number])) for number in _said(passage)]


def _said(passage: Passage) -> Iterator[int]:
    for number, unit in enumerate(passage.units):
        if unit.kind != UnitKind.HEADING or len(passage.units) == 1:
            yield number


def unit_spans(passage: Passage) -> list[tuple[Span, ...]]:
    """Where the words of each of :func:`unit_entries` stand in the text of :func:`passage_entries`.

    A unit's own words come last; before them the nearest headings, and its introduction where the passage has it.
    """
    headings = list(_spans(passage.headings, 0, len(_PATH)))[-_HEADINGS:]
    own = list(_spans((u.plain for u in passage.units), head_length(passage), 1))
    introductions = {unit.plain: span for unit, span in zip(reversed(passage.units), reversed(own), strict=True)}
    found = []
    for number in _said(passage):
        context = passage.units[number].context
        before = introductions.get(context) if context and context not in passage.headings[-_HEADINGS:] else None
        about = headings if before in (None, own[number]) else [*headings, before]
        found.append((*about, own[number]))
    return found


def _spans(texts: Iterable[str], at: int, between: int) -> Iterator[Span]:
    for text in texts:
        yield at, at + len(text)
        at += len(text) + between
