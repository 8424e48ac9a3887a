"""Claims from prose by a trained model: an extractor that is off unless the environment names a model.

``KG_RELATION_MODEL`` names a model's folder, or with ``general`` the distributed model; ``KG_RELATION_PRECISION`` (0.9
unless given) the precision on development data from whose threshold on it speaks; a model without such a threshold
stays silent. Only statements count: nothing negated, supposed, asked or planned, and only where both arguments are
names, dates or amounts that the rules find too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from kg.extract.arguments import Mention
from kg.extract.build import About, Given, Property, claim
from kg.extract.bullets import bullets
from kg.extract.classify import classes_of_mention
from kg.extract.properties import allows, fits, predicate_of
from kg.extract.source import Placed, Source, sentences
from kg.extract.standing import hedge_of, section_frame
from kg.extract.values import Part
from kg.model import BlockKind, Claim, DateValue, EntityName, Hedge, Quantity
from kg.ontology import Ontology, OntologyProperty
from kg.relations.encoding import Relation, Scored, Span
from kg.relations.examples import opened
from kg.relations.files import configuration, model_of, named, precision
from kg.relations.scoring import Choice, Known, Model
from kg.text import dates, quantities
from kg.text.hedges import combine
from kg.text.stretch import Found, Stretch

NAME = "relations"
_SHORTEST = 4  # words of a sentence


def relations_of(ontology: Ontology) -> tuple[Relation, ...]:
    """What a model is asked for: the ontology's properties by their words, sorted by IRI."""

    return tuple(
        Relation(
            p.iri,
            p.label,
            p.definition,
            " or ".join(sorted(ontology.labels(p.domains))),
            " or ".join(sorted(ontology.labels(p.ranges))) or _literal(p),
        )
        for _, p in sorted(ontology.properties.items())
    )


def _literal(property_: OntologyProperty) -> str:
    kind = (property_.datatype or "").rpartition("#")[2]
    if kind in ("date", "gYear", "gYearMonth", "dateTime"):
        return "date"
    return "number" if kind not in ("", "string") else ""


class Prose:
    """Sentences of paragraphs, read by a model for the ontology's properties. ``threshold`` in log-odds."""

    name = NAME

    def __init__(self, model: Model, threshold: float, confidence: float) -> None:
        self._model, self._threshold, self._confidence = model, threshold, confidence
        self._known: tuple[tuple[Relation, ...], Known] | None = None

    def extract(self, source: Source) -> Iterator[Claim]:
        """Claims in document order."""
        relations = relations_of(source.ontology)
        if not relations:
            return
        if self._known is None or self._known[0] != relations:
            self._known = relations, self._model.know(relations)
        functional = frozenset(p.iri for p in source.ontology.properties.values() if p.functional)
        choice = Choice(self._threshold, margin=2.0, functional=functional)
        for bullet in bullets(source):
            if bullet.in_list or bullet.placed.block.kind is not BlockKind.PARAGRAPH:
                continue
            for sentence in sentences(bullet.stretch):
                if len(sentence.text.split()) >= _SHORTEST and not sentence.text.rstrip().endswith(("?", ":")):
                    yield from self._sentence(source, bullet.placed, sentence, choice)

    def _sentence(self, source: Source, placed: Placed, sentence: Stretch, choice: Choice) -> Iterator[Claim]:
        assert self._known is not None
        arguments = _arguments(source, sentence)
        if len(arguments) < 2:
            return
        for one in self._model.read(sentence.text, self._known[1], choice):
            made = _claim(source, placed, sentence, arguments, one, self._confidence)
            if made is not None:
                yield made


def _arguments(source: Source, sentence: Stretch) -> list[Mention]:
    found = []
    for name in source.names_in(sentence):
        at = sentence.part(name.start, name.end)
        value = EntityName(name.value.surface, classes_of_mention(source, name.value, at.text))
        found.append(Mention(name.start, name.end, Part(value, at)))
    values: list[Found[Quantity] | Found[DateValue]] = [*quantities.find(sentence.text), *dates.find(sentence.text)]
    for one in values:
        found.append(Mention(one.start, one.end, Part(one.value, sentence.part(one.start, one.end))))
    return found


def _claim(
    source: Source, placed: Placed, sentence: Stretch, arguments: list[Mention], one: Scored, confidence: float
) -> Claim | None:
    """The claim that a scored pair makes, if the rules see both of its arguments and its types allow it."""
    property_ = source.ontology.properties[one.relation]
    subject, value = (_at(arguments, span) for span in (one.subject, one.object))
    if subject is None or value is None or not isinstance(subject.part.value, EntityName):
        return None
    if not (
        allows(source.ontology, property_.domains, subject.part.value.classes)
        and fits(source.ontology, property_, value.part)
    ):
        return None
    hedge = combine(*(hedge_of(sentence.text, at.start, at.end) for at in (value, subject)))
    if hedge != Hedge():  # denied, supposed, planned …
        return None
    return claim(
        source,
        NAME,
        About(subject.part.value, (subject.part.at.span,), subject.part.at),
        Property(predicate_of(property_)),
        Given(value.part.value, value.part.at.span, value.part.at.text, combine(hedge, value.part.hedge)),
        section_frame(source, placed),
        confidence,
    )


def _at(arguments: list[Mention], span: Span) -> Mention | None:
    """The argument that the rules find at a span, give or take an article."""
    near = [a for a in arguments if a.end == span[1] and abs(a.start - span[0]) <= len("the ")]
    return min(near, key=lambda a: (abs(a.start - span[0]), a.start), default=None)


def configured() -> tuple[Prose, ...]:
    """The extractor that the environment asks for, if any. Raises ModelUnavailable."""
    folder = model_of(named())
    return () if folder is None else _prose(folder, configuration(), precision())


@lru_cache(maxsize=2)
def _prose(folder: Path, files: str, precision: str) -> tuple[Prose, ...]:
    """The extractor of a model, read anew when its ``files`` are others."""
    model = opened(folder)
    threshold = model.about.thresholds.get(precision)
    return () if threshold is None else (Prose(model, threshold, float(precision)),)
