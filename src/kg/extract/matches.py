"""The places in a sentence where a phrase of the ontology stands, with the arguments on either side of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kg.extract.arguments import Mention, behind, left_of, precedes, right_of
from kg.extract.build import About
from kg.extract.classify import lineage
from kg.extract.clauses import Context, meant, plural_subject
from kg.extract.phrases import Phrase
from kg.extract.properties import allows
from kg.extract.source import Source
from kg.extract.values import PLACE
from kg.model import EntityName
from kg.text.stretch import Stretch

_ADVERB = re.compile(r"(?:(?:later|then|also|now|currently|originally|previously|\w{2,}ly)\s+)?", re.IGNORECASE)
_JOINED = re.compile(r"(?:^|[^,])\s+and(?:\s+(?:later|then|also|now|still|\w{2,}ly))*\s+$")
_AND_NAME = re.compile(r"\s*(?:,|and\b|&|[’']s\b)")
_PRONOUN = re.compile(r"(?:it|they|this|he|she)\b", re.IGNORECASE)
_ING = re.compile(r"[a-z]+ing\b")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|did|does|said|says|became|made|went)\b"
)
_SUBJECT = re.compile(r",\s+(?:it|he|she|they|(?:the\s+)?[A-Z][\w.&-]*(?:\s[A-Z][\w.&-]*){0,4})\s+[a-z]{3,}s\b")
_BRACKET = re.compile(r"\s*\((?:\w{2,}ly\s+)?$")
_BESIDE = re.compile(r"(?:\s*\(|(?:,|\s(?:is|are|was|were))\s(?:an?|the)\s[^.,;:()]{3,60}?\s|,\s)(?:\w{2,}ly\s+)?$")
_LED_BY = re.compile(r"\b(?:of|for|by|with|in|at|on|from|to|as|than|near|and)\s+(?:the\s+)?$")
_IS = re.compile(r"(?:it|this|that)\s+(?:is|was)\s+(?:an?|the|one\s+of\s+the)\s", re.IGNORECASE)
_REDUCED = re.compile(r"(?:\w|,|,\s*and|\band)\s+(?:\w{2,}ly\s+)?$")
_WORDS = re.compile(r"[A-Za-z][\w-]*")
_BY = re.compile(r"\s+(?:by|in|on|at|with|as)\s+(?:the\s+)?[A-Z]")


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase found: its words, the arguments on either side; ``carried`` where the left one is left out."""

    phrase: Phrase
    start: int
    end: int
    left: tuple[Mention, ...]
    right: tuple[Mention, ...]
    carried: About | None = None


def matches(
    source: Source, phrase: Phrase, sentence: Stretch, found: list[Mention], context: Context, elliptic: bool
) -> Iterator[Match]:
    """All places of a phrase. ``elliptic``: the sentence may leave out the thing that it stands under."""
    text = sentence.text
    before = phrase.pattern("before")
    for middle in phrase.between.finditer(text):
        right = right_of(source, phrase, text, middle.end(), found)
        if not right:
            continue
        left = left_of(text, middle.start(), found, _ING.match(middle[0]) is not None)
        if before is not None and not (left and precedes(before, text, left[0].start)):
            continue
        if left:
            yield Match(phrase, middle.start(), middle.end(), left, right)
        elif (taken := meant(source, text[: middle.start()], found, context)) is not None:
            yield Match(phrase, middle.start(), middle.end(), (), right, taken)
        elif _JOINED.search(text, 0, middle.start()):
            shared, taken = _shared(text, found, context)
            if shared or taken is not None:
                yield Match(phrase, middle.start(), middle.end(), shared, right, taken)
        elif phrase.first == "subject" and (things := plural_subject(source, sentence, middle.start())) is not None:
            yield Match(phrase, middle.start(), middle.end(), (), right, things)
    yield from _done_to(source, phrase, text, found)
    if before is None:
        yield from _left_out(source, phrase, text, found, context, elliptic)
        yield from _set_beside(source, phrase, text, found)
        yield from _reduced(source, phrase, text, found, context)
        yield from _trailing(source, phrase, text, found)
    yield from _by_nobody(source, phrase, text, found, context)


def _shared(text: str, found: list[Mention], context: Context) -> tuple[tuple[Mention, ...], About | None]:
    """Whom a verb behind "and" is about: what begins the sentence, a name or a pronoun."""
    named = [m for m in found if m.start <= 4 and isinstance(m.part.value, EntityName)]
    if named and not _AND_NAME.match(text, named[-1].end):
        return (named[-1],), None
    pronoun = _PRONOUN.match(text)
    if pronoun is None:
        return (), None
    return (), context.taken_up(pronoun[0])


def _done_to(source: Source, phrase: Phrase, text: str, found: list[Mention]) -> Iterator[Match]:
    """What somebody does to a phrase's subject ("Ada Wren ran Corran Light on Paraffin": the light runs on it)."""
    if phrase.active is None:
        return
    verb, preposition = phrase.active
    for done in verb.finditer(text):
        things = right_of(source, phrase.turned(), text, done.end(), found)
        behind_them = preposition.match(text, things[-1].end) if things else None
        right = right_of(source, phrase, text, behind_them.end(), found) if behind_them else ()
        if behind_them and right and not (behind_them[0].endswith("to") and _receives(source, phrase, text, right[0])):
            yield Match(phrase, done.start(), behind_them.end(), things, right)


def _receives(source: Source, phrase: Phrase, text: str, value: Mention) -> bool:
    """Whether somebody rather than a place is given something ("sent the lamp to Rolf Works.")."""
    label = source.ontology.properties[phrase.iri].label
    unknown = isinstance(value.part.value, EntityName) and not value.part.value.classes
    return bool(PLACE.search(label)) and unknown and not re.match(r"\s[a-z]|,\s[A-Z]", text[value.end :])


def _left_out(
    source: Source, phrase: Phrase, text: str, found: list[Mention], context: Context, elliptic: bool
) -> Iterator[Match]:
    """A sentence that begins with the phrase's participle: about what it stands under, or what the one before is about.

    Outside bullets it must have no verb of its own ("Built in 1901 by Ada Wren." but not "Built in 1901, it was …").
    """
    about = context.section if elliptic else context.thing
    pattern, adverb = phrase.pattern("bare"), _ADVERB.match(text)
    bare = pattern.match(text, adverb.end()) if pattern and adverb else None
    if (
        about is None
        or bare is None
        or (not elliptic and (_FINITE.search(text, bare.end()) or _SUBJECT.search(text, bare.end())))
    ):
        return
    if right := right_of(source, phrase, text, bare.end(), behind(found, bare)):
        yield Match(phrase, bare.start(), bare.end(), (), right, about)


def _set_beside(source: Source, phrase: Phrase, text: str, found: list[Mention]) -> Iterator[Match]:
    """A verb that begins a bracket right behind a name ("Corran Light (lit 1901)"), or a participle behind a comma.

    A noun may stand before that: "Corran Light, a tower built by Ada Wren", "Corran Light is a tower built …".
    """
    for words in _finditer(phrase, "bare", text):
        gap = (_BESIDE if phrase.is_passive else _BRACKET).search(text, 0, words.start())
        left = [m for m in left_of(text, gap.start(), found) if m.end == gap.start()] if gap else []
        if not left or any(left[0].end < m.start < words.start() for m in found):
            continue
        if text[left[0].end] == "," and _LED_BY.search(text, 0, left[0].start):
            continue  # "Ada Wren, keeper of Corran Light, born in 1871"
        if right := right_of(source, phrase, text, words.end(), found):
            yield Match(phrase, words.start(), words.end(), tuple(left), right)


def _reduced(source: Source, phrase: Phrase, text: str, found: list[Mention], context: Context) -> Iterator[Match]:
    """What is added to what a thing is ("It was a tower holding two lamps, built by Ada Wren"): it is of that thing."""
    copula = _IS.match(text)
    about = _of_kind(source, text[copula.end() :], context) if copula is not None else None
    if copula is None or about is None:
        return
    for form in ("participle", "bare"):
        for words in _finditer(phrase, form, text, copula.end()):
            between = text[copula.end() : words.start()]
            reduced = _REDUCED.search(between) and not _FINITE.search(between)
            if not reduced or (form == "bare" and not between.rstrip().endswith(",")):
                continue
            if right := right_of(source, phrase, text, words.end(), found):
                yield Match(phrase, words.start(), words.end(), (), right, about)


def _finditer(phrase: Phrase, form: str, text: str, start: int = 0) -> Iterator[re.Match[str]]:
    pattern = phrase.pattern(form)
    return pattern.finditer(text, start) if pattern is not None else iter(())


_ADDED = re.compile(r",\s+(?:now\s+|then\s+)?$")


def _trailing(source: Source, phrase: Phrase, text: str, found: list[Mention]) -> Iterator[Match]:
    """A participle behind a clause and a comma ("Rolf Works showed the Corran Light in Kiel, burning paraffin").

    It is of the only thing before it that is surely of a class that has the property.
    """
    domains = source.ontology.properties[phrase.iri].domains
    for middle in _finditer(phrase, "participle", text) if domains else ():
        before = text[: middle.start()]
        things = [_with_kind(source, text, m) for m in found if m.end <= middle.start()]
        fitting = [m for m in things if lineage(source.ontology, m.part.classes).intersection(domains)]
        # A name right before the comma has readings of its own.
        if not _ADDED.search(before) or len(fitting) != 1 or any(m.end == len(before.rstrip(" ,")) for m in fitting):
            continue
        if right := right_of(source, phrase, text, middle.end(), found):
            yield Match(phrase, middle.start(), middle.end(), (fitting[0],), right)


_KIND = re.compile(r"[\"”]?\s(?P<noun>[a-z]{3,})\b")


def _with_kind(source: Source, text: str, thing: Mention) -> Mention:
    """A name of no known class with the class that the noun behind it names ("the “Corran” tower")."""
    value, noun = thing.part.value, _KIND.match(text, thing.end)
    if not isinstance(value, EntityName) or value.classes or noun is None:
        return thing
    kinds = source.ontology.most_specific(c.iri for c in source.ontology.by_label(noun["noun"], "class"))
    return replace(thing, part=replace(thing.part, value=EntityName(value.surface, kinds)))


def _of_kind(source: Source, said: str, context: Context) -> About | None:
    """What "this was a tower …" is about: what was last named or what the heading names, if that is such a thing."""
    words = _WORDS.findall(said)[:8]
    kinds = {c.iri for word in words for c in source.ontology.by_label(word, "class")}
    for about in (context.thing, context.section):
        if about is not None and isinstance(about.name, EntityName):
            above = lineage(source.ontology, about.name.classes)
            if kinds & above:
                return about
    return None


def _by_nobody(source: Source, phrase: Phrase, text: str, found: list[Mention], context: Context) -> Iterator[Match]:
    """What is done by nobody that is named ("Paraffin is used, too"): by what the sentence stands under."""
    done_at = list(_finditer(phrase, "passive", text))
    if not done_at:
        return
    about = context.section if _acts(source, phrase, context.section) else context.document
    if about is None or not _acts(source, phrase, about):
        return
    ranges = source.ontology.properties[phrase.iri].ranges
    for done in done_at:
        things = left_of(text, done.start(), found)
        fitting = all(lineage(source.ontology, thing.part.classes).intersection(ranges) for thing in things)
        if things and fitting and not _BY.match(text, done.end()):
            yield Match(phrase, done.start(), done.end(), (), things, about)


def _acts(source: Source, phrase: Phrase, about: About | None) -> bool:
    """Whether a thing with a name may be the one that does something: an agent, or of no known class."""
    if about is None or not isinstance(about.name, EntityName) or not source.words.is_name(about.name.surface):
        return False
    agents = {c.iri for c in source.ontology.by_label("agent", "class")}
    domains = source.ontology.properties[phrase.iri].domains
    if not about.name.surface[:1].isupper() or not any(agents & source.ontology.superclasses(d) for d in domains):
        return False
    return not about.name.classes or (
        any(agents & source.ontology.superclasses(c) for c in about.name.classes)
        and allows(source.ontology, domains, about.name.classes)
    )
