"""Adjectives of degree: which property they speak of, and which end of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from kg.ask.terms import term
from kg.ask.words import lines

_IRREGULAR = {"better": ("good", 1), "best": ("good", 1), "worse": ("bad", 1), "worst": ("bad", 1)}
# Words that compare without naming a property: more and less of whatever noun stands beside them.
MORE = frozenset(("more", "most", "greater", "greatest", "maximum", "top"))
_SOONER = frozenset(("first", "earlier", "before", "sooner", "older", "oldest", "earliest"))
_LATER = frozenset(("later", "after", "newer", "younger", "last", "latest", "newest", "youngest"))
LESS = frozenset(("fewer", "fewest", "less", "least", "lesser", "minimum"))
# Places in an order, of which number one is the best and the highest, and words for its ends.
_PLACES = frozenset(("priority", "priorities", "precedence", "rank", "ranks", "ranking", "rankings"))
_BEST = frozenset(("first", "best", "better", "highest", "higher", "top", "foremost"))
_WORST = frozenset(("last", "worst", "worse", "lowest", "lower", "bottom"))
_WRITTEN = frozenset(("number", "value", "figure"))


@cache
def _forms() -> dict[str, tuple[int, frozenset[str]]]:
    """Every adjective with its comparative and superlative → its end (1 much, -1 little) and its property's nouns."""
    table: dict[str, tuple[int, frozenset[str]]] = {}
    for line in lines("degrees"):
        much, little, nouns = (part.split() for part in line.split("/"))
        names = frozenset(term(noun) for noun in nouns)
        for sign, words in ((1, much), (-1, little)):
            for word in words:
                for form in _grades(word):
                    table.setdefault(form, (sign, names))
    return table


def _grades(word: str) -> Iterable[str]:
    stem = word[:-2] + "y" if word.endswith("ey") else word  # "pricey", "pricier"
    base = word[:-1] if word.endswith("e") else stem[:-1] + "i" if word.endswith("y") else word
    double = word + word[-1] if word in ("big", "hot") else base
    return (word, double + "er", double + "est", base + "er", base + "est")


def degree(word: str) -> tuple[int, frozenset[str]] | None:
    """The end and the property's nouns of an adjective in any grade, in small letters.

    >>> degree("cheaper")[0], degree("longest")[0], degree("blue")
    (-1, 1, None)
    """
    if word in _IRREGULAR or word in ("later", "latest"):
        return (1, _forms()["late"][1]) if word.startswith("lat") else None
    return _forms().get(word)


def compared(words: Iterable[str]) -> tuple[int, frozenset[str]] | None:
    """The end that a question's words speak of, and the nouns of the property if an adjective names it.

    "Less expensive" is the little end of the price.
    """
    words = list(words)
    if (placed := placing(words)) is not None:
        return placed
    sign = next((1 if word in MORE else -1 for word in words if word in MORE | LESS), 0)
    found = next((d for word in words if (d := degree(word)) is not None and _graded(word, words)), None)
    if found is not None:
        return (found[0] * (sign or 1), found[1])
    return (sign, frozenset()) if sign else None


def placing(words: Iterable[str]) -> tuple[int, frozenset[str]] | None:
    """The end of the numbers that a place in an order speaks of, and its noun: number one comes first.

    >>> placing(["the", "highest", "rank"])[0], placing(["last", "in", "priority"])[0], placing(["the", "last", "year"])
    (-1, 1, None)
    """
    words = frozenset(words)
    nouns, best, worst = words & _PLACES, words & _BEST, words & _WORST
    if not nouns or words & _WRITTEN or bool(best) == bool(worst):
        return None
    return (-1 if best else 1, frozenset(term(noun) for noun in nouns))


def in_time(words: Iterable[str]) -> tuple[int, frozenset[str]] | None:
    """The end that words for sooner (-1) or later (1) speak of, of whatever date stands beside them."""
    # The last such word decides: "which telescope had first light last".
    found = [word for word in words if word in _SOONER | _LATER][-1:]
    return (-1 if found[0] in _SOONER else 1, frozenset()) if found else None


def _graded(word: str, words: list[str]) -> bool:
    """Whether an adjective compares: in a grade, or after a word that grades it, or asked by "how"."""
    at = words.index(word)
    return (
        word.endswith(("er", "est"))
        or word in ("later", "latest")
        or (at > 0 and words[at - 1] in MORE | LESS | {"as", "equally", "how"})
    )
