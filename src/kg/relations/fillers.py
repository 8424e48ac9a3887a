"""Invented names, dates, figures and texts of given types, from parts in ``lexicon/fillers.json``.

Every choice is drawn from the :class:`random.Random` that is handed in, so that a seed fixes all of them. Names are
made of syllables and common parts; where they are those of real people, firms or places, that is by chance.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from kg.relations.phrasebook import Entry, read_json, types

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
        return (
            (begin + self._pick(self._parts["surname_end"])).capitalize()
            if self._rng.random() < 0.8
            else (begin.capitalize())
        )

    def _pick(self, of: Sequence[str]) -> str:
        return self._rng.choice(of)
