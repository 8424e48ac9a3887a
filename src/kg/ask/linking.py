"""Names in a question → things of the graph, and its other words → the properties that could be meant."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kg.ask.facts import Fact, Facts, by_property
from kg.ask.question import Question, Role
from kg.ask.retrieve import Term
from kg.ontology import Ontology
from kg.text import terms as w
from kg.text.question_words import NEWER, OLDER, degrees, graded
from kg.text.terms import FUNCTION, Token, bag, term, tokens
from kg.text.wordnet import lemmas

# --- Adjectives of degree: which property they speak of, and which end of it

# Words that compare without naming a property: more and less of whatever noun stands beside them.
MORE = frozenset(("more", "most", "greater", "greatest", "maximum", "top"))
_SOONER = frozenset(("first", "earlier", "before", "sooner", "older", "oldest", "earliest"))
_LATER = frozenset(("later", "after", "newer", "younger", "last", "latest", "newest", "youngest"))
LESS = frozenset(("fewer", "fewest", "less", "least", "lesser", "minimum"))

# Graded, but of no property; and what a thing that is older or newer than another has a date of.
_OF_NONE = frozenset(("good", "bad", "many", "much", "few", "little", "numerous"))
_BEGUN = frozenset(term(word) for word in ("founded", "built", "established", "founding", "opened", "date", "year"))


def degree(word: str) -> tuple[int, frozenset[str]] | None:
    """The end and the property's nouns, in normal forms, of an adjective in any grade, in small letters.

    >>> degree("cheaper")[0], degree("longest")[0], degree("blue")
    (-1, 1, None)
    """
    base = (graded(word) or (word,))[0]
    if word in MORE | LESS or base in _OF_NONE or base not in degrees():
        return None
    sign, nouns = degrees()[base]
    return sign, frozenset(map(term, nouns)) | (_BEGUN if base in OLDER | NEWER else frozenset())


def compared(words: Iterable[str]) -> tuple[int, frozenset[str]] | None:
    """The end that a question's words speak of, and the nouns of the property if an adjective names it.

    "Less expensive" is the little end of the price.
    """
    words = list(words)
    sign = next((1 if word in MORE else -1 for word in words if word in MORE | LESS), 0)
    found = next((d for word in words if (d := degree(word)) is not None and _graded(word, words)), None)
    if found is not None:
        return (found[0] * (sign or 1), found[1])
    return (sign, frozenset()) if sign else None


def in_time(words: Iterable[str]) -> tuple[int, frozenset[str]] | None:
    """The end that words for sooner (-1) or later (1) speak of, of whatever date stands beside them."""
    # The last such word decides: "which telescope had first light last".
    found = [word for word in words if word in _SOONER | _LATER][-1:]
    return (-1 if found[0] in _SOONER else 1, frozenset()) if found else None


def _graded(word: str, words: list[str]) -> bool:
    """Whether an adjective compares: in a grade, or after a word that grades it, or asked by "how"."""
    at = words.index(word)
    return (
        word.endswith(("er", "est"))
        or word in ("later", "latest")
        or (at > 0 and words[at - 1] in MORE | LESS | {"as", "equally", "how"})
    )


_LONGEST = 6
_SPELLING = 92.0


@dataclass(frozen=True, slots=True)
class Linked:
    """A stretch of the question taken for a thing. Several things of one name are all kept."""

    text: str
    start: int
    end: int
    things: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """Facts of one property about a linked thing. ``forward``: the thing is their subject, not their object.

    ``said``: share of the property's name found in the question. ``explained``: share of the question's words,
    but for the thing's name, that the property's names account for.
    """

    thing: str
    predicate: str
    forward: bool
    facts: tuple[Fact, ...]
    said: float
    explained: float

    @property
    def score(self) -> float:
        """How well the property fits the question."""
        return 0.5 * self.said + 0.5 * self.explained


def link(question: Question, facts: Facts, capitalised: frozenset[str]) -> tuple[Linked, ...]:
    """Things named in the question, longest names first taken, in the order of the question."""
    found: list[Linked] = []
    for run in question.runs(_LONGEST):
        start, end = run[0].start, run[-1].end
        things = facts.things.get(tuple(t.term for t in run))
        if not things or any(x.start < end and start < x.end for x in found):
            continue
        if len(run) > 1 or _is_named(run[0], capitalised) or _is_record(things, facts):
            found.append(Linked(question.text[start:end], start, end, things))
    found += _misspelt(question, facts, found)
    return tuple(sorted(found, key=lambda x: x.start))


def _is_named(word: Token, capitalised: frozenset[str]) -> bool:
    """Whether one word alone reads as a name."""
    return word.term in capitalised or bool(word.digits) or "." in word.text


_RECORDED = 3  # properties from which a thing called by a common noun ("argon", "flour") is one that is asked about


def _is_record(things: Iterable[str], facts: Facts) -> bool:
    """Whether the graph tells several properties of each thing that a word names."""
    return all(len({f.predicate for f in facts.of_subject(t) if f.asserted}) >= _RECORDED for t in things)


def _misspelt(question: Question, facts: Facts, found: Iterable[Linked]) -> list[Linked]:
    """Names without an exact match that are a few edits from one; versions and numbers are never guessed."""
    from rapidfuzz import fuzz, process

    spans = [(x.start, x.end) for x in found]
    more = []
    for name in question.names:
        text = " ".join(name.terms)
        if len(text) < 6 or re.search(r"\d", text) or any(s < name.end and name.start < e for s, e in spans):
            continue
        near = process.extractOne(text, list(facts.spelled), scorer=fuzz.ratio, score_cutoff=_SPELLING)
        if near:
            more.append(Linked(name.text, name.start, name.end, facts.spelled[near[0]]))
    return more


def relations(
    terms: tuple[Term, ...], linked: Linked, facts: Facts, names: Callable[[str], tuple[str, ...]]
) -> list[Relation]:
    """Properties of a linked thing, the best fitting first. ``names``: what a property is called."""
    asked = Wording.of(t for t in terms if not linked.start <= t.word.token.start < linked.end)
    found = []
    for thing in linked.things:
        for forward, about in ((True, facts.of_subject(thing)), (False, facts.of_object(thing))):
            for predicate, own in by_property(about).items():
                said, explained = asked.fit(names(predicate))
                found.append(Relation(thing, predicate, forward, own, said, explained))
    return sorted(found, key=lambda r: (-r.score, r.predicate, r.thing, r.forward))


def property_names(predicate: str, facts: Facts, ontology: Ontology | None) -> tuple[str, ...]:
    """What a property is called: its labels, and its phrases without their places for subject and object."""
    names = facts.labels.get(predicate) or (facts.label(predicate),)
    declared = ontology.properties.get(predicate) if ontology else None
    phrases = tuple(re.sub(r"\{[^}]*\}", " ", p) for p in declared.phrases) if declared else ()
    return (*names, *phrases)


@dataclass(frozen=True, slots=True)
class Wording:
    """Words of a question, made ready to be held against the names of many properties.

    ``forms``: what each form counts; ``weighed``: each word with its weight; ``total``: the sum of these.
    """

    forms: Mapping[str, float]
    weighed: tuple[tuple[float, Term], ...]
    total: float

    @classmethod
    def of(cls, terms: Iterable[Term]) -> Wording:
        """The wording of some of a question's words."""
        weighed = tuple((t.weight * (0.5 if t.word.role == Role.KIND else 1.0), t) for t in terms)
        forms: dict[str, float] = {}
        for _, t in weighed:
            for form, strength in t.forms:
                forms[form] = max(strength, forms.get(form, 0.0))
        return cls(forms, weighed, sum(w for w, _ in weighed))

    def fit(self, names: tuple[str, ...]) -> tuple[float, float]:
        """Share of a property's best name said by the words, and share of the words that its names account for."""
        every = every_word(names)
        if self.forms.keys().isdisjoint(every) and not any(t.parts for _, t in self.weighed):
            return 0.0, 0.0
        said = max((_said(words, self.forms) for words in _asked_by(names)), default=0.0)
        return said, sum(w * t.found(every) for w, t in self.weighed) / self.total if self.total else 0.0


def property_fit(terms: Iterable[Term], names: tuple[str, ...]) -> tuple[float, float]:
    """:meth:`Wording.fit` of one property."""
    return Wording.of(terms).fit(names)


# "Parameter count" is asked for by "how many parameters".
COUNTING = frozenset(term(word) for word in ("count", "number", "total", "amount", "size", "value", "quantity"))


@lru_cache(maxsize=20_000)
def every_word(names: tuple[str, ...]) -> frozenset[str]:
    """Normal forms of all words of some names (see :func:`kg.text.terms.bag`)."""
    return frozenset().union(*(bag(n) for n in names))


@lru_cache(maxsize=20_000)
def own_words(name: str) -> frozenset[str]:
    """Normal forms of a name's words, each once, without compounds of neighbours."""
    return frozenset(t.term for t in tokens(name) if t.lower not in FUNCTION)


@lru_cache(maxsize=20_000)
def _asked_by(names: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """Of each name the words that a question for it has to say."""
    words = [own_words(n) - FUNCTION for n in names if bag(n)]
    return tuple((own - COUNTING) or own for own in words)


def _said(words: frozenset[str], forms: Mapping[str, float]) -> float:
    return math.fsum(forms[word] for word in words if word in forms) / max(len(words), 1)  # in whatever order


_DOES = w.words("do does did")
_ARTICLES = w.words("the a an its their his her this that")


def turned_round(question: Question, start: int, forward: bool, names: Sequence[str]) -> bool:
    """Whether a property called by a verb ("sends to") would be read against the question's grammar.

    ``start``: where the question names the thing; ``forward``: the thing would be taken for the verb's subject;
    ``names``: what the property is called, its label first.
    """
    if not names or not _is_deed(names[0]):
        return False
    doer = _does_it(question, start, frozenset(n.split()[-1].casefold() for n in names if n.split()))
    return doer is not None and doer != forward


def _is_deed(label: str) -> bool:
    """Whether a name begins with a verb in the third person."""
    first = label.split()[0].casefold() if label else ""
    return bool(re.search(r"[^sui]s$", first)) and lemmas(first)[0] not in ("", first)


def _does_it(question: Question, start: int, ends: frozenset[str]) -> bool | None:
    """Whether the thing named is the doer (True), what it is done to (False), or it can't be told (None).

    ``ends``: last words of the property's names: after another preposition ("behind") the thing may be either.
    """
    if question.opening not in ("what", "which", "who"):
        return None
    before = [t.lower for t in question.tokens if t.end <= start]
    while before and before[-1] in _ARTICLES:
        before.pop()
    if not before or before[0] != question.opening:
        return None
    if before[-1] in _DOES:
        return True
    if any(t in w.AUXILIARIES for t in before) or len(before) < 2:
        return None
    return None if before[-1] in w.PREPOSITIONS - ends else False
