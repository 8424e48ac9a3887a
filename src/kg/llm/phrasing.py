"""A model's wording of an answer, kept only if it is a sentence that says nothing more.

Names may come from the answer's quotations; figures and dates from the answer and the question alone: a small model
takes the next cell of a quoted row for the value ("Mass: 240 kW").
"""

from __future__ import annotations

import re

from kg.ask.drafts import normal
from kg.ask.spans import dates, numbers
from kg.ask.terms import term
from kg.mentions.hedges import hedge
from kg.model import Answer

_LONGEST = 400
_TOKEN = re.compile(r"[^\W_]+(?:[.,’'/:-][^\W_]+)*[%°]?|[$€£¥]")
_DENIAL = re.compile(r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|billion|half"
    r"|twice|double|first|second|third)s?\b",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?][\"”’')\]]*$")
_OWNED = re.compile(r"['’]s$")


def kept(answer: Answer, phrased: str, names: frozenset[str]) -> bool:
    """Whether a wording may stand for the answer's own. ``names``: words that the documents write with a capital."""
    text = phrased.strip()
    if len(text) > _LONGEST or "\n" in text or not _ENDED.search(text):
        return False
    told = " ".join((_own(answer), answer.question, *(i.label for i in answer.answers)))
    quoted = " ".join((answer.answer, *(c.quote for c in answer.citations)))
    return _says_no_more(text, told, quoted, names) and _says_no_less(text, answer)


def _own(answer: Answer) -> str:
    """The answer without its quotation."""
    return answer.answer.split(" – “", 1)[0]


def _says_no_more(text: str, told: str, quoted: str, names: frozenset[str]) -> bool:
    """Whether every number and date of a text stands in what is told; names may come from what is quoted too."""
    words = {w.casefold() for w in _TOKEN.findall(told)}
    named = words | {w.casefold() for w in _TOKEN.findall(quoted)}
    for found in _TOKEN.finditer(text):
        word = found[0].casefold()
        figure = any(c.isdigit() for c in word) or word in "$€£¥" or _COUNTED.fullmatch(word)
        if figure and word not in words:
            return False
        if not figure and _is_name(text, found, names) and not {word, _OWNED.sub("", word)} & named:
            return False
    figures = {(n.low, n.measure) for n in numbers(told)}
    days = {d.earliest for d in dates(told)}
    return all((n.low, n.measure) in figures for n in numbers(text)) and all(d.earliest in days for d in dates(text))


def _is_name(text: str, found: re.Match[str], names: frozenset[str]) -> bool:
    """Whether a word is written as a name, or is one in the documents; a sentence's first word is by its second."""
    word = found[0]
    if term(word) in names:
        return True
    begins = not text[: found.start()].strip() or re.search(r"[.!?:]\s*[\"“]?$", text[: found.start()])
    return any(c.isupper() for c in (word[1:] if begins else word))


def _says_no_less(text: str, answer: Answer) -> bool:
    """Whether every value that is answered or disagrees is still there, and so are denials and words of doubt."""
    values = [i.label for i in answer.answers] + [v.value for c in answer.conflicts for v in c.values]
    plain = normal(text)
    if not values or not all(normal(value) in plain for value in values):
        return False
    own = _own(answer)
    first = re.match(r"(yes|no)\b", own, re.IGNORECASE)
    if first and not plain.startswith(first[0].casefold()):
        return False
    if bool(_DENIAL.search(text)) != bool(_DENIAL.search(own)):
        return False
    status, wanted = hedge(text), hedge(own)
    return (status.status, status.mood) == (wanted.status, wanted.mood)
