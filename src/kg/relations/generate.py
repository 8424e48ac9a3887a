"""Sentences with their facts marked, made from the lexicon's phrasings. Deterministic from a seed; no end to them.

:func:`generate` gives :class:`Sentence` values: a ``text``; ``facts``, each with the exact span of its subject, its
relation's label and the span of its object; ``mentions``, the spans of every filler, those in no fact included; and
``read_for``, the relations whose phrasings were used or that these were checked against. What it makes:

- plain sentences and beginnings that go on ("Ada Wren, the founder of Orlaville Labs, drew wide attention that year."),
  with leading adverbials and trailing clauses whose names and years belong to no fact;
- two facts joined ("…, while …"), and two objects joined by "and" where the object ends the sentence: two facts;
- sentences without a fact: a phrasing negated ("wasn't founded by"), supposed, doubted or denied, whose arguments are
  mentions and whose relation is in ``read_for``; and sentences of names and figures alone.

A fact is given with its reading the other way round (``inverse``, ``symmetric``), as the sentence states both, and for
every other relation whose lexicon entry has the same phrasing with types that fit. A relation that follows from the
words by knowledge of the world only isn't given: an unmarked pair is no proof that another relation doesn't hold.
Texts say nothing true: names are invented.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kg.relations.fillers import Fillers, parts
from kg.relations.phrasebook import ELLIPSIS, LITERALS, Entry, entries, is_whole, types
from kg.relations.schema import Example, Marked, Relation, Span

_SLOT = re.compile(r"(\{\w+\})")
_ARTICLE = re.compile(r"\b([Aa])n? $")
_AUXILIARY = re.compile(r"\b(is|was|are|were|has been|will|can)\b ")
_NEGATED = 0.5  # share of sentences without a fact that are negated at the verb


@dataclass(frozen=True, slots=True, order=True)
class Fact:
    """A fact as its sentence states it: spans in code points, ends exclusive, and the relation's label."""

    subject: Span
    relation: str
    object: Span


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence (or two) with its facts, the spans of all its fillers, and the relations that it was made for."""

    text: str
    facts: tuple[Fact, ...]
    mentions: tuple[Span, ...]
    read_for: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """The text and the facts, for a line of JSON."""
        return {
            "text": self.text,
            "facts": [
                {"subject": list(f.subject), "relation": f.relation, "object": list(f.object)} for f in self.facts
            ],
        }


@dataclass(slots=True)
class _Draft:
    """A text that grows; fillers are put down with their spans."""

    text: str = ""
    mentions: list[Span] | None = None

    def add(self, literal: str) -> None:
        """Words."""
        self.text += literal

    def put(self, filler: str) -> Span:
        """A filler; "a" before it becomes "an" where it must."""
        vowel = filler[:1].lower() in "aeiou" and not filler.lower().startswith(("uni", "eu", "one"))
        self.text = _ARTICLE.sub(lambda m: f"{m[1]}n " if vowel else f"{m[1]} ", self.text)
        span = (len(self.text), len(self.text) + len(filler))
        self.text += filler
        self.mentions = [*(self.mentions or []), span]
        return span


def generate(
    seed: int, count: int, relations: Sequence[str] = (), share_without_fact: float = 0.25
) -> Iterator[Sentence]:
    """``count`` sentences for the lexicon's relations (or those named), which take turns in a shuffled order.

    Raises KeyError for a relation that the lexicon doesn't have.
    """
    by_name = {entry.relation: entry for entry in entries()}
    asked = [by_name[name] for name in relations] or list(entries())
    rng = random.Random(seed)
    turn: list[Entry] = []
    for _ in range(count):
        if not turn:
            turn = rng.sample(asked, len(asked))
        yield _Maker(rng, asked).sentence(turn.pop(), share_without_fact)


class _Maker:
    """Makes one sentence."""

    def __init__(self, rng: random.Random, asked: Sequence[Entry]) -> None:
        self._rng = rng
        self._asked = asked
        self._fillers = Fillers(rng)
        self._draft = _Draft()
        self._facts: set[Fact] = set()
        self._used: set[str] = set()
        self._parts = parts()

    def sentence(self, entry: Entry, share_without_fact: float) -> Sentence:
        if self._rng.random() < share_without_fact:
            self._without_fact(entry)
        else:
            self._with_facts(entry)
        mentions = tuple(sorted(self._draft.mentions or ()))
        return Sentence(self._draft.text, tuple(sorted(self._facts)), mentions, tuple(sorted(self._used)))

    # --- with facts ---

    def _with_facts(self, entry: Entry) -> None:
        if self._rng.random() < 0.2:
            self._template(self._rng.choice(self._parts["leads"]))
        self._clause(entry, self._rng.choice(entry.phrasings))
        kind = self._rng.random()
        if kind < 0.2:
            self._draft.add(self._rng.choice(self._parts["joins"]))
            other = self._rng.choice(self._asked)
            self._clause(other, self._rng.choice(other.phrasings))
            self._draft.add(".")
        elif kind < 0.4:
            self._template(self._rng.choice(self._parts["trails"]))
            self._draft.add(".")
        elif kind < 0.5:
            self._draft.add(". ")
            self._template(self._rng.choice(self._parts["fillers"]))
        else:
            self._draft.add(".")

    def _clause(self, entry: Entry, phrasing: str, fact: bool = True) -> None:
        """A phrasing filled in, gone on with where it must be; its facts marked."""
        whole = is_whole(phrasing)
        subject = self._fillers.of_type(entry.domain)
        spans = self._slots(entry, _SLOT.split(phrasing.removesuffix(ELLIPSIS).rstrip()), subject)
        last = whole and phrasing.endswith("{object}") and entry.range not in LITERALS
        if last and self._rng.random() < 0.12:
            self._draft.add(" and ")
            spans["object"].append(self._draft.put(self._object(entry, "", subject)))
        if not whole:
            self._draft.add(" " + self._rng.choice(self._parts["continuations"]))
        self._used.add(entry.relation)
        if fact:
            self._mark(entry, phrasing, spans["subject"][0], spans["object"])

    def _slots(self, entry: Entry, pieces: Sequence[str], subject: str) -> dict[str, list[Span]]:
        """Words and fillers put down; where the fillers of the slots are."""
        start, opens = len(self._draft.text), not self._draft.text or self._draft.text.endswith((". ", ": "))
        spans: dict[str, list[Span]] = {}
        for piece in pieces:
            if piece == "{subject}":
                spans["subject"] = [self._draft.put(subject)]
            elif piece == "{object}":
                words = self._draft.text.split()
                spans["object"] = [self._draft.put(self._object(entry, words[-1] if words else "", subject))]
            elif piece:
                first = len(self._draft.text) == start and not opens
                self._draft.add(piece[0].lower() + piece[1:] if first else piece)
        return spans

    def _object(self, entry: Entry, before: str, subject: str) -> str:
        for _ in range(5):
            made = self._fillers.object_of(entry, before)
            if made != subject:
                return made
        return made

    def _mark(self, entry: Entry, phrasing: str, subject: Span, objects: Sequence[Span]) -> None:
        for object_ in objects:
            for relation, turned in _stated(entry, phrasing):
                self._used.add(relation)
                self._facts.add(Fact(object_, relation, subject) if turned else Fact(subject, relation, object_))

    # --- without ---

    def _without_fact(self, entry: Entry) -> None:
        whole = [p for p in entry.phrasings if is_whole(p) and p[:1] == "{"]
        if not whole or self._rng.random() < 0.25:
            self._template(self._rng.choice(self._parts["fillers"]))
            self._used.add(entry.relation)
            return
        phrasing = self._rng.choice(whole)
        negated = _AUXILIARY.sub(
            lambda m: f"{m[1]} {self._rng.choice(('not', 'never', 'no longer'))} ", phrasing, count=1
        )
        if negated != phrasing and self._rng.random() < _NEGATED:
            self._clause(entry, negated, fact=False)
            self._draft.add(".")
            return
        before, after = self._rng.choice(self._parts["no_fact"]).split("{clause}")
        self._template(before)
        self._clause(entry, phrasing, fact=False)
        self._template(after)

    def _template(self, template: str) -> None:
        for piece in _SLOT.split(template):
            if piece.startswith("{"):
                self._draft.put(self._fillers.part(piece[1:-1]))
            elif piece:
                self._draft.add(piece)


@lru_cache(maxsize=16384)
def _stated(entry: Entry, phrasing: str) -> tuple[tuple[str, bool], ...]:
    """Relations that a phrasing of an entry states; True: with the arguments turned round."""
    stated = {(entry.relation, False)}
    if entry.symmetric:
        stated.add((entry.relation, True))
    if entry.inverse:
        stated.add((entry.inverse, True))
    for other, turned in _saying().get(_plain(phrasing), ()):
        subject, object_ = (other.range, other.domain) if turned else (other.domain, other.range)
        if _fits(subject, entry.domain) and _fits(object_, entry.range):
            stated.add((other.relation, turned))
    return tuple(sorted(stated))


@lru_cache(maxsize=1)
def _saying() -> dict[str, tuple[tuple[Entry, bool], ...]]:
    found: dict[str, list[tuple[Entry, bool]]] = {}
    turn = {"{subject}": "{object}", "{object}": "{subject}"}
    for entry in entries():
        for phrasing in entry.phrasings:
            found.setdefault(_plain(phrasing), []).append((entry, False))
            turned = _SLOT.sub(lambda m: turn[m[1]], phrasing)
            found.setdefault(_plain(turned), []).append((entry, True))
    return {key: tuple(of) for key, of in found.items()}


def _plain(phrasing: str) -> str:
    return re.sub(r"\b(?:an?|the) ", "", phrasing.lower()).rstrip(" ,…")


def _fits(wanted: str, given: str) -> bool:
    """Whether every filler of type ``given`` is of type ``wanted``."""
    if wanted in LITERALS or given in LITERALS:
        return wanted == given
    return wanted in types().above(given)


_GROUP, _SENTENCES = 14, 32  # relations of an invented ontology; sentences made for it


def invented(groups: int, seed: int = 11) -> tuple[list[Relation], list[Example]]:
    """Small ontologies of the lexicon's relations in random company, with sentences for each.

    A relation is given by its label or an alias, with or without its definition, so that the model depends on neither.
    """
    chance = random.Random(seed)
    every = list(entries())
    relations: list[Relation] = []
    examples: list[Example] = []
    turn: list[int] = []
    for number in range(groups):
        if len(turn) < _GROUP:
            turn = chance.sample(range(len(every)), len(every))
        chosen = [every[turn.pop()] for _ in range(_GROUP)]
        brief = chance.random() < 0.6
        keys = {}
        for entry in chosen:
            keys[entry.relation] = key = f"lexicon/{number}/{entry.relation}"
            label = chance.choice((entry.relation, entry.relation, *entry.aliases))
            relations.append(Relation(key, label, "" if brief else entry.definition, entry.domain, entry.range))
        for made in generate(seed * 1000 + number, _SENTENCES, tuple(keys)):
            facts = tuple(Marked(keys[f.relation], (f.subject,), (f.object,)) for f in made.facts if f.relation in keys)
            examples.append(Example(made.text, facts, tuple(keys.values()), made.mentions))
    return relations, examples
