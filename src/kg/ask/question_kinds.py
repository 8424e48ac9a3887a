"""What kind of answer a question's wording asks for: a count, several things, what each source says, a reason …"""

from __future__ import annotations

import re
from functools import lru_cache

from kg.ask.question import Question
from kg.text import terms as w
from kg.text.asking_clause import asking_clause, asks_whether
from kg.text.question_words import SECOND
from kg.text.spans import MEASURE_OF

_SOURCES = re.compile(
    r"\b(?:sources?|docs?|documents?|accounts?|texts?|papers?|files?|notes?)\s+(?:\w+\s+)?(?:seem|say|give|name|"
    r"differ|disagree|state|mention|report|claim|conflict|contradict)|\bdo the (?:sources|documents|docs|texts)\b|"
    r"\b(?:disagree|conflict\w*|contradict\w*|discrepan\w*|different (?:things|figures|numbers|values|answers))\b|"
    r"\baccording to the (?:different|various)\b|"
    r"\b(?:by|in|from|with|to) each (?:source|document|account|report|text|paper)\b|"
    r"\b(?:two|three|several|both|differing|more than one|various) "
    r"(?:figures|numbers|values|answers|versions|accounts)\b",
    re.IGNORECASE,
)


def asks_date(question: Question) -> bool:
    """``when …``, ``in which year …``, ``… date?``."""
    if question.opening == "when":
        return True
    if question.opening in ("what", "which") and question.focus:
        return question.focus[-1].lower in w.DATE_NOUNS
    return not question.opening and bool(question.tokens) and question.tokens[-1].lower in ("date", "year")


_MEASURES = {
    "how long": "duration", "how soon": "duration", "how quickly": "duration", "how old": "duration",
    "how far": "length", "how high": "length", "how tall": "length", "how deep": "length", "how wide": "length",
    "how fast": "rate", "how heavy": "weight", "how hot": "temperature", "how cold": "temperature",
    "how expensive": "money",
}  # fmt: skip

_AMOUNTS = _MEASURES.keys() | {"how big", "how large", "how small", "how powerful"}


def asks_number(question: Question) -> bool:
    """``how many/much/long …``, ``number of …``, ``what cost/share/rate …``."""
    if question.opening.startswith(("how many", "how much", "number of")) or question.opening in _AMOUNTS:
        return True
    if re.match(r"what\s+(?:do|does|did|will|would)\b.*\b(?:cost|pay|spend|charge)\b", question.asks.casefold()):
        return True
    nouns = w.MONEY_NOUNS | w.SHARE_NOUNS | w.NUMBER_NOUNS
    return question.opening in ("what", "which") and (question.focus_in(nouns) or _asks_measure(question, nouns))


# "How much is a …", unlike "how much sugar is in …".
_PRICE = re.compile(r"how much (?:is|are|was|were) (?:an?|the|one|two|three)\b(?!.*\b(?:of|in) )")


def _asks_measure(question: Question, nouns: frozenset[str]) -> bool:
    match = re.match(
        r"what(?:'s|\s+is|\s+was|\s+were|\s+are)\s+(?:the\s+|an?\s+)?(?:\w+['’]s\s+)?((?:[\w-]+\s+){0,3}?[\w-]+)\b(?:\s+(?:of|for|per|in|on)\b|\?|$)",
        question.asks.casefold(),
    )
    return match is not None and match[1].split()[-1] in nouns


@lru_cache(maxsize=256)
def expected(question: Question) -> str:
    """The measure that a question asks for, "" where it asks for a count."""
    if question.opening in _MEASURES:
        return _MEASURES[question.opening]
    lowers = [t.lower for t in question.focus] or [t.lower for t in question.tokens[:6]]
    spending = question.opening in ("how much", "what") and any(t.lower in w.SPENDING for t in question.tokens)
    if spending or _PRICE.match(question.asks.casefold()) or any(x in w.MONEY_NOUNS for x in lowers):
        return "money"
    if any(x in w.SHARE_NOUNS for x in lowers):
        return "percent"
    return next((MEASURE_OF[x] for x in lowers if x in MEASURE_OF), "")


def measures(question: Question) -> frozenset[str]:
    """The measures that may be meant: "how long" asks for a time or for a length."""
    both = ("duration", "length") if question.opening == "how long" else (expected(question),)
    return frozenset(both) - {""}


_COUNT = re.compile(r"\b(?:head ?count|how numerous|count the|the count)\b", re.IGNORECASE)


def asks_count(question: Question) -> bool:
    """``how many …``, ``number of …``, ``head count …`` that asks for no measure."""
    asks = question.opening in ("how many", "number of") or _COUNT.search(question.text)
    return bool(asks) and not expected(question)


_SEVERAL_ASKED = re.compile(
    r"(?:list|name|enumerate|give|who\s+(?:are|were))\b|"
    r"who\s+(?:was|is|belongs?|belonged|worked|makes? up)\s+(?:on|in|to|up)\b"
)


def asks_several(question: Question) -> bool:
    """A plural noun after ``which`` or ``what``, ``who are``, ``list …``, ``name the …``."""
    if _SEVERAL_ASKED.match(question.asks.casefold()):
        return True
    return question.opening in ("what", "which", "what kinds", "what types") and plural(question)


_REPLY = re.compile(r"(?:A(?:nswer)?\s*[:.)]\s*)?(?P<word>yes|no)(?=\s*(?:[.,;:!–—-]|$))", re.IGNORECASE)


def replied(text: str) -> str:
    """ "Yes" or "No" where a text begins by answering a question so, else "".

    >>> replied("A: No. Use the other one."), replied("Yes, it does."), replied("No files are kept.")
    ('No', 'Yes', '')
    """
    found = _REPLY.match(text)
    return found["word"].capitalize() if found else ""


def asks_one(question: Question) -> bool:
    """Whether one answer only is asked for: how many, how long, ``which`` with a noun in the singular."""
    shape = shape_of_question(question.text)
    if of_each_source(question):
        return False
    if shape["how_many"] or shape["count"]:
        return True
    several = asks_several(question) or any(_SEVERAL_OF.fullmatch(t.lower) for t in question.focus[:3])
    return question.opening == "which" and bool(question.focus) and not several


_SEVERAL_OF = re.compile(r"\w*[^s'’u]s|two|three|four|five|six|several|pair|men|women|people|children")


_OPEN = ("", "what", "how", "why")
_VALUES = ("whether", "how_many", "count")


def asks_to_tell(question: Question) -> bool:
    """Whether a whole sentence may tell what is asked for: a reason, a way, what something is, several things."""
    shape = shape_of_question(question.text)
    if any(shape[name] for name in _VALUES):
        return False
    return bool(shape["reason"]) or asks_several(question) or (question.opening in _OPEN and not question.focus)


def plural(question: Question) -> bool:
    """Whether the noun asked for is in the plural."""
    if question.focus:
        head = question.focus[-1].text
        return bool(re.search(r"(?:[^s'’u]s|(?:people|men|women|children|criteria|data))$", head))
    return bool(re.match(r"(?:what|which)\s+(?:are|were|where)\s+the\b", question.asks.casefold()))


def nth(question: Question) -> int:
    """1 for the largest, 2 for the second largest, and so on."""
    text = question.text.casefold()
    found = re.search(rf"\b({'|'.join(SECOND)})[\s-]+(?:{'|'.join(sorted(w.SUPERLATIVES))})\b", text)
    return SECOND[found[1]] if found else 1


_MEANINGS = (
    re.compile(r"^(?:define|explain)\s+(?P<x>.+?)[?.!]*$", re.I),
    re.compile(r"^what\s+(?:do|does|did)\s+(?P<x>.+?)\s+(?:mean|stand for|refer to)\b", re.I),
    re.compile(r"^what(?:'s| is| are| was)\s+(?:meant by|the (?:definition|meaning) of)\s+(?P<x>.+?)[?.!]*$", re.I),
    re.compile(r"^(?P<x>.+?),?\s+(?:definition|meaning)[?.!]*$", re.I),
    re.compile(r"^(?:what is |what's )?(?:the )?(?:definition|meaning) of (?P<x>.+?)[?.!]*$", re.I),
    re.compile(r"^what(?:'s| is| are)\s+(?:an?\s+)?(?P<x>[\w/&.-]+(?:\s[\w/&.-]+){0,2})[?.!]*$", re.I),
)


def defined(question: Question) -> str:
    """The term whose meaning is asked for, or an empty string."""
    for pattern in _MEANINGS:
        if match := pattern.match(question.asks.strip()):
            return match["x"].strip(" '\"‘’“”")
    return ""


def of_each_source(question: Question) -> bool:
    """Whether it is asked what the several sources give."""
    return bool(_SOURCES.search(question.text))


def without_sources(text: str) -> str:
    """A question without the sentences that only speak of its sources.

    >>> without_sources("How long is it? The papers disagree.")
    'How long is it?'
    """
    kept = [part for part in re.split(r"(?<=[.?!;:])\s+", text) if not _SOURCES.search(part)]
    return " ".join(kept) or text


_HOW_MANY = re.compile(
    r"\bhow (?:many|much|long|far|big|old|tall|often|large|high|fast)\b|\bwhat (?:percentage|number)\b"
)
_WHEN = re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|time)\b")
_WHO = re.compile(r"\bwho(?:se|m)?\b")
_WHERE = re.compile(r"\bwhere\b|\b(?:what|which) (?:city|country|place|state)\b")
_REASON = re.compile(r"\bwhy\b|^how (?:do|does|did|can|is|are|was|were|should|would)\b|\bwhat happens\b")
_MEANS = re.compile(r"^(?:what(?:['’]s| is| are| was| were| does)|define|explain|describe|tell (?:me|us))\b")
_SEVERAL = re.compile(
    r"^(?:list|name)\b|\bwho (?:are|were)\b|\bwhat are\b|"
    r"\b(?:what|which) (?!(?:is|was|does|has)\b)(?:\w+ ){0,3}?"
    r"(?!(?:does|has|its|was)\b)\w+(?<![siu])s\b(?! (?:is|was)\b)"
)
_MOST = re.compile(r"\b(?:most|least|fewest|first|last|earliest|latest|\w{2,}(?:est|iest))\b")


def shape_of_question(text: str) -> dict[str, float]:
    """What kind of answer the wording asks for; weights over these are learned."""
    lower = text.casefold()
    asks = {
        "how_many": _HOW_MANY, "when": _WHEN, "who": _WHO, "where": _WHERE, "reason": _REASON, "means": _MEANS,
        "several": _SEVERAL,
    }  # fmt: skip
    clause = asking_clause(text).casefold()
    found = {name: float(bool(pattern.search(clause))) for name, pattern in asks.items()}
    found["whether"] = float(asks_whether(clause))
    found["most"] = float(bool(_MOST.search(lower)))
    found["or"] = float(" or " in lower)
    found["count"] = float(clause.startswith("how many") or "number of" in lower)
    return found
