"""Words that belong together, where neither a stemmer nor embeddings of single words say so; lists in ``english``.

Forms of one root (who founded, its founder, its founding), words that say much the same, and words that say the
opposite: embeddings hold a closing date for near an opening date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from kg.ask.terms import term
from kg.ask.words import lines

# What another form of the same root, and what a synonym counts, of the word itself.
SAME_ROOT, SYNONYM = 0.9, 0.75


@cache
def _groups(name: str) -> dict[str, frozenset[str]]:
    """By normal form the others of all groups that a word stands in."""
    table: dict[str, set[str]] = {}
    for line in lines(name):
        forms = {term(word) for word in line.split()}
        for form in forms:
            table.setdefault(form, set()).update(forms - {form})
    return {word: frozenset(others) for word, others in table.items()}


@cache
def participles() -> frozenset[str]:
    """Past participles of the irregular verbs, as written (with them, forms of the past)."""
    forms = (word for line in lines("word_forms") for word in line.split()[1:3])
    return frozenset(word for word in forms if not re.search(r"(?:er|or|ing|ion|ship|th|birth|death)$", word))


@cache
def family(word: str) -> frozenset[str]:
    """Normal forms of the same root as a normal form.

    >>> term("painter") in family(term("painted")), term("made") in family(term("maker"))
    (True, True)
    """
    found = set(_groups("word_forms").get(word, ()))
    if len(word) > 3 and word.isalpha():
        found |= {word + "er", word + "or", word + "r"} if not word.endswith(("er", "or")) else set()
        if word.endswith(("er", "or")) and len(word) > 5:
            found |= {word[:-2], word[:-1]}
    return frozenset(found - {word})


def synonyms(word: str) -> frozenset[str]:
    """Normal forms that say much the same as a normal form.

    >>> term("departed") in synonyms(term("left"))
    True
    """
    return _groups("synonyms").get(word, frozenset())


@cache
def _against() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in lines("opposites"):
        one, other = (frozenset(term(word) for word in side.split()) for side in line.split("/"))
        for words, others in ((one, other), (other, one)):
            for word in words:
                table.setdefault(word, set()).update(others)
    return {word: frozenset(others) for word, others in table.items()}


def opposed(asked: Iterable[str], said: Iterable[str]) -> bool:
    """Whether normal forms of one side stand in ``asked`` and only of the other in ``said``.

    >>> opposed([term("closed")], [term("opening"), term("date")]), opposed([term("closed")], [term("closed")])
    (True, False)
    """
    words, table = frozenset(said), _against()
    return any(table.get(word, frozenset()) & words for word in frozenset(asked) - words)
