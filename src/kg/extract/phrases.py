"""An ontology's phrases ("{subject} was trained on {object}") compiled to regular expressions over a sentence.

The literal before, between and after the arguments is matched word by word: forms of "be" and "have" stand for each
other, regular and common irregular verbs in any tense ("was building", "began to build" too), with adverbs and "not"
allowed between words, articles before arguments, and up to two words between an article and its noun ("is a [large,
public] fund of"). "…" in a phrase stands for one to seven words ("{subject} pumped … into {object}"). A phrase with
"the N of {subject}" holds for "{subject}'s N" too. Where the arguments themselves are is decided by the mentions found
around a match (:mod:`patterns`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from kg.extract.words import word_set
from kg.ontology import Ontology, OntologyProperty
from kg.syntax.lemmas import irregular

_BE = "(?:is|are|was|were|be|been|being|has been|have been|had been|will be|would be|can be|could be|may be|gets|got)"
_HAVE = "(?:has|have|had|having|with|of)"
_DO = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_HAS = frozenset({"has", "have", "had"})
_ARTICLES = frozenset({"a", "an", "the"})
_DATED = (
    r"(?:\s+(?:(?:in|on)\s+)?(?:(?:early|mid|late)\s+)?(?:\d{1,2}\s+)?(?:[A-Z][a-z]+\s+)?(?:\d{1,2},\s+)?\d{4},?"
    r"(?=\s+(?:by|for|to|at|from|with|under)\b))?"
)
_BETWEEN = (
    r"(?:\s+(?:not|never|no longer|also|now|then|still|first|later|once|again|already|only|just|\w{2,}ly))*"
    + _DATED  # "was founded in May 1815 by Ada Wren"
    + r"(?:\s+(?:an?|the))?\s+"
)
_MODIFIED = r"(?:\s+(?:an?|the))?\s+(?:(?!(?:and|or|but|not|no|of|in|on|at|by|for|to|that|which)\b)[\w-]+\s+){0,2}?"
_GAP = r"(?:\s+(?:[\w’'/&-]+|\d[\d,.]*\d\+?)){1,7}?"
_STARTED = (
    r"(?:[’']re|is|are|was|were|been|be|begins?|began|begun|starts?|started|keeps?|kept)\s+(?:already\s+|\w{2,}ly\s+)?"
)
_SET_OUT = r"(?:begins?|began|begun|starts?|started)\s+to\s+"
_APPOSED = r"[\"”’]?(?:\s(?!(?:and|or|but|that|which|who)\b)[a-z][\w-]*){0,2}?(?:,\s[^,.;:]{3,80},)?"
_CARRIERS = frozenset({"on", "in", "to", "with", "from", "into", "onto", "through", "for", "at"})
_PLAIN = frozenset({"in", "on", "for", "with", "by", "at", "from", "to"})
_ASIDE = r"(?:\s+(?:on|in|by|with|at|from|to|over)\s+[^,.;:]{1,70}?)"  # "trained on 8 GPUs for a month"
_ASIDE_PLACE = r"(?:\s+(?:in|at)\s+(?:[A-Z][\w.’'-]*\s?){1,3}(?<!\s))"  # "opened in Kiel on 3 May"
_PREPOSITIONS = {"in": "(?:in|on|during)", "on": "(?:on|in|upon)", "at": "(?:at|in)", "for": "(?:for|in)"}
_SLOTS = re.compile(r"\{(subject|object)\}")
_WORD = re.compile(r"\w+")
_FUNCTION = _DO | _HAS | _ARTICLES | word_set("of in on at to by for with from as and or that which per its it")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a property; ``first`` is the slot on the left.

    ``literals``: patterns of what stands ``before``, ``between`` and ``after`` the arguments; ``bare``: between without
    its auxiliary, for sentences that leave the subject out ("Trained on …"); ``participle``: the verb in "-ing" with
    what follows it; ``passive``: what is done to the object by nobody that is named ("{object} is used"); ``verb`` and
    ``preposition``: for sentences in which somebody does it to the subject ("trained X on …").
    ``keys``: of each telling word, the longest first, how its forms begin; a sentence without one of them can't match.
    """

    iri: str
    first: str
    literals: Mapping[str, str]
    keys: tuple[tuple[str, ...], ...]
    weight: int

    def pattern(self, place: str) -> re.Pattern[str] | None:
        """What stands at a place, or None; compiled when first asked for, as most phrases never meet a document."""
        text = self.literals.get(place)
        return _compiled(text) if text is not None else None

    @property
    def between(self) -> re.Pattern[str]:
        """What stands between the arguments."""
        return _compiled(self.literals["between"])

    @property
    def active(self) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
        """Verb and preposition."""
        verb, preposition = self.pattern("verb"), self.pattern("preposition")
        return (verb, preposition) if verb is not None and preposition is not None else None

    @property
    def is_passive(self) -> bool:
        """Whether a form of "be" begins what stands between the arguments."""
        return self.literals["between"].startswith(rf"\b{_BE}")

    def turned(self) -> Phrase:
        """The same with a thing wanted on the right, whatever follows it."""
        return replace(self, first="object", literals={k: v for k, v in self.literals.items() if k != "after"})


@lru_cache(maxsize=8192)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


@lru_cache(maxsize=8)
def phrases_of(ontology: Ontology) -> tuple[Phrase, ...]:
    """All phrases of an ontology that have a word of their own, the most telling first."""
    found = [
        p
        for property_ in ontology.properties.values()
        for phrase in property_.phrases
        for text in dict.fromkeys((phrase, *_possessive(phrase), *_active_of(phrase), *undated(property_, phrase)))
        for aside in (False, True)
        if (p := compile_phrase(property_, text, aside))
    ]
    return tuple(sorted(found, key=lambda p: (-p.weight, p.iri, p.literals["between"])))


@lru_cache(maxsize=8)
def _by_beginning(ontology: Ontology) -> Mapping[str, tuple[tuple[int, Phrase], ...]]:
    """The phrases, numbered in their order, under each beginning of their longest word."""
    found: dict[str, list[tuple[int, Phrase]]] = {}
    for number, phrase in enumerate(phrases_of(ontology)):
        for beginning in phrase.keys[0]:
            found.setdefault(beginning, []).append((number, phrase))
    return {beginning: tuple(phrases) for beginning, phrases in found.items()}


def phrases_in(ontology: Ontology, text: str) -> list[Phrase]:
    """The phrases whose telling words all stand in a text in some form, in order: no other can match in it."""
    index = _by_beginning(ontology)
    beginnings = {word[:end] for word in set(_WORD.findall(text.lower())) for end in range(1, len(word) + 1)}
    found = {
        number: phrase
        for beginning in index.keys() & beginnings
        for number, phrase in index[beginning]
        if all(not beginnings.isdisjoint(key) for key in phrase.keys[1:])
    }
    return [found[number] for number in sorted(found)]


_OF_END = re.compile(r"(\{\w+\}.*?)\b(?:the|an?)\s+((?:[\w-]+\s+){1,4})of\s+(\{\w+\})")
_OF_START = re.compile(r"(?:the|an?)\s+((?:[\w-]+\s+){1,4})of\s+(\{\w+\})(.+)")


def _possessive(phrase: str) -> tuple[str, ...]:
    """The same with the owner in front: "{object} is the owner of {subject}" → "{object} is {subject}'s owner"."""
    if found := _OF_END.fullmatch(phrase):
        return (f"{found[1]}{found[3]}'s {found[2].strip()}",)
    if found := _OF_START.fullmatch(phrase):
        return (f"{found[2]}'s {found[1].strip()}{found[3]}",)
    return ()


_PASSIVE = re.compile(r"(\{\w+\}) (?:is|are|was|were) (\w+) by (\{\w+\})")


def _active_of(phrase: str) -> tuple[str, ...]:
    """The same with the one who does it in front: "{subject} was built by {object}" → "{object} built {subject}"."""
    found = _PASSIVE.fullmatch(phrase)
    return (f"{found[3]} {found[2]} {found[1]}",) if found else ()


def undated(property_: OntologyProperty, phrase: str) -> tuple[str, ...]:
    """The same without the preposition before a date ("announced May 3")."""
    dated = (property_.datatype or "").rsplit("#", 1)[-1] in ("date", "gYear", "gYearMonth", "dateTime")
    bare = re.sub(r"(?<=\w) (?:in|on) \{object\}$", " {object}", phrase)
    return (bare,) if dated and bare != phrase else ()


def compile_phrase(property_: OntologyProperty, text: str, aside: bool = False) -> Phrase | None:
    """The phrase as it is written, or with other words put between its verb and its preposition, if it has these."""
    pieces = _SLOTS.split(text)
    before, first, between, _, after = (pieces[0].strip(), pieces[1], pieces[2], pieces[3], pieces[4].strip())
    words = [w for piece in (before, between, after) for w in re.findall(r"\w+", piece)]
    telling = [w for w in words if w.lower() not in _FUNCTION]
    if not telling:
        return None
    middle = between.strip().split()
    if aside and _aside_of(middle) is None:
        return None
    literals = {"between": _joined(between, _aside_of(middle) if aside else None)}
    if middle and middle[0].lower() in _DO and len(middle) > 1:
        literals["bare"] = _literal(middle[1:], _ASIDE if aside else None)
    elif middle and middle[0].lower() not in _FUNCTION and middle[0][0].isalpha() and not before:
        literals["bare"] = _literal(middle, _aside_of(middle) if aside else None)
    literals |= {place: _literal(piece.split()) for place, piece in (("before", before), ("after", after)) if piece}
    if not before:
        literals |= _active(middle, first)
    if first == "subject" and not before and middle and middle[0].lower() not in _FUNCTION and middle[0][0].isalpha():
        rest = rf"{_BETWEEN}{_literal(middle[1:], None)}" if middle[1:] else ""
        literals["participle"] = rf"\b{gerund(middle[0])}\b{rest}"
        if len(middle) == 1 and not after:
            literals["passive"] = rf"\b{_BE}(?:\s+(?:being|also|now|still|\w{{2,}}ly))*\s+{_word(middle[0])}"
    return Phrase(
        iri=property_.iri,
        first=first,
        literals=literals,
        keys=tuple(_beginnings(word) for word in sorted(dict.fromkeys(telling), key=lambda w: (-len(w), w))),
        weight=len(words),
    )


def _beginnings(word: str) -> tuple[str, ...]:
    """How the forms of a word begin: their common stem; of an irregular verb each form, and the one in "-ing"."""
    forms = irregular(word)
    return (*forms, (forms[0] if forms else _stem(word.lower())).removesuffix("e"))


def _active(middle: list[str], first: str) -> dict[str, str]:
    """Verb and preposition of a phrase like "{subject} was trained on {object}" or "{subject} runs on {object}"."""
    words = middle[1:] if middle and middle[0].lower() in _DO else middle
    if first != "subject" or len(words) != 2 or words[1].lower() not in _CARRIERS or words[0].lower() in _FUNCTION:
        return {}
    verb = rf"(?:{_literal(words[:1])}|\b{gerund(words[0])}\b)"
    return {"verb": verb, "preposition": rf"{_APPOSED}\s+{_word(words[1])}"}


def gerund(word: str) -> str:
    """The form of a verb in "-ing", as a pattern."""
    forms = irregular(word)
    known = next((form for form in forms if form.endswith("ing")), None)
    stem = forms[0] if forms else _stem(word.lower())
    bare = stem[:-1] if stem.endswith("e") else stem
    return known or rf"(?:{re.escape(bare)}|{re.escape(bare)}{re.escape(bare[-1:])})ing"


def _joined(between: str, aside: str | None) -> str:
    """The middle literal; one that is glued to an argument ("{object}-way") stays glued."""
    if not between.strip():
        return r"\s+"
    words = between.split()
    literal = _literal(words, aside)
    if words[0].lower() in _FUNCTION or not words[0].isalpha():
        return literal
    going = _literal(words[1:], aside)
    rest = rf"{_BETWEEN}{going}" if words[1:] else ""
    return rf"(?:{literal}|\b{_STARTED}{gerund(words[0])}\b{rest}|\b{_SET_OUT}{literal})"


def _aside_of(middle: list[str]) -> str | None:
    """What may stand between the verb and the preposition of a phrase; None if it has no such words."""
    plain = [word.lower() for word in middle if word.lower() not in _ARTICLES]
    if len(plain) < 2 or plain[-1] not in _PLAIN or plain[-2] in _FUNCTION or not plain[-2].endswith(("d", "en", "t")):
        return None
    return _ASIDE if plain[0] in _DO else _ASIDE_PLACE


def _literal(words: list[str], aside: str | None = None) -> str:
    kept = [(i, word) for i, word in enumerate(words) if word.lower() not in _ARTICLES]
    if not kept:
        return r"\s+"
    joined = _word(kept[0][1])
    for place, word in kept[1:]:
        if word == "…":
            joined += _GAP
            continue
        if aside is not None and place == kept[-1][0]:
            joined += aside
        # what goes with an article or an owner is a noun, which may have adjectives
        noun = words[place - 1].lower() in _ARTICLES or words[place - 1] == "'s"
        joined += (_MODIFIED if noun else _BETWEEN) + _word(word)
    return joined


def _word(word: str) -> str:
    if word == "'s":
        return r"['’]s\b"
    bare = re.fullmatch(r"(\W*)(\w[\w'’-]*?)(\W*)", word)
    if bare is None:
        return re.escape(word)
    left, core, right = (re.escape(bare[1]), bare[2], re.escape(bare[3]))
    joint = "" if left or core.lower() in _FUNCTION else "(?:co-)?"
    begins, ends = "" if left else r"\b", "" if right else r"\b"
    return f"{left}{begins}{joint}{forms_of(core)}{ends}{right}"


def forms_of(word: str) -> str:
    """The forms of a word, as a pattern: of a verb all but the one in "-ing"."""
    lower = word.lower()
    if lower in _DO:
        return _BE
    if lower in _HAS:
        return _HAVE
    if lower in _PREPOSITIONS:
        return _PREPOSITIONS[lower]
    if forms := irregular(lower):
        return "(?:" + "|".join(sorted(forms, key=lambda f: (-len(f), f))) + ")"
    stem = _stem(lower)
    if stem != lower or len(lower) > 3:
        # "training" may be a noun or go before one: "…ing" stands for itself only.
        ing = r"|ing|[a-z]ing" if lower.endswith("ing") else ""
        return re.escape(stem) + rf"(?:e|y|es|ies|s|d|ed|ied|[a-z]ed{ing})?"
    return re.escape(lower)


def _stem(word: str) -> str:
    """What the regular forms of a verb or noun share."""
    lower = word.lower()
    for ending in ("ied", "ies", "ing", "ed", "es", "s", "e", "y"):
        if lower.endswith(ending) and len(lower) - len(ending) >= 3 and not lower.endswith("ss"):
            cut = lower[: -len(ending)]
            doubled = len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] in "bdgmnprt"
            return cut[:-1] if doubled and ending in ("ed", "ing") else cut
    return lower
