"""Whom a pronoun or "the …" takes up in running prose, where only one thing can be meant.

A pronoun takes up the subject of the sentence before, within one paragraph; "the tower" what was called a tower before,
in words like "Corran is a tower" or by its own name ("Corran Tower"). Hobbs (1978) and Lappin and Leass (1994) rank
candidates by salience; here a subject that is not alone in its sentence leaves a pronoun unread.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kg.extract.build import About
from kg.model import EntityName
from kg.text.name_words import ROLE_BEFORE, ROLES

_PERSONAL = ("he", "she")
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
