"""The language model as an extractor: passages and the ontology's properties in, checked claims out.

What of a document a model is shown: the sentences of its paragraphs and bullets, passage by passage.

A model's line → a claim, if its property is the ontology's and its quotation the passage's; else why not.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from kg.extract.build import About, Given, Property, claim, surface
from kg.extract.bullets import bullets, subject_of_bullet
from kg.extract.classify import classes_of, classes_of_mention
from kg.extract.properties import allows, fits, kind_wanted, predicate_of
from kg.extract.source import Placed, Source, sentences
from kg.extract.standing import hedge_of, section_frame
from kg.extract.subjects import title_of
from kg.extract.values import Kind, Part, flag_of
from kg.llm import model_client
from kg.llm.model_client import NOT_JSON, Client, ModelFailed, Reply, items
from kg.model import (
    LANGUAGE_MODEL,
    Claim,
    DateValue,
    EntityName,
    Hedge,
    Mood,
    Passage,
    Quantity,
    Rejected,
    Status,
    Text,
)
from kg.namespaces import KG, digest
from kg.ontology import Ontology, OntologyProperty
from kg.text import dates, quantities
from kg.text.hedges import CAUTION, combine
from kg.text.stretch import Found, Stretch

if TYPE_CHECKING:
    from kg.settings import LlmSettings

_SPACE = re.compile(r"\s+")
_SHORTEST = 3  # words of a sentence
_LONGEST = 3_000  # characters that are shown at once


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A sentence as it is shown: white space as single blanks. ``at`` leads each character back to the sentence."""

    placed: Placed
    sentence: Stretch
    about: About
    text: str
    at: tuple[int, ...]

    def part(self, start: int, end: int) -> Stretch:
        """The stretch of the document that ``text[start:end]`` shows."""
        return self.sentence.part(self.at[start], self.at[end - 1] + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """Lines of one passage that are shown together."""

    passage: Passage
    lines: tuple[Line, ...]

    @property
    def span(self) -> tuple[int, int]:
        """Where they stand in the document."""
        return self.lines[0].sentence.span[0], self.lines[-1].sentence.span[1]

    def as_json(self) -> str:
        """The passage as data: a text in it can't end its own quotation marks."""
        lines = [{"about": surface(line.about.name), "text": line.text} for line in self.lines]
        return json.dumps({"headings": list(self.passage.headings), "lines": lines}, ensure_ascii=False, indent=0)


def shown(source: Source) -> Iterator[Shown]:
    """What of a document is shown, in document order; tables, code, headings and questions are not."""
    for _, group in groupby(_lines(source), key=lambda pair: pair[0].id):
        found = list(group)
        passage = found[0][0]
        kept: list[Line] = []
        size = 0
        for _, line in found:
            if kept and size + len(line.text) > _LONGEST:
                yield Shown(passage, tuple(kept))
                kept, size = [], 0
            kept.append(line)
            size += len(line.text)
        yield Shown(passage, tuple(kept))


def _lines(source: Source) -> Iterator[tuple[Passage, Line]]:
    for bullet in bullets(source):
        about = subject_of_bullet(source, bullet)
        if about.name.kind != "entity":
            continue
        for sentence in sentences(bullet.stretch):
            text, at = _plain(sentence.text)
            if len(text.split()) >= _SHORTEST and not text.endswith("?"):
                yield source.passage_at(sentence.span[0]), Line(bullet.placed, sentence, about, text, at)


def _plain(text: str) -> tuple[str, tuple[int, ...]]:
    """A text with its white space as single blanks, and the place of each character in the original."""
    parts: list[str] = []
    places: list[int] = []
    end = 0
    for space in [*_SPACE.finditer(text), None]:
        until = space.start() if space else len(text)
        parts.append(text[end:until])
        places += range(end, until)
        if space:
            parts.append(" ")
            places.append(space.start())
            end = space.end()
    return "".join(parts), tuple(places)


def named_above(source: Source, line: Line, name: str) -> About | None:
    """The thing that a line leaves to its surroundings, if it has that name: what it is about, or a heading's."""
    wanted = name.casefold()
    if surface(line.about.name).casefold() == wanted:
        return line.about
    for heading in reversed(line.placed.sections):
        title = title_of(source, heading)
        for found in title.names if title else ():
            if found.text.casefold() == wanted:
                return About(EntityName(found.text, classes_of(source, found.text)), (found.span,), found)
    return None


CONFIDENCE = 0.6
"""Of what a model finds: below every rule's, since nothing but its words has been checked."""
_FIELDS = ("subject", "property", "object", "quote")
_LONGEST_NAME, _SHOWN_OF_PASSAGE = 8, 300
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
    """A line that fails a check: its text is the :class:`Reason`."""


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
        return Rejected(seen.passage.id, extractor, str(error), text[:_SHOWN_OF_PASSAGE], *span)


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
    found: list[Found[DateValue] | Found[Quantity]] = []
    found += dates.find(sentence.text) if wanted in (None, Kind.DATE) else ()
    found += quantities.find(sentence.text) if wanted in (None, Kind.QUANTITY) else ()
    near = [one for one in found if one.start < end and start < one.end]
    if len(near) != 1:
        return None
    (one,) = near
    nested = (one.start <= start and end <= one.end) or (start <= one.start and one.end <= end)
    return Part(one.value, sentence.part(one.start, one.end)) if nested else None


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


_GIVE_UP = 3  # completions in a row that fail before the rest of the build does without
_MOST_LINES = 200  # facts that one reply may hold
_SHOWN = 300  # characters of a passage that a refusal is noted with

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {name: {"type": "string"} for name in _FIELDS},
                "required": list(_FIELDS),
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}
BUDGET = "the token budget of the build is spent"


class ModelFacts:
    """Facts that a model finds in prose, for one build. A passage that it can't be asked about is noted as unread."""

    def __init__(self, client: Client, settings: LlmSettings) -> None:
        self.name = f"{LANGUAGE_MODEL}{client.model} {model_client.EXTRACT}"
        self.key = digest("llm", client.model, model_client.prompt(model_client.EXTRACT).sha256)
        """Names what its claims are made with."""
        self.unread: Counter[str] = Counter()
        """Passages of the build that the model hasn't read, by document."""
        self._why_unread: dict[str, None] = {}
        self._client, self._settings = client, settings
        self._left = settings.build_tokens
        self._asked_for = self._from_before = 0
        self._failures = 0
        self._stopped = ""

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def spent(self) -> str:
        """What the build has cost so far, in words."""
        tokens = self._settings.build_tokens - self._left
        passages = "passage" if self._asked_for == 1 else "passages"
        return (
            f"{tokens:,} of {self._settings.build_tokens:,} tokens spent on {self._asked_for:,} {passages}, "
            f"{self._from_before:,} more known from before"
        )

    def extract(self, source: Source) -> Iterator[Claim | Rejected]:
        """Claims and what was not kept, in document order."""
        terms = Terms.of(source.ontology)
        if not terms.by_id:
            return
        properties = "\n".join(_described(source.ontology, name, p) for name, p in terms.by_id.items())
        prompt = model_client.prompt(model_client.EXTRACT)
        asked = [(one, prompt.filled(properties=properties, passage=one.as_json())) for one in shown(source)]
        size = self._settings.concurrency
        for batch in (asked[start : start + size] for start in range(0, len(asked), size)):
            replies = self._replies(source.document_id, [filled for _, filled in batch])
            for (seen, _), reply in zip(batch, replies, strict=True):
                if reply is not None:
                    yield from self._read(source, seen, terms, reply)

    def _read(self, source: Source, seen: Shown, terms: Terms, reply: Reply) -> Iterator[Claim | Rejected]:
        if not reply.text:
            text = seen.passage.text[:_SHOWN]
            yield Rejected(seen.passage.id, self.name, Reason.REFUSED.value, text, *seen.span)
        for item, text in islice(items(reply.text, "facts"), _MOST_LINES):
            yield read(source, seen, terms, item, text, self.name)

    def _replies(self, document: str, batch: Sequence[model_client.Filled]) -> list[Reply | None]:
        """A reply for each prompt; None where there is none, which is noted. What is kept from before is free."""
        kept = [self._client.cached(filled) for filled in batch]
        new = [filled for filled, text in zip(batch, kept, strict=True) if text is None]
        self._from_before += len(batch) - len(new)
        if sum(filled.tokens + self._settings.reply_tokens for filled in new) > self._left:
            self._stopped = self._stopped or BUDGET
        found = iter(self._asked(document, new))
        return [Reply(text, 0) if text is not None else next(found) for text in kept]

    def _asked(self, document: str, new: Sequence[model_client.Filled]) -> list[Reply | None]:
        if not new:
            return []
        if self._stopped:
            self._note_unread(document, len(new), self._stopped)
            return [None] * len(new)
        with ThreadPoolExecutor(self._settings.concurrency) as pool:
            replies = list(pool.map(self._completed, new))
        return [self._noted(document, reply) for reply in replies]

    def _completed(self, filled: model_client.Filled) -> Reply | ModelFailed:
        try:
            return self._client.complete(filled, SCHEMA)
        except ModelFailed as error:
            return error

    def _noted(self, document: str, reply: Reply | ModelFailed) -> Reply | None:
        if isinstance(reply, Reply):
            self._left -= reply.tokens
            self._asked_for += 1
            self._failures = 0
            return reply
        self._failures += 1
        if reply.lasting or self._failures >= _GIVE_UP:
            self._stopped = reply.reason
        self._note_unread(document, 1, reply.reason)
        return None

    def _note_unread(self, document: str, count: int, reason: str) -> None:
        self.unread[document] += count
        self._why_unread[reason] = None

    def warnings(self) -> tuple[str, ...]:
        """A sentence on what the model hasn't read, if there is such."""
        if not self.unread:
            return ()
        passages, documents = self.unread.total(), len(self.unread)
        return (
            f"the language model {self._client.model} at {self._client.address} hasn't read {passages:,} "
            f"{'passage' if passages == 1 else 'passages'} of {documents:,} "
            f"{'document' if documents == 1 else 'documents'} ({'; '.join(self._why_unread)}); all else is done, "
            "and kg build asks for these again",
        )


def _described(ontology: Ontology, name: str, property_: OntologyProperty) -> str:
    """A property as the model sees it, in one line of JSON."""

    told = {
        "id": name,
        "label": property_.label,
        "definition": property_.definition,
        "domain": " or ".join(ontology.labels(property_.domains)),
        "range": " or ".join(ontology.labels(property_.ranges)) or (property_.datatype or "").rpartition("#")[2],
        "unit": (property_.canonical_unit or "").rpartition("/")[2],
    }
    return json.dumps({key: value for key, value in told.items() if value}, ensure_ascii=False)
