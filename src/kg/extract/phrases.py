"""An ontology's phrases ("{subject} was trained on {object}") compiled to regular expressions over a sentence.

The literal before, between and after the arguments is matched word by word: forms of "be" and "have" stand for each
other, regular and common irregular verbs in any tense, with adverbs and "not" allowed between words and articles before
arguments. Where the arguments themselves are is decided by the mentions found around a match (:mod:`patterns`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from kg.extract.words import word_set
from kg.ontology import Ontology, OntologyProperty

_BE = "(?:is|are|was|were|be|been|being|has been|have been|had been|will be|would be|can be|could be|may be|gets|got)"
_HAVE = "(?:has|have|had|having|with|of)"
_DO = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_HAS = frozenset({"has", "have", "had"})
_ARTICLES = frozenset({"a", "an", "the"})
_IRREGULAR = (
    "begin began begun begins beginning", "build built builds building", "run ran runs running",
    "take took taken takes taking", "hold held holds holding", "lead led leads leading", "come came comes coming",
    "cost costs costing", "keep kept keeps keeping", "write wrote written writes writing", "make made makes making",
    "sit sat sits sitting", "see saw seen sees seeing", "reach reaches reached reaching", "spend spent spends",
    "learn learned learnt learns learning", "teach taught teaches", "buy bought buys", "sell sold sells",
    "give gave given gives", "become became becomes", "leave left leaves", "find found finds", "bring brought brings",
    "draw drew drawn draws", "grow grew grown grows growing", "rise rose risen rises", "fall fell fallen falls",
    "send sends sent sending", "stand stood stands", "win won wins", "lose lost loses", "choose chose chosen chooses",
    "get gets got getting", "go goes went gone", "burn burnt burned burns", "lie lay lies", "pay paid pays",
    "fly flew flies",
)  # fmt: skip
_FORMS = {form: line.split() for line in _IRREGULAR for form in line.split()}
_DATED = r"(?:\s+(?:(?:in|on)\s+)?(?:\d{1,2}\s+)?(?:[A-Z][a-z]+\s+)?(?:\d{1,2},\s+)?\d{4},?(?=\s+by\b))?"
_BETWEEN = (
    r"(?:\s+(?:not|never|no longer|also|now|then|still|first|later|once|again|already|only|just|\w{2,}ly))*"
    + _DATED  # "was founded in May 1815 by Ada Wren"
    + r"(?:\s+(?:an?|the))?\s+"
)
_CARRIERS = frozenset({"on", "in", "to", "with", "from", "into", "onto", "through"})
_PLAIN = frozenset({"in", "on", "for", "with", "by", "at", "from", "to"})
_ASIDE = r"(?:\s+(?:on|in|by|with|at|from|to|over)\s+[^,.;:]{1,70}?)"  # "trained on 8 GPUs for a month"
_ASIDE_PLACE = r"(?:\s+(?:in|at)\s+(?:[A-Z][\w.’'-]*\s?){1,3}(?<!\s))"  # "opened in Kiel on 3 May"
_PREPOSITIONS = {"in": "(?:in|on|during)", "on": "(?:on|in|upon)", "at": "(?:at|in)", "for": "(?:for|in)"}
_SLOTS = re.compile(r"\{(subject|object)\}")
_FUNCTION = _DO | _HAS | _ARTICLES | word_set("of in on at to by for with from as and or that which per its it")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a property. ``before``, ``between``, ``after`` match its literals; ``first`` is the slot on the left.

    ``bare``: between without its auxiliary, for sentences that leave the subject out ("Trained on …").
    ``active``: its verb and its preposition, for sentences in which somebody does it to the subject ("trained X on …").
    ``key``: the start of the rarest literal word; a sentence without it can't match.
    """

    property: str
    first: str
    before: re.Pattern[str] | None
    between: re.Pattern[str]
    after: re.Pattern[str] | None
    bare: re.Pattern[str] | None
    active: tuple[re.Pattern[str], re.Pattern[str]] | None
    key: str
    weight: int


@lru_cache(maxsize=8)
def phrases_of(ontology: Ontology) -> tuple[Phrase, ...]:
    """All phrases of an ontology that have a word of their own, the most telling first."""
    found = [
        p
        for property_ in ontology.properties.values()
        for text in property_.phrases
        for aside in (False, True)
        if (p := _compile(property_, text, aside))
    ]
    return tuple(sorted(found, key=lambda p: (-p.weight, p.property, p.between.pattern)))


def _compile(property_: OntologyProperty, text: str, aside: bool) -> Phrase | None:
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
    bare = None
    if middle and middle[0].lower() in _DO and len(middle) > 1:
        bare = re.compile(_literal(middle[1:], _ASIDE if aside else None), re.IGNORECASE)
    elif middle and middle[0].lower() not in _FUNCTION and not before:
        bare = re.compile(_literal(middle, _aside_of(middle) if aside else None), re.IGNORECASE)
    longest = max(telling, key=len)
    return Phrase(
        property=property_.iri,
        first=first,
        before=re.compile(_literal(before.split()), re.IGNORECASE) if before else None,
        between=re.compile(_joined(between, _aside_of(middle) if aside else None), re.IGNORECASE),
        after=re.compile(_literal(after.split()), re.IGNORECASE) if after else None,
        bare=bare,
        active=_active(middle, first, bool(before or after)),
        key=_stem(longest),
        weight=len(words),
    )


def _active(middle: list[str], first: str, framed: bool) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
    """Verb and preposition of a phrase like "{subject} was trained on {object}" or "{subject} runs on {object}"."""
    words = middle[1:] if middle and middle[0].lower() in _DO else middle
    if first != "subject" or framed or len(words) != 2 or words[1].lower() not in _CARRIERS:
        return None
    if words[0].lower() in _FUNCTION:
        return None
    verb = re.compile(rf"(?:{_literal(words[:1])}|{_participle(words[0])})", re.IGNORECASE)
    return verb, re.compile(rf"\s+{_word(words[1])}", re.IGNORECASE)


def _participle(word: str) -> str:
    """The form of a verb in "-ing"."""
    stem = _stem(word.lower())
    return rf"\b(?:{re.escape(stem)}|{re.escape(stem)}{re.escape(stem[-1:])})ing\b"


def _joined(between: str, aside: str | None) -> str:
    """The middle literal; one that is glued to an argument ("{object}-way") stays glued."""
    if not between.strip():
        return r"\s+"
    return _literal(between.split(), aside)


def _aside_of(middle: list[str]) -> str | None:
    """What may stand between the verb and the preposition of a phrase; None if it has no such words."""
    plain = [word.lower() for word in middle if word.lower() not in _ARTICLES]
    if len(plain) < 2 or plain[-1] not in _PLAIN or plain[-2] in _FUNCTION or not plain[-2].endswith(("d", "en", "t")):
        return None
    return _ASIDE if plain[0] in _DO else _ASIDE_PLACE


def _literal(words: list[str], aside: str | None = None) -> str:
    parts = [_word(word) for word in words if word.lower() not in _ARTICLES]
    if aside is not None:
        return _BETWEEN.join(parts[:-1]) + aside + _BETWEEN + parts[-1]
    return _BETWEEN.join(parts) if parts else r"\s+"


def _word(word: str) -> str:
    bare = re.fullmatch(r"(\W*)(\w[\w'’-]*?)(\W*)", word)
    if bare is None:
        return re.escape(word)
    left, core, right = (re.escape(bare[1]), bare[2], re.escape(bare[3]))
    joint = "" if left or core.lower() in _FUNCTION else "(?:co-)?"
    return f"{left}{_boundary(left)}{joint}{_forms(core)}{'' if right else chr(92) + 'b'}{right}"


def _boundary(left: str) -> str:
    return "" if left else r"\b"


def _forms(word: str) -> str:
    lower = word.lower()
    if lower in _DO:
        return _BE
    if lower in _HAS:
        return _HAVE
    if lower in _PREPOSITIONS:
        return _PREPOSITIONS[lower]
    if lower in _FORMS:
        return "(?:" + "|".join(sorted(_FORMS[lower], key=lambda f: (-len(f), f))) + ")"
    stem = _stem(lower)
    if stem != lower or len(lower) > 3:
        # "training" may be a noun or go before one: "…ing" stands for itself only.
        ing = r"|ing|[a-z]ing" if lower.endswith("ing") else ""
        return re.escape(stem) + rf"(?:e|y|es|ies|s|d|ed|ied|[a-z]ed{ing})?"
    return re.escape(lower)


def _stem(word: str) -> str:
    """What the regular forms of a verb or noun share."""
    lower = word.lower()
    if lower in _FORMS:
        lower = _common(_FORMS[lower])
        return lower
    for ending in ("ied", "ies", "ing", "ed", "es", "s", "e", "y"):
        if lower.endswith(ending) and len(lower) - len(ending) >= 3 and not lower.endswith("ss"):
            cut = lower[: -len(ending)]
            doubled = len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] in "bdgmnprt"
            return cut[:-1] if doubled and ending in ("ed", "ing") else cut
    return lower


def _common(forms: list[str]) -> str:
    shortest = min(forms, key=len)
    for length in range(len(shortest), 0, -1):
        if all(f.startswith(shortest[:length]) for f in forms):
            return shortest[:length]
    return ""
