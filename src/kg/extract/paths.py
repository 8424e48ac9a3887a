"""The ontology's phrases over parsed sentences: who does what to whom, in whatever order and form it is told.

A phrase ("{subject} was trained on {object}") is read once as a verb with two roles; a sentence tells it where a verb
of the same word has both. The arguments are the mentions that other readings find: a name or figure whose words
hold the word that heads an argument.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kg.extract.arguments import Mention, followed
from kg.extract.build import About
from kg.extract.classify import lineage
from kg.extract.clauses import Context, meant, plural_subject
from kg.extract.matches import Match
from kg.extract.phrases import Phrase, compile_phrase, forms_of, gerund, undated
from kg.extract.properties import allows, fits, kind_wanted
from kg.extract.source import Source
from kg.extract.values import PLACE, Kind, Part
from kg.extract.words import word_set
from kg.model import EntityName, Quantity
from kg.ontology import Ontology, OntologyProperty
from kg.syntax.doings import ASPECTS, DOES, DONE_TO, IS, Doing, Sentence, doings, named_by
from kg.syntax.parser import shipped, words
from kg.text.stretch import Stretch

_BE = word_set("is are was were be been being")
_HAVE = word_set("has have had")
_ARTICLES = word_set("a an the")
_PREPOSITIONS = word_set("in on at by for with from to of as into through under over until since")
_BECOMES = word_set("became becomes become remains remained")
_LIKE = {"in": ("in", "during"), "on": ("on", "upon"), "to": ("to", "into")}
_DATED = ("in", "on", "")  # a date may follow either
_PARTICIPLE = re.compile(
    r"\w+(?:ed|en|un|wn|lt|pt|ght|ung)|put|set|run|led|held|made|born|cut|sold|told|done|known|run"
)
_OPENING = 5  # a verb that opens a sentence stands within so many words
_SLOTS = re.compile(r"\{(subject|object)\}")
_NOUN = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A phrase as what a sentence must tell: the word that tells it, the roles of its left and right argument.

    ``object``: the verb's own object ("has a capacity of …").
    """

    phrase: Phrase
    word: re.Pattern[str]
    left: str
    right: str
    object: re.Pattern[str] | None = None


@lru_cache(maxsize=8)
def asked_of(ontology: Ontology) -> tuple[Asked, ...]:
    """The phrases of an ontology that are told by a verb, or by a noun that something is said to be."""
    found = []
    for property_ in ontology.properties.values():
        for text in property_.phrases:
            for way in (text, *undated(property_, text)):
                phrase = compile_phrase(property_, way)
                asked = _asked(phrase, way) if phrase is not None else None
                if asked is not None:
                    found.append(asked)
    return tuple(sorted(found, key=lambda a: (-a.phrase.weight, a.phrase.iri, a.word.pattern)))


def _asked(phrase: Phrase, text: str) -> Asked | None:
    before, _, between, _, _ = _SLOTS.split(text)
    middle = [word.lower() for word in between.split() if word.lower() not in _ARTICLES]
    if before.strip() or not middle or not all(map(_NOUN.fullmatch, middle)):
        return None
    if middle[0] in _HAVE and len(middle) > 1 and (middle[1] in _BE or _PARTICIPLE.fullmatch(middle[1])):
        middle = ["is", *middle[2:]] if middle[1] in _BE else middle[1:]
    told = _passive(middle) if middle[0] in _BE else _active(middle)
    if told is None:
        return None
    word, left, right, noun = told
    return Asked(phrase, _pattern(word), left, right, _pattern(noun) if noun else None)


def _passive(middle: list[str]) -> tuple[str, str, str, str] | None:
    """Word and roles of "was trained on" or "is a member of"."""
    rest = [word for word in middle[1:] if not word.endswith("ly")]
    if not rest:
        return None
    if _PARTICIPLE.fullmatch(rest[0]):
        if len(rest) == 1:
            return rest[0], DONE_TO, "", ""
        if len(rest) > 2 or rest[1] not in _PREPOSITIONS:
            return None
        return rest[0], DONE_TO, DOES if rest[1] == "by" else rest[1], ""
    if len(rest) < 2 or rest[-1] not in _PREPOSITIONS or set(rest[:-1]) & _PREPOSITIONS:
        return None
    return rest[-2], IS, rest[-1], ""


def _active(middle: list[str]) -> tuple[str, str, str, str] | None:
    """Word and roles of "replaced", "runs on", "has a capacity of" or "became the owner of"."""
    verb, *rest = middle
    if verb in _PREPOSITIONS:
        return None
    if not rest:
        return verb, DOES, DONE_TO, ""
    if rest[-1] not in _PREPOSITIONS or set(rest[:-1]) & _PREPOSITIONS:
        return None
    if verb in _BECOMES:
        return (rest[-2], IS, rest[-1], "") if len(rest) > 1 else None
    return verb, DOES, rest[-1], rest[-2] if len(rest) > 1 else ""


def _pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?:co-)?(?:{forms_of(word)}|{gerund(word)})", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _of_word(ontology: Ontology, word: str) -> tuple[Asked, ...]:
    return tuple(asked for asked in asked_of(ontology) if asked.word.fullmatch(word))


# --- in a sentence -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence with its words' places in the text and its mentions."""

    source: Source
    sentence: Stretch
    tree: Sentence
    at: list[tuple[int, int]]
    found: list[Mention]
    context: Context
    elliptic: bool


def told(source: Source, sentence: Stretch, found: list[Mention], context: Context, elliptic: bool) -> Iterator[Match]:
    """What a sentence tells by phrases of the ontology, as its tree has it; nothing where no parser is at hand.

    ``elliptic``: the sentence may leave out the thing that it stands under.
    """
    reader = shipped()
    if reader is None or not any(isinstance(m.part.value, EntityName) for m in found):
        return
    at = words(sentence.text)
    if not _worth_parsing(source, sentence, at, found, context, elliptic):
        return
    tree = Sentence(reader.parse(tuple(sentence.text[a:b] for a, b in at)))
    read = _Read(source, sentence, tree, at, found, context, elliptic)
    for doing in doings(tree):
        if not doing.sure:
            continue
        for asked in _of_word(source.ontology, tree.word(doing.word)):
            if _complete(tree, doing, asked) and (match := _match(read, doing, asked)) is not None:
                yield match


def _worth_parsing(
    source: Source, sentence: Stretch, at: list[tuple[int, int]], found: list[Mention], context: Context, elliptic: bool
) -> bool:
    """Whether a phrase's words and two arguments that its property takes are there: parsing costs the most by far."""
    written = [sentence.text[a:b].lower() for a, b in at]
    names = [m.part for m in found if isinstance(m.part.value, EntityName)]
    left_out = context.section if elliptic else context.thing
    carried: list[About] | None = None
    for place, word in enumerate(written):
        for asked in _of_word(source.ontology, word):
            if not _worded(asked, written):
                continue
            if carried is None:
                carried = list(_carriers(source, sentence, at, found, context))
            opening = [left_out] if left_out is not None and place < _OPENING else []
            if _argued(source, asked, [m.part for m in found], names, [*carried, *opening]):
                return True
    return False


def _worded(asked: Asked, written: Sequence[str]) -> bool:
    """Whether the nouns and the preposition of a phrase are among the words of a sentence."""
    roles = _LIKE.get(asked.right, (asked.right,))
    spoken = asked.right in (DOES, DONE_TO, "of", *_DATED) or any(role in written for role in roles)
    return spoken and (asked.object is None or any(map(asked.object.fullmatch, written)))


def _carriers(
    source: Source, sentence: Stretch, at: list[tuple[int, int]], found: list[Mention], context: Context
) -> Iterator[About]:
    """All that a word of a sentence may take up."""
    for start, end in at:
        plural = plural_subject(source, sentence, end)
        its = context.taken_up("it") if sentence.text[start:end].lower() == "its" else None
        yield from (a for a in (plural, its, meant(source, sentence.text[:end], found, context)) if a is not None)


def _argued(
    source: Source, asked: Asked, parts: Sequence[Part], names: Sequence[Part], carried: Sequence[About]
) -> bool:
    """Whether two different mentions, or one and what is carried, may be the arguments of a phrase."""
    ontology = source.ontology
    property_ = ontology.properties[asked.phrase.iri]
    subjects: list[object] = [n.value for n in names if allows(ontology, property_.domains, n.classes)]
    values: list[object] = [p.value for p in parts if fits(ontology, property_, p)]
    if asked.phrase.first == "subject":
        subjects += [a.name for a in carried if allows(ontology, property_.domains, a.classes)]
    else:
        taken_up = [Part(a.name, a.at) for a in carried if isinstance(a.name, EntityName) and a.at is not None]
        values += [part.value for part in taken_up if fits(ontology, property_, part)]
    return any(s is not v and typed(property_, s, v) for s in subjects for v in values)


def typed(property_: OntologyProperty, subject: object, value: object) -> bool:
    """Whether one of two arguments is of a known class; for a place, the place."""
    if kind_wanted(property_) is not Kind.NAME or (isinstance(value, EntityName) and value.classes):
        return True
    return isinstance(subject, EntityName) and bool(subject.classes) and not PLACE.search(property_.label)


def _complete(tree: Sentence, doing: Doing, asked: Asked) -> bool:
    """Whether a verb has nothing beside the phrase's arguments that makes it tell something else.

    "Ada ran the light on paraffin" doesn't tell on what Ada ran, nor "it began in Kiel in 1901" when it began.
    """
    if asked.left != DOES or asked.right == DONE_TO or asked.object is not None:
        return True
    others = [role for role, heads in doing.roles.items() if heads and role not in (DOES, asked.right)]
    return doing.alone and not (tree.word(doing.word) in ASPECTS and others)


def _match(read: _Read, doing: Doing, asked: Asked) -> Match | None:
    right = _right(read, doing, asked)
    if not right:
        return None
    heads = doing.roles.get(asked.left, ())
    found = [_mention(read, h, None) for h in heads]
    if _broken(read, heads, found):
        return None
    left = _distinct(m for m in found if m is not None and m not in right)
    start, end = read.at[doing.word]
    if left:
        return Match(asked.phrase, start, end, left, right)
    if heads:
        taken = _carried(read, asked, heads)
    elif doing.bare and doing.bare == asked.left:  # what a sentence without a subject is about
        taken = read.context.section if read.elliptic else read.context.thing
    else:
        return None
    return Match(asked.phrase, start, end, (), right, taken) if taken is not None else None


def _right(read: _Read, doing: Doing, asked: Asked) -> tuple[Mention, ...]:
    property_ = read.source.ontology.properties[asked.phrase.iri]
    wanted = kind_wanted(property_) if asked.phrase.first == "subject" else Kind.NAME
    roles: tuple[str, ...] = _LIKE.get(asked.right, (asked.right,))
    if wanted is Kind.DATE and asked.right in _DATED:
        roles = _DATED
    heads = [h for role in roles for h in doing.roles.get(role, ())]
    if asked.object is not None:
        nouns = [h for h in doing.roles.get(DONE_TO, ()) if asked.object.fullmatch(read.tree.word(h))]
        if not nouns:
            return ()
        heads += [
            p
            for noun in nouns
            for b in read.tree.of(noun, "nmod")
            if read.tree.preposition(b) in roles
            for p in read.tree.joined(b)
        ]
    found = [_mention(read, h, wanted) for h in heads]
    if _broken(read, heads, found):
        return ()
    after = asked.phrase.pattern("after")
    return _distinct(m for m in found if m is not None and (after is None or followed(after, read.sentence.text, m)))


def _broken(read: _Read, heads: Sequence[int], found: Sequence[Mention | None]) -> bool:
    """Whether a list joins a mention with another name that is none: "Salt and Water" may be one title."""
    tags = read.tree.parsed.tags
    unseen = any(m is None and tags[h] == "PROPN" for h, m in zip(heads, found, strict=True))
    return unseen and any(m is not None for m in found)


def _distinct(found: Iterable[Mention]) -> tuple[Mention, ...]:
    return tuple(sorted(dict.fromkeys(found), key=lambda m: (m.start, m.end)))


def _mention(read: _Read, head: int, wanted: Kind | None) -> Mention | None:
    """The mention that a word heads: one that covers it, its figure, or the name set beside it by a comma."""
    fitting = [m for m in read.found if m.part.kind is (wanted or Kind.NAME)]
    tree = read.tree
    for place in (*named_by(tree, head), head):  # "Corran is a Danish lighthouse built by …" tells it of Corran
        covering = _covering(read, place, fitting)
        if covering is not None and (place == head or isinstance(covering.part.value, EntityName)):
            return covering
    for place in tree.of(head, "nummod"):
        for m in fitting:
            counted = isinstance(m.part.value, Quantity) and tree.word(head) in m.part.value.noun.lower().split()
            if counted and m.start <= read.at[place][0] < m.end:
                return m
    if tree.parsed.tags[head] != "NOUN":
        return None
    for place in (b for b in tree.of(head, "appos") if tree.beside(b) == head):
        beside = _covering(read, place, fitting)
        if beside is not None and isinstance(beside.part.value, EntityName):
            return beside
    return next((m for m in fitting if _of_kind(read, head, m)), None)


def _covering(read: _Read, place: int, fitting: list[Mention]) -> Mention | None:
    """The longest mention that holds a word."""
    start, end = read.at[place]
    return max((m for m in fitting if m.start <= start and end <= m.end), key=lambda m: m.end - m.start, default=None)


def _of_kind(read: _Read, noun: int, mention: Mention) -> bool:
    """Whether a name stands right before the noun that says what it is ("the Corran tower", "the Kappa-4 lamp")."""
    value = mention.part.value
    between = read.sentence.text[mention.end : read.at[noun][0]]
    if not isinstance(value, EntityName) or not value.classes or between != " ":
        return False
    kinds = tuple(c.iri for c in read.source.ontology.by_label(read.tree.word(noun), "class"))
    above = lineage(read.source.ontology, value.classes)
    return bool(above.intersection(kinds))


def _carried(read: _Read, asked: Asked, heads: tuple[int, ...]) -> About | None:
    """What a pronoun or "the …" takes up that nothing else restricts; the things that a bare plural begins with."""
    tree, head = read.tree, heads[0]
    if len(heads) > 1:
        return None
    if tree.word(head) == "its" and head == 0:
        return read.context.taken_up("it")
    end = read.at[head][1]
    if any(tree.label(b) not in ("det", "punct") for b in tree.below[head]):
        return plural_subject(read.source, read.sentence, end) if asked.phrase.first == "subject" else None
    return meant(read.source, read.sentence.text[:end], read.found, read.context)
