"""Documents laid out as Re-DocRED is, read for facts without gold mentions: as a build does, or sentences together.

For :mod:`benchmarks.evaluation.docred_facts`, which says how a reading is scored.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.evaluation import docred
from benchmarks.evaluation.relations.reading import between
from kg.errors import BadInput
from kg.extract import extract
from kg.extract.source import Source
from kg.indexes.embedding import OnnxEncoder
from kg.model import Claim, EntityName
from kg.ontology import Ontology, parse
from kg.readers import read as read_document
from kg.records import make
from kg.relations.encoding import Relation, places
from kg.relations.prose import NAME, Prose
from kg.relations.scoring import NEVER, Known, Model, Scores
from kg.resolution.resolve import Resolution, resolve
from kg.text.names import name_key
from kg.text.passages import split
from kg.text.sentence_spans import spans as sentence_spans

Span = tuple[int, int]
Triple = tuple[int, str, int]

_EX = "https://w3id.org/citegraph/evaluate#"
_PLACES = ("country", "continent", "city", "body of water", "river", "landform")
_ORGANISATIONS = (
    "sports team", "school", "political party", "league", "armed force", "record label", "company", "broadcaster",
)  # fmt: skip
_WORKS = ("written work", "musical work", "song", "film", "programme", "software")
_ABOVE = dict.fromkeys(_PLACES, "place") | dict.fromkeys(_ORGANISATIONS, "organisation") | dict.fromkeys(_WORKS, "work")
_DATE, _ANYTHING = "date", "thing"
SURE = math.inf  # log-odds of what a rule says
MOST = 500  # word pieces of a document that are read at once
FLOOR = -4.0  # what a model gives less log-odds is never said
# At which a build reads, beside the thresholds of its model.
_STEPS = (3.0, 2.0, 1.5, 1.0, 0.5, 0.0, -0.5, -1.0, -1.5, -2.0)


# --- documents and what is said of them --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Paper:
    """A document with its gold: where entities' mentions stand, how they are written, and facts by entities' numbers.

    ``near``: the facts whose ends are both named in one sentence.
    """

    title: str
    text: str
    places: Mapping[Span, int]
    names: Mapping[str, tuple[int, ...]]
    facts: frozenset[Triple]
    near: frozenset[Triple]

    def met(self, mentions: Iterable[Span]) -> int | None:
        """The gold entity that an entity with these mentions is, if any."""
        votes = Counter[int]()
        for span in mentions:
            exact = self.places.get(span)
            votes.update(self.names.get(name_key(self.text[slice(*span)]), ()) if exact is None else (exact,))
        return min(votes, key=lambda entity: (-votes[entity], entity), default=None)


@dataclass(frozen=True, slots=True)
class Said:
    """A fact as said: the mentions of both entities; log-odds, or :data:`SURE`."""

    head: frozenset[Span]
    relation: str
    tail: frozenset[Span]
    odds: float


def read(path: Path, first: int = 0, last: int | None = None) -> list[Paper]:
    """Documents ``first`` to ``last`` (counted from 0, both included) of a file. Raises BadInput."""
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        return [paper_of(document) for document in given[first : None if last is None else last + 1]]
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise BadInput(f"{path.name} isn't in DocRED's layout: {type(error).__name__} {error}") from error


def paper_of(document: Mapping[str, Any]) -> Paper:
    """One document."""
    story = docred.story_of(document)
    names: dict[str, set[int]] = defaultdict(set)
    for mention in story.mentions:
        names[name_key(story.surface(mention))].add(mention.vertex)
    facts = frozenset((label["h"], str(label["r"]), label["t"]) for label in document["labels"])
    lines = [{mention["sent_id"] for mention in vertex} for vertex in document["vertexSet"]]
    return Paper(
        story.title,
        story.text,
        {(m.start, m.end): m.vertex for m in story.mentions},
        {name: tuple(sorted(entities)) for name, entities in names.items()},
        facts,
        frozenset((head, relation, tail) for head, relation, tail in facts if lines[head] & lines[tail]),
    )


def entities(paper: Paper) -> list[tuple[Span, ...]]:
    """Names, dates and amounts that the rules find: names joined as resolution does, others where written alike.

    A guessed kind (person, organisation, place) is what the context vouches for.
    """
    story = docred.Story(paper.title, paper.text, ())
    found = docred.found_in(story)
    names = tuple(docred.Named(*span, kind, -1) for span, kind in sorted(found.items()) if kind not in docred.VALUES)
    groups: dict[object, list[Span]] = defaultdict(list)
    for name, cluster in zip(
        names, docred.clusters(replace(story, mentions=names), docred.ontology(), True), strict=True
    ):
        groups[cluster].append((name.start, name.end))
    for span, kind in sorted(found.items()):
        if kind in docred.VALUES:
            groups[name_key(paper.text[slice(*span)])].append(span)
    return [tuple(spans) for spans in groups.values()]


# --- as a build reads --------------------------------------------------------------------------------


def ontology(relations: Sequence[Relation]) -> Ontology:
    """Classes and properties that say what the relations say; dates are literals."""
    kinds = sorted({kind for r in relations for kind in (r.domain, r.range)} | set(_ABOVE.values()))
    lines = [
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .",
    ]
    for kind in kinds:
        if kind not in (_DATE, _ANYTHING, ""):
            above = f" ; rdfs:subClassOf {_class(_ABOVE[kind])}" if kind in _ABOVE else ""
            lines.append(f'{_class(kind)} a owl:Class ; rdfs:label "{kind}"{above} .')
    for relation in relations:
        is_date = relation.range == _DATE
        line = (
            f'<{_EX}{relation.key}> a owl:{"Datatype" if is_date else "Object"}Property ; rdfs:label "{relation.label}"'
        )
        line += f' ; skos:definition "{relation.definition}"'
        line += f" ; rdfs:domain {_class(relation.domain)}" if relation.domain not in (_ANYTHING, "") else ""
        if relation.range not in (_ANYTHING, ""):
            line += f" ; rdfs:range {'xsd:date' if is_date else _class(relation.range)}"
        lines.append(line + " .")
    return parse([("relations.ttl", "\n".join(lines).encode())])


def _class(kind: str) -> str:
    return f"<{_EX}{kind.title().replace(' ', '')}>"


class Remembering(Model):
    """A model that reads a sentence once, however many thresholds ask."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, OnnxEncoder().encode)
        self._read: dict[str, Scores | None] = {}

    def scores(self, text: str, known: Known) -> Scores | None:
        """As a model's, kept until another document comes."""
        if text not in self._read:
            self._read[text] = super().scores(text, known)
        return self._read[text]

    def forget(self) -> None:
        """Before another document."""
        self._read.clear()


class Stepwise:
    """The extractor of prose at falling thresholds: a claim's confidence tells the first that lets it pass."""

    name = NAME

    def __init__(self, folder: Path) -> None:
        self._model = Remembering(folder)
        steps = sorted({*_STEPS, *self._model.about.thresholds.values()}, reverse=True)
        self._steps = tuple(Prose(self._model, step, 1 / (1 + math.exp(-step))) for step in steps)

    def extract(self, source: Source) -> Iterator[Claim]:
        """Claims, the surest first."""
        self._model.forget()
        known: set[str] = set()
        for prose in self._steps:
            for claim in prose.extract(source):
                if claim.id not in known:
                    known.add(claim.id)
                    yield claim


def built(paper: Paper, schema: Ontology, prose: Stepwise) -> tuple[Said, ...]:
    """What a build makes of a document."""
    document = read_document(paper.text.encode(), "document.txt")
    passages = split(document, "d")
    found = extract(document, "d", passages, schema, (), (prose,))
    record = make(document, "d", passages, found)
    resolution = resolve([record], schema)
    at = document.text.find(paper.text[:40])
    assert document.text[at : at + len(paper.text)] == paper.text, paper.title
    places: dict[str, set[Span]] = defaultdict(set)
    for mention in found.mentions:
        meant = resolution.find("d", EntityName(mention.surface, mention.classes))
        if meant is not None:
            places[meant].add((mention.start - at, mention.end - at))
    said = [_said(claim, resolution, places, at) for claim in found.claims if claim.predicate.iri.startswith(_EX)]
    return tuple(one for one in said if one is not None)


def _said(claim: Claim, resolution: Resolution, places: Mapping[str, set[Span]], at: int) -> Said | None:
    if not isinstance(claim.subject, EntityName) or claim.object is None:
        return None
    ends = []
    for value, role in ((claim.subject, "subject"), (claim.object, "value")):
        spans = {(e.start - at, e.end - at) for e in claim.evidence if e.role == role}
        if isinstance(value, EntityName):
            meant = resolution.find("d", value)
            spans |= places.get(meant or "", set())
        ends.append(frozenset(spans))
    chance = claim.confidence
    odds = round(math.log(chance / (1 - chance)), 6) if claim.extractors == (NAME,) and 0 < chance < 1 else SURE
    return Said(ends[0], claim.predicate.iri.removeprefix(_EX), ends[1], odds)


# --- many sentences at once --------------------------------------------------------------------------


def read_together(paper: Paper, model: Model, known: Known, sentences: int) -> tuple[Said, ...]:
    """What a model says of :func:`entities`, so many neighbouring sentences read together; 0: the document.

    A pair is as likely as the likeliest pair of mentions in any of the stretches.
    """
    groups = entities(paper)
    best = np.full((len(groups), len(groups), len(known.relations)), NEVER)
    for start, end in stretches(paper.text, sentences):
        inside = [[(a - start, b - start) for a, b in spans if start <= a and b <= end] for spans in groups]
        scores = between(model, paper.text[start:end], [span for spans in inside for span in spans], known, MOST)
        if scores is not None:
            _take(best, scores, inside)
    return tuple(
        Said(frozenset(groups[i]), known.relations[q].key, frozenset(groups[j]), float(best[i, j, q]))
        for i, j, q in np.argwhere(best >= FLOOR)
        if i != j
    )


def stretches(text: str, sentences: int) -> list[Span]:
    """Where so many neighbouring sentences stand, one window a sentence; the whole text for 0.

    >>> stretches("Ada came. Bo left. Cy slept.", 2), stretches("Ada came. Bo left.", 0)
    ([(0, 18), (10, 28)], [(0, 18)])
    """
    found = sentence_spans(text)
    width = min(sentences or len(found), len(found))
    return [(found[at][0], found[at + width - 1][1]) for at in range(len(found) - width + 1)] if found else []


def _take(best: npt.NDArray[np.float32], scores: Scores, inside: Sequence[Sequence[Span]]) -> None:
    """Raises pairs of entities to the best of their mentions' scores."""
    owners = {spot: number for number, spans in enumerate(inside) for spot in places(spans, scores.encoded)}
    own = np.array([owners[first, last] for first, last in scores.spans.tolist()])
    np.maximum.at(best, (own[:, None], own[None]), scores.odds)
