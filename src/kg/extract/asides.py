"""What sentences tell of a name right beside it: dates and figures in brackets, and what it is behind a comma or dash.

"Corran Light (1901) …", "the log (~7,000 pages)", "Corran Light, a tower of granite, …"; and in a labelled line what a
figure is compared with: "Height: 50 m (compared to 30 m for Skerry Light)".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.extract.build import About, Frame, Given, Property, claim, named, scaled
from kg.extract.bullets import Bullet, key_value, subject_of_bullet
from kg.extract.classify import classes_of, classes_of_mention, lineage
from kg.extract.headings import date_property
from kg.extract.items import causes, changes, figures, parts, ranks
from kg.extract.keyvalues import elliptic
from kg.extract.labels import read_label
from kg.extract.patterns import left_out
from kg.extract.properties import claims_of, facts, fits, known_as, predicate_of
from kg.extract.source import Source, sentences
from kg.extract.sources import telling
from kg.extract.standing import hedge_of, sentence_frame, withheld
from kg.extract.values import Kind, Part
from kg.extract.words import WORD
from kg.model import Claim, EntityName, Mood, Polarity, Predicate
from kg.namespaces import SKOS
from kg.ontology import singular
from kg.text import dates, quantities
from kg.text.entities import EntityMention
from kg.text.masks import covered
from kg.text.scales import whole_date
from kg.text.stretch import Found, Stretch

NAME = "asides"
_BRACKET = re.compile(r"[\"”’]?\s*\(([^()]{3,60})\)")
_LED_BY = re.compile(
    r"\b(?:of|for|by|with|in|at|on|from|to|as|than|near|under|over|via|like|and|or|an?)\s+(?:the\s+)?$", re.IGNORECASE
)
_NEAR = 40  # characters before a name that are looked at
_NOUN_BEHIND = re.compile(r"\s(?:[a-z][\w-]*\s)?[a-z]{3,}(?=\s\()")
_APPOSED = re.compile(
    r"(?P<joint>,|\s*(?:—|–|-{2,3}))\s+(?P<body>an?\s+[^,;:()—–]{8,160}?)(?=\s*(?:[,;:()—–]|\s-{2,3}\s|[.!]?[\"”’*_]*$))"
    r"(?!\s*,?\s*(?:and|or)\b)"
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|did|does|said|says|became|made|went|"
    r"ran|took|came|fell|rose|left|got|gave|saw|led)\b"
)
_COMPARED = re.compile(
    r"\b(?:compared\s+(?:to|with)|versus|vs\.?|against)\s+(?P<figure>[^()]{1,60})\s+(?:for|on|in|of)\s+(?:the\s+)?"
)
_FROM_TO = re.compile(
    r"(?P<noun>(?:[\w-]+\s){1,4}?)from\s+(?P<start>[^()]{4,30}?)\s+(?:to|until|till)\s+(?P<end>[^()]{4,30}?)"
    r"(?:\s*\((?P<length>[^()]{3,30})\))?$"
)
_MOST_WORDS = 22
_DEFINITION = Predicate("definition", SKOS + "definition")


def extract(source: Source) -> Iterator[Claim]:
    """Reads brackets and appositions behind names, in sentences outside tables and headings."""
    for bullet in telling(source):
        yield from _compared(source, bullet)
        for sentence in sentences(bullet.stretch):
            if not sentence.text.rstrip().endswith("?"):
                yield from _sentence(source, bullet, sentence)
    for told in (parts, withheld, left_out, causes, changes, ranks, figures):
        yield from told(source)


def _sentence(source: Source, bullet: Bullet, sentence: Stretch) -> Iterator[Claim]:
    frame = sentence_frame(source, bullet.placed)
    counted = tuple((q.start, q.end) for q in quantities.find(sentence.text))
    for mention in source.names_in(sentence):
        yield from _finding(source, sentence, mention, frame)
        if mention.value.kind == "person" or covered(counted, mention.start, mention.end):
            continue
        at = sentence.part(mention.start, mention.end)
        about = named(source, at, mention.value)
        yield from _kinds_of(source, about, sentence, mention, frame)
        if _LED_BY.search(sentence.text, max(0, mention.start - _NEAR), mention.start):
            continue
        yield from _dated(source, about, sentence, mention, frame)
        yield from _figured(source, about, sentence, mention, frame)
        yield from _apposed(source, about, sentence, mention, frame)
    if bullet.in_list:
        yield from _made_by(source, bullet, sentence, frame)
        yield from _lasting(source, subject_of_bullet(source, bullet), sentence, frame)


def _dated(
    source: Source, about: About, sentence: Stretch, mention: Found[EntityMention], frame: Frame
) -> Iterator[Claim]:
    """The date in the bracket right behind a name whose class has dates."""
    bracket = _BRACKET.match(sentence.text, mention.end)
    classes = about.classes
    inner = sentence.part(bracket.start(1), bracket.end(1)) if bracket else None
    date = whole_date(inner) if inner is not None else None
    if inner is None or date is None or not classes:
        return
    property_ = date_property(source, classes, "")
    if property_.predicate.iri:
        yield claim(source, NAME, about, property_, Given.of(date, inner), frame)


def _figured(
    source: Source, about: About, sentence: Stretch, mention: Found[EntityMention], frame: Frame
) -> Iterator[Claim]:
    """The figure with its noun that begins the bracket behind a name, under a property of the ontology."""
    noun = _NOUN_BEHIND.match(sentence.text, mention.end)
    bracket = _BRACKET.match(sentence.text, noun.end() if noun else mention.end)
    if bracket is None:
        return
    if noun is not None:
        at = sentence.part(mention.start, noun.end())
        about = named(source, at)
    if not isinstance(about.name, EntityName) or not about.name.classes:
        return
    inner = sentence.part(bracket.start(1), bracket.end(1))
    for found in elliptic(source, NAME, about, inner, frame):
        if found.predicate.iri:
            yield found


def _kinds_of(
    source: Source, about: About, sentence: Stretch, mention: Found[EntityMention], frame: Frame
) -> Iterator[Claim]:
    """The names before a plural noun in the bracket behind a name ("Kiel (Orr-3 and Orr-4 lamps)"): its lamp type."""
    bracket = _BRACKET.match(sentence.text, mention.end)
    inner = sentence.part(bracket.start(1), bracket.end(1)) if bracket else None
    words = inner.text.split() if inner is not None else []
    if inner is None or len(words) < 2 or not re.fullmatch(r"[A-Z]*[a-z]*s", words[-1]):
        return
    noun = words[-1][:-1] if words[-1][:-1].isupper() else singular(words[-1].casefold())
    found = known_as(source, f"{noun} type", about.classes, Kind.NAME) if about.classes else None
    names = list(inner.part(0, inner.text.rindex(words[-1])).strip().split(_LISTED))
    if found is None or not all(source.words.is_name(at.text) for at in names):
        return
    for at in names:
        given = Given.of(EntityName(at.text, found.ranges if len(found.ranges) == 1 else ()), at)
        yield claim(source, NAME, about, Property(predicate_of(found)), given, frame, scaled(NAME, 0.95))


_LISTED = re.compile(r"\s*,\s+(?:and\s+)?|\s+and\s+|\s*/\s*")


def _apposed(
    source: Source, about: About, sentence: Stretch, mention: Found[EntityMention], frame: Frame
) -> Iterator[Claim]:
    """What a name is said to be behind a comma or dash ("Corran Light, a tower of granite, …")."""
    found = _APPOSED.match(sentence.text, mention.end)
    if found is None or _FINITE.search(found["body"]) or len(WORD.findall(found["body"])) > _MOST_WORDS:
        return
    if len(found["body"].split()) == 2 and sentence.text[found.end() :].lstrip().startswith(","):
        return  # "Skerry, a squat, round tower"
    if found["joint"] == "," and mention.start <= 4 and source.words.has_verb(found["body"]):
        return
    body = sentence.part(found.start("body"), found.end("body")).strip(" .,")
    hedge = hedge_of(sentence.text, found.start("body"), found.end("body"))
    given = Given.words(body, hedge)
    yield claim(source, NAME, about, Property(_DEFINITION), given, frame, scaled(NAME, 0.95))
    for figure in quantities.find(body.text):  # "a lamp of 3 panes", "a 3-pane lamp"
        told = elliptic(source, NAME, about, body.part(figure.start), frame)
        yield from (found for found in told if found.predicate.iri)


def _made_by(source: Source, bullet: Bullet, sentence: Stretch, frame: Frame) -> Iterator[Claim]:
    """The maker in the bracket behind what is counted ("3 lamp motors (Rolf Works)"): a property named after that."""
    about = subject_of_bullet(source, bullet)
    above = lineage(source.ontology, about.classes)
    for figure in quantities.find(sentence.text):
        end = sentence.text.find(figure.value.noun, figure.end) + len(figure.value.noun) if figure.value.noun else -1
        bracket = _BRACKET.match(sentence.text, end) if end > 0 else None
        if bracket is None:
            continue
        inner = sentence.part(bracket.start(1), bracket.end(1))
        words = {w.lower() for w in figure.value.noun.split()}
        named = [n for n in source.names_in(inner) if n.end - n.start == len(inner.text)]
        value = Part(EntityName(inner.text, classes_of(source, inner.text)), inner)
        for property_ in source.ontology.properties.values() if named and value.value else ():
            known = isinstance(value.value, EntityName) and bool(value.value.classes)
            about_them = property_.label.split()[0].lower() in words and len(property_.label.split()) > 1
            if (
                known
                and about_them
                and above.intersection(property_.domains)
                and fits(source.ontology, property_, value)
            ):
                given = Given.of(value.value, inner)
                yield claim(source, NAME, about, Property(predicate_of(property_)), given, frame)


def _lasting(source: Source, about: About, stretch: Stretch, frame: Frame) -> Iterator[Claim]:
    """From when to when something went on ("one survey run from May 3, 1901 to June 9, 1902 (~13 months)").

    Start, end and length are under the properties that the noun before "from" names ("survey start").
    """
    text = stretch.text.rstrip(" .")
    found = _FROM_TO.search(text)
    told = [(end, dates.parse(found[end])) for end in ("start", "end")] if found else []
    if found is None or not isinstance(about.name, EntityName) or any(date is None for _, date in told):
        return
    hedge = hedge_of(text)
    classes = about.name.classes
    for end, date in told:
        property_ = _named(source, found["noun"], end, Kind.DATE, classes)
        at = stretch.part(found.start(end), found.end(end))
        if property_ is not None:
            yield claim(source, NAME, about, property_, Given.of(date, at, hedge), frame)
    for figure in quantities.find(found["length"])[:1] if found["length"] else ():
        property_ = _named(source, found["noun"], "duration", Kind.QUANTITY, classes)
        if property_ is not None:
            at = stretch.part(found.start("length") + figure.start, found.start("length") + figure.end)
            yield claim(source, NAME, about, property_, Given.of(figure.value, at, hedge), frame)


def _named(source: Source, noun: str, end: str, kind: Kind, classes: tuple[str, ...]) -> Property | None:
    """The property for an end of what a word of the noun phrase names, the last word first."""
    for word in reversed(WORD.findall(noun)):
        if (found := known_as(source, f"{word} {end}", classes, kind)) is not None:
            return Property(predicate_of(found))
    return None


def _compared(source: Source, bullet: Bullet) -> Iterator[Claim]:
    """The figure of another thing that a labelled line compares its own with."""
    pair = key_value(bullet.stretch)
    if pair is None or not _COMPARED.search(pair.value.text):
        return
    for name in source.names_in(pair.value):
        compared = next((c for c in _COMPARED.finditer(pair.value.text, 0, name.start) if c.end() == name.start), None)
        if compared is None:
            continue
        at = pair.value.part(name.start, name.end)
        about = named(source, at, name.value)
        figure = pair.value.part(compared.start("figure"), compared.end("figure"))
        found = [f for f in facts(source, read_label(pair.key), figure, about.classes) if f.property.predicate.iri]
        yield from claims_of(source, NAME, about, found, sentence_frame(source, bullet.placed))


# --- what works say --------------------------------------------------------------------------------------

_SAYS = re.compile(
    r"[,.]?[\"”’]?(?:\s*\([^()]{2,40}\))?[,]?\s+(?:which\s+|that\s+)?(?:first\s+|also\s+|\w{2,}ly\s+)?"
    r"(?:show(?:s|ed|ing|n)|establish(?:es|ed|ing)|demonstrat(?:es|ed|ing)|argu(?:es|ed|ing)|conclud(?:es|ed|ing)|"
    r"report(?:s|ed|ing)|f(?:inds|ound|inding)|prov(?:es|ed|ing)|reveal(?:s|ed|ing)|explain(?:s|ed|ing)|"
    r"stat(?:es|ed|ing)|warn(?:s|ed|ing)|suggest(?:s|ed|ing))\s+that\s+(?P<said>[^.;]{12,400})"
)
_FEWEST_SAID = 4


def _finding(source: Source, sentence: Stretch, name: Found[EntityMention], frame: Frame) -> Iterator[Claim]:
    """What a work is told to say, as its description ("the Kiel Report found that …").

    Only works whose title stands in quotes or that are known to be ones: people say and show things too.
    """
    works = {c.iri for c in source.ontology.by_label("work", "class")}
    if (said := _said(source, sentence, name, works)) is not None:
        at = sentence.part(name.start, name.end)
        about = About.of(at, _of_work(source, name, works))
        given = Given.words(said)
        yield claim(source, NAME, about, Property(Predicate("description")), given, frame, scaled(NAME, 0.95))


def _said(source: Source, sentence: Stretch, name: Found[EntityMention], works: set[str]) -> Stretch | None:
    """The clause that a work is said to show; None for what is no work, or isn't said to have been shown."""
    found = _SAYS.match(sentence.text, name.end)
    if found is None or not _of_work(source, name, works):
        return None
    told = hedge_of(sentence.text, name.end, found.start("said"))
    if told.polarity is not Polarity.AFFIRMED or told.mood is not Mood.FACTUAL:
        return None
    said = sentence.part(found.start("said"), found.end("said")).strip(' ,"”')
    return said if len(WORD.findall(said.text)) >= _FEWEST_SAID else None


def _of_work(source: Source, name: Found[EntityMention], works: set[str]) -> tuple[str, ...]:
    """The classes of a work: those that its name tells, or work if it is a title; none of other things."""
    known = classes_of_mention(source, name.value, name.value.surface)
    if any(works & source.ontology.superclasses(c) for c in known):
        return tuple(known)
    return tuple(sorted(works)[:1]) if name.value.kind == "title" and not known else ()
