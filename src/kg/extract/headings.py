"""Headings that date or price what they name: "GPT-2 (February 2019)", "The 2 million loan (May 2020)"."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kg.extract.build import Frame, Given, Property, claim, named
from kg.extract.happenings import sums
from kg.extract.properties import known_as, predicate_of
from kg.extract.source import Source
from kg.extract.subjects import title_of
from kg.extract.titles import Rank, Title
from kg.extract.values import Kind
from kg.model import Block, Claim, DateValue, Precision, Predicate
from kg.text.scales import whole_date

NAME = "headings"


def extract(source: Source) -> Iterator[Claim]:
    """Reads the brackets of headings."""
    for heading, _ in source.headings:
        title = title_of(source, heading)
        # A date behind two things joined is neither's, one behind a long aspect the section's.
        short = title is not None and len(title.names) == 1 and len(_doing(title).split()) <= 2
        if title is None or not short or _joins(title):
            continue
        if title.rank is Rank.NAMED or title.notes:
            yield from _heading(source, heading, title)


_GERUND = re.compile(r"[A-Z]?[a-z]{2,}ing\b")


def _doing(title: Title) -> str:
    """The aspect that a heading tells of its name: of "Moving Corran Light to Kiel" the moving."""
    doing = _GERUND.match(title.aspect)
    return doing[0] if doing and title.aspect == title.topic.text else title.aspect


def _joins(title: Title) -> bool:
    """Whether a heading names something besides its name ("Fastnet and the lamps (1902)"): the date is of both."""
    name = title.names[0]
    beside = title.topic.text.replace(name.text, " ", 1)
    return bool(re.search(r"\band\b|&|\bvs\b", beside))


def _heading(source: Source, heading: Block, title: Title) -> Iterator[Claim]:
    about = named(source, title.names[0])
    for note in title.notes:
        date = whole_date(note)
        if date is not None:
            property_ = date_property(source, about.classes, _doing(title))
            told = _first(date) if _STARTS.search(property_.predicate.label) else date
            yield claim(source, NAME, about, property_, Given.of(told, note), Frame())
    yield from sums(source, NAME, about, title.names[0], Frame())


_STARTS = re.compile(r"\b(?:start\w*|began|begin\w*)\b", re.IGNORECASE)


def _first(date: DateValue) -> DateValue:
    """Of a period the date at which it starts."""
    if not date.end:
        return date
    year, month, day = (*map(int, date.value.split("-")), 0, 0)[:3]
    last = day or monthrange(year, month or 12)[1]
    precision = Precision.DAY if day else Precision.MONTH if month else Precision.YEAR
    return replace(date, end="", precision=precision, latest=f"{year:04d}-{month or 12:02d}-{last:02d}")


def date_property(source: Source, classes: Sequence[str], aspect: str) -> Property:
    """A date behind "… Launch" is a launch date; with no such word it is a date."""
    for words in (f"{aspect} date", aspect) if aspect else ("date",):
        if (found := known_as(source, words, classes, Kind.DATE)) is not None:
            return Property(predicate_of(found))
    return Property(Predicate(f"{aspect.lower()} date" if aspect else "date"))
