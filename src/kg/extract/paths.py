"""The ontology's phrases over parsed sentences: who does what to whom, in whatever order and form it is told.

A phrase ("{subject} was trained on {object}") is read once as a verb with two roles; a sentence tells it where a verb
of the same word has both. The arguments are the mentions that other readings find: a name or figure whose words
hold the word that heads an argument.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from kg.extract.arguments import Mention, followed
from kg.extract.build import About
from kg.extract.clauses import Context, meant
from kg.extract.matches import Match
from kg.extract.phrases import Phrase, compile_phrase, forms_of, gerund, undated
from kg.extract.properties import kind_wanted
from kg.extract.source import Source
from kg.extract.stretch import Stretch
from kg.extract.values import Kind
from kg.extract.words import word_set
from kg.model import EntityName, Quantity
from kg.ontology import Ontology
from kg.syntax.doings import DOES, DONE_TO, IS, Doing, Sentence, doings
from kg.syntax.reader import shipped
from kg.syntax.words import words

_BE = word_set("is are was were be been being")
_HAVE = word_set("has have had")
_ARTICLES = word_set("a an the")
_PREPOSITIONS = word_set("in on at by for with from to of as into through under over until since")
_BECOMES = word_set("became becomes become remains remained")
_LIKE = {"in": ("in", "during", "on"), "on": ("on", "upon", "in"), "with": ("with", "using"), "to": ("to", "into")}
_PARTICIPLE = re.compile(
    r"\w+(?:ed|en|un|wn|lt|pt|ght|ung)|put|set|run|led|held|made|born|cut|sold|told|done|known|run"
)
_SLOTS = re.compile(r"\{(subject|object)\}")
_NOUN = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A phrase as what a sentence must tell: the word that tells it, the roles of its left and right argument.

    ``object``: the verb's own object ("has a capacity of …"); ``owner``: the noun that the left argument goes with
    ("training of … took …").
    """

    phrase: Phrase
    word: re.Pattern[str]
    left: str
    right: str
    object: re.Pattern[str] | None = None
    owner: re.Pattern[str] | None = None


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
    leading = [word.lower() for word in before.split() if word.lower() not in _ARTICLES]
    if not middle or not all(_NOUN.fullmatch(word) for word in (*middle, *leading)):
        return None
    owner = None
    if leading:
        if leading[-1:] == ["of"]:
            leading = leading[:-1]
        if not leading or set(leading) & _PREPOSITIONS:
            return None
        owner = _pattern(leading[-1])
    if middle[0] in _HAVE and len(middle) > 1 and (middle[1] in _BE or _PARTICIPLE.fullmatch(middle[1])):
        middle = ["is", *middle[2:]] if middle[1] in _BE else middle[1:]
    told = _passive(middle) if middle[0] in _BE else _active(middle)
    if told is None:
        return None
    word, left, right, noun = told
    return Asked(phrase, _pattern(word), left, right, _pattern(noun) if noun else None, owner)


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
    tree: Sentence
    at: list[tuple[int, int]]
    text: str
    found: list[Mention]
    context: Context


def told(source: Source, sentence: Stretch, found: list[Mention], context: Context) -> Iterator[Match]:
    """What a sentence tells by phrases of the ontology, as its tree has it; nothing where no parser is at hand."""
    reader = shipped()
    if reader is None or not any(isinstance(m.part.value, EntityName) for m in found):
        return
    at = words(sentence.text)
    if not any(_of_word(source.ontology, sentence.text[a:b].lower()) for a, b in at):
        return
    tree = Sentence(reader.parse(tuple(sentence.text[a:b] for a, b in at)))
    read = _Read(source, tree, at, sentence.text, found, context)
    for doing in doings(tree):
        if not doing.sure:
            continue
        for asked in _of_word(source.ontology, tree.word(doing.word)):
            if (match := _match(read, doing, asked)) is not None:
                yield match


def _match(read: _Read, doing: Doing, asked: Asked) -> Match | None:
    right = _right(read, doing, asked)
    if not right:
        return None
    heads = doing.roles.get(asked.left, ())
    if asked.owner is not None:
        owned = [h for h in heads if asked.owner.fullmatch(read.tree.word(h))]
        heads = tuple(p for h in owned for b in _owners(read.tree, h) for p in read.tree.joined(b))
    left = _distinct(m for h in heads if (m := _mention(read, h, None)) is not None and m not in right)
    start, end = read.at[doing.word]
    if left:
        return Match(asked.phrase, start, end, left, right)
    taken = _carried(read, heads[0]) if len(heads) == 1 else None
    return Match(asked.phrase, start, end, (), right, taken) if taken is not None else None


def _owners(tree: Sentence, noun: int) -> tuple[int, ...]:
    """What a noun is of: "training of Corran", "Corran's training", "training Corran", "the Corran training"."""
    return tuple(
        b
        for b in tree.below[noun]
        if tree.label(b) in ("nmod:poss", "obj", "compound")
        or (tree.label(b) == "nmod" and tree.preposition(b) == "of")
    )


def _right(read: _Read, doing: Doing, asked: Asked) -> tuple[Mention, ...]:
    roles = _LIKE.get(asked.right, (asked.right,))
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
    property_ = read.source.ontology.properties[asked.phrase.iri]
    wanted = kind_wanted(property_) if asked.phrase.first == "subject" else Kind.NAME
    fitting = (m for h in heads if (m := _mention(read, h, wanted)) is not None)
    after = asked.phrase.after
    return _distinct(m for m in fitting if after is None or followed(after, read.text, m))


def _distinct(found: Iterable[Mention]) -> tuple[Mention, ...]:
    return tuple(sorted(dict.fromkeys(found), key=lambda m: (m.start, m.end)))


def _mention(read: _Read, head: int, wanted: Kind | None) -> Mention | None:
    """The mention that a word heads: one that covers it, its figure, or the name set beside it by a comma."""
    fitting = [m for m in read.found if m.part.kind is (wanted or Kind.NAME)]
    start, end = read.at[head]
    covering = [m for m in fitting if m.start <= start and end <= m.end]
    if covering:
        return max(covering, key=lambda m: m.end - m.start)
    tree = read.tree
    for place in tree.of(head, "nummod"):
        for m in fitting:
            counted = isinstance(m.part.value, Quantity) and tree.word(head) in m.part.value.noun.lower().split()
            if counted and m.start <= read.at[place][0] < m.end:
                return m
    if tree.parsed.tags[head] != "NOUN":
        return None
    beside = [m for place in tree.of(head, "appos") for m in fitting if m.start <= read.at[place][0] < m.end]
    return beside[0] if beside and isinstance(beside[0].part.value, EntityName) else None


def _carried(read: _Read, head: int) -> About | None:
    """What a pronoun or "the …" takes up that nothing else restricts."""
    tree = read.tree
    if tree.word(head) == "its" and head == 0:
        return read.context.taken_up("it")
    if any(tree.label(b) not in ("det", "punct") for b in tree.below[head]):
        return None
    return meant(read.source, read.text[: read.at[head][1]], read.found, read.context)
