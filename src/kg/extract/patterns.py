"""The ontology's phrases over sentences: arguments are mentions that stand right at the words of a phrase."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kg.extract import positions
from kg.extract.arguments import Mention, coded, owned, takes
from kg.extract.build import About, Frame, Given, Property, claim, named, scaled
from kg.extract.bullets import Bullet, bold_start, bullets, in_sources, key_value, keyed_thing, lead, subject_of_bullet
from kg.extract.classify import classes_of, classes_of_mention, lineage, with_noun, without_kind
from kg.extract.clauses import Context, nouns_before, of_document
from kg.extract.grid import columns_of, grid_of, rows_are_properties, subject_of
from kg.extract.labels import Label, label_of, read_label
from kg.extract.matches import Match, matches
from kg.extract.phrases import phrases_in, phrases_of
from kg.extract.properties import (
    allows,
    candidates,
    claims_of,
    facts,
    fits,
    kind_wanted,
    kinds_counted,
    mentioned,
    most_general,
    predicate_of,
)
from kg.extract.source import Placed, Source, is_label, sentences
from kg.extract.sources import telling
from kg.extract.standing import hedge_of, sentence_frame
from kg.extract.subjects import carried, is_one
from kg.extract.values import PLACE, Kind, Part, without_bracket
from kg.extract.words import WORD
from kg.model import BlockKind, Claim, EntityName, Hedge, Mood, Predicate, Quantity, Rejected, Status, Text
from kg.ontology import OntologyProperty
from kg.text import dates, quantities
from kg.text.hedges import combine
from kg.text.stretch import Stretch

NAME = "patterns"
Key = tuple[int, int, int]  # places of both arguments, under which rival readings meet
Reading = tuple[Match, OntologyProperty, About, Part]
_RELATIVE = re.compile(r"(?<![,;])\s(?:that|which|who)\s+(?:is|are|was|were|has|have|had)\b")

_STILL = re.compile(r"\b(?:could|may|might)\b[^.;]*\bstill\b|\b(?:perhaps|possibly|probably)\s+still\b", re.IGNORECASE)
_FORMERLY = re.compile(r"\b(?:previously|formerly|in the past|no longer)\b[^.;]*$", re.IGNORECASE)


def extract(source: Source) -> Iterator[Claim | Rejected]:
    """Matches phrases against every sentence outside tables and code."""
    if not phrases_of(source.ontology):
        return
    for bullet in telling(source):
        led, pair = lead(bullet.stretch), key_value(bullet.stretch)
        about = subject_of_bullet(source, bullet)
        body, keyed = bullet.stretch, False
        if led and bullet.in_list:
            body, about = led.rest, named(source, led.name)
        elif pair and bullet.in_list:
            body = pair.value
            if (thing := keyed_thing(source, bullet, pair, about)) is not None:
                name = EntityName(thing.key.text, classes_of(source, thing.key.text))
                about, keyed = About(name, (thing.key.span,), thing.key), True
        elliptic = keyed or (bullet.in_list and not (pair and not led))
        yield from _text(source, bullet.placed, body, about, elliptic)
    yield from _cells(source)
    yield from _headings(source)
    for found in further(source):
        yield from _text(source, found.placed, found.body, found.about, elliptic=True)


def _headings(source: Source) -> Iterator[Claim | Rejected]:
    """What headings do to the things in them ("Moving Corran Light to Drum Rock")."""
    for heading, above in source.headings:
        if heading.inline is not None and heading.inline.text.strip():
            stretch = Stretch.whole(heading.inline)
            placed = Placed(heading, (*above, heading), None)
            yield from _sentence(source, placed, stretch, _mentions(source, stretch), Context(None, None, None), False)


def _cells(source: Source) -> Iterator[Claim | Rejected]:
    """Sentences in table cells; those that leave out whom they are about tell it of the row's thing."""
    for placed in source.placed:
        grid = grid_of(placed.block) if placed.block.kind is BlockKind.TABLE else None
        if grid is None:
            continue
        columns = columns_of(source, grid)
        first = None if rows_are_properties(source, grid, columns) else subject_of(source, grid, columns)
        for row in grid.rows:
            about = _of_row(source, row.cells[first]) if first is not None else None
            for column in columns:
                cell = row.cells[column.index]
                if cell is not None and cell.text.strip():
                    if about is not None and column.index != first:
                        for sentence in sentences(cell):
                            yield from positions.told(source, NAME, about, sentence.strip(" ."), Frame())
                    yield from _text(
                        source, placed, cell, about if column.index != first else None, column.index != first
                    )


def _of_row(source: Source, cell: Stretch | None) -> About | None:
    """The named thing that a row is about."""
    name = without_bracket(cell)[0] if cell is not None else None
    if name is None or not source.words.is_name(name.text):
        return None
    return named(source, name)


def _text(
    source: Source, placed: Placed, body: Stretch, about: About | None, elliptic: bool
) -> Iterator[Claim | Rejected]:
    context = Context(about, about, about, of_document(source), nouns_before(source, placed, body))
    for sentence in sentences(body):
        if sentence.text.rstrip().endswith("?"):
            continue
        found = _mentions(source, sentence)
        told = list(_sentence(source, placed, sentence, found, context, elliptic))
        yield from told
        context = _going_on(source, sentence, found, context, told, elliptic)


def _going_on(
    source: Source,
    sentence: Stretch,
    found: list[Mention],
    context: Context,
    told: Sequence[Claim | Rejected],
    elliptic: bool,
) -> Context:
    """What the sentence behind this one may leave out or take up: the name that this one begins with.

    In an item, whose sentences may leave out what its section is about, only a name in bold counts ("- **Orr-3** …").
    """
    first = next((m for m in found if isinstance(m.part.value, EntityName)), None)
    retaken = re.search(r"\s(?:it|them|him|her)\b", sentence.text)  # "Ada Wren drew it. It …" goes on about it
    if first is None or not isinstance(first.part.value, EntityName) or first.start > 4 or retaken:
        return context
    name = first.part.value
    named = About(name, (first.part.at.span,), first.part.at)
    if elliptic:
        bold = bold_start(sentence)
        own = bold is not None and bold.span == first.part.at.span
        return replace(context, section=named, thing=named) if own else context
    known = lineage(source.ontology, name.classes) & source.ontology.classes.keys()
    if first.person or "person" in {source.ontology.classes[iri].label.lower() for iri in known}:
        return replace(context, person=named)
    made = [c for c in told if isinstance(c, Claim) and c.subject == name and c.predicate.iri]
    domains = {source.ontology.properties[c.predicate.iri].domains for c in made}
    implied = {d[0] for d in domains if len(d) == 1} if not name.classes else set()
    return replace(context, thing=named, implied=tuple(sorted(implied)))


def _mentions(source: Source, sentence: Stretch) -> list[Mention]:
    text = sentence.text
    found = []
    for entity in source.names_in(sentence):
        thing = owned(source, sentence, entity)
        found += [thing] if thing is not None else []
        entity = without_kind(source, text, entity)
        at = sentence.part(entity.start, entity.end)
        classes = classes_of_mention(source, entity.value, at.text)
        common = bool(source.ontology.by_label(at.text, "class")) and not entity.value.known
        if common or re.match(r"-[a-z]", text[entity.end :]):
            continue  # "Fastnet-style lamps" aren't of Fastnet
        longer = with_noun(source, text, entity, classes)
        if longer is not None:
            at = sentence.part(entity.start, longer[0])
            found.append(Mention(entity.start, longer[0], Part(EntityName(at.text, longer[1]), at)))
            continue
        person = entity.value.kind == "person"
        if not classes and entity.value.kind in ("title", "person"):
            classes = tuple(c.iri for c in source.ontology.by_label(_KINDS[entity.value.kind], "class"))[:1]
        found.append(Mention(entity.start, entity.end, Part(EntityName(entity.value.surface, classes), at), person))
    for quantity in quantities.find(text):
        at = sentence.part(quantity.start, quantity.end)
        found.append(Mention(quantity.start, quantity.end, Part(quantity.value, at)))
    for date in dates.find(text):
        found.append(Mention(date.start, date.end, Part(date.value, sentence.part(date.start, date.end))))
    found += [m for m in coded(sentence) if not any(o.start <= m.start and m.end <= o.end for o in found)]
    found += list(_as_words(source, sentence, found))
    return sorted(found, key=lambda m: (m.start, m.end, m.part.value.kind if m.part.value else ""))


_QUOTED = re.compile(r"[\"“](?P<words>[^\"“”\s]+(?:\s+[^\"“”\s]+){1,11})[\"”]")


def _as_words(source: Source, sentence: Stretch, found: list[Mention]) -> Iterator[Mention]:
    """Quoted words; names as words where a phrase for words closes behind them ("under the {object} licence")."""
    ontology = source.ontology
    closing = [
        after
        for phrase in phrases_in(ontology, sentence.text)
        if phrase.first == "subject" and kind_wanted(ontology.properties[phrase.iri]) is Kind.TEXT
        if (after := phrase.pattern("after")) is not None
    ]
    for m in found:
        if isinstance(m.part.value, EntityName) and any(a.match(sentence.text, m.end + 1) for a in closing):
            yield replace(m, part=replace(m.part, value=Text(m.part.at.text)))
    for quoted in _QUOTED.finditer(sentence.text):
        at = sentence.part(quoted.start("words"), quoted.end("words")).strip(" .,")
        yield Mention(at.start - sentence.start, at.end - sentence.start, Part(Text(at.text), at))


_KINDS = {"title": "work", "person": "person"}


def _as_value(about: About | None) -> Part | None:
    """The carried thing as a value, with its place in the document."""
    if about is None or not isinstance(about.name, EntityName) or about.at is None:
        return None
    return Part(about.name, about.at)


def _sentence(
    source: Source, placed: Placed, sentence: Stretch, found: list[Mention], context: Context, elliptic: bool
) -> Iterator[Claim | Rejected]:
    found_matches = [
        match
        for phrase in phrases_in(source.ontology, sentence.text)
        if any(takes(source, phrase, m.part) for m in found)
        for match in matches(source, phrase, sentence, found, context, elliptic)
    ]
    taken: dict[Key, list[Reading]] = {}
    for match in found_matches:
        for key, reading in _readings(source, sentence, match):
            taken.setdefault(key, []).append(reading)
    settled = {(o[0].start, o[1].iri) for options in taken.values() for o in options if _surely(o[1], o[3])}
    for key in sorted(taken):
        yield from _decided(source, placed, sentence, _like_others(source, taken[key], settled))


def _readings(source: Source, sentence: Stretch, match: Match) -> Iterator[tuple[Key, Reading]]:
    """What a match says if the classes of both arguments allow it."""
    property_ = source.ontology.properties[match.phrase.iri]
    for subject, value, key in _arguments(match):
        value = _as_place(source, property_, sentence, value)
        if allows(source.ontology, property_.domains, subject.classes) and fits(source.ontology, property_, value):
            yield key, (match, property_, subject, value)


def _like_others(source: Source, options: list[Reading], settled: set[tuple[int, str]]) -> list[Reading]:
    """Readings of a value of unknown class: those that are sure for another member of the same enumeration, if any."""
    if any(_surely(o[1], o[3]) for o in options):
        return options
    return [o for o in options if (o[0].start, o[1].iri) in settled] or options


def _decided(source: Source, placed: Placed, sentence: Stretch, options: list[Reading]) -> Iterator[Claim | Rejected]:
    """Of several properties for the same arguments, the one whose range is known to fit and whose phrase says most."""
    sure = [o for o in options if _surely(o[1], o[3])] or options
    best = max(o[0].phrase.weight for o in sure)
    top = [o for o in sure if o[0].phrase.weight == best]
    properties = {o[1].iri for o in top}
    if len(properties) > 1 and sure and (narrow := _narrowest(source, properties, top[0][3])):
        top = [o for o in top if o[1].iri == narrow]
        properties = {narrow}
    if len(properties) > 1 and (general := most_general(source.ontology, properties)):  # nothing tells which
        top = [o for o in top if o[1].iri == general]
        properties = {general}
    match, property_, about, value = top[0]
    span = sentence.part(match.start, match.end)
    start, end = sentence.span
    passage = source.passage_at(value.at.span[0])
    if len(properties) > 1:
        names = " or ".join(sorted(source.ontology.properties[p].label for p in properties))
        yield Rejected(passage.id, NAME, f"the phrase may mean {names}", source.cut((start, end)), start, end)
        return
    frame = _dated(sentence_frame(source, placed), sentence, value, match)
    lasting = _lasting(sentence, match, frame)
    if lasting is None:
        yield Rejected(passage.id, NAME, "it is said of earlier, without a date", source.cut((start, end)), start, end)
        return
    inside = sentence.start <= value.at.start < sentence.end and value.at.inline is sentence.inline
    spot = (value.at.start - sentence.start, value.at.end - sentence.start) if inside else (match.start, match.end)
    told = _RELATIVE.search(sentence.text, spot[1])  # "40 lamps that were never counted": there are 40
    hedge = combine(hedge_of(sentence.text[: told.start() if told else None], *spot), combine(value.hedge, lasting))
    given = Given.of(value.value, value.at, hedge)
    factor = 1.0 if _surely(property_, value) else 0.9
    words = (span.span,) if span.strip() else ()
    yield claim(source, NAME, about, Property(predicate_of(property_), words), given, frame, scaled(NAME, factor))
    if inside and isinstance(value.value, Quantity):
        counted = replace(value, noun=value.value.noun)
        for kind in kinds_counted(source, counted, about.classes) if counted.noun else ():
            named = Given.of(kind.part.value, kind.part.at, hedge)
            yield claim(source, NAME, about, kind.property, named, frame, scaled(NAME, 0.95))
        yield from _kinds_in_bracket(source, about, sentence, value, frame)


def _lasting(sentence: Stretch, match: Match, frame: Frame) -> Hedge | None:
    """What is added to the standing of something said of earlier: a guess where it may still be so; None if over."""
    if not _FORMERLY.search(sentence.text[: match.start]) or frame.valid_from or frame.valid_until:
        return Hedge()
    return Hedge(Status.GUESSED) if _STILL.search(sentence.text, match.end) else None


def _narrowest(source: Source, properties: set[str], value: Part) -> str | None:
    """Of properties that a value is known to fit, the one whose range says more of it than those of the others."""
    ontology = source.ontology
    known = lineage(ontology, value.classes)

    def within(one: str, other: str) -> bool:
        narrow, wide = ontology.properties[one].ranges, ontology.properties[other].ranges
        return bool(known.intersection(narrow)) and all(
            any(n != w and w in ontology.superclasses(n) for w in wide) for n in narrow
        )

    found = [p for p in properties if all(within(p, q) for q in properties if q != p)]
    return found[0] if len(found) == 1 else None


_REGION = re.compile(r",\s+[A-Z][\w.’'-]*(?:\s[A-Z][\w’'-]*)?")


def _as_place(source: Source, property_: OntologyProperty, sentence: Stretch, value: Part) -> Part:
    """A place with the region behind its comma ("Kiel, Germany")."""
    if not isinstance(value.value, EntityName) or not PLACE.search(property_.label):
        return value
    rest = value.at.inline.text[value.at.end : sentence.end]
    region = _REGION.match(rest)
    if region is None or re.match(r"\s+(?:and|or)\s|,", rest[region.end() :]):
        return value
    at = Stretch(value.at.inline, value.at.start, value.at.end + region.end())
    return Part(EntityName(at.text, value.value.classes), at, value.hedge)


def _surely(property_: OntologyProperty, part: Part) -> bool:
    return kind_wanted(property_) is not Kind.NAME or bool(part.classes)


def _arguments(match: Match) -> Iterator[tuple[About, Part, tuple[int, int, int]]]:
    """Subjects and values of a match, with a key under which rival readings of the same arguments meet.

    What a sentence leaves out on the left is the thing that it stands under, as subject or as value.
    """
    about, carried = match.carried, _as_value(match.carried)
    if match.phrase.first == "subject":
        for value in match.right:
            for subject in match.left:
                if isinstance(subject.part.value, EntityName):
                    name = About(subject.part.value, (subject.part.at.span,))
                    yield name, value.part, (value.start, value.end, subject.start)
            if not match.left and about is not None:
                yield about, value.part, (value.start, value.end, -1)
        return
    for subject in match.right:
        if not isinstance(subject.part.value, EntityName):
            continue
        name = About(subject.part.value, (subject.part.at.span,))
        for value in match.left:
            yield name, value.part, (subject.start, subject.end, value.start)
        if not match.left and carried is not None:
            yield name, carried, (subject.start, subject.end, -1)


# --- when it holds, and which things are counted -----------------------------------------------------------

_SINCE = re.compile(
    r"\b(?:since|from|joined|became|start(?:s|ed|ing)|began|beginning|appointed|hired)\b", re.IGNORECASE
)
_DATE_NEAR = re.compile(r"[\s,(]*(?:(?:[a-z][\w-]*|for|in|on|since|from|until)\s+){0,4}")
_MOVES = re.compile(r"(?:departed|left|moved|went|transferred|returned)\b", re.IGNORECASE)  # from then on elsewhere
_ENDED = re.compile(r"\b(?:until|till|left|departed|ended|ending|stopped|resigned|retired)\b", re.IGNORECASE)


def _dated(frame: Frame, sentence: Stretch, value: Part, match: Match) -> Frame:
    """The frame with the date right behind the phrase, as the bound that the sentence's words make of it."""
    end = max([match.end, *(m.end for m in (*match.left, *match.right))])
    if isinstance(value.value, Quantity):
        return _figured_at(frame, sentence, end)
    within = [f for f in dates.find(sentence.text) if match.start <= f.start and f.end <= match.end]
    if within and _MOVES.match(sentence.text, match.start):
        at = sentence.part(within[0].start, within[0].end)
        return replace(frame, valid_from=within[0].value, qualifiers=(*frame.qualifiers, at.span))
    behind = [
        f for f in dates.find(sentence.text) if f.start >= end and _DATE_NEAR.fullmatch(sentence.text[end : f.start])
    ]
    if not behind or not isinstance(value.value, EntityName):
        return frame
    date, at = behind[0].value, sentence.part(behind[0].start, behind[0].end)
    frame = replace(frame, qualifiers=(*frame.qualifiers, at.span))
    if date.end or not (date.earliest and date.latest):  # a period, or open at one end
        since, until = (date if date.earliest else None), (date if date.latest else None)
        return replace(frame, valid_from=since, valid_until=until)
    if _ENDED.search(sentence.text):
        return replace(frame, valid_from=None, valid_until=date)
    if _SINCE.search(sentence.text):
        return replace(frame, valid_from=date, valid_until=None)
    return replace(frame, valid_from=date, valid_until=date)


_NEAR_BY = 60  # characters between a figure and its date
_BRACKETED = re.compile(r"(?:\s+[\w-]+){0,3}\s*\(")
# "… published a post on 40 boats (May 1921)" dates the post.
_PUBLISHED = re.compile(
    r"\b(?:publish(?:ed|es)|post(?:ed|s)|releas(?:ed|es)|wrote|writes|present(?:ed|s))\s+(?:[\w-]+\s+){1,4}?"
    r"(?:posts?|papers?|articles?|reports?|stud(?:y|ies)|analys[ei]s|videos?|books?|essays?|announcements?)\b",
    re.IGNORECASE,
)
_LISTED_IN = re.compile(r"\s+(?:on|in)\s+the\s+")


def _figured_at(frame: Frame, sentence: Stretch, end: int) -> Frame:
    """The frame with the date of a figure: all that a bracket behind it holds, or that of the list it stands in."""
    if _PUBLISHED.search(sentence.text, 0, end):
        return frame
    for date in dates.find(sentence.text):
        if not 0 <= date.start - end <= _NEAR_BY:
            continue
        before, after = sentence.text[end : date.start], sentence.text[date.end : date.end + _NEAR_BY]
        inner = _BRACKETED.fullmatch(before) and after.startswith(")")
        listed = _LISTED_IN.fullmatch(before) and re.match(r"(?:\s+[\w-]+){0,2}\s+(?:list|ranking)\b", after)
        if (inner or listed) and date.value.latest:
            at = sentence.part(date.start, date.end)
            frame = replace(frame, qualifiers=(*frame.qualifiers, at.span))
            return replace(frame, valid_from=date.value, valid_until=date.value)
    return frame


_IN_BRACKET = re.compile(r"\s*\(([^()]*)\)")
_EITHER = re.compile(r"\bor\b|/")


def _kinds_in_bracket(source: Source, about: About, sentence: Stretch, counted: Part, frame: Frame) -> Iterator[Claim]:
    """The known names in the bracket right behind a figure, under the property that its noun has for such things."""
    value, inline = counted.value, sentence.inline
    if not isinstance(value, Quantity) or not value.noun or not isinstance(about.name, EntityName):
        return
    after = inline.text.find(value.noun, counted.at.start)
    end = max(counted.at.end, after + len(value.noun)) if 0 <= after <= counted.at.end + 2 else counted.at.end
    bracket = _IN_BRACKET.match(inline.text, end, sentence.end)
    if bracket is None:
        return
    last = value.noun.split()[-1]
    found = [
        p
        for text in (value.noun, last, f"{last} type")
        for p in candidates(source, label_of(text), about.name.classes)
        if kind_wanted(p) is Kind.NAME
    ]
    inner = Stretch(inline, bracket.start(1), bracket.end(1))
    names = mentioned(source, inner, found[0].ranges) if found else []
    either = Hedge(mood=Mood.ALTERNATIVE) if len(names) > 1 and _EITHER.search(inner.text) else Hedge()
    for name in names:
        hedge = combine(either, hedge_of(sentence.text, name.at.start - sentence.start, name.at.end - sentence.start))
        given = Given.of(name.value, name.at, hedge)
        plain = replace(frame, qualifiers=())
        yield claim(source, NAME, about, Property(predicate_of(found[0])), given, plain, scaled(NAME, 0.95))


# --- Stretches that are read as sentences are: comments of commands, clauses of a bullet, what an opening adds

_COMMENT = re.compile(r"^[ \t]*(?:#|//)\s+(?P<text>[A-Z][^\n]*)$", re.MULTILINE)
_FEWEST_WORDS = 4
_CLAUSE = re.compile(r";\s+(?=(?:led|built|made|wrote|ran|held|began|won|[a-z]{2,}ed)\s)")
_OPENS = re.compile(r"\b(?:one|some)\s+of\s+the\s+(?P<kind>[^,;:]+?)(?P<rest>,\s+[a-z][^:]*)?\s*:?$")


@dataclass(frozen=True, slots=True)
class Further:
    """A stretch to be read as a sentence, in its place."""

    placed: Placed
    body: Stretch
    about: About


def further(source: Source) -> Iterator[Further]:
    """All of them, kind by kind, each in document order."""
    yield from _comments(source)
    yield from _clauses(source)
    yield from _openings(source)


def _comments(source: Source) -> Iterator[Further]:
    """Comments of a line's own in code, of four words or more."""
    for placed in source.placed:
        inline = placed.block.inline
        if placed.block.kind is not BlockKind.CODE or inline is None:
            continue
        section = carried(source, placed)
        for found in _COMMENT.finditer(inline.text):
            body = Stretch(inline, found.start("text"), found.end("text")).strip()
            if len(WORD.findall(body.text)) >= _FEWEST_WORDS:
                yield Further(placed, body, section)


def _clauses(source: Source) -> Iterator[Further]:
    """What is told of a bullet's name behind a semicolon ("Led the survey; drew the map of Kiel")."""
    for bullet in bullets(source):
        led = lead(bullet.stretch) if bullet.in_list else None
        if led is None or in_sources(source, bullet.placed):
            continue
        about = named(source, led.name)
        for sentence in sentences(led.rest):
            for clause in list(sentence.split(_CLAUSE))[1:]:
                yield Further(bullet.placed, clause, about)


def _openings(source: Source) -> Iterator[Further]:
    """What is added to "one of the tallest towers, built for Kiel:" before a list: it is of the list's tower."""
    for bullet in bullets(source):
        text = bullet.stretch.text.rstrip()
        opening = _OPENS.search(text) if not bullet.in_list and is_label(bullet.item) else None
        if opening is None or opening["rest"] is None:
            continue
        about = subject_of_bullet(source, bullet)
        if is_one(source, about, opening["kind"]):
            start = opening.start("rest") + len(opening["rest"]) - len(opening["rest"].lstrip(", "))
            yield Further(bullet.placed, bullet.stretch.part(start, opening.end("rest")), about)


# --- Sentences of a paragraph without verb or subject: "Height: 50 m.", "Lamps for Kiel and Skerry.", "The reason: …"

_KEYVALUES = "keyvalues"
_LABELLED = re.compile(r"(?:The\s+)?(?P<label>[A-Z]?[a-z][\w -]{2,28}?):\s+(?=\S)")
_LED = re.compile(
    r"(?P<label>[A-Z][a-z][\w-]{2,28}(?:\s[a-z][\w-]+)?)\s+(?:for|of|on|at|in)\s+(?:the\s+)?(?=[A-Z\d$~])"
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|did|does|do|said|says)\b|\w{3,}ed\b"
)
_MOST_WORDS = 14


def left_out(source: Source) -> Iterator[Claim]:
    """Claims of such sentences, but for those that begin their paragraph: a paragraph's own label is read elsewhere."""
    for bullet in telling(source):
        if bullet.in_list or key_value(bullet.stretch) or lead(bullet.stretch):
            continue
        told = list(sentences(bullet.stretch))
        for sentence in told[1:]:
            yield from _told(source, bullet, sentence)
        for sentence in told:
            yield from _borne(source, bullet, sentence)


def _told(source: Source, bullet: Bullet, sentence: Stretch) -> Iterator[Claim]:
    about = subject_of_bullet(source, bullet)
    if not isinstance(about.name, EntityName) or not source.words.is_name(about.name.surface):
        return
    frame = sentence_frame(source, bullet.placed)
    if found := _LABELLED.match(sentence.text):
        label = read_label(sentence.part(found.start("label"), found.end("label")))
        value = sentence.part(found.end()).strip(" .")
        if not value:
            return
        if candidates(source, label, about.name.classes):
            yield from claims_of(
                source, _KEYVALUES, about, facts(source, label, value, about.name.classes), frame, 0.95
            )
        elif _known(source, label):
            given = Given.words(value, hedge_of(value.text))
            property_ = Property(Predicate(label.plain), label.spans)
            yield claim(source, _KEYVALUES, about, property_, given, frame, scaled(_KEYVALUES, 0.9))
    elif found := _LED.match(sentence.text):
        label = read_label(sentence.part(found.start("label"), found.end("label")))
        value = sentence.part(found.end()).strip(" .")
        short = len(WORD.findall(value.text)) <= _MOST_WORDS and not _FINITE.search(value.text)
        found_facts = facts(source, label, value, about.name.classes) if short else []
        if candidates(source, label, about.name.classes) and all(f.property.predicate.iri for f in found_facts):
            yield from claims_of(source, _KEYVALUES, about, found_facts, frame, 0.9)


_COMMAS = re.compile(r"\s*[,;]\s+(?:and\s+|while\s+)?")
_BEARS = re.compile(
    r"(?P<name>[A-Z][^,;]*?)\s+(?:has|bears|takes|carries|holds)\s+(?:the\s+)?(?P<label>[a-z][\w -]{3,40})"
)


def _borne(source: Source, bullet: Bullet, sentence: Stretch) -> Iterator[Claim]:
    """Who has which part in a name's thing ("Corran Light — Kiel has legal ownership, Orr has daily operation")."""
    led = lead(sentence, plain=True)
    if led is None or not source.words.is_name(led.name.text):
        return
    section = subject_of_bullet(source, bullet)
    about = named(source, led.name)
    if isinstance(section.name, EntityName) and led.name.text.startswith(f"{section.name.surface} "):
        about = section  # "Corran Works" under "Corran"
    frame = sentence_frame(source, bullet.placed)
    for clause in led.rest.strip(" .").split(_COMMAS):
        found = _BEARS.fullmatch(clause.text)
        label = read_label(clause.part(found.start("label"))) if found else None
        if found is None or label is None or not source.words.is_name(found["name"]):
            continue
        who = clause.part(found.start("name"), found.end("name"))
        known = [f for f in facts(source, label, who, about.classes) if f.property.predicate.iri]
        yield from claims_of(source, _KEYVALUES, about, known, frame, 0.9)


def _known(source: Source, label: Label) -> bool:
    """Whether the ontology has a property so called, be it of other things."""
    return any(source.ontology.by_label(text, "property") for text in {label.text, label.plain})
