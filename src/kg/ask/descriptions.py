"""Things that a question names by describing them, each with the question that asks for the thing described.

"The school where Ana learned", "the boat built by Tom", "the lock with steel gates", "the winner of the race",
"Ana's first teacher", "the newest hall of the museum".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from kg.ask import words as w
from kg.ask.adjectives import superlative
from kg.ask.question import Question
from kg.ask.related_words import participles
from kg.ask.terms import Token

# A noun phrase of at most four words, none of which joins it to another.
_PLAIN = r"(?!(?:of|in|on|at|by|for|from|to|with|and|or|the|that|which|who|was|were|is|are|did|does|do)\b)[\w’'-]+"
_NOUN = rf"(?P<noun>{_PLAIN}(?:\s+{_PLAIN}){{0,3}}?)"
_CLAUSE = re.compile(
    rf"\b(?:the|that|an?)\s+{_NOUN},?\s+(?:(?P<prep>in|at|on|to|from|by|for|with|of)\s+)?"
    r"(?P<pronoun>that|which|whom?|whose|where)\s+(?P<rest>.+?)[?.\s]*$",
    re.IGNORECASE,
)
_REDUCED = re.compile(
    rf"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )\b(?:the|an?)\s+{_NOUN}\s+(?P<done>[a-z]+)\s+"
    r"(?P<rest>(?:by|in|for|at|with|from|on|to)\s+.+?)[?.\s]*$",
    re.IGNORECASE,
)
_WITH = re.compile(rf"\b(?:the|an?)\s+{_NOUN}\s+with\s+(?P<rest>.+?)[?.\s]*$", re.IGNORECASE)
_OF = re.compile(
    r"\bthe\s+(?P<noun>(?:[\w-]+\s+){0,2}?[\w-]+)\s+of\s+(?P<rest>(?:the\s+)?[\w’'&.-]+(?:\s+[A-Z0-9][\w’'&.-]*)*)"
)
_MOST = re.compile(
    r"\bthe\s+(?P<most>[a-z]+)\s+(?P<noun>[a-z][\w-]*)"
    r"(?:\s+(?P<of>(?:of|in|on|at)\s+(?:the\s+)?[A-Z][\w’'&.-]*(?:\s+[A-Z0-9][\w’'&.-]*|\s+[a-z]+(?=\?|$))*))?"
)
_OPENS = re.compile(r"^(?:which(?:\s+one)?\s+of|what|who|which)(?:'s|\s+(?:is|was|are|were))?\s*$", re.IGNORECASE)
_ASKING = re.compile(r"\b(?:what|who|whom|whose|which|when|where|how|why)\b", re.IGNORECASE)
# After a form of these the question's own verb still has to come.
_HELPING = w.AUXILIARIES - w.words("have has had having")
_DETERMINERS = w.words("the a an his her its their my our your this these those he she it they we you i")
_BE = w.words("is are was were be been")
_ANYBODY = w.words("person people man men woman women individual individuals somebody one")
_ROLES = w.PERSON_NOUNS | w.words("winner successor owner treasurer predecessor husband wife son daughter")


@dataclass(frozen=True, slots=True)
class Description:
    """``[start, end)`` of a question describes what ``asks`` asks for.

    ``clause``: by what it did, rather than by its role or rank; ``loose``: by its rank or what it has, where the words
    may as well belong to the question itself. ``noun``: what it is said to be.
    """

    start: int
    end: int
    asks: str
    clause: bool = False
    loose: bool = False
    noun: str = ""


def descriptions(question: Question) -> Iterator[Description]:
    """What the question describes, the likeliest reading first."""
    text = question.text
    for pattern, asks in ((_CLAUSE, _clause_asks), (_REDUCED, _reduced_asks), (_WITH, _with_asks)):
        for match in _nearest(pattern, text):
            if _asked_itself(text, match.start()):
                continue
            for end in _ends(question, match.start(), match.start("rest"), match.end("rest")):
                if inner := asks(match, text[match.start("rest") : end].rstrip(" ,")):
                    loose = pattern is _WITH
                    yield Description(match.start(), end, inner, not loose, loose, match["noun"])
    yield from _owned(question)
    yield from _extreme(question)
    for match in _nearest(_OF, text):
        if not _asked_itself(text, match.start()) and not re.search(r"['’]s?$", match.group()):
            yield Description(match.start(), match.end(), f"{_is(match['noun'])} {match.group()}?")


def _asked_itself(text: str, start: int) -> bool:
    """Whether what begins here is what the question asks for, or stands before its question word."""
    before = text[:start]
    return bool(_OPENS.match(before)) or not _ASKING.search(before)


def _nearest(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Matches that begin at each place, the last first: what stands innermost is described first."""
    places = [m.start() for m in re.finditer(r"\b(?:the|that|an?)\b", text, re.IGNORECASE)]
    found = [m for at in places if (m := pattern.match(text, at)) is not None]
    yield from reversed(found)


def _ends(question: Question, start: int, first: int, last: int) -> Iterator[int]:
    """Where a clause may end: before the question's own verb if that is still to come, else at the end."""
    before = [t for t in question.tokens if t.end <= start]
    inside = [t for t in question.tokens if first <= t.start < last]
    helping = next((t for t in reversed(before) if t.lower in _HELPING), None)
    if helping is not None:
        be = helping.lower in _BE
        cuts = [i for i in range(len(inside) - 1, 1, -1) if _is_own_verb(inside, i, be)]
        yield from (inside[i - 1].end for i in cuts[:3])
        if cuts and not be:
            return
    yield last


def _is_own_verb(inside: Sequence[Token], at: int, be: bool) -> bool:
    """Whether a word after a noun may be the verb that the question's helping verb waits for."""
    word, before = inside[at], inside[at - 1]
    if word.capital or word.digits or word.lower in w.FUNCTION or before.lower in w.FUNCTION | w.PREPOSITIONS:
        return word.lower == "have" and before.lower not in w.FUNCTION
    if be:
        return word.lower.endswith("ed") or word.lower in participles()
    return not word.lower.endswith(("ed", "ing", "ly", "er")) and not re.search(r"[^s]s$", word.lower)


def _clause_asks(match: re.Match[str], rest: str) -> str:
    noun, pronoun, prep = match["noun"], match["pronoun"].casefold(), match["prep"]
    which = "Who" if _anybody(noun) else f"Which {noun}"
    if noun.split()[-1].casefold() in w.DATE_NOUNS:
        return f"In which {noun} {rest}?"
    if pronoun == "whose":
        return f"{which} has {rest}?"
    words = rest.split()
    if not words:
        return ""
    done = "" if {x.casefold() for x in words[:-1]} & (_BE | w.AUXILIARIES) else "did "
    if prep or pronoun == "where":
        return f"{(prep or 'in').capitalize()} which {noun} {done}{rest}?"
    if words[0].casefold() in _DETERMINERS or words[0][0].isupper() or words[0].endswith(("'s", "’s")):
        return f"{which} {done}{rest}?"
    return f"{which} {rest}?"


def _reduced_asks(match: re.Match[str], rest: str) -> str:
    done = match["done"].casefold()
    if not (done.endswith("ed") or done in participles()) or done in w.AUXILIARIES:
        return ""
    which = "Who" if _anybody(match["noun"]) else f"Which {match['noun']}"
    return f"{which} was {done} {rest}?"


def _with_asks(match: re.Match[str], rest: str) -> str:
    return f"Which {match['noun']} has {rest}?"


def _anybody(noun: str) -> bool:
    last = noun.split()[-1].casefold()
    return last in _ANYBODY or last in w.PERSON_NOUNS


def _owned(question: Question) -> Iterator[Description]:
    """ "Aurelia's first captain", "the club's chair": one to three words that something owns, the longest first."""
    tokens = question.tokens
    for i, token in enumerate(tokens):
        if not re.search(r"['’]s?$", token.text):
            continue
        start = next((n.start for n in question.names if n.start <= token.start < n.end), token.start)
        if not token.capital:
            article = next((t for t in reversed(tokens[:i]) if t.lower in ("the", "this")), None)
            if article is None or token.start - article.end > 20:
                continue
            start = article.start
        if _asked_itself(question.text, start):
            continue
        waits = any(t.lower in w.words("did does do") for t in tokens[:i])
        for size in (3, 2, 1):
            owned = tokens[i + 1 : i + 1 + size]
            if size > 1 and owned and ((waits and owned[-1] is tokens[-1]) or owned[-1].lower in participles()):
                continue  # the question's own verb
            if len(owned) == size and not any(t.lower in w.FUNCTION | w.AUXILIARIES for t in owned):
                noun = " ".join(t.text for t in owned)
                yield Description(start, owned[-1].end, f"{_is(noun)} {question.text[start : owned[-1].end]}?")


def _extreme(question: Question) -> Iterator[Description]:
    """ "The newest hall of the museum", where more is asked of it than which it is."""
    for match in _MOST.finditer(question.text):
        graded = match["most"].casefold()
        if (graded in w.SUPERLATIVES or superlative(graded)) and not _asked_itself(question.text, match.start()):
            of = f" {match['of']}" if match["of"] else ""
            yield Description(
                match.start(), match.end(), f"Which {match['noun']}{of} is the {match['most']}?", loose=True
            )


@cache
def _is(noun: str) -> str:
    return "Who is" if noun.split()[-1].casefold() in _ROLES else "What is"
