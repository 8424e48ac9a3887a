"""How English states relations of general use: a lexicon of relations with definitions, types and phrasings.

The lexicon (``lexicon/*.jsonl``, one relation a line) is written by hand and knows no data set. A phrasing has both
arguments once: ``{object} founded {subject}``; one that ends in ``…`` is the start of a sentence that goes on
(``{object}, the founder of {subject}, …``). Types of arguments are labels of ``lexicon/types.json``; objects may also
be literals (date, year, number, text).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from kg.relations.encoding import Example, Marked, Relation, Span

LITERALS = ("date", "year", "number", "text")
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Entry:
    """A relation. ``units`` and ``values`` help to invent objects; ``inverse`` is the relation read the other way."""

    relation: str
    definition: str
    domain: str
    range: str
    phrasings: tuple[str, ...]
    examples: tuple[str, ...]
    field: str
    aliases: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    symmetric: bool = False
    inverse: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Label and aliases."""
        return (self.relation, *self.aliases)


def is_whole(phrasing: str) -> bool:
    """Whether a phrasing is a sentence by itself; otherwise it goes on."""
    return not phrasing.endswith(ELLIPSIS)


# --- reading ---------------------------------------------------------------------------------------


def parse_entry(line: str) -> Entry:
    """An entry from a line of JSON."""
    given: dict[str, Any] = json.loads(line)
    lists: dict[str, Any] = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    return Entry(**(given | lists))


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """The whole lexicon in the order of fields and lines."""
    paths = sorted((files("kg.relations") / "lexicon").iterdir(), key=lambda p: p.name)
    texts = (path.read_text(encoding="utf-8") for path in paths if path.name.endswith(".jsonl"))
    return tuple(parse_entry(line) for text in texts for line in text.splitlines() if line.strip())


# --- types -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Types:
    """Types of arguments by label: ``parents`` holds the label above (or "")."""

    parents: Mapping[str, str]

    def above(self, label: str) -> tuple[str, ...]:
        """A type and those above it, nearest first."""
        chain = []
        while label:
            chain.append(label)
            label = self.parents[label]
        return tuple(chain)

    def below(self, label: str) -> tuple[str, ...]:
        """The types right below, sorted."""
        return tuple(sorted(t for t, parent in self.parents.items() if parent == label))


@lru_cache(maxsize=1)
def types() -> Types:
    """The types of arguments."""
    given = read_json("types.json")
    return Types({label: of["parent"] for label, of in given.items()})


def read_json(name: str) -> dict[str, Any]:
    """A JSON object beside the lexicon."""
    text = (files("kg.relations") / "lexicon" / name).read_text(encoding="utf-8")
    return cast(dict[str, Any], json.loads(text))


_PART = re.compile(r"\{(\w+)\}")
_SMALL = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "fourteen", "twenty")
_CURRENCIES = ("$", "€", "£")
_LETTERS = "ABCDEFGHJKLMNPRSTVWXZ"


@lru_cache(maxsize=1)
def parts() -> dict[str, Any]:
    """The parts that names and sentences are made of."""
    return read_json("fillers.json")


class Fillers:
    """Makes fillers of types and literal kinds."""

    def __init__(self, rng: random.Random) -> None:
        """Draws from ``rng``."""
        self._rng = rng
        self._parts = parts()

    def object_of(self, entry: Entry, before: str) -> str:
        """An object for a relation, in a form that goes with the word ``before`` it ("on" wants a day)."""
        if entry.range in ("date", "year"):
            return self.date(before)
        if entry.range == "number":
            return self.number(entry.units)
        if entry.range == "text":
            return self.text(entry)
        return self.of_type(entry.range)

    def of_type(self, label: str) -> str:
        """A name of a type of the lexicon; of one of its subtypes at times."""
        table = types()
        below = [t for t in table.below(label) if t in self._parts["templates"]]
        if label != "thing" and below and self._rng.random() < 0.3:
            label = self._rng.choice(below)
        known = next(t for t in table.above(label) if t in self._parts["templates"])
        return self._made(known)

    def _made(self, label: str) -> str:
        template = self._pick(self._parts["templates"][label])
        return self._made(template[1:]) if template.startswith("@") else self.fill(template)

    def fill(self, template: str) -> str:
        """A template with its ``{parts}`` put in."""
        return _PART.sub(lambda match: self.part(match[1]), template)

    def part(self, name: str) -> str:
        """One part of a name or sentence, by what it is called in a template."""
        makers: dict[str, Callable[[], str]] = {
            "word": lambda: self._word().capitalize(),
            "lower": self._word,
            "surname": self._surname,
            "place": lambda: (self._syllable() + self._pick(self._parts["place_end"])).capitalize(),
            "letter": lambda: self._pick(_LETTERS),
            "digit": lambda: str(self._rng.randint(1, 9)),
            "year": lambda: str(self._rng.randint(1800, 2024)),
            "ordinal": lambda: self._pick(("1st", "2nd", "3rd", "4th", "7th", "12th", "21st", "33rd")),
            "acronym": lambda: "".join(self._pick(_LETTERS) for _ in range(self._rng.randint(2, 4))),
            "latin": lambda: self._word().capitalize() + self._pick(("us", "a", "um", "is")),
            "number": lambda: self.number(()),
        }
        if name in makers:
            return makers[name]()
        if name in self._parts["words"]:
            return self._pick(self._parts["words"][name])
        if name in self._parts and isinstance(self._parts[name], list):
            return self._pick(self._parts[name])
        return self.of_type(name)

    def date(self, before: str = "") -> str:
        """A day after "on", a month or a year after "in" and the like, any of them elsewhere."""
        year = self.part("year")
        month = self._pick(self._parts["months"])
        day = str(self._rng.randint(1, 28))
        days = (f"{day} {month} {year}", f"{month} {day}, {year}", f"{month} {day} {year}")
        if before.lower() == "on":
            return self._pick(days)
        if before.lower() in ("in", "since", "of", "until", "from"):
            return self._pick((year, year, year, f"{month} {year}"))
        return self._pick((*days, year, f"{month} {year}"))

    def number(self, units: Sequence[str]) -> str:
        """A figure with one of the units; money and shares have their signs."""
        if not units:
            return self._pick((self._pick(_SMALL), self._grouped(), self._grouped(), self._large()))
        unit = self._pick(units)
        if unit == "$":
            amount = self._large() if self._rng.random() < 0.7 else self._grouped()
            return self._pick((f"{self._pick(_CURRENCIES)}{amount}", f"{amount} {self._pick(('dollars', 'euros'))}"))
        if unit == "%":
            share = f"{self._rng.randint(1, 99)}.{self._rng.randint(0, 9)}"
            return self._pick((f"{share}%", f"{share} percent", f"{share.split('.')[0]} %"))
        plain = (
            str(self._rng.randint(2, 990)),
            f"{self._rng.randint(1, 99)}.{self._rng.randint(1, 9)}",
            self._grouped(),
        )
        return f"{self._pick(plain)} {unit}"

    def _grouped(self) -> str:
        return f"{self._rng.choice((1, 10, 1000)) * self._rng.randint(2, 999):,}"

    def _large(self) -> str:
        return f"{self._rng.randint(1, 99)}.{self._rng.randint(1, 9)} {self._pick(('million', 'billion', 'million'))}"

    def text(self, entry: Entry) -> str:
        """One of the texts that the lexicon gives for a relation; ``@kind`` stands for something made up."""
        value = self._pick(entry.values)
        if not value.startswith("@"):
            return value
        made: dict[str, Callable[[], str]] = {
            "title": lambda: self.of_type("work"),
            "url": lambda: f"{self._word()}.{self._pick(('example', 'example.org', 'example.com'))}",
            "code": lambda: self._pick(("", "0")) + str(self._rng.randint(100, 99999)),
            "isbn": lambda: (
                f"978-{self._rng.randint(0, 9)}-{self._rng.randint(1000, 9999)}-{self._rng.randint(100, 999)}-X"
            ),
            "handle": lambda: f"@{self._word()}{self._rng.randint(1, 99)}",
            "latin": lambda: f"{self.part('latin')} {self._word()}is",
            "address": lambda: f"{self._rng.randint(1, 200)} {self.of_type('road')}",
            "acronym": lambda: self.part("acronym"),
        }
        kind = value[1:]
        return made[kind]() if kind in made else self.of_type("city" if kind == "place" else kind)

    def _word(self) -> str:
        word = self._syllable() + self._syllable()
        return word + self._pick(self._parts["coda"]) if self._rng.random() < 0.4 else word

    def _syllable(self) -> str:
        return self._pick(self._parts["onset"]) + self._pick(self._parts["vowel"])

    def _surname(self) -> str:
        begin = self._syllable() + self._pick(self._parts["coda"])
        return (begin + (self._pick(self._parts["surname_end"]) if self._rng.random() < 0.8 else "")).capitalize()

    def _pick(self, of: Sequence[str]) -> str:
        return self._rng.choice(of)


_PLACE = re.compile(r"(\{\w+\})")
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
    """A sentence (or two) with its facts and the spans of all its fillers."""

    text: str
    facts: tuple[Fact, ...]
    mentions: tuple[Span, ...]


@dataclass(slots=True)
class _Draft:
    """A text that grows; fillers are put down with their spans."""

    text: str = ""
    mentions: list[Span] = field(default_factory=list)

    def put(self, filler: str) -> Span:
        """A filler; "a" before it becomes "an" where it must."""
        vowel = filler[:1].lower() in "aeiou" and not filler.lower().startswith(("uni", "eu", "one"))
        self.text = _ARTICLE.sub(lambda m: f"{m[1]}n " if vowel else f"{m[1]} ", self.text)
        self.mentions.append((len(self.text), len(self.text) + len(filler)))
        self.text += filler
        return self.mentions[-1]


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
        self._parts = parts()

    def sentence(self, entry: Entry, share_without_fact: float) -> Sentence:
        if self._rng.random() < share_without_fact:
            self._without_fact(entry)
        else:
            self._with_facts(entry)
        mentions = tuple(sorted(self._draft.mentions))
        return Sentence(self._draft.text, tuple(sorted(self._facts)), mentions)

    # --- with facts ---

    def _with_facts(self, entry: Entry) -> None:
        if self._rng.random() < 0.2:
            self._template(self._rng.choice(self._parts["leads"]))
        self._clause(entry, self._rng.choice(entry.phrasings))
        kind = self._rng.random()
        if kind < 0.2:
            self._draft.text += self._rng.choice(self._parts["joins"])
            other = self._rng.choice(self._asked)
            self._clause(other, self._rng.choice(other.phrasings))
        elif kind < 0.4:
            self._template(self._rng.choice(self._parts["trails"]))
        self._draft.text += "."
        if 0.4 <= kind < 0.5:
            self._draft.text += " "
            self._template(self._rng.choice(self._parts["fillers"]))

    def _clause(self, entry: Entry, phrasing: str, fact: bool = True) -> None:
        """A phrasing filled in, gone on with where it must be; its facts marked."""
        whole = is_whole(phrasing)
        subject = self._fillers.of_type(entry.domain)
        spans = self._slots(entry, _PLACE.split(phrasing.removesuffix(ELLIPSIS).rstrip()), subject)
        last = whole and phrasing.endswith("{object}") and entry.range not in LITERALS
        if last and self._rng.random() < 0.12:
            self._draft.text += " and "
            spans["object"].append(self._draft.put(self._object(entry, "", subject)))
        if not whole:
            self._draft.text += " " + self._rng.choice(self._parts["continuations"])
        (subject_at,) = spans["subject"]
        for object_at in spans["object"] if fact else ():
            for relation, turned in _stated(entry, phrasing):
                ends = (object_at, subject_at) if turned else (subject_at, object_at)
                self._facts.add(Fact(ends[0], relation, ends[1]))

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
                self._draft.text += piece[0].lower() + piece[1:] if first else piece
        return spans

    def _object(self, entry: Entry, before: str, subject: str) -> str:
        for _ in range(5):
            made = self._fillers.object_of(entry, before)
            if made != subject:
                break
        return made

    # --- without ---

    def _without_fact(self, entry: Entry) -> None:
        whole = [p for p in entry.phrasings if is_whole(p) and p[:1] == "{"]
        if not whole or self._rng.random() < 0.25:
            self._template(self._rng.choice(self._parts["fillers"]))
            return
        phrasing = self._rng.choice(whole)
        negated = _AUXILIARY.sub(
            lambda m: f"{m[1]} {self._rng.choice(('not', 'never', 'no longer'))} ", phrasing, count=1
        )
        if negated != phrasing and self._rng.random() < _NEGATED:
            self._clause(entry, negated, fact=False)
            self._draft.text += "."
            return
        before, after = self._rng.choice(self._parts["no_fact"]).split("{clause}")
        self._template(before)
        self._clause(entry, phrasing, fact=False)
        self._template(after)

    def _template(self, template: str) -> None:
        for piece in _PLACE.split(template):
            if piece.startswith("{"):
                self._draft.put(self._fillers.part(piece[1:-1]))
            else:
                self._draft.text += piece


@lru_cache(maxsize=16384)
def _stated(entry: Entry, phrasing: str) -> tuple[tuple[str, bool], ...]:
    """Relations that a phrasing of an entry states; True: with the arguments turned round."""
    stated = {(entry.relation, False)}
    if entry.symmetric:
        stated.add((entry.relation, True))
    if entry.inverse:
        stated.add((entry.inverse, True))
    for other, turned in _saying().get(_comparable(phrasing), ()):
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
            found.setdefault(_comparable(phrasing), []).append((entry, False))
            turned = _PLACE.sub(lambda m: turn[m[1]], phrasing)
            found.setdefault(_comparable(turned), []).append((entry, True))
    return {key: tuple(of) for key, of in found.items()}


def _comparable(phrasing: str) -> str:
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
