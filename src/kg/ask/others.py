"""What a passage tells of another thing, another time or beyond a bound is no answer to the question.

"The New Hall was designed by …" says nothing of the Old Hall; "it" is what the sentence before speaks of.
"""

from __future__ import annotations

import re

from kg.ask.drafts import Asking, Draft
from kg.ask.filters import bound, within
from kg.ask.question import Name, Role
from kg.ask.retrieve import Scored
from kg.ask.spans import names
from kg.ask.terms import bag, tokens
from kg.model import UnitKind

# Kinds that read their answer from one unit.
_READ = frozenset(("number", "date", "entity", "list", "count"))
_BOUNDED = _READ | {"extreme"}
_PRONOUN = re.compile(r"(?:it|its|he|she|his|her|they|their)\b", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:the|a|an)\s+", re.IGNORECASE)
_AGAIN = re.compile(r"\b(?:again|once more|a second time|anew)\b", re.IGNORECASE)
_REPEATED = re.compile(r"\b(?:again|once more|second time|anew|re-?\w{4,}|back)\b", re.IGNORECASE)


def about_it(asking: Asking, draft: Draft) -> bool:
    """Whether a draft's unit is about what the question names, as often and within the bounds that it says."""
    first = draft.evidence[0]
    if _AGAIN.search(asking.question.text) and not _REPEATED.search(first.plain):
        return False
    if draft.explained is not None:
        return True
    if draft.kind == "list" and not _lists_noun(asking, first):
        return False
    if draft.kind in _BOUNDED and not _within_bound(asking, draft):
        return False
    return draft.kind not in _READ or not of_another(asking, first)


def _lists_noun(asking: Asking, scored: Scored) -> bool:
    """Whether what "list …" or "name …" asks for is said in the unit or over it."""
    if not re.match(r"(?:list|name|enumerate|give)\b", asking.question.lower):
        return True
    asked = (t for t in asking.found.terms if t.word.role in (Role.CONTENT, Role.FOCUS, Role.NAME))
    noun = next(asked, None)
    return noun is None or noun.found(asking.retriever.context_words(scored)) >= 0.5


def _within_bound(asking: Asking, draft: Draft) -> bool:
    """Whether the unit's figures allow for a bound of the question: not if all of them lie beyond it."""
    limit = bound(asking.question)
    if limit is None or (limit.dated and draft.kind == "date"):
        return True
    several = asking.question.opening in ("which", "what", "how many", "number of") and limit.low != limit.high
    first = draft.evidence[0]
    if within(limit, first.plain) is False:
        return False
    # One row of a table is not all that a bound admits.
    return not (several and draft.kind == "entity" and first.unit.kind == UnitKind.ROW)


def of_another(asking: Asking, scored: Scored) -> bool:
    """Whether a unit's subject is another thing of the same kind, by its name, than the one that the question names."""
    subject = _subject(scored)
    if subject is None:
        return False
    said, own = bag(subject), bag(scored.plain)
    for name in asking.question.names:
        words = bag(name.text)
        if words <= own or words <= said:
            return False
        if _alike(name, subject) and (words - said):
            return True
    return False


def _alike(name: Name, subject: str) -> bool:
    """Whether two names have the same last word, which says what sort of thing they name."""
    ends = [tokens(x)[-1:] for x in (name.text, subject)]
    return len(bag(name.text)) > 1 and bool(ends[0]) and bool(ends[1]) and ends[0][0].term == ends[1][0].term


def _subject(scored: Scored) -> str | None:
    """The name that a sentence begins with, or that the one before begins with where it begins with a pronoun."""
    plain, number = scored.plain, scored.number
    units = scored.passage.units
    while _PRONOUN.match(plain) and number:
        number -= 1
        plain = units[number].plain
        if units[number].kind != UnitKind.SENTENCE:
            return None
    article = _ARTICLE.match(plain)
    start = article.end() if article else 0
    return next((n.text for n in names(plain) if n.start <= start < n.end), None)
