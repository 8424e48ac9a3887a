"""Whether the phrases of a proposition are whole, and mean something beside the words that they stand among."""

from __future__ import annotations

import re

from kg.extract.build import About
from kg.extract.parsed_sentences import Told
from kg.extract.words import OURS, word_set
from kg.model import EntityName
from kg.syntax.noun_phrases import Phrase

_JOINED_AFTER = re.compile(r"[-–/_*]|\w")
_JOINED_BEFORE = re.compile(r"\w[-–/]$|\w$")
_OPEN_ENDS = ("ADP", "DET", "SCONJ", "CCONJ", "AUX", "PART")
_RELATIVES = word_set("which that who whom whose")
_COMPARING = word_set("same similar such previous respective corresponding")
_NEEDED = ("obj", "xcomp", "ccomp", "compound", "flat", "fixed", "amod", "nummod", "nmod:poss", "obl:agent")
_FOLLOWING = ("nmod", "obl", "acl", "acl:relcl", "advmod", "nmod:desc", "compound:prt", "appos")


def whole(told: Told, phrase: Phrase) -> bool:
    """Whether a phrase is cut nowhere within a name, brackets or quotation marks, and speaks of nobody here."""
    text = told.part(phrase).text
    start, end = told.at(phrase)
    if OURS.search(text):
        return False
    cut = any(n.start < start < n.end or n.start < end < n.end for n in told.names)
    cut = cut or told.parsed.tags[phrase.end - 1] in _OPEN_ENDS or told.tree.word(phrase.end - 1) in _RELATIVES
    cut = cut or _amid(told, phrase) or _lacking(told, phrase) or _pointing(told, phrase)
    paired = all(text.count(a) == text.count(b) for a, b in ("()", "[]", "“”")) and text.count('"') % 2 == 0
    return paired and not cut


def _amid(told: Told, phrase: Phrase) -> bool:
    """Whether a phrase begins or ends amid a word with hyphens, or amid words that are all parts of names."""
    text, (start, end) = told.read.sentence.text, told.at(phrase)
    if _JOINED_AFTER.match(text, end) or _JOINED_BEFORE.search(text, 0, start):
        return True
    tags, words_ = told.parsed.tags, told.parsed.words
    after = phrase.end < len(tags) and text[end : told.read.words[phrase.end][0]] == " "
    before = phrase.start > 1 and text[told.read.words[phrase.start - 1][1] : start] == " "
    last = tags[phrase.end - 1]
    named = after and tags[phrase.end] == last == "PROPN" and words_[phrase.end][0].isupper()
    goes_on = named or (after and tags[phrase.end] == "NOUN" and last in ("NOUN", "ADJ", "PROPN"))
    led = before and tags[phrase.start - 1] == tags[phrase.start] == "PROPN"
    return goes_on or (led and words_[phrase.start - 1][0].isupper())


def _lacking(told: Told, phrase: Phrase) -> bool:
    """Whether the next word still belongs to a phrase, or a verb in it has lost its object."""
    inside, labels = range(phrase.start, phrase.end), told.parsed.labels
    for place, head in enumerate(told.parsed.heads):
        if head not in inside or place in inside:
            continue
        if labels[place] in _NEEDED or (place == phrase.end and labels[place] in _FOLLOWING):
            return True
        if told.parsed.tags[head] == "ADJ" and head == phrase.head and _first(told, place) == phrase.end:
            return labels[place] in ("advcl", "ccomp", "xcomp", "obl")  # "responsible for …"
    return False


def _first(told: Told, place: int) -> int:
    """The first word of what hangs on a word."""
    return min([place, *(_first(told, below) for below in told.tree.below[place])])


def _pointing(told: Told, phrase: Phrase) -> bool:
    """Whether a phrase only makes sense beside other words: "this plan", "the following", "the plan"."""
    for place in range(phrase.start, phrase.end):
        word = told.tree.word(place)
        if word in ("following", "former", "latter", "aforementioned"):
            return True
        if word in ("this", "that", "these", "those") and told.tree.label(place) == "det":
            return True
        if word in _COMPARING and told.tree.label(place) in ("amod", "det") and not _compared(told, place, phrase):
            return True
        if word in ("above", "below") and told.tree.label(place) in ("advmod", "amod"):
            return True
        if word == "the" and place > phrase.start and _said_before(told, told.parsed.heads[place]):
            return True
    bare = phrase.end - phrase.start == 2 and told.tree.word(phrase.start) == "the"
    return bare and told.parsed.tags[phrase.head] == "NOUN" and phrase.start > 0 and not _opens(told, phrase)


def _compared(told: Told, place: int, phrase: Phrase) -> bool:
    """Whether a phrase says with what something is compared ("the same size as the Moon")."""
    later = range(place + 1, phrase.end)
    return any(told.tree.word(b) in ("as", "to", "that", "between", "in", "for") for b in later)


def _said_before(told: Told, noun: int) -> bool:
    """Whether "the …" within a phrase takes up what was said before: only the noun tells it, and it was spoken of."""
    if told.parsed.tags[noun] != "NOUN":
        return False
    if any(told.tree.label(b) not in ("det", "case", "punct", "cc", "conj") for b in told.tree.below[noun]):
        return False
    before = told.source.document.text[: told.read.sentence.span[0]]
    return re.search(rf"\b{re.escape(told.parsed.words[noun])}\b", before, re.IGNORECASE) is not None


def _opens(told: Told, phrase: Phrase) -> bool:
    """Whether a phrase stands as a subject."""
    return told.tree.label(phrase.head).startswith("nsubj")


def split_title(told: Told, about: About) -> bool:
    """Whether a subject is but one side of a comma or colon in what the section is called ("Tarzan, the Ape Man")."""
    section = told.discourse.section
    if section is None or not isinstance(section.name, EntityName) or not isinstance(about.name, EntityName):
        return False
    pieces = re.split(r"[,:]\s", section.name.surface.casefold())
    return len(pieces) > 1 and about.name.surface.casefold() in pieces
