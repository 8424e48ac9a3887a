"""Whom a clause means that begins with a pronoun, "the …" or a bare noun: a name of the words before, where safe."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.extract.arguments import Mention
from kg.extract.build import About
from kg.extract.classify import head_classes
from kg.extract.source import Placed, Source, walk
from kg.extract.subjects import outer
from kg.model import Block, BlockKind, EntityName
from kg.text.stretch import Stretch

_PRONOUN = re.compile(r"(?:it|they|this|he|she)\b", re.IGNORECASE)
_THE = re.compile(r"(?:the|this)\s+((?:[\w-]+\s+){0,2}?[\w-]+)$", re.IGNORECASE)
_PERSONAL = ("he", "she")
# Where a new clause begins; what stands before may name the one that a pronoun takes up.
_CLAUSE = re.compile(
    r"[,;:—–]\s+(?:and\s+|but\s+|so\s+|which\s+means\s+)?|\s-{2,3}\s+|"
    r"\b(?:that|like|because|since|while|as|if|and|but|where|when)\s+",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"(?:\s+(?:also|now|then|still|later|originally|previously|\w{2,}ly)|[’']re|[’']s)+$")


@dataclass(frozen=True, slots=True)
class Context:
    """What a sentence may leave to its surroundings.

    ``section``: the thing that it stands under; ``thing`` and ``person``: what pronouns take up; ``document``: what the
    document is about; ``nouns``: names with the noun behind them ("Fastnet lamp fleet"), the last first, which "this
    fleet" takes up; ``implied``: classes of ``thing`` that only the sentence before tells ("Orr was founded by …").
    """

    section: About | None
    thing: About | None
    person: About | None
    document: About | None = None
    nouns: tuple[About, ...] = ()
    implied: tuple[str, ...] = ()

    def taken_up(self, pronoun: str) -> About | None:
        """What a pronoun that begins a sentence takes up; "they" are no thing that a heading names."""
        if pronoun.lower() in _PERSONAL:
            return self.person
        plural = pronoun.lower() == "they" and self.thing is self.section
        return self.document if plural else self.thing


def meant(source: Source, before: str, found: Sequence[Mention], context: Context) -> About | None:
    """What the words before a phrase take up, if the clause begins with them and they are a pronoun or "the …"."""
    words = _TRAILING.sub("", before.rstrip())
    starts = [m.end() for m in _CLAUSE.finditer(words)]
    start = starts[-1] if starts else 0
    clause = words[start:].strip()
    if pronoun := _PRONOUN.fullmatch(clause):
        if start == 0:
            return context.taken_up(pronoun[0])
        return _taken_up(found, start, pronoun[0], context)
    return _noun(source, clause, context) if (noun := _THE.fullmatch(clause)) and noun else None


def _taken_up(found: Sequence[Mention], start: int, pronoun: str, context: Context) -> About | None:
    """What a pronoun within a sentence takes up: the name that begins the sentence if it is the only one before."""
    named = [m for m in found if m.end <= start and isinstance(m.part.value, EntityName)]
    if not named:
        return context.taken_up(pronoun)
    first = named[0]
    if len(named) > 1 or first.start > 4 or first.person is not (pronoun.lower() in _PERSONAL):
        return None
    assert isinstance(first.part.value, EntityName)
    return About(first.part.value, (first.part.at.span,), first.part.at)


def _noun(source: Source, clause: str, context: Context) -> About | None:
    """The thing that "the …" or "this …" takes up, by its class or by the noun that ends its name."""
    noun = _THE.fullmatch(clause)
    assert noun is not None
    words = noun[1].lower()
    if context.thing is not None and isinstance(context.thing.name, EntityName):
        named = {c.iri for c in source.ontology.by_label(words, "class")}
        above = {s for c in context.thing.name.classes for s in source.ontology.superclasses(c)}
        kinds = {s for c in named for s in source.ontology.superclasses(c)}
        if named & above or kinds.intersection(context.implied) or context.thing.name.surface.lower().endswith(words):
            return context.thing
    ending = {
        about.name.surface.lower(): about
        for about in reversed(context.nouns)
        if isinstance(about.name, EntityName) and about.name.surface.lower().endswith(f" {words}")
    }
    return next(iter(ending.values())) if len(ending) == 1 else None  # of several fleets, none is meant for sure


def of_document(source: Source) -> About | None:
    """What the document is about, if its title names a thing."""
    found = outer(source, [])
    at = found.at
    named = isinstance(found.name, EntityName) and source.words.has_proper(found.name.surface)
    return About(found.name, found.spans, at) if named else None


_NOUN = re.compile(r"\s(?:[a-z][\w-]*\s)?[a-z]{3,}\b")


def nouns_before(source: Source, placed: Placed, body: Stretch) -> tuple[About, ...]:
    """Names with the noun of a class behind them ("Fastnet lamp fleet") before a text in its section, last first."""
    key = ("nouns", id(placed.sections[-1]) if placed.sections else 0)
    if key not in source.memo:
        source.memo[key] = tuple(_nouns(source, placed.sections))
    nouns: tuple[About, ...] = source.memo[key]
    start = body.span[0]
    return tuple(about for about in reversed(nouns) if about.spans[0][0] < start)


def _nouns(source: Source, sections: tuple[Block, ...]) -> Iterator[About]:
    for placed in source.placed:
        if placed.sections != sections:
            continue
        for block in walk([placed.block]):
            if block.inline is None or block.kind is BlockKind.CODE:
                continue
            whole = Stretch.whole(block.inline)
            for name in source.names_in(whole):
                noun = _NOUN.match(whole.text, name.end)
                at = whole.part(name.start, noun.end()) if noun else None
                if at is not None and (classes := head_classes(source.ontology, at.text)):
                    yield About(EntityName(at.text, classes), (at.span,), at)


_BARE = re.compile(r"[A-Z]?[\w/-]*[a-z][\w/-]*(?:\s[\w/&-]+){1,4}")
_NO_NOUN = re.compile(
    r"(?:all|any|both|each|either|every|few|many|more|most|no|none|other|others|several|some|such|that|the|these|this|"
    r"those|what|when|where|which|who|why|how|if|in|on|at|by|for|from|of|to|with|and|or|but|as|than|we|you|they|he|she|"
    r"it|our|your|their|his|her|its|there|here|not|never|only|even|is|are|was|were|be|been|has|have|had|will|would|can|"
    r"could|may|might|must|should|do|does|did)$",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*\([^()]*\)$")


def plural_subject(source: Source, sentence: Stretch, end: int) -> About | None:
    """The things that a sentence begins with and that no name names ("Night workers ran on …"): plural, two words."""
    text = _ASIDE.sub("", _TRAILING.sub("", sentence.text[:end].rstrip()))
    words = text.split()
    last = words[-1] if words else ""
    plural = last.endswith("s") and not last.endswith(("ss", "us", "is", "’s", "'s")) and last.islower()
    if not plural or not _BARE.fullmatch(text) or any(_NO_NOUN.fullmatch(word) for word in words):
        return None
    at = sentence.part(0, len(text))
    return About(EntityName(at.text, head_classes(source.ontology, at.text)), (at.span,), at)
