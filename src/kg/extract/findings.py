"""What a work says: "“The Corran Survey”, showing that the light burns paraffin", "the Kiel Report found that …".

Only works whose title stands in quotes or that are known to be ones: people say and show things too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.extract.build import About, Given, Property, claim, scaled
from kg.extract.bullets import bullets, in_sources
from kg.extract.classify import classes_of_mention
from kg.extract.source import Source, sentences
from kg.extract.sources import source_line
from kg.extract.standing import hedge_of, sentence_frame
from kg.extract.words import WORD
from kg.model import Claim, EntityName, Mood, Polarity, Predicate, Text
from kg.text.entities import EntityMention
from kg.text.found import Found
from kg.text.stretch import Stretch

NAME = "asides"
_SAYS = re.compile(
    r"[,.]?[\"”’]?(?:\s*\([^()]{2,40}\))?[,]?\s+(?:which\s+|that\s+)?(?:first\s+|also\s+|\w{2,}ly\s+)?"
    r"(?:show(?:s|ed|ing|n)|establish(?:es|ed|ing)|demonstrat(?:es|ed|ing)|argu(?:es|ed|ing)|conclud(?:es|ed|ing)|"
    r"report(?:s|ed|ing)|f(?:inds|ound|inding)|prov(?:es|ed|ing)|reveal(?:s|ed|ing)|explain(?:s|ed|ing)|"
    r"stat(?:es|ed|ing)|warn(?:s|ed|ing)|suggest(?:s|ed|ing))\s+that\s+(?P<said>[^.;]{12,400})"
)
_FEWEST_WORDS = 4


def findings(source: Source) -> Iterator[Claim]:
    """What sentences tell that works say, as their descriptions, in document order."""
    works = {c.iri for c in source.ontology.by_label("work", "class")}
    for bullet in bullets(source):
        if in_sources(source, bullet.placed) or source_line(bullet):
            continue
        for sentence in sentences(bullet.stretch):
            for name in source.names_in(sentence):
                said = _said(source, sentence, name, works)
                if said is None:
                    continue
                at = sentence.part(name.start, name.end)
                about = About(EntityName(at.text, _classes(source, name, works)), (at.span,), at)
                given = Given(Text(said.text), said.span, said.text)
                property_, frame = Property(Predicate("description")), sentence_frame(source, bullet.placed)
                yield claim(source, NAME, about, property_, given, frame, scaled(NAME, 0.95))


def _said(source: Source, sentence: Stretch, name: Found[EntityMention], works: set[str]) -> Stretch | None:
    """The clause that a work is said to show; None for what is no work, or isn't said to have been shown."""
    found = _SAYS.match(sentence.text, name.end)
    if found is None or not _classes(source, name, works):
        return None
    told = hedge_of(sentence.text, name.end, found.start("said"))
    if told.polarity is not Polarity.AFFIRMED or told.mood is not Mood.FACTUAL:
        return None
    said = sentence.part(found.start("said"), found.end("said")).strip(' ,"”')
    return said if len(WORD.findall(said.text)) >= _FEWEST_WORDS else None


def _classes(source: Source, name: Found[EntityMention], works: set[str]) -> tuple[str, ...]:
    """The classes of a work: those that its name tells, or work if it is a title; none of other things."""
    known = classes_of_mention(source, name.value, name.value.surface)
    if any(works & source.ontology.superclasses(c) for c in known):
        return tuple(known)
    return tuple(sorted(works)[:1]) if name.value.kind == "title" and not known else ()
