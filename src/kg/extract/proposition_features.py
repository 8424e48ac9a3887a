"""By what a proposition of prose is judged: its construction and phrases, how sure the parser is, where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kg.extract.label_kinds import Vector, bucket
from kg.extract.parsed_sentences import Meant, Told, Valued
from kg.extract.words import word_set
from kg.model import EntityName, Hedge, MarkKind
from kg.syntax.doings import Phrase
from kg.syntax.proposing import Proposition

BACKWARD = word_set("following former latter above below same other previous aforementioned respective such next")
"""Words that take up what other sentences say."""
_THE = word_set("the this that")
_SURE = (0.3, 0.5, 0.7, 0.85, 0.93, 0.97, 0.99)
_TELLING = ("nmod", "acl", "acl:relcl", "conj", "nmod:poss", "appos", "obl", "xcomp", "advcl", "ccomp")


@dataclass(frozen=True, slots=True)
class Made:
    """A proposition with what its parts were found to mean.

    ``turned``: its subject named its own property; ``dated``: what the time beside it does; ``count``: how many
    propositions the sentence makes.
    """

    proposition: Proposition
    subject: Meant
    valued: Valued
    label: str
    hedge: Hedge
    count: int
    dated: str = ""
    turned: bool = False


def features(told: Told, made: Made) -> Iterator[str]:
    """Features of a proposition in its sentence."""
    one, subject, valued = made.proposition, made.subject, made.valued
    tags, parsed = told.parsed.tags, told.parsed
    length = len(parsed)
    yield f"kind {one.kind}{' turned' if made.turned else ''}"
    yield f"clause {one.clause}"
    yield f"subject {subject.how}"
    yield f"kind {one.kind} subject {subject.how}"
    yield f"value {valued.how}"
    yield f"kind {one.kind} value {valued.how}"
    yield f"subject length {bucket(one.subject.end - one.subject.start, (1, 2, 3, 5, 8, 12))}"
    yield f"value length {bucket(one.argument.end - one.argument.start, (1, 2, 3, 5, 8, 12, 20))}"
    yield f"value tag {tags[one.argument.head]}"
    yield f"subject tag {tags[one.subject.head]}"
    yield f"verb tag {tags[one.verb]}"
    yield f"sentence length {bucket(length, (8, 12, 18, 25, 35))}"
    yield f"propositions {bucket(made.count, (1, 2, 3, 5, 8))}"
    yield from _named_how(told, subject)
    yield f"property length {bucket(len(made.label.split()), (1, 2, 3, 4))}"
    yield f"dated {made.dated}"
    yield f"in {'item' if told.read.bullet.in_list else 'paragraph'}{' first' if told.read.first else ''}"
    if one.joined:
        yield "subject joined"
    if one.denied:
        yield "denied"
    if (lead := told.tree.preposition(one.argument.head)) and one.kind not in ("is a", "is so", "apposed"):
        yield f"leads {lead}"
    for dropped in set(one.dropped):
        yield f"dropped {dropped}"
    yield f"dropped count {bucket(len(one.dropped), (0, 1, 2, 3))}"
    yield f"kind {one.kind} value length {bucket(one.argument.end - one.argument.start, (1, 2, 3, 5, 8, 12, 20))}"
    yield from _sureness(told, one)
    yield from _around(told, one)
    yield from _within(told, "subject", one.subject)
    yield from _within(told, "value", one.argument)
    rank = told.parser.rank(told.tree.word(one.verb))
    yield f"verb rank {bucket(rank, (1500, 2500, 4000, 8000, 15000, 30000))}"
    yield f"verb ends {told.tree.word(one.verb)[-3:]}"
    yield f"status {made.hedge.status} {made.hedge.polarity} {made.hedge.mood}"


def vector(told: Told, one: Proposition) -> Vector:
    """What the parser's encoder makes of a proposition, shape (6 D,).

    That is, of its sentence (the root), of the words that head verb, subject and argument, and the means of argument
    and subject. Words behind those that the encoder reads stand for the last that it does.
    """
    rows = told.parsed.vectors
    assert rows is not None
    last = len(rows) - 1
    phrases = (range(one.argument.start, one.argument.end), range(one.subject.start, one.subject.end))
    heads = (-1, one.verb, one.subject.head, one.argument.head)
    means = (rows[[min(place + 1, last) for place in phrase]].mean(0) for phrase in phrases)
    return np.concatenate([*(rows[min(head + 1, last)] for head in heads), *means])


def _sureness(told: Told, one: Proposition) -> Iterator[str]:
    """How sure the parser is of the arcs that make the proposition, and of those within its phrases."""
    sure = told.parsed.sure
    parts = (
        ("subject arc", [one.subject.head]),
        ("value arc", [one.argument.head]),
        ("verb arc", [one.verb]),
        ("subject within", range(one.subject.start, one.subject.end)),
        ("value within", range(one.argument.start, one.argument.end)),
        ("beside value", range(one.argument.end, min(one.argument.end + 2, len(sure)))),
        ("sentence", range(len(sure))),
    )
    for name, places in parts:
        least = min((sure[place] for place in places), default=1.0)
        yield f"{name} sure {next((step for step in _SURE if least <= step), 'full')}"
    least = min(sure[place] for place in {one.subject.head, one.argument.head, one.verb, *one.relation})
    for step in _SURE:
        if least > step:
            yield f"told sure over {step}"


def _definite(told: Told, noun: int, inside: range) -> str:
    """How "the …" within a phrase is told: by its own words, by what was said before, or by nothing."""
    if told.parsed.tags[noun] == "PROPN":
        return "name"
    own = [b for b in told.tree.below[noun] if told.tree.label(b) not in ("det", "case", "punct")]
    if any(b in inside and (told.parsed.tags[b] == "PROPN" or b > noun) for b in own):
        return "told"
    if told.tree.word(noun) in told.discourse.nouns or told.tree.word(noun) == told.discourse.section_noun:
        return "known"
    return "modified" if own else "bare"


def _named_how(told: Told, subject: Meant) -> Iterator[str]:
    """How surely what the subject is called by is a name, and whether the section or the document is about it."""
    name = subject.about.name
    assert isinstance(name, EntityName)
    words_, surface = told.source.words, name.surface
    yield f"person {subject.person}"
    yield f"said {bucket(told.source.document.text.count(surface), (0, 1, 2, 4, 8))} times"
    section = told.discourse.section
    yield f"name of {bucket(len(surface.split()), (1, 2, 3, 5, 8))} words"
    yield f"name {'sure' if words_.sure(surface) else 'proper' if words_.has_proper(surface) else 'common'}"
    if surface[0].islower():
        yield "name small"
    if section is not None and isinstance(section.name, EntityName):
        same = section.name.surface.casefold()
        folded = surface.casefold()
        place = "same" if same == folded else "within" if folded in same or same in folded else "other"
        yield f"section {place}"
        yield f"section {place} subject {subject.how}"
    if not set(surface.casefold().split()).isdisjoint(told.source.document.title.casefold().split()):
        yield "in title"


def _around(told: Told, one: Proposition) -> Iterator[str]:
    """Where the parts stand in the sentence, and what stands between and behind them."""
    words_, tags = told.parsed.words, told.parsed.tags
    first, last = min(one.subject.start, one.argument.start), max(one.subject.end, one.argument.end)
    yield f"begins {'at once' if first == 0 else bucket(first, (1, 3, 6, 12))}"
    yield f"subject first {one.subject.start < one.argument.start}"
    after = tags[last] + (words_[last] if tags[last] == "PUNCT" else "") if last < len(words_) else "end"
    yield f"next {after}"
    before = tags[first - 1] + (words_[first - 1] if tags[first - 1] == "PUNCT" else "") if first else "start"
    yield f"before {before}"
    left, right = sorted((one.subject, one.argument), key=lambda p: p.start)
    gap = [i for i in range(left.end, right.start) if i not in one.relation]
    yield f"gap {bucket(len(gap), (0, 1, 2, 4, 8))}"
    for place in gap:
        if tags[place] == "PUNCT":
            yield f"gap {words_[place]}"
        elif told.tree.label(place) in ("advmod", "cc", "mark"):
            yield f"gap {told.tree.label(place)}"
        elif tags[place] in ("VERB", "NOUN", "PROPN"):
            yield f"gap {tags[place]}"
    yield f"verb to value {bucket(abs(one.argument.head - one.verb), (1, 2, 3, 5, 8))}"
    yield f"subject to verb {bucket(abs(one.subject.head - one.verb), (1, 2, 3, 5, 8))}"
    if first == 0 or told.reading.tree.label(one.verb) != "root":
        return
    opening = told.tree.label(next((b for b in told.tree.below[one.verb] if b < first), one.verb))
    yield f"opening {opening}"


def _within(told: Told, role: str, phrase: Phrase) -> Iterator[str]:
    """What a phrase is made of, and what it is cut from."""
    yield from (f"{role} {one}" for one in _made_of(told, phrase))
    yield from (f"{role} {one}" for one in _cut_from(told, phrase))
    yield from (f"{role} {one}" for one in _pointing_with(told, phrase))


def _made_of(told: Told, phrase: Phrase) -> Iterator[str]:
    """The words of a phrase by tag and label, and the marks on them."""
    tags = told.parsed.tags
    opening = told.tree.word(phrase.start)
    closed = tags[phrase.start] in ("DET", "PRON", "NUM", "ADP", "PART")
    yield f"opens {opening if closed and tags[phrase.start] != 'NUM' else tags[phrase.start]}"
    for place in range(phrase.start, phrase.end):
        if (label := told.tree.label(place)) in _TELLING:
            yield f"holds {label}"
        if tags[place] in ("PROPN", "PRON", "VERB", "NUM", "ADV"):
            yield f"holds {tags[place]}"
        if tags[place] == "PRON":
            yield f"says {told.tree.word(place)}"
        if tags[place] == "PUNCT":
            yield f"holds {told.parsed.words[place]}"
    at = told.part(phrase)
    yield from (f"marked {kind}" for kind in (MarkKind.CODE, MarkKind.LINK) if any(at.marked(kind)))


def _cut_from(told: Told, phrase: Phrase) -> Iterator[str]:
    """What belongs to a phrase and stands outside it."""
    tags, heads = told.parsed.tags, told.parsed.heads
    inside = range(phrase.start, phrase.end)
    for place, head in enumerate(heads):
        if head in inside and place not in inside and tags[place] not in ("ADP", "PUNCT", "AUX"):
            yield f"loses {told.tree.label(place)}"
    if phrase.end < len(tags) and heads[phrase.end] in inside:
        yield f"cut before {told.tree.label(phrase.end)}"
    if phrase.start and heads[phrase.start - 1] in inside:
        yield f"cut after {told.tree.label(phrase.start - 1)}"


def _pointing_with(told: Told, phrase: Phrase) -> Iterator[str]:
    """The words of a phrase that point to something: "the …" by how it is told, "this", "such", "other"."""
    inside = range(phrase.start, phrase.end)
    opening = told.tree.word(phrase.start)
    if told.parsed.tags[phrase.head] == "NOUN" and opening in ("the", "this", "that", "these", "those"):
        yield f"definite {bucket(phrase.end - phrase.start, (2, 3, 5))}"
    if any(told.tree.word(place) in _THE for place in inside[1:]):
        yield "holds the"
    if any(told.tree.word(place) in BACKWARD for place in inside):
        yield "refers back"
    for place in inside:
        word = told.tree.word(place)
        if told.tree.label(place) == "det" and word in ("this", "that", "these", "those"):
            yield "points"
        if told.tree.label(place) == "det" and word == "the":
            yield f"the {_definite(told, told.parsed.heads[place], inside)}"
