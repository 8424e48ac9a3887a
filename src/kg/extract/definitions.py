"""Definitions ("Term — what it is.", "X is a …"), and names that the document equates ("Long Name (LN)")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from kg.extract.build import About, Given, Property, claim, named, scaled
from kg.extract.bullets import FINITE, Bullet, bullets, is_collective, is_glossary, key_value, lead, may_define
from kg.extract.classify import classes_of
from kg.extract.keyvalues import members
from kg.extract.labels import DEFINITION
from kg.extract.parsed_sentences import opens_with_adverb
from kg.extract.source import Source, sentences
from kg.extract.standing import hedge_of, section_frame
from kg.extract.values import items, without_bracket
from kg.extract.words import SMALL, WORD, word_set
from kg.model import Alias, Claim, EntityName, MarkKind, Predicate
from kg.text.aliases import aliases
from kg.text.stretch import Stretch

NAME = "definitions"
_TERM = re.compile(r"(?P<term>[^.!?;:—–]{2,90}?)\s+(?:—|–|--|-)\s+(?=\S)")
_IS = re.compile(
    r"(?P<subject>[^.,;:!?()]{2,60}?(?:\s*\([^()]{2,40}\))?)\s+"
    r"(?P<verb>is|are|was|were|refers to|means|stands for|denotes|is defined as)"
    r"\s+(?P<body>(?P<article>(?:an?|the|one of)\s+)?\S.{8,})",
    re.DOTALL,
)
_ALWAYS = ("refers to", "stands for", "denotes", "is defined as", "means")
_SLASH = re.compile(r"\s+/\s+")
_COMMA = re.compile(r"\s*,\s+")
_MAX_TERM_WORDS = 9


def extract(source: Source) -> Iterator[Claim | Alias]:
    """Reads glossaries, defining sentences and bracketed abbreviations."""
    found = list(bullets(source))
    for number, bullet in enumerate(found):
        entry = _entry(bullet)
        if entry and _in_glossary(source, found, number):
            yield from _glossary(source, bullet, *entry)
        elif not key_value(bullet.stretch):
            yield from _sentences(source, bullet)
        if not bullet.in_list:
            yield from _introduced(source, bullet)
    for inline in source.leaves():
        if stretch := Stretch.whole(inline):
            yield from _stated(source, stretch)


def _entry(bullet: Bullet) -> tuple[Stretch, Stretch] | None:
    """Term and definition of a glossary line."""
    if bullet.in_list and (led := lead(bullet.stretch)):
        return led.name, led.rest
    found = _TERM.match(bullet.stretch.text)
    if not found or len(WORD.findall(found["term"])) > _MAX_TERM_WORDS or FINITE.search(found["term"]):
        return None
    term, rest = bullet.stretch.part(0, found.end("term")), bullet.stretch.part(found.end()).strip()
    return (term, rest) if len(WORD.findall(rest.text)) >= 4 else None


def _in_glossary(source: Source, found: list[Bullet], number: int) -> bool:
    """Under a heading that says so; or a paragraph whose neighbour in the section has the shape too."""
    bullet = found[number]
    if is_glossary(source, bullet.placed):
        return True
    if bullet.in_list:
        return False
    beside = found[max(0, number - 1) : number] + found[number + 1 : number + 2]
    return any(b.placed.sections == bullet.placed.sections and not b.in_list and _entry(b) for b in beside)


def _glossary(source: Source, bullet: Bullet, term: Stretch, rest: Stretch) -> Iterator[Claim | Alias]:
    main, bracket = without_bracket(term)
    names = list(main.split(_SLASH)) or [main]
    whole = len(names) == 1
    frame = section_frame(source, bullet.placed)
    body = rest.strip(" ")
    if whole and is_collective(main.text) and (listed := items(source, body, "members", at_least=3)):
        team = named(source, main)
        yield from members(source, NAME, team, listed, frame)
        return
    for name in names:
        # "Rotary kiln" is a kind of kiln, "Weston Kiln" is one.
        classes = classes_of(source, name.text) if source.words.is_name(name.text) else ()
        about = About(EntityName(name.text, classes), (name.span,))
        given = Given.words(body)
        predicate = DEFINITION if may_define(body.text) else Predicate("description")
        yield claim(source, NAME, about, Property(predicate), given, frame)
    yield from (_alias(source, names[0], other) for other in names[1:])
    if bracket is not None and whole and len(list(bracket.split(_COMMA))) == 1:
        yield _alias(source, main, bracket)


def _alias(source: Source, name: Stretch, alias: Stretch) -> Alias:
    start, end = name.span[0], alias.span[1]
    passage = source.passage_at(start)
    return Alias(name.text, alias.text, passage.id, min(start, alias.span[0]), max(end, name.span[1]))


# --- defining sentences ------------------------------------------------------------------------------


def _sentences(source: Source, bullet: Bullet) -> Iterator[Claim]:
    for sentence in sentences(bullet.stretch):
        found = _IS.match(sentence.text)
        if not found or not (found["article"] or found["verb"] in _ALWAYS):
            continue
        subject = sentence.part(found.start("subject"), found.end("subject"))
        name = None if opens_with_adverb(sentence.text) else _subject_name(source, subject)
        if name is None:
            continue
        frame = section_frame(source, bullet.placed)
        body = sentence.part(found.start("body")).strip(" .")
        if not body:
            continue
        past = found["verb"] in ("was", "were")
        predicate = Predicate("description") if past else DEFINITION
        hedge = hedge_of(sentence.text, found.start("verb"), found.start("body") + 1)
        about = named(source, name)
        verb = sentence.part(found.start("verb"), found.end("verb"))
        given = Given.words(body, hedge)
        yield claim(source, NAME, about, Property(predicate, (verb.span,)), given, frame, scaled(NAME, 0.9))


_MOST_INTRODUCED = 4


def _introduced(source: Source, bullet: Bullet) -> Iterator[Claim]:
    """A term in bold that ends a sentence behind a colon: the next one says what it is ("…: **spring tide**. It …")."""
    told = list(sentences(bullet.stretch))
    for sentence, explained in pairwise(told):
        term = sentence.part(sentence.text.rfind(": ") + 2).strip(" .")
        bold = any(mark.start <= term.start and term.end <= mark.end for mark, _ in sentence.marked(MarkKind.STRONG))
        if ": " not in sentence.text or not bold or not 1 <= len(WORD.findall(term.text)) <= _MOST_INTRODUCED:
            continue
        body = explained.strip(" .")
        if not body:
            continue
        given = Given.words(body, hedge_of(explained.text))
        about = named(source, term)
        frame = section_frame(source, bullet.placed)
        yield claim(source, NAME, about, Property(Predicate("description")), given, frame, scaled(NAME, 0.85))


def _subject_name(source: Source, subject: Stretch) -> Stretch | None:
    """The defined name: a name or a short noun phrase that begins the sentence; no pronoun, no clause."""
    main, _ = without_bracket(subject.strip(' "“”'))
    if adverb := _ADVERB.search(main.text):
        main = main.part(0, adverb.start())
    tokens = WORD.findall(main.text)
    if tokens and tokens[0].lower() in ("the", "a", "an"):
        main = main.part(len(tokens[0])).strip()
        tokens = tokens[1:]
    if not 1 <= len(tokens) <= 6 or any(t.lower() in _NO_NAME for t in tokens):
        return None
    return main if source.words.is_name(main.text) else None


_ADVERB = re.compile(r"\s+[a-z]+(?:al|ar|ul|nt|iv|ous|st|on|in)ly$")
_NO_NAME = SMALL | word_set(
    "it this that these those he she they we you i there here one reason result point goal idea question answer "
    "problem not never also only still now then"
)


# --- stated aliases ------------------------------------------------------------------------------------


def _stated(source: Source, stretch: Stretch) -> Iterator[Alias]:
    """ "Long Name (LN)", "X, also known as Y"."""
    for found in aliases(stretch.text):
        start, end = stretch.part(found.start, found.end).span
        yield Alias(found.name, found.alias, source.passage_at(start).id, start, end)
