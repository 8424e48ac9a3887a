"""The clause of a question that asks, behind the situation, condition or time that people begin with."""

from __future__ import annotations

import re
from functools import lru_cache

from kg.text import terms as w
from kg.text.sentence_spans import spans


def _any_of(words: frozenset[str]) -> str:
    return "|".join(sorted(words)).replace("'", "['’]")


WH = r"(?:who|whom|whose|what|which|how|why|when|where)"  # words that ask
_HELPING = w.AUXILIARIES - w.words("be been being may") | w.words("need cannot")
_AUXILIARY = rf"(?:{_any_of(_HELPING)}|may(?!\s+\d))\b(?!,)"
_LINKS = r"(?:(?:and|but|so|or|then|now|also|please|well|ok|okay|hi|hello|hey)\b[ ,]*)*"
LED = rf"(?:(?:up\s+)?(?:{_any_of(w.PREPOSITIONS)})\s+)?"  # what may lead one: "by whom"
# "When a name fails, …" begins a condition, "when does it fail" a question.
_NO_CONDITION = rf"(?!(?:when|where)\s+(?!{_AUXILIARY}|(?:exactly|precisely|roughly|else|in|on|to)\b))"
_QUESTION_WORD = rf"{_NO_CONDITION}{LED}{WH}(?:['’]s|['’]re)?\b"
_BIDS = r"(?:list|name|define|explain|describe)\b"
_OPENS = re.compile(
    rf"(?:^|[,:;.!?)]\s+|\s[-–—]+\s+)[\"“‘(]*{_LINKS}(?P<asks>{_QUESTION_WORD}|{_AUXILIARY}|{_BIDS})", re.IGNORECASE
)
_SOMEBODY = r"(?:you|somebody|someone|anybody|anyone)"
_POLITE = re.compile(
    rf"(?:(?:(?:can|could|would|will|do|does)\s+{_SOMEBODY}|may\s+i)\s+(?:please\s+)?"
    rf"(?:tell|know|say|show|explain|ask|find out|give)|i(?:['’]d| would)\s+like\s+to\s+know|i\s+wonder|tell)\b"
    rf"[^?]*?\s(?P<asks>{LED}{WH}(?:['’]s|['’]re)?\b|(?:if|whether)\b)",
    re.IGNORECASE,
)
_LATER = re.compile(
    rf"(?<=[\w\"'’”),])\s+(?P<asks>{_QUESTION_WORD}|(?<=know )(?:if|whether)\b|(?<=wondering )(?:if|whether)\b)",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    rf"\s(?P<asks>{_AUXILIARY}\s+(?:the|an?|my|your|our|its|their|his|her|i|you|we|it|they|he|she|that|this|these|"
    rf"those|there|any|all|some|every|each|one|people|{_SOMEBODY})\b)",
    re.IGNORECASE,
)

_POINTS = re.compile(r"\b(?:it|its|that|this|they|them|their|those|these|one|he|she|his|her|there)\b", re.IGNORECASE)
_NARROWS = re.compile(r"\d|^\s*(?:apart|aside|besides|but|except|excluding|of|other|unlike|without)\b", re.IGNORECASE)
_FEWEST = 5  # words that a clause is understood by
_WHETHER = re.compile(rf"{_AUXILIARY}|(?:if|whether)\b", re.IGNORECASE)


def asks_whether(clause: str) -> bool:
    """Whether a clause that asks, asks for yes or no."""
    return _WHETHER.match(clause) is not None


@lru_cache(maxsize=256)
def asking_clause(question: str) -> str:
    """What is left of a question without what stands before its question word, or before its inverted verb.

    >>> asking_clause("I'm a member. Can I give my place to my sister?")
    'Can I give my place to my sister?'
    >>> asking_clause("If it rains, where do we meet?"), asking_clause("Could you tell me who built it?")
    ('where do we meet?', 'who built it?')
    >>> asking_clause("When a name fails validation does that mean an attack?")
    'does that mean an attack?'
    """
    text = question.strip()
    sentences = [text[start:end] for start, end in spans(text)] or [text]
    asked = [sentence for sentence in sentences if "?" in sentence[-3:]] or sentences
    for sentence in (*reversed(asked), text):
        if (found := _POLITE.match(sentence) or _OPENS.search(sentence)) is not None:
            return sentence[found.start("asks") :]
    last = asked[-1]
    found = _LATER.search(last)
    if found is None and "?" in last:
        found = next(reversed(list(_INVERTED.finditer(last))), None)
    return last if found is None else last[found.start("asks") :]


def by_itself(question: str) -> str:
    """The clause that asks, where nothing in it points to what stands before it and that narrows nothing; else all.

    What has figures in it, or excludes, narrows what is asked.

    >>> by_itself("At the harbour of Orr, which berths are free at night?")
    'Which berths are free at night?'
    >>> by_itself("My boat failed the check. Do I get it back?")
    'My boat failed the check. Do I get it back?'
    >>> by_itself("Apart from Orr, which harbours are free at night?")
    'Apart from Orr, which harbours are free at night?'
    """
    clause = asking_clause(question)
    if _POINTS.search(clause) or len(clause.split()) < _FEWEST or _NARROWS.search(question[: question.rindex(clause)]):
        return question
    return clause[0].upper() + clause[1:]
