"""Whom a clause means that begins with a pronoun, "the …" or a bare noun: a name of the words before, where safe."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kg.extract.arguments import Mention
from kg.extract.build import About
from kg.extract.classify import head_classes, lineage
from kg.extract.source import Placed, Source, walk
from kg.extract.subjects import outer
from kg.model import Block, BlockKind, EntityName
from kg.text.gazetteer import ROLE_BEFORE, ROLES
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
        above = lineage(source.ontology, context.thing.name.classes)
        kinds = lineage(source.ontology, named)
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
    named = isinstance(found.name, EntityName) and source.words.has_proper(found.name.surface)
    return found if named else None


_NOUN = re.compile(r"\s(?:[a-z][\w-]*\s)?[a-z]{3,}\b")


def nouns_before(source: Source, placed: Placed, body: Stretch) -> tuple[About, ...]:
    """Names with the noun of a class behind them ("Fastnet lamp fleet") before a text in its section, last first."""
    section = placed.sections[-1] if placed.sections else None
    nouns = source.once("nouns", section, lambda: tuple(_nouns(source, placed.sections)))
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
                    yield About.of(at, classes)


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
    return About.of(at, head_classes(source.ontology, at.text))


# --- Whom a pronoun or "the …" takes up in running prose, where only one thing can be meant

_PLURAL = ("they",)
_NEUTRAL = ("it",)
_ACTING = ("er", "or", "ist", "ian", "man", "ant", "ent", "ess", "eer", "ee", "ic", "al", "son", "child")
"""The endings that make nouns for those who act or belong, a closed class of English word formation. Nouns of things
have them too ("tower"): then it stays open whether a person is meant. A person's noun with none of them and no known
role ("king") is taken for a thing's, and no "he" takes its bearer up: a fact is lost, none is made."""


@dataclass(frozen=True, slots=True)
class Salient:
    """A thing that the text before is about. ``person``, ``plural``: what pronouns may take it up; None unknown."""

    about: About
    person: bool | None = None
    plural: bool = False
    alone: bool = True


@dataclass
class Discourse:
    """What a document has spoken of so far.

    ``subject``: of the sentence before; ``earlier``: the last that was read; ``section``: what the heading names;
    ``things``: names that were called what no person is.
    """

    section: About | None = None
    section_noun: str = ""
    subject: Salient | None = None
    earlier: Salient | None = None
    nouns: dict[str, About | None] = field(default_factory=dict)
    things: set[str] = field(default_factory=set)

    def paragraph(self, section: About | None, noun: str) -> None:
        """Begins a paragraph under a heading that may name a thing, by what noun."""
        if section is None or self.section is None or section.name != self.section.name:
            self.nouns, self.earlier = {}, None
        self.section, self.section_noun, self.subject = section, noun, None

    def called(self, noun: str, about: About, named: bool = False) -> None:
        """Notes that a thing was called by a noun; two things of one noun leave it open which is meant.

        ``named``: the noun says what a name stands for ("Corran is a tower"), and so whether for a person.
        """
        if named and isinstance(about.name, EntityName):
            self.things |= {about.name.surface} if of_no_person(noun) else set()
        known = self.nouns.get(noun, about)
        self.nouns[noun] = about if known is not None and known.name == about.name else None

    def person(self, name: str) -> bool | None:
        """Whether a name may be a person's: False where it was called what no person is, else None."""
        return False if name in self.things else None

    def definite(self, noun: str) -> tuple[About, str] | None:
        """What "the …" takes up, and how that is known."""
        if noun in self.nouns:
            about = self.nouns[noun]
            return (about, "called") if about is not None else None
        if self.section is not None and noun == self.section_noun:
            return self.section, "heading"
        return None

    def about(self, subject: Salient | None) -> None:
        """Notes what a sentence is about; None where that can't be told."""
        self.subject = subject
        if subject is not None and subject.alone:
            self.earlier = subject

    def pronoun(self, word: str) -> tuple[About, str] | None:
        """What a pronoun takes up, and how that is known.

        The subject of the sentence before; where that one was not read, what the section is about, if the last subject
        that was read is just that.
        """
        if (subject := self.subject) is not None:
            return (subject.about, "subject before") if subject.alone and _agrees(word, subject) else None
        earlier = self.earlier
        if earlier is None or self.section is None or not _same(earlier.about, self.section):
            return None
        return (earlier.about, "section") if _agrees(word, earlier) else None


def of_no_person(noun: str) -> bool:
    """Whether a noun can't be said of persons: it is no known role and ends as none of those that act or belong."""
    return noun not in ROLES | ROLE_BEFORE and not noun.endswith(_ACTING)


def _agrees(word: str, subject: Salient) -> bool:
    return (
        (word in _PERSONAL and not subject.plural and subject.person is not False)
        or (word in _PLURAL and subject.plural)
        or (word in _NEUTRAL and not subject.plural and not subject.person)
    )


def _same(one: About, section: About) -> bool:
    """Whether two names mean one thing: the same words, or one the end or beginning of the other."""
    if not isinstance(one.name, EntityName) or not isinstance(section.name, EntityName):
        return False
    left, right = one.name.surface.casefold().split(), section.name.surface.casefold().split()
    short, long = sorted((left, right), key=len)
    return bool(short) and (long[: len(short)] == short or long[-len(short) :] == short)
