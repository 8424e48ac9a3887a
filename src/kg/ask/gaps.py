"""What a sentence says that its question leaves open, where no name or labelled value does: a noun phrase.

"What kind of growers …?" is answered by the words that stand before *growers*; "What is … called?" by what is quoted,
or follows *called*; "What did the guild ban?" by what follows *banned*; "What guards the pass?" by what stands before
*guards*.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kg.ask import words as w
from kg.ask.drafts import Asking, Choice, covered
from kg.ask.question import Question, Role
from kg.ask.retrieve import Term
from kg.ask.spans import Span
from kg.ask.terms import Token, bag, tokens
from kg.model import UnitKind

_MOST = 7  # words of a phrase
_MET = 0.7
_SAID = 0.6  # so much of the question stands on one side of "is" for the other to answer it
_KIND_OF = re.compile(r"\bwhat (?:kinds?|types?|sorts?|class(?:es)?|forms?) of\s", re.IGNORECASE)
_NAMING = re.compile(
    r"\b(?:called|named|nicknamed|dubbed|termed|titled|nicknames?|known as|(?:other|another) (?:name|term|word)|"
    r"(?:what|which) (?:is|was|were|are) the (?:name|term|title|word))\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:called|named|nicknamed|dubbed|termed|titled|entitled|(?:known|referred to) as)\s+", re.IGNORECASE
)
_QUOTED = re.compile(r"[\"“]([^\"“”]{2,60})[\"”]")
_BECAUSE = re.compile(
    r"\b(?:because(?: of)?|due to|owing to|as a result of|thanks to|in order to|on the grounds that)\s+"
    r"([^.;:()]{3,120})(?=[.;:()]|$)",
    re.IGNORECASE,
)
_IS = re.compile(r"\s(?:is|was|are|were)\s")
_WHAT_IS = re.compile(r"^\W*(?:what|who|which)\s(?:is|was|are|were)\s", re.IGNORECASE)
_MODALS = w.words("can could may might must will would should")
_SELVES = w.words("itself himself herself themselves oneself")
# A phrase ends before these, whatever stands in it.
_STOP = w.words("which that who whom whose where when while because since although though but if so as than")
_BREAK = re.compile(r"[,;:.!?()—–\"“”]")
_ARTICLES = w.words("the a an its his her their this these that those all some any")


def filled(asking: Asking, choice: Choice) -> Choice:
    """A choice of a whole sentence with the phrase in it that the question leaves open, if there is one."""
    plain = choice.scored.plain
    span = gap(asking, plain) if not choice.label and choice.scored.unit.kind == UnitKind.SENTENCE else None
    return replace(choice, span=span, label=span.text) if span else choice


def gap(asking: Asking, plain: str) -> Span | None:
    """The noun phrase of a sentence that answers the question; None where no rule finds just one."""
    question = asking.question
    if question.opening == "why":
        return _reason(plain)
    if question.opening.startswith(("how", "number", "when", "where")):
        return None
    for rule in (_named, _modifier, _equated, _beside_verb):
        for span in rule(asking, plain):
            if _fits(asking, span):
                return span
    return None


def _reason(plain: str) -> Span | None:
    """What a sentence gives as the reason."""
    match = _BECAUSE.search(plain)
    return Span(match.start(1), match.end(1), match[1]) if match else None


def _fits(asking: Asking, span: Span) -> bool:
    """Whether a phrase says something, of a bearable length, that the question doesn't."""
    found = tokens(span.text)
    new = [t for t in found if t.lower not in w.FUNCTION]
    return bool(new) and len(found) <= _MOST and not asking.mentions(span.text)


def _named(asking: Asking, plain: str) -> Iterator[Span]:
    """What is quoted, or said to be the name."""
    if not _NAMING.search(asking.question.text):
        return
    for match in _QUOTED.finditer(plain):
        yield Span(match.start(1), match.end(1), match[1].strip(" ,."))
    for match in _NAMED.finditer(plain):
        yield from _phrase(plain, match.end(), tokens(plain))


def _modifier(asking: Asking, plain: str) -> Iterator[Span]:
    """What stands before the noun asked for: of "what kind of protest" the kind, of "what league" all of its name."""
    kinds = bool(_KIND_OF.search(asking.question.text))
    found = tokens(plain)
    for noun, (place, token) in itertools.product(_nouns(asking), enumerate(found)):
        if not _says([noun], token):
            continue
        before = list(itertools.takewhile(lambda t: _modifies(asking, plain, t), reversed(found[:place])))[::-1]
        joined = [t for i, t in enumerate(before) if _joined(plain, (*before, token), i)]
        done = bool(joined) and plain[: joined[0].start].casefold().endswith("to ")  # "to accept punishment"
        if joined and not done:
            end = joined[-1].end if kinds else token.end
            yield Span(joined[0].start, end, plain[joined[0].start : end])


def _nouns(asking: Asking) -> list[Term]:
    """The words of the noun asked for, the last first; before an article the last is the verb ("what guards the …")."""
    focus = [t for t in asking.focus_terms() if t.word.role in (Role.FOCUS, Role.KIND, Role.CONTENT)]
    last = focus[-1].word.token.start if focus else 0
    following = next((t for t in asking.question.tokens if t.start > last), None)
    return focus[::-1][1 if following is not None and following.lower in _ARTICLES else 0 :]


def _joined(plain: str, run: Sequence[Token], at: int) -> bool:
    """Whether only spaces part all the words of a run from one of them on."""
    return all(plain[a.end : b.start].strip() == "" for a, b in zip(run[at:], run[at + 1 :], strict=False))


def _modifies(asking: Asking, plain: str, token: Token) -> bool:
    """Whether a word may belong to the noun after it: no function word, verb form, or word of the question."""
    lower = token.lower
    return (
        lower not in w.FUNCTION
        and lower not in w.LIGHT_VERBS
        and lower not in w.AUXILIARIES
        and not _says(asking.found.terms, token)
    )


def _says(terms: Sequence[Term], token: Token) -> bool:
    return any(t.found(bag(token.text)) >= _MET for t in terms)


def _equated(asking: Asking, plain: str) -> Iterator[Span]:
    """Of "X is the harbour of …" the side that isn't what the question says."""
    if not _WHAT_IS.match(asking.question.text):
        return
    terms, found = asking.found.terms, tokens(plain)
    for match in _IS.finditer(plain):
        left, right = covered(terms, plain[: match.start()]), covered(terms, plain[match.end() :])
        if right >= _SAID > left:
            yield from _phrase_before(plain, match.start(), found)
        elif left >= _SAID > right:
            yield from _phrase(plain, match.end(), found)


def _beside_verb(asking: Asking, plain: str) -> Iterator[Span]:
    """What follows the verb that the question ends with, or stands before the verb that it begins with."""
    side = _side(asking.question)
    if side is None:
        return
    verb, after = side
    terms = [t for t in asking.found.terms if t.word.token.start == verb.start]
    found = tokens(plain)
    for token in found:
        if terms and _says(terms, token):
            yield from _phrase(plain, token.end, found) if after else _phrase_before(plain, token.start, found)


def _side(question: Question) -> tuple[Token, bool] | None:
    """The question's verb, and whether what is asked for follows it."""
    said = question.tokens
    at = next((i for i, t in enumerate(said) if t.lower in ("what", "who", "which")), len(said))
    rest = said[at + 1 :]
    if len(rest) < 2:
        return None
    if rest[0].lower in _MODALS and rest[1].lower == "be":
        return next(((t, False) for t in rest[2:3]), None)
    if rest[0].lower in _MODALS or rest[0].lower in ("did", "does", "do"):
        plain = [t for t in _without_time(rest[1:]) if t.lower not in w.FUNCTION]
        return (plain[-1], True) if len(plain) > 1 and not plain[-1].capital else None
    if rest[0].lower in w.FUNCTION or rest[0].capital or rest[0] in question.focus[1:]:
        return None
    return rest[0], False


def _without_time(words: Sequence[Token]) -> Sequence[Token]:
    """Words without "in 2014" at their end."""
    dated = len(words) > 2 and words[-1].digits and words[-2].lower in w.PREPOSITIONS
    return words[:-2] if dated else words


def _phrase(plain: str, start: int, found: Sequence[Token]) -> Iterator[Span]:
    """The noun phrase that begins at a place: up to punctuation, a verb or a preposition other than "of"."""
    kept: list[Token] = []
    end = start
    for token in (t for t in found if t.start >= start):
        parted = _BREAK.search(plain[end : token.start])
        if parted or token.lower in _STOP or token.lower in w.AUXILIARIES or _is_preposition(token):
            break
        end = token.end
        if kept or token.lower not in _ARTICLES | _SELVES:
            kept.append(token)
    yield from _trimmed(plain, kept)


def _phrase_before(plain: str, end: int, found: Sequence[Token]) -> Iterator[Span]:
    """The noun phrase that ends at a place, auxiliaries of the verb after it left out."""
    kept: list[Token] = []
    start = end
    for token in reversed([t for t in found if t.end <= end]):
        if _BREAK.search(plain[token.end : start]) or token.lower in _STOP or _is_preposition(token):
            break
        if token.lower in w.AUXILIARIES and kept:
            break
        start = token.start
        if token.lower not in w.AUXILIARIES:
            kept.append(token)
        if token.lower in _ARTICLES and not re.search(r"\bof\s$", plain[: token.start]):
            break
    yield from _trimmed(plain, kept[::-1])


def _trimmed(plain: str, kept: Sequence[Token]) -> Iterator[Span]:
    """The stretch of some words without function words at its ends."""
    inner = [t for t in kept if t.lower not in w.FUNCTION]
    if inner:
        yield Span(inner[0].start, inner[-1].end, plain[inner[0].start : inner[-1].end])


def _is_preposition(token: Token) -> bool:
    return token.lower in w.PREPOSITIONS and token.lower != "of"
