"""Question → units of quotation, ranked by how much of the question they account for.

A unit's score is the share of the question's words (by rarity) found in it, its headings, the sentence before it or
its passage, plus the cosine of its and its passage's embeddings with the question's. Candidates come from the dense
and the lexical indexes of units and passages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kg.ask.question import Name, Question, Role, Word
from kg.ask.unit_index import Floats, Ints, Places
from kg.ask.view import View
from kg.model import Passage, Unit, UnitKind
from kg.reading import vector_of_question
from kg.text.terms import COMMON_NAMES, FUNCTION, SAME_ROOT, SYNONYM, bag, family, parts, synonyms, term
from kg.text.units import find_unit, symbols

# What a word of the question counts when it is found only near the unit.
CONTEXT, BEFORE, PASSAGE = 0.8, 0.5, 0.3
# Words that name the kind of answer are half accounted for by any answer of that kind.
KIND = 0.5
# Weights of the cosines beside the share of words (which is 0 to 1).
UNIT_COSINE, PASSAGE_COSINE = 1.0, 0.4
STRICT, NAMES, FOCUS = 0.3, 0.15, 0.2
# A name that stands everywhere (by its weight) need not stand with the unit; somewhere in its passage will do.
COMMON, WITHIN = 0.42, 0.4
# What a unit's symbol counts for its name.
_SYMBOL = 0.9
# Units that are somebody's words: a row or line may end in "?" for what isn't known.
SPOKEN = (UnitKind.SENTENCE, UnitKind.ITEM)


@dataclass(frozen=True, slots=True)
class Term:
    """A question's word with the forms it may take in a document, each with what it counts (1: the word itself).

    The form that counts most comes first.
    """

    word: Word
    weight: float
    forms: tuple[tuple[str, float], ...]
    parts: tuple[str, ...]

    def found(self, words: frozenset[str]) -> float:
        """How well the word is found among the words, 0 to 1."""
        best = next((strength for form, strength in self.forms if form in words), 0.0)
        if self.parts and best < 1:
            best = max(best, sum(p in words for p in self.parts) / len(self.parts))
        return best


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit with its scores, 0 to 1 but for ``score``, their sum by weight.

    ``share``: of the question's words accounted for by the unit or anything near it; ``strict``: by the unit, its
    headings and the sentence before it; ``own``: by its own text. ``names``: how well the worst found name is found
    there. ``focus``: how well the noun asked for is. ``cosine``: of question and unit, ``near``: and its passage.
    """

    passage: Passage
    number: int
    score: float
    share: float
    strict: float
    own: float
    names: float
    focus: float
    cosine: float
    near: float

    @property
    def unit(self) -> Unit:
        """The unit."""
        return self.passage.units[self.number]

    @property
    def plain(self) -> str:
        """The unit's text without markup."""
        return self.unit.plain

    @property
    def asks(self) -> bool:
        """Whether the unit is itself a question, as in lists of questions and answers; it can't say what is so."""
        return self.unit.kind in SPOKEN and self.plain.rstrip(" \"'”’)*_").endswith("?")

    @property
    def key(self) -> tuple[str, int]:
        """Identifies the unit."""
        return self.passage.id, self.number


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for a question: its terms, and units best first. ``vector``: the question's, (dimensions,).

    ``places``: of each term where it stands, of all units.
    """

    question: Question
    terms: tuple[Term, ...]
    units: tuple[Scored, ...]
    unknown_names: tuple[Name, ...]
    vector: npt.NDArray[np.float32]
    places: tuple[Places, ...] = field(repr=False, compare=False)

    @property
    def strange(self) -> bool:
        """Whether no word that the question asks with stands anywhere in the documents, in any form: a greeting."""
        return not any(places.own.any() or places.context.any() for places in self.places)


class Retriever:
    """Finds units for questions in one view of a knowledge base."""

    def __init__(self, view: View) -> None:
        self.view = view

    def warm(self) -> None:
        """Counts and places the words of all passages, which the first question would wait for."""
        _ = self.view.lexicon, self.view.finder, self.view.unit_vectors

    def terms(self, question: Question) -> tuple[Term, ...]:
        """The question's words, each once, with the forms they may take."""
        rarity = self.view.lexicon.rarity
        once: dict[str, Word] = {}
        for word in question.words:
            once.setdefault(word.term, word)
        return tuple(Term(x, x.weight * rarity(x.term), self._forms(x), parts(x.token)) for x in once.values())

    def _forms(self, word: Word) -> tuple[tuple[str, float], ...]:
        forms = {word.term: 1.0}
        lexicon = self.view.lexicon
        misspelt = None if word.token.digits else lexicon.misspelt(word.term, 92.0 if word.role == Role.NAME else 86.0)
        if misspelt:
            forms[misspelt] = 0.9
        if word.role != Role.NAME:
            for other in sorted(synonyms(word.term)):
                forms[other] = max(forms.get(other, 0.0), SYNONYM)
            for other in sorted(family(word.term)):
                forms[other] = max(forms.get(other, 0.0), SAME_ROOT)
            for other in _symbols(word):
                forms.setdefault(other, _SYMBOL)
        return tuple(sorted(forms.items(), key=lambda f: (-f[1], f[0])))

    def find(self, question: Question, limit: int = 100) -> Found:
        """Units that account for the question, best first (ties by identifier)."""
        terms = self.terms(question)
        vector = vector_of_question(question.text, self.view.units_dense.encoder)
        places = tuple(self.view.unit_words.places(t.forms, t.parts) for t in terms)
        units = self._scored(terms, places, vector, self.view.finder.near(question.text, vector), limit)
        return Found(question, terms, units, self.unknown_names(question), vector, places)

    def _scored(
        self,
        terms: Sequence[Term],
        places: Sequence[Places],
        vector: npt.NDArray[np.float32],
        rows: Ints,
        limit: int,
    ) -> tuple[Scored, ...]:
        """The best of the units in some rows, which are in the order of identifiers."""
        words = self.view.unit_words
        cosines, near = self.view.unit_vectors.cosines(vector, rows)
        share, strict, own, names, focus = _shares(terms, [p.at(rows) for p in places], len(rows))
        scores = share + UNIT_COSINE * cosines + PASSAGE_COSINE * near
        scores += STRICT * strict + NAMES * names + FOCUS * focus
        best = np.argsort(-scores, kind="stable")[:limit]
        columns = (scores, share, strict, own, names, focus, cosines, near)
        values = np.stack(columns)[:, best].T.tolist()
        passages = words.passage_of[rows[best]]
        numbers = (rows[best] - words.starts[passages]).tolist()
        each = zip(passages.tolist(), numbers, values, strict=True)
        return tuple(Scored(words.passages[place], number, *one) for place, number, one in each)

    def scored_at(self, found: Found, passage_id: str, place: int) -> Scored | None:
        """The unit that stands at a place of its document, scored as if found; None for no such unit."""
        passage = self.view.passages.get(passage_id)
        if passage is None:
            return None
        number = next((n for n, u in enumerate(passage.units) if u.start <= place < u.end), None)
        if number is None:
            return None
        known = next((s for s in found.units if s.key == (passage_id, number)), None)
        if known is not None:
            return known
        row = np.array([self.view.unit_words.first_rows[passage_id] + number])
        return self._scored(found.terms, found.places, found.vector, row, 1)[0]

    def context_words(self, scored: Scored) -> frozenset[str]:
        """Words of a unit, its context and headings."""
        return bag(" ".join((scored.plain, scored.unit.context, *scored.passage.headings)))

    def unknown_names(self, question: Question) -> tuple[Name, ...]:
        """Names of the question that the documents have nowhere, nor anything that they could be a misspelling of.

        Where it names something known too, what a situation beside the clause that asks names may be unknown.
        """
        named = [x for x in question.words if x.role == Role.NAME]
        unknown = [
            n for n in question.names if any(n.start <= x.token.start < n.end and self._unknown(x) for x in named)
        ]
        known = len(unknown) < len(question.names)
        return tuple(n for n in unknown if not known or question.asks_at(n.start))

    def _unknown(self, word: Word) -> bool:
        lexicon = self.view.lexicon
        common = {word.token.lower, re.sub("['’]?s$", "", word.token.lower)} & COMMON_NAMES  # "Mondays"
        if common or any(map(lexicon.known, (word.term, *parts(word.token)))):
            return False
        return lexicon.misspelt(word.term, 92.0) is None


def _symbols(word: Word) -> Iterator[str]:
    """Normal forms of the symbols, of two letters or more, of the unit that a written word names (gigawatts: GW)."""
    text = word.token.text
    unit = find_unit(text) if len(text) > 4 and text.islower() else None
    for symbol in symbols(unit) if unit is not None else ():
        if len(symbol) > 1 and symbol.isalpha() and symbol.casefold() not in FUNCTION:
            yield term(symbol)


def _shares(
    terms: Sequence[Term], where: Sequence[Places], units: int
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Share, strict, own, names and focus (see :class:`Scored`) of units, each (units,), by where terms are found."""
    share, strict, own, focus = (np.zeros(units) for _ in range(4))
    names = np.ones(units)
    for t, places in zip(terms, where, strict=True):
        here = np.maximum(places.own, KIND) if t.word.role == Role.KIND else places.own
        close = np.maximum(here, np.maximum(CONTEXT * places.context, BEFORE * places.before))
        own += t.weight * here
        strict += t.weight * close
        share += t.weight * np.maximum(close, PASSAGE * places.passage)
        if t.word.role == Role.NAME:
            names = np.minimum(names, np.maximum(close, WITHIN * places.passage) if t.weight < COMMON else close)
        elif t.word.role == Role.FOCUS:
            focus = np.maximum(focus, close)
    if not any(t.word.role == Role.FOCUS for t in terms):
        focus = np.ones(units)
    total = sum(t.weight for t in terms) or 1.0
    return share / total, strict / total, own / total, names, focus
