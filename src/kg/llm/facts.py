"""A model's line → a claim, if its property is the ontology's and its quotation the passage's; else why not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from kg.extract.build import About, Given, Property, claim
from kg.extract.choices import allows, fits, kind_wanted, predicate_of
from kg.extract.classify import classes_of, classes_of_mention
from kg.extract.source import Source
from kg.extract.standing import hedge_of, section_frame
from kg.extract.stretch import Stretch
from kg.extract.values import Kind, Part, flag_of
from kg.llm.passages import Line, Shown, named_above
from kg.llm.replies import NOT_JSON
from kg.mentions import dates, quantities
from kg.mentions.hedges import CAUTION, combine
from kg.model import Claim, EntityName, Hedge, Mood, Rejected, Status, Text
from kg.namespaces import KG
from kg.ontology import Ontology, OntologyProperty

CONFIDENCE = 0.6
"""Of what a model finds: below every rule's, since nothing but its words has been checked."""
_FIELDS = ("subject", "property", "object", "quote")
_LONGEST_NAME, _SHOWN = 8, 300
_ARTICLE = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_DEPENDENT = re.compile(
    r"(?:it|he|she|they|we|i|you|him|her|them|us|me|this|that|these|those|its|his|their|our|my|your|there|who|which|what"
    r"|both|each|all|some|another|other|one|former|latter)\b",
    re.IGNORECASE,
)


# Denials whose reach the rules of standing don't judge, since a rule's own phrase would not stand around them.
_DENIAL = re.compile(
    r"\b(?:nobody|no[ -]one|nothing|nowhere|none|hardly|scarcely|barely|far from|anything but|denie[sd]|deny|wrongly"
    r"|falsely|contrary to|myth|disproved|refuted)\b",
    re.IGNORECASE,
)


class Reason(StrEnum):
    """Why something that the model said is not kept."""

    REFUSED = "the language model refused to read the passage, or said nothing"
    FORM = "the language model's line is not the JSON asked for"
    PROPERTY = "the language model named a property that the ontology hasn't"
    QUOTE = "the language model's quotation doesn't stand in the passage"
    SUBJECT = "the language model's subject stands neither in its quotation nor above it"
    OBJECT = "the language model's value doesn't stand in its quotation"
    NAME = "the language model took for a name what is none"
    SAME = "the language model made a thing its own value"
    DENIED = "the language model's sentence denies something, and what can't be told"
    DOMAIN = "the language model's subject is of a class that the property doesn't describe"
    RANGE = "the language model's value has not the form, unit or class that the property takes"


class NotKept(Exception):
    """A line that fails a check."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Terms:
    """The ontology's properties by the identifiers that the model is given: local names where these are unique."""

    by_id: Mapping[str, OntologyProperty]

    @classmethod
    def of(cls, ontology: Ontology) -> Terms:
        """Properties of the ontology's own, by IRI."""
        own = [p for iri, p in sorted(ontology.properties.items()) if not iri.startswith(KG)]
        local = [re.split(r"[#/]", p.iri)[-1] for p in own]
        return cls({(n if n and local.count(n) == 1 else p.iri): p for n, p in zip(local, own, strict=True)})

    def get(self, name: str) -> OntologyProperty | None:
        """The property of an identifier or IRI."""
        return self.by_id.get(name) or next((p for p in self.by_id.values() if p.iri == name), None)


def read(source: Source, seen: Shown, terms: Terms, item: Any, text: str, extractor: str) -> Claim | Rejected:
    """The claim that an item makes, or what was wrong with it."""
    line: Line | None = None
    try:
        subject, property_, value, quote = _fields(item, terms)
        line, start = _quoted(seen, quote, value)
        return _claim(source, line, (start, start + len(quote)), subject, property_, value, extractor)
    except NotKept as error:
        span = line.sentence.span if line else seen.span
        return Rejected(seen.passage.id, extractor, error.reason.value, text[:_SHOWN], *span)


def _fields(item: Any, terms: Terms) -> tuple[str, OntologyProperty, str, str]:
    if item is NOT_JSON or not isinstance(item, dict):
        raise NotKept(Reason.FORM)
    given = [item.get(name) for name in _FIELDS]
    texts = [value.strip() for value in given if isinstance(value, str)]
    if len(texts) < len(given) or not all(texts):
        raise NotKept(Reason.FORM)
    subject, name, value, quote = texts
    property_ = terms.get(name)
    if property_ is None:
        raise NotKept(Reason.PROPERTY)
    return subject, property_, value, quote


def _quoted(seen: Shown, quote: str, value: str) -> tuple[Line, int]:
    """The line that has the quotation, and where; of several the first that has the value."""
    found = [(line, line.text.find(quote)) for line in seen.lines if quote in line.text]
    if not found:
        raise NotKept(Reason.QUOTE)
    return next((f for f in found if _whole(value).search(f[0].text, f[1], f[1] + len(quote))), found[0])


def _whole(text: str) -> re.Pattern[str]:
    """A text where it stands as whole words."""
    left, right = (r"(?<!\w)" if text[0].isalnum() else ""), (r"(?!\w)" if text[-1].isalnum() else "")
    return re.compile(left + re.escape(text) + right)


def _claim(
    source: Source,
    line: Line,
    quote: tuple[int, int],
    subject: str,
    property_: OntologyProperty,
    value: str,
    extractor: str,
) -> Claim:
    about = _subject(source, line, quote, subject)
    found = _whole(value).search(line.text, *quote)
    if found is None:
        raise NotKept(Reason.OBJECT)
    part = _value(source, line, found.span(), property_)
    if isinstance(part.value, EntityName) and part.value.surface.casefold() == subject.casefold():
        raise NotKept(Reason.SAME)
    classes = about.name.classes if isinstance(about.name, EntityName) else ()
    if not allows(source.ontology, property_.domains, classes):
        raise NotKept(Reason.DOMAIN)
    if not fits(source.ontology, property_, part):
        raise NotKept(Reason.RANGE)
    if _DENIAL.search(line.text):
        raise NotKept(Reason.DENIED)
    given = Given(part.value, part.at.span, part.at.text, combine(_standing(line, about, part), part.hedge))
    frame = section_frame(source, line.placed)
    return claim(source, extractor, about, Property(predicate_of(property_)), given, frame, CONFIDENCE)


def _subject(source: Source, line: Line, quote: tuple[int, int], subject: str) -> About:
    found = _whole(subject).search(line.text, *quote)
    if found is None:
        above = named_above(source, line, subject)
        if above is None:
            raise NotKept(Reason.SUBJECT)
        return above
    part = _name(source, line, found.span())
    return About(part.value, (part.at.span,), part.at)  # type: ignore[arg-type]


def _name(source: Source, line: Line, span: tuple[int, int]) -> Part:
    """The name at a span, as the rules see it where they see one. Raises NotKept for what is none, or half of one."""
    article = _ARTICLE.match(line.text, *span)
    at = line.part(article.end() if article else span[0], span[1])
    start, end = at.start - line.sentence.start, at.end - line.sentence.start
    for mention in source.names_in(line.sentence):
        if (mention.start, mention.end) == (start, end):
            classes = classes_of_mention(source, mention.value, at.text)
            return Part(EntityName(mention.value.surface, classes), at)
        if mention.start <= start and end <= mention.end:
            raise NotKept(Reason.NAME)
    known = bool(source.ontology.by_label(at.text, "individual"))
    kind = bool(source.ontology.by_label(at.text, "class"))
    long = len(at.text.split()) > _LONGEST_NAME
    if not known and (kind or long or _DEPENDENT.match(at.text) or not source.words.is_name(at.text)):
        raise NotKept(Reason.NAME)
    return Part(EntityName(at.text, classes_of(source, at.text)), at)


def _value(source: Source, line: Line, span: tuple[int, int], property_: OntologyProperty) -> Part:
    """The value at a span in the form that the property takes, read by the same code as every other value."""
    wanted = kind_wanted(property_)
    at = line.part(*span)
    if wanted is Kind.NAME:
        return _name(source, line, span)
    if wanted is Kind.TEXT:
        return Part(Text(at.text), at)
    if wanted is Kind.FLAG:
        if (flag := flag_of(at.text)) is None:
            raise NotKept(Reason.RANGE)
        return Part(flag, at)
    measured = _measured(line.sentence, at, wanted)
    if measured is not None:
        return measured
    if wanted is not None:
        raise NotKept(Reason.RANGE)
    try:
        return _name(source, line, span)
    except NotKept:
        return Part(Text(at.text), at)


def _measured(sentence: Stretch, at: Stretch, wanted: Kind | None) -> Part | None:
    """The quantity or date of the sentence that the stretch is, or lies in, or holds as its only one."""
    start, end = at.start - sentence.start, at.end - sentence.start
    found = []
    if wanted in (None, Kind.DATE):
        found += [(d.start, d.end, Part(d.value, sentence.part(d.start, d.end))) for d in dates.find(sentence.text)]
    if wanted in (None, Kind.QUANTITY):
        each = quantities.find(sentence.text)
        found += [(q.start, q.end, Part(q.value, sentence.part(q.start, q.end))) for q in each]
    near = [part for low, high, part in found if low < end and start < high]
    inside = [part for low, high, part in found if (low <= start and end <= high) or (start <= low and high <= end)]
    return inside[0] if len(near) == 1 and inside else None


def _standing(line: Line, about: About, part: Part) -> Hedge:
    """The standing at the value and the subject, and never bolder than what the sentence says as a whole."""
    text, first = line.sentence.text, line.sentence.start
    hedge = hedge_of(text, part.at.start - first, part.at.end - first)
    if about.at is not None and about.at.inline is line.sentence.inline and first <= about.at.start < line.sentence.end:
        hedge = combine(hedge, hedge_of(text, about.at.start - first, about.at.end - first))
    whole = hedge_of(text)
    if whole.status is not Status.UNDISCLOSED:  # that is said of another value, or there would be none
        hedge = replace(hedge, status=max(hedge.status, whole.status, key=CAUTION.index))
    return hedge if whole.mood is Mood.FACTUAL else replace(hedge, mood=whole.mood)
