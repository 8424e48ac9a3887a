"""``Key: value`` bullets and lines, and ``**Name** — what is said of it`` (people, parts, steps)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kg.extract import positions
from kg.extract.build import About, Frame, Given, Property, claim, named, refused, scaled
from kg.extract.bullets import (
    SOURCES,
    Bullet,
    KeyValue,
    Lead,
    bullets,
    context_of_bullet,
    denies,
    explains_term,
    is_collective,
    is_glossary,
    key_value,
    keyed_thing,
    lead,
    may_define,
    subject_of_bullet,
)
from kg.extract.classify import classes_of, classes_of_mention
from kg.extract.happenings import dated_event
from kg.extract.label_kinds import NEITHER, key_features, likely
from kg.extract.labels import DEFINITION, label_of, read_label
from kg.extract.properties import (
    bare_name,
    between,
    by_noun,
    candidates,
    claims_of,
    facts,
    known_as,
    narrowest,
    of_owner,
    predicate_of,
)
from kg.extract.source import Source, sentences
from kg.extract.sources import telling
from kg.extract.standing import hedge_of, section_frame, standing_of_label
from kg.extract.subjects import title_of
from kg.extract.values import ARROW, Kind, Part, items, name_or_text
from kg.extract.words import SMALL, WORD
from kg.model import Alias, Claim, Context, EntityName, Hedge, Predicate, Quantity, Rejected, Status
from kg.text import dates, quantities
from kg.text.hedges import combine
from kg.text.scales import leading_quantity, whole_date
from kg.text.stretch import Stretch

NAME = "keyvalues"
_PIECES = re.compile(r"\s*[,;]\s+|\s+\+\s+")
_LISTED = re.compile(r"\s*[,;]\s+(?:and\s+|or\s+|nor\s+)?|\s+(?:and|or|nor)\s+")
_MAX_VALUE = 600
_DESCRIPTION = Predicate("description")


def extract(source: Source) -> Iterator[Claim | Alias | Rejected]:
    """Reads labelled bullets and lines, and bullets led by a bold name."""
    for bullet in telling(source):
        pair = key_value(bullet.stretch)
        if pair and pair.value.strip(" .") and len(pair.value.text) <= _MAX_VALUE and _is_pair(bullet, pair):
            yield from _pair(source, bullet, pair)
        elif bullet.in_list and (led := lead(bullet.stretch)) and not is_glossary(source, bullet.placed):
            yield from _led(source, bullet, led)
        elif bullet.in_list and denies(bullet.stretch):
            yield from _denied(source, bullet)


def _is_pair(bullet: Bullet, pair: KeyValue) -> bool:
    """Outside lists only short values or bold keys: prose has colons too."""
    bold = (m for m in pair.key.inline.marks if m.kind == "strong" and m.start <= pair.key.start < m.end)
    return bullet.in_list or pair.key.start != bullet.stretch.start or len(pair.value.text) <= 200 or any(bold)


def _pair(source: Source, bullet: Bullet, pair: KeyValue) -> Iterator[Claim | Alias | Rejected]:
    about = subject_of_bullet(source, bullet)
    frame = replace(section_frame(source, bullet.placed), context=context_of_bullet(bullet))
    if standing_of_label(pair.key.text) == Hedge(Status.UNDISCLOSED):
        for piece in pair.value.strip(" .").split(_LISTED):  # each a property without a value
            property_ = Property(Predicate(piece.text), (piece.span,))
            yield claim(source, NAME, about, property_, Given.of(None, piece), frame)
        return
    dated = dates.parse(pair.key.text) is not None and not (pair.key.text.isdecimal() and _numbers_are_ids(source))
    if dated and leading_quantity(pair.value.text) is None:
        when = replace(frame.context or Context(), row=pair.key.text)
        timeless = replace(frame, valid_from=None, valid_until=None, context=when)
        yield from dated_event(source, NAME, about, (pair.key, pair.value.strip(" .")), timeless)
        return
    if _EXPLAINS.match(pair.value.text):
        yield from _explained(source, pair, frame)
        return
    if is_collective(pair.key.text) and (names := items(source, pair.value, "members")):
        yield from members(source, NAME, named(source, pair.key), names, frame)
        return
    yield from _judged(source, bullet, pair, about, frame)


def _numbers_are_ids(source: Source) -> bool:
    """Whether a document has keys of digits that are no years: then those like years aren't either ("1876: LOC type",
    beside "2782: SRV type").
    """
    digits = (found[1] for bullet in bullets(source) if (found := _DIGITS.match(bullet.stretch.text)))
    return source.once("numbers as keys", None, lambda: any(dates.parse(key) is None for key in digits))


_DIGITS = re.compile(r"(\d{3,6})\s*:\s")


def _judged(
    source: Source, bullet: Bullet, pair: KeyValue, about: About, frame: Frame
) -> Iterator[Claim | Alias | Rejected]:
    """What a key of words tells: a term's meaning, a thing, a property, or nothing."""
    if (version := _changed_in(source, bullet, pair.value)) is not None:
        given = Given.words(pair.value)
        yield claim(source, NAME, version, Property(Predicate(pair.key.text), (pair.key.span,)), given, frame)
        return
    term = explains_term(source, bullet, pair, about) and not _is_known(source, pair, about)
    if term and is_glossary(source, bullet.placed):
        predicate = DEFINITION if may_define(pair.value.text) else _DESCRIPTION
        yield _told(source, named(source, pair.key), pair.value, frame, predicate)
        return
    if (thing := keyed_thing(source, bullet, pair, about)) is not None:
        yield from _thing(source, thing, frame)
        return
    kind = kind_of_key(source, bullet, pair, about)
    if term and kind == "property":
        yield _told(source, named(source, pair.key), pair.value, frame)
        return
    if kind == NEITHER:
        yield refused(source, NAME, "its key is judged to name neither a property nor a thing", pair.key)
    elif kind == "thing":
        yield from _thing(source, pair, frame)
    else:
        yield from _valued(source, pair, about, frame)


_TIMES = re.compile(r"(?:every|each)\s+(?:\w+\s+)?(?:day|week|month|quarter|term|season|year)s?\b", re.IGNORECASE)
_VERSION = re.compile(r"\[?(?:.*\s)?v?\d+(?:\.\d+)+\]?(?:\s*\(.*\)|\s+[–—-]\s.*)?$")


def _changed_in(source: Source, bullet: Bullet, value: Stretch) -> About | None:
    """The version that a section is about, where a value's words tell what it changed, of whatever its key names."""
    first, *rest = WORD.findall(value.text) or [""]
    worded = first.lower() not in ("a", "an", "the") and any(w.islower() and w not in SMALL for w in rest)
    headings = (h for h in bullet.placed.sections if h.inline is not None and _VERSION.match(h.inline.text.strip()))
    title = next((title_of(source, heading) for heading in headings), None)
    if title is None or not (bullet.in_list and worded) or leading_quantity(value.text) is not None:
        return None
    return named(source, title.names[0] if title.names else title.topic)


_LEAST, _SURE = 0.5, 0.65


def kind_of_key(source: Source, bullet: Bullet, pair: KeyValue, about: About) -> str:
    """``property``, ``thing`` or ``neither``; what the ontology calls a property is one."""
    if _is_known(source, pair, about) or ARROW.search(pair.value.text):
        return "property"
    siblings = bullet.siblings
    keys = source.once("keys", siblings, lambda: [p.key.text if (p := key_value(s)) else "" for s in siblings])
    features = key_features(source, pair.key, pair.value, keys, bullet.in_list, bool(bullet.parents))
    judged = likely("key", features)
    if judged[NEITHER] >= _LEAST or _TIMES.match(pair.key.text):
        return NEITHER
    return "thing" if judged["thing"] >= _SURE else "property"


def _is_known(source: Source, pair: KeyValue, about: About) -> bool:
    """Whether the ontology has a property for a key, of the bullet's thing or of any."""
    label = read_label(pair.key)
    known = candidates(source, label, about.classes) or candidates(source, label, ())
    return bool(known or of_owner(source, label, pair.value))


def _told(
    source: Source, about: About, value: Stretch, frame: Frame, predicate: Predicate = _DESCRIPTION, hedged: bool = True
) -> Claim:
    """What a value says of a thing, word for word: its description or definition."""
    text = value.strip(" .")
    given = Given.words(text, hedge_of(text.text) if hedged else None)
    return claim(source, NAME, about, Property(predicate), given, frame, scaled(NAME, 0.95))


def _valued(source: Source, pair: KeyValue, about: About, frame: Frame) -> Iterator[Claim]:
    """The values of a key that names a property of the bullet's thing."""
    label = read_label(pair.key)
    if SOURCES.fullmatch(label.text):
        frame = Frame()  # where a statement comes from is no plan and no guess, whatever it says
    if pair.bracket is not None:
        frame = replace(frame, hedge=combine(frame.hedge, hedge_of(pair.bracket.text)))
        frame = replace(frame, qualifiers=(*frame.qualifiers, pair.bracket.span))
        if date := whole_date(pair.bracket):
            frame = frame.within(date)
    told = list(claims_of(source, NAME, about, facts(source, label, pair.value, about.kinds), frame))
    yield from told
    if not any(isinstance(own.object, Quantity) for own in told):
        yield from _figures_beside(source, about, pair, frame)


_MOST_PIECES = 4
_MOST_PIECE_WORDS = 5


def _figures_beside(source: Source, about: About, pair: KeyValue, frame: Frame) -> Iterator[Claim]:
    """Figures in a short list of words, under properties of their own ("Maker: Rolf Works, 3 mm glass")."""
    pieces = list(pair.value.split(_PIECES))
    if not 1 < len(pieces) <= _MOST_PIECES or any(len(WORD.findall(p.text)) > _MOST_PIECE_WORDS for p in pieces):
        return
    for piece in pieces:
        yield from (own for own in elliptic(source, NAME, about, piece, frame) if own.predicate.iri)


_EXPLAINS = re.compile(
    r"(?:this|that|it|these|they)\s+(?:also\s+)?(?!is\s+not\b)[a-z]+(?:s|are|was|were|means?)\b", re.IGNORECASE
)


def _explained(source: Source, pair: KeyValue, frame: Frame) -> Iterator[Claim]:
    """ "Lock: This keeps the door shut" tells what its key is; a letter alone names nothing."""
    if len(pair.key.text) > 1:
        about = named(source, pair.key)
        text = pair.value.strip(" .")
        given = Given.words(text)
        yield claim(source, NAME, about, Property(Predicate("description")), given, frame, scaled(NAME, 0.9))


def _denied(source: Source, bullet: Bullet) -> Iterator[Claim]:
    """ "**Not a gift**: lent for a year" describes what the section is about, denial and all."""
    about, frame = subject_of_bullet(source, bullet), section_frame(source, bullet.placed)
    yield _told(source, about, bullet.stretch, frame, hedged=False)


def members(source: Source, extractor: str, body: About, names: list[Stretch], frame: Frame) -> Iterator[Claim]:
    """The members of a body of people, under the ontology's property for that if there is one."""
    found = known_as(source, "member", body.classes, Kind.NAME)
    predicate = predicate_of(found) if found else Predicate("member")
    ranges = found.ranges if found and len(found.ranges) == 1 else ()
    for name in names:
        part = name_or_text(source, name, Kind.NAME)
        value = part.value
        if isinstance(value, EntityName) and not value.classes:
            value = replace(value, classes=tuple(r for r in ranges if r in source.ontology.classes))
        given = Given.of(value, part.at, part.hedge)
        yield claim(source, extractor, body, Property(predicate, body.spans), given, frame)


def _thing(source: Source, pair: KeyValue, frame: Frame) -> Iterator[Claim]:
    """A thing with a date in brackets and a list of what it has: quantities under their nouns, its date."""
    about = named(source, pair.key)
    if pair.bracket is not None and whole_date(pair.bracket):
        yield from claims_of(source, NAME, about, facts(source, label_of("date"), pair.bracket, about.classes), frame)
    found = list(_parts_of_thing(source, about, pair, frame))
    yield from found
    yield from _stages(source, about, pair.value, frame)
    yield from _of_time(source, about, pair.value, frame)
    if not found:
        yield _told(source, about, pair.value, frame)


def _parts_of_thing(source: Source, about: About, pair: KeyValue, frame: Frame) -> Iterator[Claim]:
    for piece in pair.value.split(_PIECES):
        yield from elliptic(source, NAME, about, piece, frame)
        part = name_or_text(source, piece)
        if isinstance(part.value, EntityName) and (property_ := between(source, about.classes, part.value.classes)):
            given = Given.of(part.value, part.at, hedge_of(piece.text))
            yield claim(source, NAME, about, property_, given, frame, scaled(NAME, 0.8))


def elliptic(source: Source, extractor: str, about: About, piece: Stretch, frame: Frame) -> Iterator[Claim]:
    """A quantity that begins a piece of text, under the property that its noun names."""
    found = leading_quantity(piece.text)
    if found is None or not (found[2].noun or (found[2].unit or "").startswith("CCY_")):
        return
    version = found[2].unit is None and "." in found[2].stated and source.words.proper(found[2].noun.split(" ")[0])
    if version:
        return  # "1.2 Rex" counts nothing
    at = piece.part(found[0], found[1])
    part = Part(found[2], at, hedge_of(piece.text, found[0], found[1]), noun=found[2].noun)
    yield from claims_of(source, extractor, about, by_noun(source, part, about.kinds), frame)


def _led(source: Source, bullet: Bullet, led: Lead) -> Iterator[Claim]:
    """Each sentence said of the name, as its description; in a numbered list also its place there."""
    frame = section_frame(source, bullet.placed)
    if leading_quantity(led.name.text):
        yield from elliptic(source, NAME, subject_of_bullet(source, bullet), led.name, frame)
        return
    classes = () if source.words.has_verb(led.name.text) else classes_of(source, led.name.text)
    about = About.of(led.name, classes)
    for sentence in sentences(led.rest):
        text = sentence.strip(" .")
        if not text or text.text.lower().startswith("see "):
            continue
        first = sentence.start == led.rest.start
        held = list(positions.roles(source, NAME, about, text, frame)) if first else []
        if held:
            yield from held
            continue
        yield from positions.told(source, NAME, about, text, frame)
        predicate = _said_of(source, about, text) if first else _DESCRIPTION
        yield _told(source, about, text, frame, predicate, hedged=False)


_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|led|built|created|founded|wrote|joined)\b", re.IGNORECASE
)


def _said_of(source: Source, about: About, text: Stretch) -> Predicate:
    """The first thing said of a name: where the ontology gives it a role, that; else a description."""
    found = known_as(source, "role", about.classes, Kind.TEXT) if about.classes else None
    short = len(WORD.findall(text.text)) <= 9 and not _FINITE.search(text.text)
    return predicate_of(found) if found and short else _DESCRIPTION


_STEPS = re.compile(r"\s*[,;]\s+(?:and\s+|then\s+)?|\s+(?:—|–|-{2,3})\s+|\s+and\s+then\s+")
_STAGE = re.compile(
    r"(?:(?:the|an?|first|second|then|later|more|further)\s+){0,2}(?P<thing>[^\s].*?)\s+(?:in|from|since)\s+(?P<date>\S.*)",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"(?:totall?ing|in\s+total|for\s+a\s+total\s+of|altogether|in\s+all)\s+(?=\S)", re.IGNORECASE)
_OF_TIME = re.compile(r"\((?P<name>[^()]+?)[\s-](?P<noun>era|period|age|epoch|generation)\)\s*$")


def _stages(source: Source, about: About, told: Stretch, frame: Frame) -> Iterator[Claim]:
    """Claims of two or more dated stages, and of the total behind them."""
    pieces = list(told.split(_STEPS))
    dated = [stage for piece in pieces if (stage := _stage(source, piece, about.classes)) is not None]
    if len(dated) < 2:
        return
    for property_, part in dated:
        since = replace(frame, valid_from=part.since)
        given = Given.of(part.value, part.at, hedge_of(told.text))
        yield claim(source, NAME, about, property_, given, since, scaled(NAME, 0.95))
    for piece in pieces:
        if total := _TOTAL.match(piece.text):
            yield from _figures(source, about, piece.part(total.end()), frame)


def _stage(source: Source, piece: Stretch, classes: tuple[str, ...]) -> tuple[Property, Part] | None:
    """What a piece says that the thing has since when ("first Kappa-3 lamp in 1901")."""
    found = _STAGE.fullmatch(piece.text)
    date = whole_date(piece.part(found.start("date"))) if found else None
    if found is None or date is None or not classes:
        return None
    thing = piece.part(found.start("thing"), found.end("thing"))
    for mention in source.names_in(thing)[:1]:
        at = bare_name(source, thing.part(mention.start, mention.end))
        kinds = classes_of_mention(source, mention.value, at.text)
        leading = narrowest(source.ontology, classes, kinds) if kinds and mention.start == 0 else None
        if leading is not None:
            return leading, Part(EntityName(at.text, kinds), at, since=date)
    return None


def _figures(source: Source, about: About, piece: Stretch, frame: Frame) -> Iterator[Claim]:
    """Every figure of a total whose noun names a property ("40 lamps across two towers")."""
    for found in quantities.find(piece.text):
        if not found.value.noun:
            continue
        at = piece.part(found.start, found.end)
        part = Part(found.value, at, hedge_of(piece.text, found.start, found.end), noun=found.value.noun)
        told = claims_of(source, NAME, about, by_noun(source, part, about.classes), frame)
        yield from (own for own in told if own.predicate.iri)


def _of_time(source: Source, about: About, told: Stretch, frame: Frame) -> Iterator[Claim]:
    """The time that a bracket at the end names after something ("40 lamps (Kappa-3 era)")."""
    found = _OF_TIME.search(told.text)
    if found is None or not source.words.is_name(found["name"]):
        return
    classes = about.classes
    label = told.part(found.start("noun"), found.end("noun"))
    name = told.part(found.start("name"), found.end("name"))
    yield from claims_of(source, NAME, about, facts(source, label_of(label.text, (label.span,)), name, classes), frame)
