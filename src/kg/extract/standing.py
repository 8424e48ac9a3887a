"""Standing of what a section, label, column or sentence says, and the period for which it holds."""

from __future__ import annotations

import re
from dataclasses import replace

from kg.extract.build import Frame
from kg.extract.source import Placed, Source
from kg.extract.subjects import title_of
from kg.extract.titles import Rank
from kg.model import Hedge, Status
from kg.text import hedges
from kg.text.cell_values import whole_date
from kg.text.hedges import combine
from kg.text.stretch import Stretch

_LOOKS = re.compile(r"(?:what|how)\b.*\blooks?\b", re.IGNORECASE)  # asks, doesn't guess


def standing_of_label(text: str) -> Hedge | None:
    """The standing that a label says by itself ("Confirmed", "Likely (from leaks)"), or None if it says none."""
    found = hedges.hedge(text)
    return None if found.status is Status.STATED else Hedge(found.status)


def is_standing_label(text: str) -> bool:
    """Whether a label or heading says nothing but how sure its content is."""
    return standing_of_label(text) is not None


def hedge_of(text: str, start: int = 0, end: int | None = None) -> Hedge:
    """The standing of ``text[start:end]`` within its sentence, bullet or cell."""
    return hedges.hedge_at(text, start, len(text) if end is None else end)


def section_frame(source: Source, placed: Placed) -> Frame:
    """Standing in force at a block (its headings', then its label's), and its section's period.

    A period holds for what a section of no name of its own tells ("Scale (2019-2021)"); the date of a named thing is
    the thing's.
    """
    return source.once("frame", placed, lambda: _section_frame(source, placed))


def sentence_frame(source: Source, placed: Placed) -> Frame:
    """Standing in force at a sentence. Its section's period is not its own: "The Founding Years (1901-1905)" says when
    its story plays, not that the founders ceased to be that in 1905.
    """
    return Frame(hedge=section_frame(source, placed).hedge)


def _section_frame(source: Source, placed: Placed) -> Frame:
    hedge = Hedge()
    frame = Frame()
    for heading in placed.sections:
        title = title_of(source, heading)
        if title is None:
            continue
        for text in (title.topic.text, *(n.text for n in title.notes)):
            if not _LOOKS.match(text):
                hedge = combine(hedge, standing_of_label(text) or Hedge())
        dated = [(n, date) for n in title.notes if (date := whole_date(n))]
        if title.rank is Rank.GENERIC and dated:
            note, date = dated[0]
            frame = Frame(valid_from=date, valid_until=date if date.latest else None, qualifiers=(note.span,))
        elif title.rank is not Rank.GENERIC:
            frame = Frame()
    if placed.label is not None and placed.label.inline is not None:
        hedge = combine(hedge, _label_hedge(Stretch.whole(placed.label.inline)))
    return replace(frame, hedge=hedge)


def _label_hedge(label: Stretch) -> Hedge:
    """What an introducing sentence says of the items below: its standing, never its negation of its own verb."""
    text = label.text.rstrip(" :")
    found = standing_of_label(text) or hedge_of(text)
    return Hedge(found.status)
