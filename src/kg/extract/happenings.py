"""Sentences that tell what somebody did when, as events: "In May 1951, Rolf Works opened a mole." """

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.extract.build import About, Frame, Given, Property, claim, scaled
from kg.extract.bullets import bullets, in_sources, key_value, lead, subject_of_bullet
from kg.extract.events import event_of, named, opening, participants, sums
from kg.extract.labels import label_of
from kg.extract.properties import claims_of, facts
from kg.extract.source import Source, sentences
from kg.extract.sources import source_line
from kg.extract.standing import hedge_of, section_frame
from kg.extract.values import Part
from kg.extract.words import IRREGULAR, OURS, WORD
from kg.model import Claim, EntityName, EventName, Mood, Polarity, Predicate, Status
from kg.text import dates
from kg.text.stretch import Stretch

NAME = "happenings"
_OPENS = re.compile(r"(?:on|in|by)\s+(?:early\s+|mid-?|late\s+)?$", re.IGNORECASE)
_COMMA = re.compile(r"\s*(?:\([^()]*\)\s*)?,\s+")
_CUT = re.compile(r"\s+(?:---?|—|–)\s+|;\s+|,\s+(?:which|who|where|while|so|but|because)\b|\.\s+")
_PAST = re.compile(
    r"\s+(?:(?:and others|et al\.?)\s+)?(?:first\s+|then\s+|also\s+|later\s+|\w{2,}ly\s+)?(?P<verb>[a-z]+)"
)
_ASKS = re.compile(r"\b(?:what|how|why|whether)\b", re.IGNORECASE)
_MOST_WORDS = 32
_FEWEST_WORDS = 4


class Happenings:
    """Reads sentences that begin with a date, and items that end in one."""

    name = NAME

    def extract(self, source: Source) -> Iterator[Claim]:
        """Claims in document order."""
        for bullet in bullets(source):
            if (
                in_sources(source, bullet.placed)
                or source_line(bullet)
                or key_value(bullet.stretch)
                or lead(bullet.stretch)
            ):
                continue
            about = subject_of_bullet(source, bullet)
            hedge = section_frame(source, bullet.placed).hedge
            for sentence in sentences(bullet.stretch):
                told = _dated_first(sentence) or (_dated_last(sentence) if bullet.in_list else None)
                if told is not None:
                    yield from _event(source, about, *told, sentence, Frame(hedge=hedge))


def _dated_first(sentence: Stretch) -> tuple[Stretch, Stretch] | None:
    """Date and clause of "In May 1951, Rolf Works opened …"."""
    for date in dates.find(sentence.text)[:1]:
        comma = _COMMA.match(sentence.text, date.end)
        if comma and _OPENS.fullmatch(sentence.text[: date.start]) and date.value.latest:
            return sentence.part(date.start, date.end), _clause(sentence.part(comma.end()))
    return None


def _dated_last(sentence: Stretch) -> tuple[Stretch, Stretch] | None:
    """Date and clause of "Rolf Works opened a mole (May 1951)"."""
    for bracket in re.finditer(r"\s*\(([^()]{4,30})\)", sentence.text):
        inner = sentence.part(bracket.start(1), bracket.end(1))
        rest = sentence.text[bracket.end() :].strip(" .")
        found = dates.parse(inner.text) if inner.text[:1].isupper() or inner.text[:1].isdigit() else None
        if found is not None and found.latest and (not rest or rest.startswith(",")):
            return inner, _clause(sentence.part(0, bracket.start()))
    return None


def _clause(stretch: Stretch) -> Stretch:
    """What happened, without what is added to it."""
    cut = _CUT.search(stretch.text)
    return stretch.part(0, cut.start() if cut else len(stretch.text)).strip(" .,:")


def _event(
    source: Source, section: About, when: Stretch, clause: Stretch, sentence: Stretch, frame: Frame
) -> Iterator[Claim]:
    """An event with its date, its sums and who did it; nothing where the clause has no named doer and no deed."""
    if not _FEWEST_WORDS <= len(WORD.findall(clause.text)) <= _MOST_WORDS:
        return
    doers = _doers(source, clause)
    told = hedge_of(sentence.text, clause.start - sentence.start, clause.end - sentence.start)
    factual = told.polarity is Polarity.AFFIRMED and told.mood is Mood.FACTUAL and told.status is Status.STATED
    if not doers or not factual or _ASKS.search(clause.text) or OURS.search(clause.text):
        return
    about = event_of(source, clause)
    assert isinstance(about.name, EventName)
    classes = (about.name.cls,)
    happened = Given(about.name, clause.span, clause.text)
    for about_it in _whose(section, doers, clause):
        yield claim(source, NAME, about_it, Property(Predicate("event")), happened, frame, scaled(NAME, 0.95))
    yield from claims_of(source, NAME, about, facts(source, label_of("date"), when, classes), frame)
    yield from sums(source, NAME, about, clause, frame)
    yield from participants(source, NAME, about, doers, frame)


def _whose(section: About, doers: list[Part], clause: Stretch) -> Iterator[About]:
    """Whom the event is one of: who did it, and what the section is about if the clause names that."""
    first = doers[0].value
    assert isinstance(first, EntityName)
    yield About(first, (doers[0].at.span,), doers[0].at)
    name = section.name.surface if isinstance(section.name, EntityName) else ""
    if name and name != first.surface and name in clause.text:
        yield section


def _doers(source: Source, clause: Stretch) -> list[Part]:
    """The names that a clause begins with, where a verb in the past follows them."""
    found = opening(clause, (named(source, clause, name) for name in source.names_in(clause)))
    verb = _PAST.match(clause.inline.text, found[-1].at.end, clause.end) if found else None
    past = verb is not None and (verb["verb"].endswith("ed") or verb["verb"] in IRREGULAR)
    return found if past else []
