"""What list items tell of their section's thing without a sentence: what it has or uses, what took whose place, why.

- "**Skerry 3** for the lamps", "**Paraffin** as the fuel": the words behind the name tell the property ("as the primary
  fuel": the ontology's "fuel"); where they don't, the class of the name does. Such an item has no verb.
- "Switched from Paraffin to **electric lamps**", "… switched to gas with mantles": what comes behind "to" replaced what
  comes behind "from", or, where that is left out, what the clause before is about.
- "Range: 12 miles, due to fog": the cause is one of the figure, not of the thing that has it: it is told of an
  observation so labelled.
- "one of the top-5 lamps of the world:" before a list: the list's thing is 5th at worst.

In sentences too, figures whose own words name a property: "6% of all oil", "when outside pressure exceeded 3 bar", "9
panes per lens". The subject is the nearest name before them in the sentence, of a class that has the property; without
one the section's thing where the sentence says what it is ("a survey showing …"); for a threshold the only such thing
that the paragraph names before. Noun phrases tell more by how they are built: "8x 40 W lamps", "12-pane Fresnel",
"Orr's `trim` function", "this was a $90 lamp".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from kg.extract.build import About, Frame, Given, Property, claim, named, scaled
from kg.extract.bullets import Bullet, bullets, in_sources, key_value, lead, subject_of_bullet
from kg.extract.classify import classes_of, classes_of_mention, lineage, with_noun
from kg.extract.properties import bare_name, called, claim_called, fits, kind_wanted, known_as, narrowest, predicate_of
from kg.extract.source import Source, is_label, sentences
from kg.extract.sources import telling
from kg.extract.standing import hedge_of, section_frame, sentence_frame
from kg.extract.subjects import is_one
from kg.extract.values import Kind, Part
from kg.extract.words import WORD
from kg.model import Claim, EntityName, EventName, MarkKind, Predicate, Quantity
from kg.namespaces import KG
from kg.ontology import OntologyProperty, singular
from kg.text import quantities
from kg.text.stretch import Found, Stretch

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
    uses = known_as(source, "uses", about.classes, Kind.NAME)
    same = [other for other in others if uses is not None and other.predicate.iri == uses.iri]
    text = bullet.stretch.strip(" .;,")
    if bold is None or uses is None or len(same) < _ENOUGH or len(WORD.findall(text.text)) > _MOST_WORDS:
        return
    if _FINITE.search(text.text) or not 2 <= len(WORD.findall(bold.text)) <= _MOST_NOUNS:
        return
    value = EntityName(bold.text, classes_of(source, bold.text))
    given = Given.of(value, text, hedge_of(text.text))
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
            given = Given.of(value.value, at, hedge_of(first, start, start + len(at.text)))
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
    about = named(source, new)
    value = EntityName(old.text, classes_of(source, old.text))
    frame = section_frame(source, bullet.placed)
    yield from claim_called(source, NAME, about, ("replaced",), Part(value, old, told), frame, 0.95)
    along = _WITH.match(new.inline.text, new.end, bullet.stretch.end)
    rest = Stretch(new.inline, along.end(), bullet.stretch.end) if along else None
    for name in source.names_in(rest)[:1] if rest is not None else ():
        at = rest.part(name.start, name.end) if rest is not None else old
        used = EntityName(at.text, classes_of_mention(source, name.value, at.text))
        if name.start == 0:
            yield from claim_called(source, NAME, about, ("uses",), Part(used, at, told), frame, 0.9)


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
        counted = quantities.find(pair.value.text)
        found = _CAUSE.search(pair.value.text, counted[0].end) if counted else None
        if found is None or _NEGATED.search(pair.value.text[: found.start()]):
            continue
        cause = pair.value.part(found.start("cause"), found.end("cause")).strip(" \"”'’*,")
        if len(WORD.findall(cause.text)) < _FEWEST_WORDS:
            continue
        about = _figure_of(source, subject_of_bullet(source, bullet), pair.key)
        told = hedge_of(pair.value.text, found.start(), found.end())
        frame = section_frame(source, bullet.placed)
        given = Given.words(cause, told)
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
        known = known_as(source, "rank", about.classes, Kind.QUANTITY)
        at = bullet.stretch.part(found.start("rank"), found.end("rank"))
        rank = quantities.parse(at.text)
        if known is not None and rank is not None:
            given = Given.of(replace(rank, lower=None, upper=rank.value), at)
            frame = section_frame(source, bullet.placed)
            yield claim(source, NAME, about, Property(predicate_of(known)), given, frame, scaled(NAME, 0.95))


# --- figures whose own words name a property ------------------------------------------------------------

_SHARE_OF = re.compile(r"\s+of\s+(?:all\s+)?(?:the\s+)?(?P<noun>[a-z]+)\b")
_WHEN = re.compile(
    r"\b(?:when|if|once|where|as\s+soon\s+as)\s+(?:the\s+)?(?P<label>[a-z]+(?:\s[a-z]+)?)\s+"
    r"(?:(?:is|was|rose|rises|fell|falls|drops|dropped)\s+)?(?:exceed(?:s|ed)\s+|(?:above|over|below|under)\s+)?$"
)
_PER = re.compile(r"\s+(?P<noun>[a-z]+)\s+per\s+(?P<each>[a-z]+)\b")
_NEAR = 80  # characters before a figure that are looked at
_WITHIN = re.compile(r"\bin\s+(?:only\s+|just\s+)?$")
_EVERY = re.compile(r"\b(?P<label>[a-z]+\s+every)\s+$")
_CHANGE = re.compile(r"\b(?:an?|the)\s+$")
_WORD = re.compile(r"[a-z]{4,}")
_QUOTE = re.compile(r"[\"“]$")
_KIND = re.compile(r"\W*[\d.,]+-[a-z]+\s+(?P<name>[A-Z][\w-]+)")
_PIECES = re.compile(r"\s*[,;]\s+|\s+(?:\+|and)\s+")
_OWNS = re.compile(r"[’']s\s+$")
_CODE_NOUN = re.compile(
    r"\s+(?:function|method|module|class|command|package|operator|call|library|option|API)\b|\s*(?:[.,;:)]|$)"
)
_PRICED = re.compile(r"(?:it|this|that)\s+(?:is|was)\s+an?\s+$", re.IGNORECASE)


def figures(source: Source) -> Iterator[Claim]:
    """Claims of such figures in sentences, in document order."""
    for bullet in telling(source):
        about, frame = subject_of_bullet(source, bullet), sentence_frame(source, bullet.placed)
        if bullet.in_list:
            yield from _kinds(source, about, bullet.stretch, frame)
        before: list[Stretch] = []
        for sentence in sentences(bullet.stretch):
            yield from _multiplied(source, about, sentence, frame)
            yield from _of_code(source, sentence, frame)
            yield from _priced(source, about, sentence, frame)
            for found in quantities.find(sentence.text):
                yield from _told(source, bullet, sentence, found, before)
            before.append(sentence)


def _told(
    source: Source, bullet: Bullet, sentence: Stretch, found: Found[Quantity], before: Sequence[Stretch]
) -> Iterator[Claim]:
    """What a figure's own words tell of its owner."""
    for property_ in _named(source, sentence, found)[:1]:
        about = _owner(source, sentence, found.start, property_.domains)
        if about is None and not _each(sentence, found):
            about = _kind_said(source, bullet, sentence.text[: found.start], property_.domains)
        if about is None and _threshold(sentence, found):
            about = _only(source, before, property_.domains)
        if about is not None:
            value = _exactly(found.value) if _threshold(sentence, found) else found.value
            at = sentence.part(found.start, found.end)
            given = Given.of(value, at, hedge_of(sentence.text, found.start, found.end))
            told, frame = Property(predicate_of(property_)), sentence_frame(source, bullet.placed)
            yield claim(source, NAME, about, told, given, frame, scaled(NAME, 0.9))


def _named(source: Source, text: Stretch, found: Found[Quantity]) -> list[OntologyProperty]:
    """The ontology's properties that the words at a figure name and that take it."""
    near = max(0, found.start - _NEAR)
    labels = []
    if found.value.unit == "PERCENT" and (share := _SHARE_OF.match(text.text, found.end)):
        labels.append(f"share of {share['noun']}")
    if when := _threshold(text, found):
        labels.append(when["label"])
    if each := _each(text, found):
        labels.append(each)
    if every := _EVERY.search(text.text, near, found.start):
        labels.append(every["label"])
    noun = found.value.noun
    factor = found.value.unit == "UNITLESS" and _CHANGE.search(text.text, near, found.start)
    if noun and (factor or _WITHIN.search(text.text, near, found.start)):
        labels.append(noun)
    known = [source.ontology.properties[c.iri] for text_ in labels for c in source.ontology.by_label(text_, "property")]
    part = Part(found.value, text.part(found.start, found.end))
    return [p for p in known if p.domains and kind_wanted(p) is Kind.QUANTITY and fits(source.ontology, p, part)]


def _each(text: Stretch, found: Found[Quantity]) -> str:
    """The name of a rate ("panes per lens" of "9 panes per lens"), or ""."""
    per = _PER.match(text.text, found.end)
    return f"{per['noun']} per {singular(per['each'])}" if per else ""


def _threshold(text: Stretch, found: Found[Quantity]) -> re.Match[str] | None:
    """The words before a figure that something must pass ("when the outside pressure [exceeded 3 bar]")."""
    return _WHEN.search(text.text, max(0, found.start - _NEAR), found.start)


def _exactly(value: Quantity) -> Quantity:
    """A bound as the figure itself: what lies beyond a threshold isn't the threshold."""
    end = value.lower if value.lower is not None else value.upper
    return replace(value, lower=end, upper=end)


def _owner(source: Source, text: Stretch, end: int, domains: Sequence[str]) -> About | None:
    """The last name before a place that is surely of one of the classes."""
    for name in reversed([n for n in source.names_in(text) if n.end <= end]):
        at = bare_name(source, text.part(name.start, name.end))
        classes = classes_of_mention(source, name.value, at.text)
        if not lineage(source.ontology, classes).isdisjoint(domains):
            return About.of(at, classes)
    return None


def _kind_said(source: Source, bullet: Bullet, said: str, domains: Sequence[str]) -> About | None:
    """The section's thing where the words before a figure say what kind of thing it is, and that has the property."""
    ontology, about = source.ontology, subject_of_bullet(source, bullet)
    classes = about.classes
    if not classes and about.at is not None and _QUOTE.search(about.at.inline.text[: about.at.start]):
        classes = tuple(c.iri for c in ontology.by_label("work", "class"))  # a title
    above = lineage(ontology, classes)
    kinds = {c.iri for word in _WORD.findall(said) for c in ontology.by_label(word, "class")}
    same = any(k in above or any(c in ontology.superclasses(k) for c in classes) for k in kinds)
    return about if same and above & set(domains) else None


def _only(source: Source, before: Sequence[Stretch], domains: Sequence[str]) -> About | None:
    """The only thing of one of the classes that the paragraph's earlier sentences name."""
    found: dict[str, About] = {}
    for sentence in before:
        for name in source.names_in(sentence):
            classes = classes_of_mention(source, name.value, name.value.surface)
            longer = with_noun(source, sentence.text, name, classes)
            end, classes = longer or (name.end, classes)
            at = sentence.part(name.start, end)
            if not lineage(source.ontology, classes).isdisjoint(domains):
                found[at.text] = About.of(at, classes)
    return next(iter(found.values())) if len(found) == 1 else None


# --- noun phrases -------------------------------------------------------------------------------------


def _kinds(source: Source, about: About, item: Stretch, frame: Frame) -> Iterator[Claim]:
    """A name of known class behind a counted part ("12-layer Transformer"): what leads to such things, leads to it."""
    classes = about.classes
    for piece in item.split(_PIECES):
        found = _KIND.fullmatch(piece.text)
        at = piece.part(found.start("name"), found.end("name")) if found else None
        kinds = classes_of(source, at.text) if at is not None else ()
        leading = narrowest(source.ontology, classes, kinds) if kinds and classes else None
        if at is not None and leading is not None:
            given = Given.of(EntityName(at.text, kinds), at, hedge_of(item.text))
            yield claim(source, NAME, about, leading, given, frame, scaled(NAME, 0.95))


def _multiplied(source: Source, about: About, sentence: Stretch, frame: Frame) -> Iterator[Claim]:
    """A count times the size of each ("8x 220B experts"): under the properties for the number and the size of such."""
    for count, size in pairwise(quantities.find(sentence.text)):
        times = re.fullmatch(r"\d{1,4}\s?[x×]", sentence.text[count.start : count.end])
        if not times or not size.value.noun or sentence.text[count.end : size.start].strip(" ~") or not about.classes:
            continue
        noun = size.value.noun.split()[-1]
        one = singular(noun.casefold())
        for figure, labels in (
            (count, (f"number of {noun}", f"{one} count")),
            (size, (f"{one} size", f"size per {one}")),
        ):
            hedge = hedge_of(sentence.text, figure.start, figure.end)
            size_or_count = Part(figure.value, sentence.part(figure.start, figure.end), hedge)
            yield from claim_called(source, NAME, about, labels, size_or_count, frame, 0.95)


def _of_code(source: Source, sentence: Stretch, frame: Frame) -> Iterator[Claim]:
    """A piece of code with the name of what it belongs to ("Orr's `trim` function")."""
    for code, _ in sentence.marked(MarkKind.CODE):
        at = code.start - sentence.start
        owned = _OWNS.search(sentence.text, max(0, at - 10), at)
        if owned is None or not _CODE_NOUN.match(sentence.text, code.end - sentence.start) or " " in code.text.strip():
            continue
        for name in source.names_in(sentence):
            if name.end != owned.start():
                continue
            owner = sentence.part(name.start, name.end)
            value = EntityName(owner.text, classes_of_mention(source, name.value, owner.text))
            about = About.of(code, value.classes)
            yield from claim_called(source, NAME, about, ("part of",), Part(value, owner), frame, 0.95)


def _priced(source: Source, section: About, sentence: Stretch, frame: Frame) -> Iterator[Claim]:
    """The price that "this was a $90 lamp" tells of the section's thing, if that is a lamp."""
    above = lineage(source.ontology, section.classes)
    for figure in quantities.find(sentence.text)[:1]:
        noun = figure.value.noun.split()[-1:] if (figure.value.unit or "").startswith("CCY_") else []
        kinds = {c.iri for word in noun for c in source.ontology.by_label(word, "class")}
        if not _PRICED.fullmatch(sentence.text[: figure.start]) or not kinds & above:
            continue
        price = Part(figure.value, sentence.part(figure.start, figure.end), hedge_of(sentence.text))
        yield from claim_called(source, NAME, section, ("price",), price, frame, 0.95)
