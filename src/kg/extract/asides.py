"""What is told of a name right beside it: figures in a bracket ("the log (~7,000 pages)"), and what it is behind a
comma or dash ("Corran Light, a tower of granite, …").

With it goes what single sentences and items tell beside their main clause: parts, causes, changes, ranks, figures, and
what they say is not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.extract.build import About, Frame, Given, Property, claim, named, scaled
from kg.extract.bullets import Bullet
from kg.extract.items import causes, changes, figures, parts, ranks
from kg.extract.keyvalues import elliptic
from kg.extract.source import Source, sentences
from kg.extract.sources import telling
from kg.extract.standing import hedge_of, sentence_frame, withheld
from kg.extract.words import WORD
from kg.model import Claim, EntityName, Predicate
from kg.namespaces import SKOS
from kg.text import quantities
from kg.text.entities import EntityMention
from kg.text.masks import covered
from kg.text.stretch import Found, Stretch

NAME = "asides"
_LED_BY = re.compile(
    r"\b(?:of|for|by|with|in|at|on|from|to|as|than|near|under|over|via|like|and|or|an?)\s+(?:the\s+)?$", re.IGNORECASE
)
_NEAR = 40  # characters before a name that are looked at
_BRACKET = re.compile(r"[\"”’]?\s*\(([^()]{3,60})\)")
_NOUN_BEHIND = re.compile(r"\s(?:[a-z][\w-]*\s)?[a-z]{3,}(?=\s\()")
_APPOSED = re.compile(
    r"(?P<joint>,|\s*(?:—|–|-{2,3}))\s+(?P<body>an?\s+[^,;:()—–]{8,160}?)(?=\s*(?:[,;:()—–]|\s-{2,3}\s|[.!]?[\"”’*_]*$))"
    r"(?!\s*,?\s*(?:and|or)\b)"
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|did|does|said|says|became|made|went|"
    r"ran|took|came|fell|rose|left|got|gave|saw|led)\b"
)
_MOST_WORDS = 22
_DEFINITION = Predicate("definition", SKOS + "definition")


def extract(source: Source) -> Iterator[Claim]:
    """Reads brackets and appositions behind names, in sentences outside tables and headings."""
    for bullet in telling(source):
        for sentence in sentences(bullet.stretch):
            if not sentence.text.rstrip().endswith("?"):
                yield from _sentence(source, bullet, sentence)
    for told in (parts, withheld, causes, changes, ranks, figures):
        yield from told(source)


def _sentence(source: Source, bullet: Bullet, sentence: Stretch) -> Iterator[Claim]:
    frame = sentence_frame(source, bullet.placed)
    counted = tuple((q.start, q.end) for q in quantities.find(sentence.text))
    for mention in source.names_in(sentence):
        if mention.value.kind == "person" or covered(counted, mention.start, mention.end):
            continue
        if _LED_BY.search(sentence.text, max(0, mention.start - _NEAR), mention.start):
            continue
        about = named(source, sentence.part(mention.start, mention.end), mention.value)
        yield from _figured(source, about, sentence, mention, frame)
        yield from _apposed(source, about, sentence, mention, frame)


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
