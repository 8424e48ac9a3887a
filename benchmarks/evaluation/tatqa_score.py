"""TAT-QA's exact match and F1: answers with their scale brought to one text, then compared as such.

The method is that of Zhu et al., "TAT-QA: A Question Answering Benchmark on a Hybrid of Tabular and Textual Content in
Finance" (ACL 2021, arXiv 2105.07624), whose scorer follows DROP's. A number is rounded to two places, multiplied by
its scale (percent: a hundredth) and written with four; the spans of an answer are sorted and joined; words lose case,
punctuation and articles. Exact match is equality of what results, F1 is over its set of words; an arithmetic answer
or a count has no half marks.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

_AROUND = re.compile(r"['\"\\$€£¥%(),\[\]]")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_SCALES = (("hundred", 100.0), ("thousand", 1e3), ("million", 1e6), ("billion", 1e9), ("percent", 0.01))
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def factor(scale: str) -> float:
    """What a scale multiplies by; 1 for a word that names none.

    >>> factor("millions")
    1000000.0
    """
    return next((value for name, value in _SCALES if name in scale.lower()), 1.0)


def is_number(text: str) -> bool:
    """Whether a text is a number, its signs apart, or begins with one that a word of scale follows."""
    words = " ".join(_AROUND.sub("", word) for word in text.split()).split()
    try:
        value = float(words[0]) if words else None
    except ValueError:
        return False
    return value is not None and value == value and (len(words) == 1 or factor(words[1]) != 1)


def number(text: str) -> float | None:
    """The number of a text with the scale, the minus of a bracket and the percent sign written with it."""
    found = _NUMBER.search(_AROUND.sub("", text))
    if found is None:
        return None
    scaled = re.search(r"[\d.]+\s?[a-zA-Z]+", text)
    value = float(found.group()) * (factor(scaled.group()) if scaled else 1.0)
    if re.search(r"\([\d.\s]+\)", text.strip()):
        value = -value
    return round(value * (0.01 if re.search(r"[\d.\s]+%", text.strip()) else 1.0), 4)


def normal(text: str) -> str:
    """Words in lower case without punctuation and articles; numbers by value."""
    words = []
    for word in text.lower().split(" "):
        plain = word if is_number(word) else word.translate(_PUNCTUATION)
        plain = str(number(plain)) if is_number(plain) else plain
        words += re.sub(r"\b(?:a|an|the)\b", " ", plain).split()
    return " ".join(words)


def written(answers: Sequence[str], scale: str) -> str:
    """The answers, sorted, with their scale, as one text."""
    return " ".join(_written(answer, scale) for answer in sorted(answers))


def _written(answer: str, scale: str) -> str:
    value = number(answer) if is_number(answer) else None
    if value is None:
        return f"{answer} {scale}" if scale else answer
    return f"{value:.4f}" if "%" in answer else f"{round(value, 2) * factor(scale):.4f}"


def score(gold: Sequence[str], gold_scale: str, answers: Sequence[str], scale: str, halves: bool) -> tuple[bool, float]:
    """Exact match, and F1 from 0 to 1. ``halves``: whether an answer may be right in part (spans)."""
    if not answers or not gold:
        return False, 0.0
    wanted = normal(written(gold, gold_scale))
    given = [written(answers, scale)]
    if len(answers) == 1 and not scale and "%" not in answers[0] and is_number(answers[0]):
        given.append(f"{number(answers[0]):.4f}")  # a quotient is as good as its percentage
    results = [_compared(normal(text), wanted) for text in given]
    exact, f1 = max(results)
    return exact, f1 if halves else float(exact)


def _compared(given: str, wanted: str) -> tuple[bool, float]:
    ours, theirs = set(given.split()), set(wanted.split())
    shared = len(ours & theirs)
    precision = shared / len(ours) if ours else 1.0
    recall = shared / len(theirs) if theirs else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return given == wanted, round(f1, 2)
