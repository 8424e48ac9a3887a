"""Citations: ``Source:`` lines and lists of sources, as what a section rests on, and what they tell of the works."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.extract.build import About, Frame, Given, Property, claim, named
from kg.extract.bullets import SOURCES, Bullet, KeyValue, bullets, in_sources, key_value, lead, subject_of_bullet
from kg.extract.labels import IDENTIFIER, NOTE, PUBLISHED, PUBLISHER, RELATED, SOURCE, WEB_ADDRESS, label_of
from kg.extract.properties import candidates, fits, known_as, predicate_of
from kg.extract.source import Placed, Source, Span
from kg.extract.subjects import outer
from kg.extract.values import Kind, Part, without_bracket
from kg.extract.words import WORD
from kg.model import Block, BlockKind, Claim, EntityName, MarkKind, Predicate, Text
from kg.text import dates, quantities
from kg.text.scales import whole_date
from kg.text.stretch import Stretch

NAME = "sources"
_FEWEST_TITLE_WORDS = 3
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"“”]*[^\s<>\"“”.,;:!?)\]]")
_TAIL = re.compile(r"[\"”’]?\s*\(([^()]*)\)")
_GLOSS = re.compile(r"[\"”]?\s+(?:—|–|-{1,3})\s+(?=\S)")
_IDENTIFIER = re.compile(r"(?:arXiv|doi|ISBN|ISSN|RFC|PMID)[\s:]\s*[\w./-]*\d[\w./-]*", re.IGNORECASE)
_NUMBER = re.compile(r"\s*\(?\d{1,3}[.)]\s*")
_COMMA = re.compile(r"\s*[,;]\s+")
_MOST_TOPIC_WORDS = 6


def extract(source: Source) -> Iterator[Claim]:
    """Reads lines and lists of sources, and links to related notes."""
    for bullet in bullets(source):
        if in_sources(source, bullet.placed):
            yield from _listed(source, bullet)
        elif (pair := source_line(bullet)) is not None:
            about = subject_of_bullet(source, bullet)
            yield from cited(source, about, pair.value, (pair.key.span,))
        yield from _related(source, bullet)


def telling(source: Source) -> Iterator[Bullet]:
    """Bullets, paragraphs and labelled lines without those that cite sources: titles of works state nothing."""
    return (b for b in bullets(source) if not (in_sources(source, b.placed) or source_line(b)))


def source_line(bullet: Bullet) -> KeyValue | None:
    """The key and value of ``Source: [Title](address), …``."""
    pair = key_value(bullet.stretch)
    return pair if pair and SOURCES.fullmatch(pair.key.text.strip(" :*")) and cites(pair.value) else None


def _listed(source: Source, bullet: Bullet) -> Iterator[Claim]:
    """What an item of a list of sources cites, and for which topic."""
    about = _topic(source, bullet)
    if cites(bullet.stretch):
        yield from cited(source, about, bullet.stretch)
        return
    named_only, holds_list = bullet.stretch.strip(" .;"), any(c.kind is BlockKind.LIST for c in bullet.item.children)
    if bullet.in_list and named_only and not holds_list and not _are_remarks(bullet.placed):
        yield claim(source, NAME, about, Property(SOURCE), Given.words(named_only), Frame())


def _are_remarks(placed: Placed) -> bool:
    """Whether a list is of footnotes, of which only those that cite are sources ("1. requires a licence")."""
    heading = placed.sections[-1].inline if placed.sections else None
    return heading is not None and "footnote" in heading.text.casefold()


def cited(source: Source, about: About, stretch: Stretch, spans: tuple[Span, ...] = ()) -> Iterator[Claim]:
    """The works that a stretch cites by links or addresses, as sources of a thing, with what is said of each."""
    property_ = Property(SOURCE, spans)
    links = [(link, target) for link, target in stretch.marked(MarkKind.LINK) if link.text.strip()]
    for number, (link, target) in enumerate(links):
        title = link.strip('"“”‘’ ') or link
        until = links[number + 1][0].start if number + 1 < len(links) else stretch.end
        yield claim(source, NAME, about, property_, Given.words(title), Frame())
        address = _address(source, title, target)
        told = Stretch(link.inline, link.end, until)
        outlet = len(WORD.findall(without_bracket(title)[0].text)) < _FEWEST_TITLE_WORDS
        if outlet and _GLOSS.match(told.text) is None:
            # A short title may be an outlet's name ("The Courier"): the address is the source's, not the outlet's.
            if address is not None:
                yield claim(source, NAME, about, property_, address, Frame())
            continue
        work = About.of(title)
        if address is not None:
            yield claim(source, NAME, work, Property(_known(source, "URL", WEB_ADDRESS)), address, Frame())
        yield from _told(source, work, title, told)
    for found in _URL.finditer(stretch.text) if not links else ():
        yield claim(source, NAME, about, property_, Given.words(stretch.part(found.start(), found.end())), Frame())


def cites(stretch: Stretch) -> bool:
    """Whether a stretch holds a link or an address."""
    return bool(_URL.search(stretch.text)) or any(link.text.strip() for link, _ in stretch.marked(MarkKind.LINK))


# --- topics --------------------------------------------------------------------------------------


def _topic(source: Source, bullet: Bullet) -> About:
    """What an item's sources are for: the words before them, those of an item above, else what the section is about."""
    above = bullet.parents if _numbered_on(bullet.placed.block, bullet.item) else ()
    own = (bullet.stretch,) if cites(bullet.stretch) else ()  # all words of what cites nothing are the source's
    for stretch in (*own, *reversed(above)):
        words = _topic_words(stretch)
        if words is not None and source.words.has_proper(words.text):
            return named(source, words)
    return outer(source, bullet.placed.sections)


def _numbered_on(block: Block, item: Block) -> bool:
    """Whether an item's list is the first below its parent: where numbers start again, the parent's own is lost."""
    nested = [child for child in block.children if child.kind is BlockKind.LIST]
    for number, child in enumerate(nested):
        if item in child.children:
            return number == 0
    return all(_numbered_on(child, item) for child in block.children if child.start <= item.start < child.end)


def _topic_words(stretch: Stretch) -> Stretch | None:
    """The words in front of an item's first address ("Winches: https://…", "Winches 1. https://…")."""
    link = next((link for link, _ in stretch.marked(MarkKind.LINK)), None)
    address = _URL.search(stretch.text)
    end = link.start - stretch.start if link else address.start() if address else len(stretch.text)
    words = stretch.part(0, end).strip(' :-–—"“')
    number = re.search(r"\s\(?\d{1,3}[.)]$", words.text)
    words = words.part(0, number.start()).strip(" :-–—") if number else words
    if not words or _NUMBER.fullmatch(words.text) or len(WORD.findall(words.text)) > _MOST_TOPIC_WORDS:
        return None
    return words if not words.text.endswith((".", "!", "?")) else None


# --- works ---------------------------------------------------------------------------------------


def _told(source: Source, work: About, title: Stretch, behind: Stretch) -> Iterator[Claim]:
    """Publisher, date and gloss of a cited work."""
    tail = _TAIL.match(behind.text)
    after = behind.part(tail.start(1), tail.end(1)) if tail else None
    for note in (without_bracket(title)[1], after):
        if note:
            yield from _imprint(source, work, note)
    if gloss := _GLOSS.match(behind.text, tail.end() if tail else 0):
        text = behind.part(gloss.end()).strip(" .,;")
        if text:
            yield claim(source, NAME, work, Property(Predicate("description")), Given.words(text), Frame())
            yield from _glossed(source, work, text)


_END_BRACKET = re.compile(r"\(([^()]+)\)$")
_WITH = re.compile(r"\b(?:with|featuring)\s+(?=[A-Z])")
_PEOPLE = re.compile(r"\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)")


def _glossed(source: Source, work: About, gloss: Stretch) -> Iterator[Claim]:
    """Date and authors of a work in the bracket behind its gloss, and who is in it ("talk with Ada Wren (1901)")."""
    bracket = _END_BRACKET.search(gloss.text)
    for piece in gloss.part(bracket.start(1), bracket.end(1)).split(_COMMA) if bracket else ():
        if date := whole_date(piece):
            property_ = Property(_known(source, "published", PUBLISHED, Kind.DATE))
            yield claim(source, NAME, work, property_, Given.of(date, piece), Frame())
        else:
            yield from _people(source, work, piece, "author")
    body = gloss.part(0, bracket.start()) if bracket else gloss
    for figure in quantities.find(body.text):  # "a 40-minute talk"
        at = body.part(figure.start, figure.end)
        length = Part(figure.value, at)
        lengths = [p for p in candidates(source, label_of("duration"), ()) if fits(source.ontology, p, length)]
        if lengths and figure.value.unit and source.ontology.by_label(figure.value.noun, "class"):
            given = Given.of(figure.value, at)
            yield claim(source, NAME, work, Property(predicate_of(lengths[0])), given, Frame())
    if found := _WITH.search(body.text):
        yield from _people(source, work, body.part(found.end()).strip(" ."), "featuring")


def _people(source: Source, work: About, stretch: Stretch, label: str) -> Iterator[Claim]:
    """The people that a stretch lists, under the ontology's property for them; nothing where it lists anything else."""
    found = known_as(source, label, (), Kind.NAME)
    names = list(stretch.split(_PEOPLE))
    if found is None or not names or not all(_PERSON.fullmatch(name.text) for name in names):
        return
    classes = tuple(c.iri for c in source.ontology.by_label("person", "class"))[:1]
    for name in names:
        person = EntityName(name.text, classes)
        yield claim(source, NAME, work, Property(predicate_of(found)), Given.of(person, name), Frame())


_PERSON = re.compile(r"[A-Z][a-z’'-]+(?:\s[A-Z]\.)?(?:\s[A-Z][\w’'-]+){1,2}")


def _address(source: Source, title: Stretch, target: str) -> Given | None:
    """A link's address where it stands in the document, right behind its text."""
    start = source.document.text.find(target, title.span[1], title.span[1] + len(target) + 12) if target else -1
    return Given(Text(target), (start, start + len(target)), target) if start >= 0 else None


def _imprint(source: Source, about: About, note: Stretch) -> Iterator[Claim]:
    """A bracket behind a title: publisher, date, identifier ("(Harbour Press, May 2021)")."""
    for piece in note.split(_COMMA):
        if _IDENTIFIER.fullmatch(piece.text):
            property_ = Property(_known(source, "identifier", IDENTIFIER))
            yield claim(source, NAME, about, property_, Given.words(piece), Frame())
        elif date := whole_date(piece):
            property_ = Property(_known(source, "published", PUBLISHED, Kind.DATE))
            yield claim(source, NAME, about, property_, Given.of(date, piece), Frame())
        else:
            yield from _publisher(source, about, piece)


def _publisher(source: Source, about: About, piece: Stretch) -> Iterator[Claim]:
    found = dates.find(piece.text)  # "Harbour blog of May 2021"
    rest = piece.part(0, found[0].start).strip(" ,") if found and found[0].start else piece
    if rest and source.words.has_proper(rest.text) and len(WORD.findall(rest.text)) <= _MOST_TOPIC_WORDS:
        yield claim(source, NAME, about, Property(PUBLISHER), Given.words(rest), Frame())
    elif rest:
        yield claim(source, NAME, about, Property(NOTE), Given.words(piece), Frame())


def _related(source: Source, bullet: Bullet) -> Iterator[Claim]:
    """Other notes that a bullet or paragraph points to (``[[path|title]]``): what they are to the section's subject."""
    links = [(link, target) for link, target in bullet.stretch.marked(MarkKind.WIKILINK) if link.text.strip()]
    if not links:
        return
    led = lead(bullet.stretch) if bullet.in_list else None
    about = subject_of_bullet(source, bullet)
    if led and source.words.has_proper(led.name.text) and led.name.start != links[0][0].start:
        about = named(source, led.name)
    for link, target in links:
        yield claim(source, NAME, about, Property(RELATED), Given.words(link), Frame())
        note = About.of(link)
        start = source.document.text.rfind(target, max(0, link.span[0] - len(target) - 4), link.span[0])
        if target and start >= 0 and target != link.text:
            path = Given(Text(target), (start, start + len(target)), target)
            yield claim(source, NAME, note, Property(IDENTIFIER), path, Frame())
        gloss = _GLOSS.match(bullet.stretch.inline.text, link.end)
        text = Stretch(link.inline, gloss.end(), bullet.stretch.end).strip(" .") if gloss else None
        if text:
            yield claim(source, NAME, note, Property(Predicate("description")), Given.words(text), Frame())


def _known(source: Source, words: str, standard: Predicate, kind: Kind = Kind.TEXT) -> Predicate:
    """The ontology's property for these words where it has one, else the standard vocabulary's."""
    found = known_as(source, words, (), kind)
    return predicate_of(found) if found else standard
