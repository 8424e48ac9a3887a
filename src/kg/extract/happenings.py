"""Sentences that tell what somebody did when, as events: "In May 1951, Rolf Works opened a mole." """

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kg.extract.build import About, Frame, Given, Property, claim, scaled
from kg.extract.bullets import key_value, lead, subject_of_bullet
from kg.extract.classify import classes_of_mention
from kg.extract.labels import label_of
from kg.extract.properties import claim_called, claims_of, facts
from kg.extract.source import Source, sentences
from kg.extract.sources import telling
from kg.extract.standing import hedge_of, section_frame
from kg.extract.values import Part
from kg.extract.words import IRREGULAR, OURS, WORD
from kg.model import Claim, EntityName, EventName, Mood, Polarity, Predicate, Status
from kg.namespaces import KG
from kg.text import dates, quantities
from kg.text.entities import EntityMention
from kg.text.stretch import Found, Stretch, nested

# --- Events: lines that tell what happened when ("May 1951: the new mole opens"), and who took part in it

_JOINED = re.compile(r"\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)(?:the\s+)?")
_VERB = re.compile(r"\s+(?:first\s+|then\s+|also\s+|later\s+|\w{2,}ly\s+)?(?P<verb>[a-z]{3,})\b(?!\s*$)")
_OBJECT = re.compile(r"\s+(?:an?|the|its|their|to|on|with|for|[A-Z\d$€£])")  # of a verb
_PLACED = re.compile(r"\b(?:on|in|at|by|via|within|through)\s+(?:the\s+)?$")
_MOST = 5
_NEAR = 40  # characters before a name that are looked at


def event_of(source: Source, stretch: Stretch) -> About:
    """An event told by a stretch of text."""
    passage = source.passage_at(stretch.span[0])
    local = f"{passage.id}:{stretch.span[0] - passage.start}"
    return About(EventName(f"{KG}Event", stretch.text, local=local), (stretch.span,))


def sums(source: Source, extractor: str, about: About, stretch: Stretch, frame: Frame) -> Iterator[Claim]:
    """Sums of money told in an event's text."""
    for found in quantities.find(stretch.text):
        if (found.value.unit or "").startswith("CCY_"):
            at = stretch.part(found.start, found.end)
            yield from claims_of(
                source, extractor, about, facts(source, label_of("amount"), at, (f"{KG}Event",)), frame
            )


def dated_event(
    source: Source, extractor: str, section: About, told: tuple[Stretch, Stretch], frame: Frame
) -> Iterator[Claim]:
    """An event of the section's subject, its date and the sums in its text; ``told`` is when, and what happened."""
    when, event = told
    about = event_of(source, event)
    assert isinstance(about.name, EventName)
    yield claim(source, extractor, section, Property(Predicate("event")), Given.of(about.name, event), frame)
    yield from claims_of(source, extractor, about, facts(source, label_of("date"), when, (about.name.cls,)), frame)
    yield from sums(source, extractor, about, event, frame)
    yield from parties(source, extractor, about, event, frame)


def parties(source: Source, extractor: str, event: About, told: Stretch, frame: Frame) -> Iterator[Claim]:
    """The event as one of each thing of known class that its words name, and of its doers, who are participants."""
    assert isinstance(event.name, EventName)
    names = [named(source, told, name) for name in source.names_in(told) if _whole(told, name)]
    doers = _first_names(told, names)
    known = [part for part in names if part in doers or (isinstance(part.value, EntityName) and part.value.classes)]
    for part in known[:_MOST]:
        assert isinstance(part.value, EntityName)
        about = About(part.value, (part.at.span,), part.at)
        happened = Given.of(event.name, told)
        yield claim(source, extractor, about, Property(Predicate("event")), happened, frame, scaled(extractor, 0.9))
    yield from participants(source, extractor, event, doers, frame, 0.9)


def participants(
    source: Source, extractor: str, event: About, doers: Iterable[Part], frame: Frame, factor: float = 1.0
) -> Iterator[Claim]:
    """Those who did it, under the ontology's property for them."""
    for doer in doers:
        yield from claim_called(source, extractor, event, ("participant",), doer, frame, factor)


def named(source: Source, told: Stretch, name: Found[EntityMention]) -> Part:
    """A name with its classes."""
    at = told.part(name.start, name.end)
    return Part(EntityName(at.text, classes_of_mention(source, name.value, at.text)), at)


def opening(told: Stretch, names: Iterable[Part]) -> list[Part]:
    """The names that an event's words begin with, joined by commas and "and"."""
    found: list[Part] = []
    for part in names:
        gap = told.inline.text[found[-1].at.end if found else told.start : part.at.start]
        if not (_JOINED.fullmatch(gap) if found else gap.strip().lower() in ("", "the")):
            break
        found.append(part)
    return found


def _whole(told: Stretch, name: Found[EntityMention]) -> bool:
    """Whether a name stands for its thing: not in brackets, no place, no part of a longer noun ("a Fastnet lamp")."""
    before = told.text[max(0, name.start - _NEAR) : name.start]
    modifies = re.search(r"\b(?:an?|its|their|dedicated|new|major)\s+$", before) and re.match(
        r"\s+[a-z]", told.text[name.end :]
    )
    return not nested(told.text, name.start) and not modifies and not _PLACED.search(before)


def _first_names(told: Stretch, names: list[Part]) -> list[Part]:
    """The names that an event's words begin with, where a verb follows them."""
    found = opening(told, names)
    verb = _VERB.match(told.inline.text, found[-1].at.end, told.end) if found else None
    if verb is None:
        return []
    agrees = verb["verb"].endswith(("s", "ed")) or verb["verb"] in IRREGULAR
    plural = len(found) > 1 and _OBJECT.match(told.inline.text, verb.end(), told.end)
    return found if agrees or plural else []


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


def extract(source: Source) -> Iterator[Claim]:
    """Reads sentences that begin with a date, and items that end in one."""
    for bullet in telling(source):
        if key_value(bullet.stretch) or lead(bullet.stretch):
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
    happened = Given.of(about.name, clause)
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
