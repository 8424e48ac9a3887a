"""What of a document a model is shown: the sentences of its paragraphs and bullets, passage by passage."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from kg.extract.build import About, surface
from kg.extract.bullets import bullets, subject_of_bullet
from kg.extract.classify import classes_of
from kg.extract.sentences import sentences
from kg.extract.source import Placed, Source
from kg.extract.stretch import Stretch
from kg.extract.subjects import title_of
from kg.model import EntityName, Passage

_SPACE = re.compile(r"\s+")
_SHORTEST = 3  # words of a sentence
_LONGEST = 3_000  # characters that are shown at once


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A sentence as it is shown: white space as single blanks. ``at`` leads each character back to the sentence."""

    placed: Placed
    sentence: Stretch
    about: About
    text: str
    at: tuple[int, ...]

    def part(self, start: int, end: int) -> Stretch:
        """The stretch of the document that ``text[start:end]`` shows."""
        return self.sentence.part(self.at[start], self.at[end - 1] + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """Lines of one passage that are shown together."""

    passage: Passage
    lines: tuple[Line, ...]

    @property
    def span(self) -> tuple[int, int]:
        """Where they stand in the document."""
        return self.lines[0].sentence.span[0], self.lines[-1].sentence.span[1]

    def as_json(self) -> str:
        """The passage as data: a text in it can't end its own quotation marks."""
        lines = [{"about": surface(line.about.name), "text": line.text} for line in self.lines]
        return json.dumps({"headings": list(self.passage.headings), "lines": lines}, ensure_ascii=False, indent=0)


def shown(source: Source) -> Iterator[Shown]:
    """What of a document is shown, in document order; tables, code, headings and questions are not."""
    for _, group in groupby(_lines(source), key=lambda pair: pair[0].id):
        found = list(group)
        passage = found[0][0]
        kept: list[Line] = []
        size = 0
        for _, line in found:
            if kept and size + len(line.text) > _LONGEST:
                yield Shown(passage, tuple(kept))
                kept, size = [], 0
            kept.append(line)
            size += len(line.text)
        yield Shown(passage, tuple(kept))


def _lines(source: Source) -> Iterator[tuple[Passage, Line]]:
    for bullet in bullets(source):
        about = subject_of_bullet(source, bullet)
        if about.name.kind != "entity":
            continue
        for sentence in sentences(bullet.stretch):
            text, at = _plain(sentence.text)
            if len(text.split()) >= _SHORTEST and not text.endswith("?"):
                yield source.passage_at(sentence.span[0]), Line(bullet.placed, sentence, about, text, at)


def _plain(text: str) -> tuple[str, tuple[int, ...]]:
    """A text with its white space as single blanks, and the place of each character in the original."""
    parts: list[str] = []
    places: list[int] = []
    end = 0
    for space in [*_SPACE.finditer(text), None]:
        until = space.start() if space else len(text)
        parts.append(text[end:until])
        places += range(end, until)
        if space:
            parts.append(" ")
            places.append(space.start())
            end = space.end()
    return "".join(parts), tuple(places)


def named_above(source: Source, line: Line, name: str) -> About | None:
    """The thing that a line leaves to its surroundings, if it has that name: what it is about, or a heading's."""
    wanted = name.casefold()
    if surface(line.about.name).casefold() == wanted:
        return line.about
    for heading in reversed(line.placed.sections):
        title = title_of(source, heading)
        for found in title.names if title else ():
            if found.text.casefold() == wanted:
                return About(EntityName(found.text, classes_of(source, found.text)), (found.span,), found)
    return None
