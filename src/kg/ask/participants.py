"""Who did it: what a unit tells of somebody else is no answer to a question that names who did it.

"How much did Tarn pay?" isn't answered by "Holm paid 30 crowns", nor by a line of figures that nothing ties to Tarn.
"""

from __future__ import annotations

import re

from kg.ask import words as w
from kg.ask.clauses import done_to_another
from kg.ask.drafts import Asking, Draft
from kg.ask.question import Name, Question
from kg.ask.retrieve import Scored, Term
from kg.ask.spans import names
from kg.ask.terms import Token, bag, tokens
from kg.semantics.wordnet import relatedness

# Kinds that read their answer from one unit.
_READ = frozenset(("number", "date", "entity", "list", "count", "value"))
_DO = frozenset(("did", "does", "do"))
_SAME = 0.7
_BY = re.compile(r"\bby\s+(?:the\s+)?", re.IGNORECASE)
_OWNING = re.compile(r"['’]s?(?:\s|$)")  # "Tarn's brother" did it
_PRONOUN = re.compile(r"\b(?:it|its|them|him|her)\b", re.IGNORECASE)
_PART = re.compile(r"[;:]\s|\.\s|\s[–—]\s")


def another_did_it(asking: Asking, draft: Draft) -> bool:
    """Whether the first unit doesn't say that who the question names did it."""
    if draft.kind not in _READ or draft.exact:
        return False
    doer = _doer(asking.question)
    if doer is None:
        return done_to_another(asking, draft.evidence[0])
    name, verb = doer
    scored = draft.evidence[0]
    words = bag(name.text)
    if not words & _around(asking, scored):
        return True
    term = next((t for t in asking.found.terms if verb is not None and t.word.term == verb.term), None)
    verbs = [token for token in tokens(scored.plain) if term and _is_verb(term, token)]
    told = [_told_of(scored.plain, token) for token in verbs]
    if told and all(who and not words & who for who in told):
        return True
    start = verbs[-1].end if verbs else scored.plain.find(name.text) + len(name.text)
    return (bool(verbs) or name.text in scored.plain) and _to_another(asking, scored, name, start)


def _to_another(asking: Asking, scored: Scored, doer: Name, start: int) -> bool:
    """Whether it was done to something else: other names stand after the verb, or the doer, than in the question."""
    others = [bag(n.text) for n in asking.question.names if n is not doer]
    words = asking.retriever.context_words(scored)
    after = [bag(n.text) for n in names(scored.plain) if n.start >= start]
    asked = bag(asking.question.text)
    lacking = any(not other & words for other in others)
    return lacking and bool(after) and not any(a & asked for a in after) and not _PRONOUN.search(scored.plain)


def _doer(question: Question) -> tuple[Name, Token | None] | None:
    """The name after "did", and the verb where it is plain: "how much did [Tarn] [pay] for the boat"."""
    at = next((i for i, t in enumerate(question.tokens) if t.lower in _DO), None)
    if at is None:
        return None
    rest = [t for t in question.tokens[at + 1 :] if t.lower != "the"]
    name = next((n for n in question.names if rest and n.start <= rest[0].start < n.end), None)
    if name is None or _OWNING.search(name.text):
        return None
    after = [t for t in rest if t.start >= name.end][:2]
    plain = [t.lower not in w.FUNCTION and not t.capital and not t.digits for t in after]
    return name, after[0] if plain[:1] == [True] and plain[1:] != [True] else None


def _around(asking: Asking, scored: Scored) -> frozenset[str]:
    """Words of a unit, of what stands over it and before it, and of its document's title."""
    units, info = scored.passage.units, asking.retriever.view.documents.get(scored.passage.document)
    before = " ".join(u.plain for u in units[max(0, scored.number - 2) : scored.number])
    return asking.retriever.context_words(scored) | bag(f"{before} {info.title if info else ''}")


def _is_verb(term: Term, token: Token) -> bool:
    if token.capital and token.start:
        return False
    return term.found(frozenset([token.term])) >= _SAME or (
        token.lower not in w.FUNCTION and relatedness(term.word.token.lower, token.lower) >= _SAME
    )


def _told_of(plain: str, verb: Token) -> frozenset[str]:
    """Words of the names that a clause may give to a verb's doer: those before it, or after "by"."""
    start = max((m.end() for m in _PART.finditer(plain, 0, verb.start)), default=0)
    by = _BY.search(plain, verb.end, verb.end + 60)
    told = plain[by.end() : by.end() + 60] if by else plain[start : verb.start]
    return bag(" ".join(n.text for n in names(told)))
