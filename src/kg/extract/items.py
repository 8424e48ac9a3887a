"""What list items tell of their section's thing without a sentence: what it has or uses, what took whose place, why.

- "**Skerry 3** for the lamps", "**Paraffin** as the fuel": the words behind the name tell the property ("as the primary
  fuel": the ontology's "fuel"); where they don't, the class of the name does. Such an item has no verb.
- "Switched from Paraffin to **electric lamps**", "… switched to gas with mantles": what comes behind "to" replaced what
  comes behind "from", or, where that is left out, what the clause before is about.
- "Range: 12 miles, due to fog": the cause is one of the figure, not of the thing that has it: it is told of an
  observation so labelled.
- "one of the top-5 lamps of the world:" before a list: the list's thing is 5th at worst.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kg.extract.build import About, Given, Property, claim, scaled
from kg.extract.bullets import Bullet, bullets, in_sources, key_value, lead, subject_of_bullet
from kg.extract.classify import classes_of, classes_of_mention
from kg.extract.labels import label_of
from kg.extract.properties import called, candidates, fits, kind_wanted, narrowest, predicate_of
from kg.extract.source import Source, is_label
from kg.extract.standing import hedge_of, section_frame
from kg.extract.subjects import is_one
from kg.extract.values import Kind, Part
from kg.extract.words import WORD
from kg.model import Claim, EntityName, EventName, MarkKind, Predicate, Text
from kg.namespaces import KG
from kg.text import quantities
from kg.text.stretch import Stretch

NAME = "asides"
_TAIL = re.compile(
    r"\s+(?P<joint>as|for|across|within|between|in|on|throughout|via)\s+(?:the\s+|an?\s+|all\s+|each\s+)?(?P<noun>\w[^.,;:()—]*)"
)
_SLASH = re.compile(r"\s*/\s*|\s+and\s+|\s*,\s*")
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|did|does|ran|used|built|said)\b")
_MOST_WORDS = 20
_MOST_NOUNS = 5
_ENOUGH = 2


def parts(source: Source) -> Iterator[Claim]:
    """Claims from items that begin with a name in bold, or a known one, and go on with what it is for."""
    used: dict[int, list[Claim]] = {}
    unnamed: list[Bullet] = []
    for bullet in bullets(source):
        if not bullet.in_list or in_sources(source, bullet.placed) or key_value(bullet.stretch):
            continue
        if lead(bullet.stretch) or quantities.find(bullet.stretch.text[:12]):
            continue
        found = list(_item(source, bullet))
        yield from found
        used.setdefault(id(bullet.placed.block), []).extend(found)
        if not found:
            unnamed.append(bullet)
    for bullet in unnamed:
        yield from _beside(source, bullet, used[id(bullet.placed.block)])


def _beside(source: Source, bullet: Bullet, others: list[Claim]) -> Iterator[Claim]:
    """An item of common nouns in bold among items of names that the section's thing uses: it uses that too."""
    bold = next((b for b, _ in bullet.stretch.marked(MarkKind.STRONG) if b.start == bullet.stretch.start), None)
    about = subject_of_bullet(source, bullet)
    classes = about.classes
    uses = next((p for p in candidates(source, label_of("uses"), classes) if kind_wanted(p) is Kind.NAME), None)
    same = [other for other in others if uses is not None and other.predicate.iri == uses.iri]
    text = bullet.stretch.strip(" .;,")
    if bold is None or uses is None or len(same) < _ENOUGH or len(WORD.findall(text.text)) > _MOST_WORDS:
        return
    if _FINITE.search(text.text) or not 2 <= len(WORD.findall(bold.text)) <= _MOST_NOUNS:
        return
    value = EntityName(bold.text, classes_of(source, bold.text))
    given = Given(value, text.span, text.text, hedge_of(text.text))
    frame = section_frame(source, bullet.placed)
    if fits(source.ontology, uses, Part(value, bold)):
        yield claim(source, NAME, about, Property(predicate_of(uses)), given, frame, scaled(NAME, 0.85))


def _item(source: Source, bullet: Bullet) -> Iterator[Claim]:
    names = list(_names(source, bullet.stretch))
    if not names:
        return
    tail = _TAIL.match(bullet.stretch.inline.text, names[-1].end, bullet.stretch.end)
    first = re.split(r"[.;(]\s?|\s[—–]\s", bullet.stretch.text)[0]
    if tail is None or _FINITE.search(first) or len(WORD.findall(first)) > _MOST_WORDS:
        return
    about = subject_of_bullet(source, bullet)
    frame = section_frame(source, bullet.placed)
    for at in names:
        value = Part(EntityName(at.text, _classes(source, at)), at)
        found = _property(source, about, tail, value)
        if found is not None:
            start = at.start - bullet.stretch.start
            given = Given(value.value, at.span, at.text, hedge_of(first, start, start + len(at.text)))
            yield claim(source, NAME, about, found, given, frame, scaled(NAME, 0.95))


def _names(source: Source, stretch: Stretch) -> Iterator[Stretch]:
    """The names that an item begins with: those in bold, or one that the ontology knows."""
    bold = next((b for b, _ in stretch.marked(MarkKind.STRONG) if b.start == stretch.start), None)
    if bold is not None:
        pieces = list(bold.split(_SLASH))
        if all(source.words.is_name(p.text) and len(WORD.findall(p.text)) <= 4 for p in pieces):
            yield from pieces
        return
    for name in source.names_in(stretch)[:1]:
        if name.start == 0 and name.value.classes:
            yield stretch.part(name.start, name.end)


def _classes(source: Source, at: Stretch) -> tuple[str, ...]:
    for name in source.names_in(at):
        if name.start == 0 and name.end == len(at.text):
            return classes_of_mention(source, name.value, at.text)
    return classes_of(source, at.text)


def _property(source: Source, about: About, tail: re.Match[str], value: Part) -> Property | None:
    """The property that the words behind a name tell, else the one that leads to things of its class."""
    classes = about.classes
    words = WORD.findall(tail["noun"])[:5] if tail["joint"] == "as" else []
    inline = value.at.inline
    for end in range(len(words), 0, -1):
        for start in range(end):
            tried = " ".join(words[start:end])
            if found := called(source, (tried,), classes, value):
                at = inline.text.find(tried, value.at.end)
                return replace(found, spans=(inline.source(at, at + len(tried)),)) if at >= 0 else found
    assert isinstance(value.value, EntityName)
    if tail["joint"] == "for":
        known = bool(value.value.classes) or value.at.text.isupper()
        return called(source, ("uses",), classes, value) if known else None
    if tail["joint"] == "as" or not classes or not value.value.classes:
        return None
    return narrowest(source.ontology, classes, value.value.classes)


# --- what took whose place ------------------------------------------------------------------------

_CHANGED = r"(?:switched|changed|converted)"  # people migrate and move from place to place
_FROM = re.compile(
    rf"\W*(?:(?:they|we|it)\s+)?{_CHANGED}\s+from\s+(?P<old>[^,.;:()]{{2,50}}?)\s+to\s+(?:the\s+|an?\s+)?(?P<new>\S)",
    re.IGNORECASE,
)
_TO = re.compile(
    rf"(?:[—–-]{{1,3}}|[,;]|\b(?:so|and))\s+(?:they\s+|we\s+|it\s+)?{_CHANGED}\s+to\s+(?:the\s+|an?\s+)?(?P<new>\S)",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"(?P<old>(?!(?:The|This|That|These|It|We|They|He|She|An?|All|Some|Many)\b)[A-Z][\w-]*(?:\s(?!(?:is|was|are|were)\b)[a-z][\w-]+){0,2}?)\s+"
    r"(?:could|can|did|does|do|was|were|is|are|had|has|failed|proved|became|reached|ran)(?:n[’']t)?\b"
)
_WITH = re.compile(r"\s+with\s+(?:the\s+|an?\s+|new\s+)?")
_MOST_CHANGED = 6


def changes(source: Source) -> Iterator[Claim]:
    """Claims of the replacements that list items tell, and of what the new thing is used with."""
    for bullet in bullets(source):
        if not bullet.in_list or in_sources(source, bullet.placed) or key_value(bullet.stretch):
            continue
        if found := _FROM.match(bullet.stretch.text):
            old = bullet.stretch.part(found.start("old"), found.end("old"))
            if source.words.is_name(old.text):
                yield from _changed(source, bullet, old, found)
            continue
        found = _TO.search(bullet.stretch.text)
        before = _OLD.match(bullet.stretch.text, 0, found.start()) if found else None
        if found and before:
            yield from _changed(source, bullet, bullet.stretch.part(0, before.end("old")), found)


def _changed(source: Source, bullet: Bullet, old: Stretch, found: re.Match[str]) -> Iterator[Claim]:
    new = _new(bullet.stretch, found.start("new"))
    told = hedge_of(bullet.stretch.text, max(0, found.start("new") - 2), found.start("new"))
    if new is None or len(WORD.findall(old.text)) > _MOST_CHANGED:
        return
    about = About(EntityName(new.text, classes_of(source, new.text)), (new.span,), new)
    value = EntityName(old.text, classes_of(source, old.text))
    frame = section_frame(source, bullet.placed)
    property_ = called(source, ("replaced",), about.classes, Part(value, old))
    if property_ is not None:
        yield claim(source, NAME, about, property_, Given(value, old.span, old.text, told), frame, scaled(NAME, 0.95))
    along = _WITH.match(new.inline.text, new.end, bullet.stretch.end)
    rest = Stretch(new.inline, along.end(), bullet.stretch.end) if along else None
    for name in source.names_in(rest)[:1] if rest is not None else ():
        at = rest.part(name.start, name.end) if rest is not None else old
        used = EntityName(at.text, classes_of_mention(source, name.value, at.text))
        property_ = called(source, ("uses",), about.classes, Part(used, at)) if name.start == 0 else None
        if property_ is not None:
            yield claim(source, NAME, about, property_, Given(used, at.span, at.text, told), frame, scaled(NAME, 0.9))


def _new(item: Stretch, start: int) -> Stretch | None:
    """What something changed to: the words in bold there."""
    bold = next((bold for bold, _ in item.marked(MarkKind.STRONG) if bold.start == item.start + start), None)
    return bold if bold is not None and len(WORD.findall(bold.text)) <= _MOST_CHANGED else None


# --- why a figure is as it is ---------------------------------------------------------------------

_CAUSE = re.compile(
    r"\b(?:due\s+to|because\s+of|owing\s+to|caused\s+by|attributed\s+to|thanks\s+to|"
    r"(?<=, )(?:indicating|reflecting))\s+"
    r"(?P<cause>[^.;]{6,200})",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|never|neither)\b[^,;]*$", re.IGNORECASE)
_FEWEST_WORDS = 2


def causes(source: Source) -> Iterator[Claim]:
    """Claims of the causes in labelled bullets whose value begins with a figure."""
    for bullet in bullets(source):
        pair = key_value(bullet.stretch)
        if not bullet.in_list or pair is None or in_sources(source, bullet.placed):
            continue
        figures = quantities.find(pair.value.text)
        found = _CAUSE.search(pair.value.text, figures[0].end) if figures else None
        if found is None or _NEGATED.search(pair.value.text[: found.start()]):
            continue
        cause = pair.value.part(found.start("cause"), found.end("cause")).strip(" \"”'’*,")
        if len(WORD.findall(cause.text)) < _FEWEST_WORDS:
            continue
        about = _figure_of(source, subject_of_bullet(source, bullet), pair.key)
        told = hedge_of(pair.value.text, found.start(), found.end())
        frame = section_frame(source, bullet.placed)
        given = Given(Text(cause.text), cause.span, cause.text, told)
        property_ = called(source, ("cause",), (), Part(given.value, cause)) or Property(Predicate("cause"))
        yield claim(source, NAME, about, property_, given, frame, scaled(NAME, 0.95))


def _figure_of(source: Source, about: About, key: Stretch) -> About:
    """The observation that a labelled figure is: "Corran Light: Range"."""
    whose = f"{about.name.surface}: " if isinstance(about.name, EntityName) else ""
    passage = source.passage_at(key.span[0])
    node = EventName(f"{KG}Observation", f"{whose}{key.text}", local=f"{passage.id}:{key.span[0] - passage.start}")
    return About(node, (key.span,))


# --- one of the top ones --------------------------------------------------------------------------

_TOP = re.compile(
    r"\bone\s+of\s+(?:the|its|their)\s+(?:[\w’'-]+\s+){0,2}?top[\s-](?P<rank>\d{1,3}|\w+)\b\s*(?P<kind>[^,;:.]*)"
)


def ranks(source: Source) -> Iterator[Claim]:
    """Bounds of the ranks of things that the sentence before their list calls one of the top ones."""
    for bullet in bullets(source):
        found = _TOP.search(bullet.stretch.text) if not bullet.in_list and is_label(bullet.item) else None
        about = subject_of_bullet(source, bullet) if found else None
        if found is None or about is None or not is_one(source, about, found["kind"]):
            continue
        known = [p for p in candidates(source, label_of("rank"), about.classes) if kind_wanted(p) is Kind.QUANTITY]
        at = bullet.stretch.part(found.start("rank"), found.end("rank"))
        rank = quantities.parse(at.text)
        if known and rank is not None:
            given = Given(replace(rank, lower=None, upper=rank.value), at.span, at.text)
            frame = section_frame(source, bullet.placed)
            yield claim(source, NAME, about, Property(predicate_of(known[0])), given, frame, scaled(NAME, 0.95))
