"""Bullets that lean on what stands above them: quantities under a thing, items under a label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kg.extract.build import About, Frame, Given, Property, claim, refused, scaled
from kg.extract.bullets import (
    Bullet,
    bullets,
    context_of_bullet,
    in_sources,
    is_collective,
    is_glossary,
    key_value,
    lead,
    subject_of_bullet,
)
from kg.extract.keyvalues import elliptic
from kg.extract.label_kinds import item_features, likely, section_of
from kg.extract.labels import label_of, label_words, predicate_of_label
from kg.extract.properties import candidates, facts, fits, kind_wanted
from kg.extract.source import Source, Span
from kg.extract.standing import hedge_of, section_frame, standing_of_label
from kg.extract.subjects import in_release, outer, title_of
from kg.extract.titles import VERB, Rank
from kg.extract.values import ARROW, Kind, Part, name_or_text, without_bracket
from kg.extract.words import WORD
from kg.model import Claim, Context, EntityName, Hedge, MarkKind, Predicate, Rejected, Status, Text
from kg.text import dates, quantities
from kg.text.hedges import combine
from kg.text.stretch import Stretch

NAME = "lists"
_PIECES = re.compile(r"\s*[,;]\s+|\s+(?:\+|and|&)\s+")
_GLOSS = re.compile(r"[\"”]?\s+(?:—|–|-{1,3})\s+(?=\S)")
_NUMBER = re.compile(r"\s*(\d+)[.)]\s")
_MAX_LABEL_WORDS = 7
_MAX_ITEM_WORDS = 14
_MAX_TEXT_WORDS = 30
_LEAST_FACT = 0.45
_MAX_NAME_WORDS = 6
_CLAUSE = re.compile(
    r"(?:if|when|where|while|how|why|this|these|it|they|you|we|to|for|by|before|after)\b", re.IGNORECASE
)
_JOINS = ("of", "for", "in", "to", "from", "with", "on", "by", "at")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|did|does|said|published|began|built|using)\b"
)


def extract(source: Source) -> Iterator[Claim | Rejected]:
    """Reads bullets that are neither key-values nor table rows."""
    for bullet in bullets(source):
        if not bullet.in_list or key_value(bullet.stretch):
            continue
        if in_sources(source, bullet.placed) or _is_related(bullet):
            continue  # what is cited for what, another extractor tells
        cited = _cited(bullet)
        told = [] if cited or lead(bullet.stretch) else list(_elliptic(source, bullet))
        yield from told
        if not told:
            yield from _item(source, bullet)


def _elliptic(source: Source, bullet: Bullet) -> Iterator[Claim]:
    about = subject_of_bullet(source, bullet)
    context = context_of_bullet(bullet)
    part = _part_above(source, bullet) or (section_of(bullet.placed) if len(bullet.placed.sections) > 1 else "")
    if context is None and part:  # which layer of the dish
        context = Context(caption=part)
    frame = replace(section_frame(source, bullet.placed), context=context)
    if ARROW.search(bullet.stretch.text):
        return
    for piece in bullet.stretch.split(_PIECES):
        # Without an ontology only what is but an amount ("2 dice, one with eight sides").
        if source.ontology.properties or not source.words.has_verb(piece.text):
            yield from elliptic(source, NAME, about, piece, frame)


def _part_above(source: Source, bullet: Bullet) -> str:
    """The few words that stand alone right above a list: which part of the thing it lists ("Broth")."""
    at = source.places[bullet.placed]
    above = source.placed[at - 1] if at else None
    inline = above.block.inline if above is not None and above.sections == bullet.placed.sections else None
    return inline.text if inline is not None and re.fullmatch(r"\w+(?: [\w'’-]+){0,5}", inline.text) else ""


# --- items under a label -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Under:
    """What a list stands under: whom it is about, its label, and what that is (``bullet``, ``label``, ``heading``)."""

    about: About
    label: Stretch
    where: str


def _item(source: Source, bullet: Bullet) -> Iterator[Claim | Rejected]:
    under = _under(source, bullet)
    frame = replace(section_frame(source, bullet.placed), context=context_of_bullet(bullet))
    if frame.hedge.status is Status.UNDISCLOSED:
        yield from _undisclosed(source, bullet, frame)
        return
    if under is None or (lead(bullet.stretch, plain=True) and is_glossary(source, bullet.placed)):
        return  # a term with what it means is another extractor's
    link = _cited(bullet)
    if not _is_fact(source, under, bullet):
        yield refused(source, NAME, "the item is judged to tell nothing of what its label stands for", bullet.stretch)
        return
    if link is not None:
        yield from _gloss(source, bullet, link, frame)
    frame = replace(frame, qualifiers=(*frame.qualifiers, *_ordinal(source, bullet)))
    yield from _under_label(source, under, bullet, link, frame)


def _is_fact(source: Source, under: _Under, bullet: Bullet) -> bool:
    """Whether an item says something under its label: what the ontology has a property for does, and members do."""
    if is_collective(under.label.text) or candidates(source, label_of(under.label.text), under.about.kinds):
        return True
    if in_release(source, bullet.placed):
        return True  # each item of a change log tells a change
    told = _says_what(source, under.label.text)
    if told and _is_phrase(source, bullet.stretch.strip(" .;,").text):
        return True
    if not told and not _is_plain_value(source, under, bullet):
        return False
    features = item_features(source, under.label, bullet.stretch, bullet.siblings, under.where)
    return likely("item", features)["fact"] >= _LEAST_FACT


def _says_what(source: Source, label: str) -> bool:
    """Whether a label is a plural that says what each item is ("Key Lessons"), not a clause and no topic ("Setup")."""
    words = WORD.findall(re.sub(r"\s*\([^()]*\)$", "", label))
    if not words or _CLAUSE.match(label) or VERB.search(label) or _FINITE.search(label) or "," in label:
        return False
    head = next((w for w in words[1:] if w.lower() in _JOINS), None)
    noun = words[words.index(head) - 1] if head else words[-1]
    return noun.lower().endswith("s") and not noun.lower().endswith(("ss", "us", "is"))


def _is_phrase(source: Source, item: str) -> bool:
    """Whether an item is a few words without a verb: a thing of the sort that its label says, not advice or a step."""
    return 0 < len(WORD.findall(item)) <= _MAX_NAME_WORDS and not source.words.has_verb(item) and not VERB.search(item)


def _is_plain_value(source: Source, under: _Under, bullet: Bullet) -> bool:
    """Whether an item is but a name, or tells a date or figure, and its label is no clause."""
    item = bullet.stretch.strip(" .;,")
    if _CLAUSE.match(under.label.text) or VERB.search(under.label.text) or source.words.has_verb(under.label.text):
        return False
    if dates.find(item.text) or quantities.find(item.text):
        return True
    short = len(WORD.findall(item.text)) <= _MAX_NAME_WORDS
    return short and not source.words.has_verb(item.text) and source.words.sure(item.text)


def _under_label(source: Source, under: _Under, bullet: Bullet, link: Stretch | None, frame: Frame) -> Iterator[Claim]:
    """What an item is under its label: a member, a text, a name or a figure."""
    led = lead(bullet.stretch)
    told = None if led or link else _whole_text(source, under, bullet)
    stretch = link or (led.name if led else told or _main(bullet.stretch))
    if told is None and len(WORD.findall(stretch.text)) > _MAX_ITEM_WORDS:
        return
    classes = under.about.kinds
    clause = stretch if link is told is None and _is_clause(source, stretch) else None
    if (whole := link or clause) is not None:  # a work's title, or a sentence, is a text, whatever it names
        cited = Given.words(whole)
        predicate = predicate_of_label(label_of(under.label.text))
        yield claim(source, NAME, under.about, Property(predicate, (under.label.span,)), cited, frame)
        return
    part = Part(Text(told.text), told) if told is not None else name_or_text(source, stretch)
    first = re.match(r"\W*\w+", stretch.text)  # "Suspected links of 40 km": the word is of the whole item
    led_by = standing_of_label(first[0]) if first else None
    hedge = hedge_of(bullet.stretch.text) if isinstance(part.value, EntityName) else led_by or Hedge()
    if (
        isinstance(part.value, Text)
        and (figure := _only_figure(source, stretch, under.label.text, classes)) is not None
    ):
        part = figure
    for fact in facts(source, label_of(under.label.text, (under.label.span,)), part.at, classes):
        value = Given.of(fact.part.value, fact.part.at, combine(hedge, fact.part.hedge))
        yield claim(source, NAME, under.about, fact.property, value, frame, scaled(NAME, 0.9))


def _whole_text(source: Source, under: _Under, bullet: Bullet) -> Stretch | None:
    """An item with all that its bracket adds, where its label takes words ("Challenges") and it is no longer text."""
    found = candidates(source, label_of(under.label.text), under.about.kinds)
    worded = bool(found) and all(kind_wanted(p) is Kind.TEXT for p in found)
    short = len(WORD.findall(bullet.stretch.text)) <= _MAX_TEXT_WORDS
    return bullet.stretch.strip(" .;,") if worded and short else None


def _only_figure(source: Source, stretch: Stretch, words: str, classes: tuple[str, ...]) -> Part | None:
    """The only figure in an item under a label that takes such ("Others range from 3 to 5 m" under "Heights:")."""
    plain = re.sub(r"\s*\([^()]*\)$", "", words)
    wanted = [p for p in candidates(source, label_of(plain), classes) if kind_wanted(p) is Kind.QUANTITY]
    found = quantities.find(stretch.text)
    if not wanted or len(found) != 1:
        return None
    part = Part(found[0].value, stretch.part(found[0].start, found[0].end))
    return part if any(fits(source.ontology, p, part) for p in wanted) else None


_ASIDE = re.compile(r"\([^()]*\)")


def _is_clause(source: Source, stretch: Stretch) -> bool:
    """Whether an item with commas is a sentence, whose parts say nothing by themselves, and no list of names."""
    return "," in _ASIDE.sub("", stretch.text) and source.words.has_verb(stretch.text)


def _gloss(source: Source, bullet: Bullet, link: Stretch, frame: Frame) -> Iterator[Claim]:
    """What is said of a cited work behind a dash."""
    gloss = _GLOSS.match(link.inline.text, link.end)
    rest = Stretch(link.inline, gloss.end(), bullet.stretch.end).strip(" .") if gloss else None
    if rest:
        about = About.of(link)
        given = Given.words(rest)
        yield claim(source, NAME, about, Property(Predicate("description")), given, frame)


def _under(source: Source, bullet: Bullet) -> _Under | None:
    """The short label or topic heading that a list stands under."""
    if bullet.parents:
        words = bullet.parents[-1].strip(" :*")
        if not bullet.parents[-1].text.rstrip().endswith(":") or len(WORD.findall(words.text)) > _MAX_LABEL_WORDS:
            return None
        return _Under(outer(source, bullet.placed.sections), words, "bullet")
    label = label_words(bullet.placed)
    if label is not None:
        words = label
        if not _is_property_label(source, words.text):
            return None
        about = subject_of_bullet(source, bullet)
        plain, _ = without_bracket(words)
        if candidates(source, label_of(plain.text), about.kinds):  # "Cost estimates (unconfirmed)" are costs
            return _Under(about, plain, "label")
        return None if standing_of_label(words.text) else _Under(about, words, "label")
    return _under_heading(source, bullet)


def _is_property_label(source: Source, text: str) -> bool:
    """Whether a label says what its items are ("Major challenges", "Night Watch Team"): no sentence, no name."""
    words = WORD.findall(text)
    if not 1 <= len(words) <= _MAX_LABEL_WORDS or _FINITE.search(text):
        return False
    plain = re.sub(r"\s*\([^()]*\)$", "", text)
    last = plain.split()[-1] if plain.strip() else ""  # "(optional):"
    plural = last.endswith("s") and not last.endswith("ss")
    return is_collective(text) or (plural and not source.words.sure(plain))


def _under_heading(source: Source, bullet: Bullet) -> _Under | None:
    """A heading that names a side of things ("Key Innovations"), right before the list."""
    sections = bullet.placed.sections
    at = source.places[bullet.placed]
    if not sections or (at and source.placed[at - 1].sections == sections):
        return None
    title = title_of(source, sections[-1])
    if title is None or title.rank is Rank.NAMED or standing_of_label(title.topic.text):
        return None
    if VERB.search(title.topic.text) and not title.topic.text.lower().startswith("what"):
        return None
    about = outer(source, sections[:-1])
    if any(span[0] >= sections[-1].start for span in about.spans):
        return None
    return _Under(about, title.topic, "heading")


def _is_related(bullet: Bullet) -> bool:
    """Whether an item begins with a link to another note."""
    return any(link.start == bullet.stretch.start for link, _ in bullet.stretch.marked(MarkKind.WIKILINK))


def _cited(bullet: Bullet) -> Stretch | None:
    """The link with which an item begins."""
    stretch = bullet.stretch.strip('"“ ')
    return next((link for link, _ in stretch.marked(MarkKind.LINK) if link.start == stretch.start), None)


def _main(stretch: Stretch) -> Stretch:
    """The bold words with which an item begins ("**Queue management** during demos"), else the item."""
    stretch = stretch.strip(" .;,")
    for bold, _ in stretch.marked(MarkKind.STRONG):
        if bold.start == stretch.start and len(WORD.findall(stretch.text)) > _MAX_ITEM_WORDS:
            return bold
    return stretch


def _ordinal(source: Source, bullet: Bullet) -> tuple[Span, ...]:
    if not bullet.ordered:
        return ()
    start = bullet.item.start
    found = _NUMBER.match(source.document.text, start)
    return ((found.start(1), found.end(1)),) if found else ()


def _undisclosed(source: Source, bullet: Bullet, frame: Frame) -> Iterator[Claim]:
    """Items of what isn't disclosed: a property each, without a value."""
    stretch = bullet.stretch.strip(" .;")
    if not stretch:
        return
    section = outer(source, bullet.placed.sections)
    words = re.sub(r"^(?:the|an?|any|whether)\s+", "", stretch.text, flags=re.IGNORECASE)
    property_ = Property(Predicate(words), (stretch.span,))
    yield claim(source, NAME, section, property_, Given.of(None, stretch), frame)
