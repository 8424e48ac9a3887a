"""Columns of notes in tables of properties: "| Lamp | Kappa-3 | Not Orr-LM; lent by Kiel |"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kg.extract.build import About, Frame, Given, Property, claim
from kg.extract.classify import classes_of
from kg.extract.grid import Column, Row
from kg.extract.labels import NOTE, read_label
from kg.extract.properties import facts
from kg.extract.source import Source
from kg.extract.standing import hedge_of
from kg.extract.values import Part, leading_quantity, name_or_text
from kg.model import Claim, EntityName, Hedge, Polarity, Text
from kg.text.stretch import Stretch

NAME = "tables"
_NOTES = re.compile(r"(?:notes?|remarks?|comments?)", re.IGNORECASE)
_FACTS = re.compile(r"\s*;\s+")
_NOT = re.compile(r"not\s+(?=\S)", re.IGNORECASE)
_EITHER = re.compile(r"\s*,\s+(?:or\s+)?|\s+(?:or|nor)\s+")


def _denied(source: Source, note: Stretch) -> Iterator[Part]:
    """The names that a note says it isn't ("Not Kappa or Rolf-LM"); nothing where one of them is no name."""
    denied = _NOT.match(note.text)
    pieces = list(note.part(denied.end()).split(_EITHER)) if denied else []
    parts = [name_or_text(source, piece) for piece in pieces]
    if all(isinstance(part.value, EntityName) for part in parts):
        yield from parts


def remarked(source: Source, whom: About, columns: Sequence[Column], row: Row, base: Frame) -> Iterator[Claim]:
    """What a column of notes says of the one name that a row gives, else of what the row is called; what it isn't."""
    head = row.cells[0]
    assert head is not None
    noted = [c for c in columns[1:] if c.head and _NOTES.fullmatch(c.label.text) and row.cells[c.index] is not None]
    values = [c for c in row.cells[1:] if c is not None and all(c is not row.cells[n.index] for n in noted)]
    if len(noted) != 1 or len(values) != 1 or leading_quantity(values[0].text):
        return
    given_here = facts(source, read_label(head), values[0], ())
    part = given_here[0].part if len(given_here) == 1 else None
    about = About(EntityName(head.text, classes_of(source, head.text)), (head.span,), head)
    if part is not None and isinstance(part.value, EntityName):
        about = About(part.value, (part.at.span,), part.at)
    cell = row.cells[noted[0].index]
    for piece in cell.split(_FACTS) if cell is not None else ():
        if given_here and (denied := list(_denied(source, piece))):
            for other in denied:
                given = Given(other.value, other.at.span, other.at.text, Hedge(polarity=Polarity.NEGATED))
                yield claim(source, NAME, whom, given_here[0].property, given, base)
            continue
        told = replace(hedge_of(piece.text), polarity=Polarity.AFFIRMED)  # the words themselves say no
        given = Given(Text(piece.text), piece.span, piece.text, told)
        yield claim(source, NAME, about, Property(NOTE, noted[0].label.spans), given, base)
