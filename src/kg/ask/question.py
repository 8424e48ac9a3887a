"""A question taken apart: its words with what each is worth, names, what is asked for and between what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kg.ask.alternatives import Parted, parted
from kg.text import terms as w
from kg.text.asking_clause import asking_clause, asks_whether
from kg.text.terms import Token, tokens
from kg.text.wordnet import lemmas


class Role(StrEnum):
    """What a word does in a question."""

    NAME = "name"
    CONTENT = "content"
    FOCUS = "focus"
    KIND = "kind"
    LIGHT = "light"


@dataclass(frozen=True, slots=True)
class Word:
    """A word that an answer should account for. ``weight`` multiplies its rarity."""

    token: Token
    role: Role
    weight: float

    @property
    def term(self) -> str:
        """Normal form."""
        return self.token.term


@dataclass(frozen=True, slots=True)
class Name:
    """A name in the question: neighbouring capitalised words, words with digits, or a quoted phrase."""

    text: str
    terms: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question as analysed. ``focus``: the noun asked for ("GPUs" of "how many GPUs …"), in normal forms.

    ``asks``: the clause that asks, without what stands before it (:mod:`kg.text.asking_clause`).
    """

    text: str
    tokens: tuple[Token, ...]
    words: tuple[Word, ...]
    names: tuple[Name, ...]
    opening: str
    asks: str
    focus: tuple[Token, ...]
    parted: Parted | None = None

    def __hash__(self) -> int:
        """By the text, which nearly always decides: questions are looked up many times."""
        return hash(self.text)

    @property
    def options(self) -> tuple[str, ...]:
        """The two things that an "A or B" leaves to choose from, as written."""
        return self.parted.options if self.parted is not None else ()

    def runs(self, longest: int) -> Iterator[tuple[Token, ...]]:
        """Runs of its neighbouring words, the longest first, at most so many words."""
        for length in range(min(longest, len(self.tokens)), 0, -1):
            for at in range(len(self.tokens) - length + 1):
                yield self.tokens[at : at + length]

    def asks_at(self, place: int) -> bool:
        """Whether a place of the text is in the clause that asks, not in the situation beside it."""
        return 0 <= place - self.text.rindex(self.asks) < len(self.asks)

    def focus_in(self, nouns: frozenset[str]) -> bool:
        """Whether a word of the focus is among the nouns."""
        return any(t.lower in nouns for t in self.focus)


_OPENINGS = re.compile(
    r"\b(how (?:many|much|long|big|large|fast|far|high|tall|old|often|sure|certain|come|heavy|deep|wide|hot|cold|soon|"
    r"quickly|small|expensive|powerful|recently)|number of|how|what kinds?|what types?|which|what|who(?:se|m)?|when|"
    r"where|why)\b",
    re.IGNORECASE,
)
_MANY = frozenset(("people", "men", "women", "children"))
_DETERMINERS = frozenset(("the", "a", "an", "its", "their", "his", "her"))
_ASK = re.compile(r"^(?:so|and|but|also|ok|okay|hi|hello|please|well|then|now|hey)\b[ ,]*", re.IGNORECASE)


def analyse(text: str, capitalised: frozenset[str] = frozenset()) -> Question:
    """Takes a question apart. ``capitalised``: normal forms that the documents write with a capital letter."""
    plain = " ".join(_ASK.sub("", text.strip()).split())
    found = tokens(plain)
    asks = asking_clause(plain)
    opening = None if asks_whether(asks) else _OPENINGS.search(plain, plain.rindex(asks))
    focus = _focus(plain, found, opening)
    names = _names(plain, found, capitalised)
    inside = {t.start for t in found for n in names if n.start <= t.start < n.end}
    words = tuple(word for token in found if (word := _word(token, token.start in inside, token in focus)) is not None)
    return Question(
        plain, found, words, names, opening.group().casefold() if opening else "", asks, focus, parted(plain)
    )


_CONTRACTED = re.compile(r"(\w+)['’](?:m|ve|ll|d|re|s)")


def _is_function(token: Token) -> bool:
    """Whether a word has no meaning of its own: "the", "I'm"."""
    contracted = _CONTRACTED.fullmatch(token.lower)
    return (contracted[1] if contracted else token.lower) in w.FUNCTION


def _word(token: Token, named: bool, focused: bool) -> Word | None:
    lower = token.lower
    if named:
        return Word(token, Role.NAME, 1.2)
    if _is_function(token) or (len(lower) == 1 and not token.digits):
        return None
    if lower in w.LIGHT_VERBS or lower in w.META:
        return Word(token, Role.LIGHT, 0.25)
    if lower in w.COMPARATIVES | w.SUPERLATIVES or (focused and lower in w.KINDS):
        return Word(token, Role.KIND, 0.4)
    if focused:
        return Word(token, Role.FOCUS, 0.8)
    return Word(token, Role.CONTENT, 1.0)


def _focus(plain: str, found: tuple[Token, ...], opening: re.Match[str] | None) -> tuple[Token, ...]:
    """The noun phrase after the opening: ``which [GPU type] is …``; empty after who, when and where."""
    if opening is None or re.fullmatch(r"who\w*|when|where|why|how", opening.group(), re.IGNORECASE):
        return ()
    counting = opening.group().casefold() not in ("which", "what")
    phrase: list[Token] = []
    end = opening.end()
    for token in (t for t in found if t.start >= opening.end()):
        between = plain[end : token.start]
        stop = token.lower in w.AUXILIARIES | w.PREPOSITIONS | {"the", "that", "who", "we", "you"}
        if stop and not phrase and token.lower in ("of", "the"):
            end = token.end
            continue
        if stop or len(phrase) == 4 or re.search(r"[,;:?]", between):
            break
        # Before an auxiliary the word is the noun ("which concerns does …"), not the verb.
        following = next((t for t in found if t.start > token.start), None)
        noun = following is not None and following.lower in w.AUXILIARIES
        if token.lower in w.LIGHT_VERBS and phrase and not noun:
            break
        verb = _is_done(token, phrase) if counting else _is_verb(token, found[found.index(token) - 1], following)
        if verb and any(t.lower not in w.LIGHT_VERBS for t in phrase):
            break
        phrase.append(token)
        end = token.end
    return tuple(t for t in phrase if t.lower not in w.FUNCTION)


def _is_verb(token: Token, before: Token, following: Token | None) -> bool:
    """Whether a word after a noun is its verb: "which firm *hosts* the …", "which tool *struggled* at …"."""
    if following is None:
        return False
    if following.lower in _DETERMINERS or _does(token, before, following):
        return True
    return token.lower.endswith("ed") and len(token.lower) > 4 and following.lower in w.PREPOSITIONS


def _is_done(token: Token, phrase: Sequence[Token]) -> bool:
    """Whether a word after what is counted is what it did: "how many mules *pulled* barges"."""
    counted = bool(phrase) and (phrase[-1].lower in _MANY or bool(re.search(r"[^s]s$", phrase[-1].lower)))
    return counted and token.lower.endswith("ed") and len(token.lower) > 4


def _does(token: Token, before: Token, following: Token) -> bool:
    """Whether an inflected word between a noun and a plural or a name is a verb: "which pump *feeds* tanks"."""
    if not re.search(r"[^sui]s$", token.text) or before.lower.endswith("s"):
        return False
    plural = re.search(r"[^s]s$", following.lower) and following.lower not in w.AUXILIARIES | w.FUNCTION
    said_of = following.capital or plural
    return bool(said_of) and lemmas(token.lower)[0] != token.lower


def _names(plain: str, found: tuple[Token, ...], capitalised: frozenset[str]) -> tuple[Name, ...]:
    groups: list[list[Token]] = []
    shouted = plain.isupper() or plain.istitle()
    for i, token in enumerate(found):
        opens = i == 0 or bool(re.search(r"[.?!]\s*$", plain[: token.start]))
        if not _is_name(token, opens, shouted, capitalised):
            continue
        joined = (
            groups and i and groups[-1][-1] is found[i - 1] and plain[groups[-1][-1].end : token.start] in (" ", " & ")
        )
        (groups[-1].append(token) if joined else groups.append([token]))
    names = [Name(plain[g[0].start : g[-1].end], tuple(t.term for t in g), g[0].start, g[-1].end) for g in groups]
    return tuple(names)


def _is_name(token: Token, first: bool, shouted: bool, capitalised: frozenset[str]) -> bool:
    if _is_function(token) or token.lower in w.AUXILIARIES or token.lower in w.UNIT_NAMES:
        return False
    if token.digits:
        return any(c.isalpha() for c in token.text) and not re.match(r"[\d.,]+[a-z]*$", token.lower)
    if token.term in capitalised and token.lower not in w.META:
        return True
    if first or shouted or not token.text[0].isupper():
        return not shouted and any(c.isupper() for c in token.text[1:])
    return True


# --- Follow-up questions made whole: "and the Aurelia?", "when was it built?", "who said that?"

_AND = re.compile(
    r"^(?:and|but|or|so)?[\s,]*(?:what|how)\s+about\s+(?P<x>.+?)[?.!\s]*$|^(?:and|but)\s+(?:for\s+|of\s+)?(?P<y>.+?)[?.!\s]*$",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"^(?:and\s+)?(?:who (?:said|says|told|states|claims)(?: (?:that|so|this|it))?|says who|"
    r"why(?: do you say (?:that|so))?|"
    r"where does (?:that|it|this) (?:come from|say so|stand)|how do you know(?: that)?|"
    r"(?:what(?:'s| is) )?(?:the|your) source|according to whom|which document says (?:that|so))\s*\??$",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"\b(?:he|she|him|his|her|hers)\b", re.IGNORECASE)
_THING = re.compile(r"\b(?:it|its|they|them|their|theirs|that one|this one)\b", re.IGNORECASE)
OWNING = frozenset(("its", "their", "his", "her", "hers", "theirs"))


@dataclass(frozen=True, slots=True)
class Whole:
    """A question that stands by itself. ``source``: it asks where the answer comes from."""

    text: str
    source: bool = False


def whole(question: str, history: Sequence[Any], capitalised: frozenset[str]) -> Whole:
    """A question with what its conversation says filled in. A turn: a mapping with ``question`` and ``answer``."""
    before, answer = "", ""
    for turn in history:
        asked = str(turn.get("question", "")) if isinstance(turn, dict) else str(getattr(turn, "question", turn))
        given = turn.get("answer", "") if isinstance(turn, dict) else getattr(turn, "answer", "")
        if not _SOURCE.match(asked.strip()):
            before, answer = _filled(asked, before, answer, capitalised), str(given or "")
    if before and _SOURCE.match(question.strip()):
        return Whole(before, source=True)
    return Whole(_filled(question, before, answer, capitalised))


def _filled(text: str, before: str, answer: str, capitalised: frozenset[str]) -> str:
    if not before:
        return text
    match = _AND.match(text.strip())
    names = analyse(before, capitalised).names
    own = analyse(text, capitalised)
    if match and not own.opening.startswith(("who", "when", "where", "which", "how many", "how much")):
        return _carried((match["x"] or match["y"]).strip(), before, names, capitalised)
    if own.names:
        return text
    return _with_pronouns(text, before, answer, names)


def _carried(said: str, before: str, names: tuple[Name, ...], capitalised: frozenset[str]) -> str:
    """The earlier question about another thing, or another property of its thing."""
    bare = re.sub(r"^(?:the|an?)\s+", "", said, flags=re.IGNORECASE)
    found = analyse("about " + bare, capitalised).names
    if not names:
        return f"{before.rstrip('?')} {said}?"
    if found and len(found[0].text) >= 0.6 * len(bare):
        last = names[-1]
        whole_before = analyse(before, capitalised).text
        return whole_before[: last.start] + bare + whole_before[last.end :]
    return f"What is the {bare} of {names[0].text}?"


def _with_pronouns(text: str, before: str, answer: str, names: tuple[Name, ...]) -> str:
    """Pronouns replaced: "he" by whom the last answer named, "it" by what the last question named."""
    label = re.split(r"\s[–—(]\s?|[.:;\n]", answer.strip())[0].strip()
    person = label if re.match(r"\s*(?:and\s+)?who", before, re.IGNORECASE) and 0 < len(label) <= 60 else ""
    thing = names[0].text if names else ""
    for pattern, name in ((_PERSONAL, person or thing), (_THING, thing or person)):
        if name:
            text = _said_of(pattern, text, name)
    return text


def said_of(text: str, name: str) -> str:
    """A question with its first pronoun replaced by a name; as it is where it has none.

    >>> said_of("How many lamps does it have, and is its keeper known?", "Orr Light")
    'How many lamps does Orr Light have, and is its keeper known?'
    """
    return next((told for p in (_THING, _PERSONAL) if (told := _said_of(p, text, name)) != text), text)


def _said_of(pattern: re.Pattern[str], text: str, name: str) -> str:
    return pattern.sub(lambda m: name + "'s" if m.group().casefold() in OWNING else name, text, count=1)
