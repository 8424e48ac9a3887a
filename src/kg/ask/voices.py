"""Which end of a deed a question names: "what does it feed?" its doer, "what feeds it?" what it is done to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kg.ask import words as w
from kg.ask.question import Question
from kg.semantics.wordnet import lemmas

_DO = w.words("do does did")
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
    if before[-1] in _DO:
        return True
    if any(t in w.AUXILIARIES for t in before) or len(before) < 2:
        return None
    return None if before[-1] in w.PREPOSITIONS - ends else False
