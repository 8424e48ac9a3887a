"""What a question takes for granted: that the thing did, or was, what its verb says."""

from __future__ import annotations

from collections.abc import Iterable

from kg.ask import words as w
from kg.ask.drafts import Asking, Draft
from kg.ask.question import Question, Role
from kg.ask.retrieve import Term
from kg.ask.terms import Token, bag

_DO = frozenset(("did", "does", "do"))
_BE = frozenset(("was", "were", "is", "are", "been"))
# Verbs that a value of the right measure bears out by itself.
_MEASURING = frozenset(("weigh", "weighed", "measure", "measured", "last", "lasted", "amount"))
# To tell of something is what documents do: "what did X announce in May?" asks for what happened.
_TELLING = frozenset(("announce", "announced", "publish", "present", "reveal", "disclose", "do", "happen"))
# Verbs that end what other verbs begin: evidence of the one is none of the other.
ENDING = w.words("""
    stop stopped quit abandon abandoned leave left close closed cease ceased discontinue discontinued drop dropped
    sell sold sink sank end ended shut retire retired
    resign resigned demolish demolished cancel cancelled lose lost die died
    """)
# Participles that end like any other word.
_IRREGULAR = w.words("""
    born built bought sold written drawn sewn woven taught caught brought sung worn torn grown thrown chosen broken
    spoken stolen dug shot hung sent won elected buried
    """)


def verb(question: Question) -> Token | None:
    """The verb that carries the question, if it is plain to see: ``when did X [leave] Y``, ``who [sold] Y``.

    Light verbs ("have", "use") carry nothing.
    """
    tokens = question.tokens
    for i, token in enumerate(tokens):
        if token.lower in _DO:
            return _after_subject(question, tokens[i + 1 :])
        dated = question.opening in ("what", "which") and question.focus_in(w.DATE_NOUNS)
        if token.lower in _BE and (dated or question.opening in ("when", "where", "who", "")):
            return _participle(question, tokens[i + 1 :])
    if question.opening == "who" and len(tokens) > 1:
        return _content(question, tokens[1])
    return None


def _after_subject(question: Question, rest: tuple[Token, ...]) -> Token | None:
    """After the names and articles of the subject, the first word that is neither."""
    names = {t.start for t in rest for n in question.names if n.start <= t.start < n.end}
    seen = False
    for token in rest:
        if token.start in names:
            seen = True
        elif seen and token.lower not in w.FUNCTION:
            return _content(question, token)
    return None


def _participle(question: Question, rest: tuple[Token, ...]) -> Token | None:
    found = [
        t for t in rest if (t.lower in _IRREGULAR or t.lower.endswith(("ed", "t", "n", "ld"))) and _content(question, t)
    ]
    last = found[-1] if found else None
    return last if last is not None and (last.lower.endswith("ed") or last.lower in ENDING | _IRREGULAR) else None


def _content(question: Question, token: Token) -> Token | None:
    named = any(n.start <= token.start < n.end for n in question.names)
    roles = {x.token.start: x.role for x in question.words}
    if question.opening == "what" and token.lower in _TELLING:
        return None
    plain = not named and roles.get(token.start) in (Role.CONTENT, Role.LIGHT)
    light = (token.lower in w.LIGHT_VERBS and token.lower not in ENDING) or token.lower in w.SPENDING | _MEASURING
    return token if plain and not light and token.text[0].islower() else None


def supported(asking: Asking, draft: Draft, names: Iterable[str] = ()) -> bool:
    """Whether the quoted units, what stands around them or the property's names say the question's verb."""
    token = verb(asking.question)
    if token is None:
        return True
    term = next((t for t in asking.found.terms if t.word.term == token.term), None)
    return term is None or _said(asking, term, draft, names)


def _said(asking: Asking, term: Term, draft: Draft, names: Iterable[str]) -> bool:
    words = frozenset().union(*(bag(n) for n in names))
    for scored in draft.evidence[:1]:
        words |= asking.retriever.context_words(scored)
        if scored.number:
            words |= bag(scored.passage.units[scored.number - 1].plain)
    # Of "open-sourced" not "open" alone.
    return term.found(words) > 0.5 if term.parts else term.found(words) >= 0.5
