"""What a question asks of a table: which operation, over what, between which sides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from kg.tabular.times import span_of_years, years


class Op(StrEnum):
    """What is done with the cells."""

    LOOKUP = "lookup"
    CHANGE = "change"
    PERCENT_CHANGE = "percentage change"
    DIFFERENCE = "difference"
    AVERAGE = "average"
    SUM = "sum"
    SHARE = "share"
    RATIO = "ratio"
    EXTREME = "extreme"
    COUNT = "count"
    FILTER = "filter"


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit that figures are held against. ``factor``: the scale written with it, 0 for none."""

    above: bool
    value: Decimal
    factor: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a table. ``body``: the question without the words of its operation.

    ``noun``: what is chosen, counted or listed ("years"); ``rank``: 1 for the first, negative from the least.
    """

    text: str
    op: Op
    body: str
    noun: str = ""
    bound: Bound | None = None
    rank: int = 1
    percent: bool = False

    @property
    def years(self) -> tuple[int, ...]:
        """The years named, a range filled in."""
        spanned = span_of_years(self.text)
        filled = spanned if self.op in (Op.AVERAGE, Op.SUM, Op.COUNT, Op.LOOKUP, Op.FILTER) else ()
        return tuple(dict.fromkeys((*years(self.text), *filled)))

    @property
    def respectively(self) -> bool:
        """Whether several values are asked for, in order."""
        return re.search(r"\brespective(?:ly)?\b", self.text, re.IGNORECASE) is not None


_PERCENT = r"(?:per\s?cent(?:age)?|%)"
_MOVE = r"(?:change|increase|decrease|growth|decline|reduction|rise|drop|fall|movement|variance)"
_MOVED = r"(?:changed?|increased?|decreased?|grow|grew|declined?|rise|rose|drop|fall|fell|differ)"
_PERCENT_CHANGE = re.compile(
    rf"{_PERCENT}(?:\s*\(%\))?\s*(?:\w+\s+)?(?:{_MOVE}|difference)\b(?:\s*/\s*\(?\w+\)?)?"
    rf"|\b{_MOVE}\s*(?:\(%\)|rate\b|in\s+{_PERCENT}\s+terms)|\bgrowth\s+rate\b"
    rf"|\b(?:by\s+)?(?:what|how\s+many|how\s+much)\s+{_PERCENT}\b(?=.*\b{_MOVED}\b)|\bby\s+what\s+{_PERCENT}",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    rf"\b(?:net\s+|absolute\s+|nominal\s+|total\s+)?{_MOVE}\b(?:\s*/\s*\(?\s*\w+\s*\)?)?(?=\s+(?:in|of|between|from|to|for|by|across|over|on|\())"
    rf"|\bhow\s+much\s+(?:did|does|do|has|have|was|were|is)\b(?=.*\b{_MOVED}\b)",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"\b(?:net\s+|absolute\s+|nominal\s+)?(?:difference|gap)s?\b(?:\s+in\s+(?:the\s+)?amounts?)?"
    r"|\b(?:how\s+much|by\s+how\s+much)\s+(?:more|less|higher|lower|larger|smaller|greater|fewer)\b"
    r"|\bhow\s+many\s+(?:more|fewer|less)\b",
    re.IGNORECASE,
)
_AVERAGE = re.compile(
    r"\b(?:average|mean(?=\s+(?:of|value|amount)\b))\b(?:\s+(?:of|value\s+of|amount\s+of))?", re.IGNORECASE
)
_SUM = re.compile(
    r"\b(?:sum\s+(?:total\s+)?of|combined|altogether|in\s+total\b(?=.*\band\b)|total(?:\s+(?:amount|value|number|sum)\s+of)?)\b",
    re.IGNORECASE,
)
_RATIO = re.compile(r"\bratios?\b", re.IGNORECASE)
_SHARE = re.compile(
    rf"\b(?:as\s+an?\s+)?(?:{_PERCENT}|proportion|fraction|share|portion)(?:\s+constitution)?\s+of\b|\bas\s+(?:a\s+)?%\s+of\b|%\s+of\b",
    re.IGNORECASE,
)
_UP = r"highest|largest|greatest|most|biggest|higher|larger|greater|bigger|maximum|max|top|best|longest|more"
_DOWN = r"lowest|smallest|least|fewest|lower|smaller|fewer|minimum|min|shortest|worst|less"
_WITH_SHARES = ((Op.AVERAGE, _AVERAGE), (Op.SUM, _SUM))
_EXTREME = re.compile(
    rf"\b(?:(?P<nth>second|third|fourth)[ -]+)?(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\b(?!\s+than\s+[$€£\d])",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"^(?:in\s+|for\s+|at\s+|on\s+|of\s+|from\s+)?(?:which|what)\s+(?:of\s+the\s+|was\s+the\s+|is\s+the\s+|are\s+the\s+|were\s+the\s+)?"
    r"(?P<noun>(?:[\w/()'’-]+\s+){0,5}?[\w/()'’-]+?)\s+"
    r"(?:is|are|was|were|did|does|do|has|have|had|with|where|in\s+which|whose|that|saw|recorded|reported|generated|contributed|exceeded|exceeds?)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\bhow\s+many\s+(?P<noun>(?:[\w-]+\s+){0,5}?[\w-]+)\s+(?:did|does|do|was|were|is|are|had|has|have|that|with|which|in\b|exceed)",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:(?P<up>exceed(?:s|ed|ing)?|above|over|more\s+than|greater\s+than|higher\s+than|larger\s+than|at\s+least|beyond)"
    r"|(?P<down>below|less\s+than|lower\s+than|under|fewer\s+than|smaller\s+than|at\s+most))\s+"
    r"(?:a\s+|of\s+|the\s+)?(?:[A-Z]{0,3}[$€£¥₹]\s?)?(?P<value>-?\d[\d,]*(?:\.\d+)?)\s*(?P<scale>thousand|million|billion|%|per\s?cent)?s?",
    re.IGNORECASE,
)
_FACTORS = {"thousand": 1000, "million": 10**6, "billion": 10**9}
_OPENING = re.compile(
    r"^\s*(?:what|which|how\s+much|how\s+many|how\s+large)\s*(?:is|are|was|were|did|do|does|has|have)?\s*(?:the\b|an?\b)?",
    re.IGNORECASE,
)
_TIME_NOUN = re.compile(r"\b(?:years?|periods?|quarters?|months?|dates?|fiscal)\b|year\(s\)", re.IGNORECASE)


_LEAD = re.compile(
    r"((?:between|for|in|as of|as at|at|during|from|on)\b(?!\s+(?:which|what|how))[^?]{3,60}?),\s+"
    r"(?=(?:in\s+)?(?:which|what|how|by|why)\b)",
    re.IGNORECASE,
)
_DAY_AND_YEAR = re.compile(r"\b(\d{1,2}),\s*((?:19|20)\d\d)\b")


def over_time(noun: str) -> bool:
    """Whether a noun names times rather than things.

    >>> over_time("fiscal years")
    True
    """
    return _TIME_NOUN.search(noun) is not None


def analyse(question: str) -> Asked:
    """The most particular reading of a question's words."""
    text = _DAY_AND_YEAR.sub(r"\1 \2", " ".join(question.split()).rstrip(" ?"))
    if lead := _LEAD.match(text):
        text = f"{text[lead.end() :]} {lead[1].lower()}"
    for read in (_chosen, _computed):
        if (asked := read(text)) is not None:
            return asked
    return Asked(text, Op.LOOKUP, _OPENING.sub("", text))


def _chosen(text: str) -> Asked | None:
    """Questions that choose or count rows or columns."""
    bound = _bound(text)
    counted = _COUNTED.search(text)
    if counted and bound:
        return Asked(text, Op.COUNT, _without(text, counted, _BOUND.search(text)), counted["noun"], bound)
    chosen = _CHOSEN.search(text)
    if chosen is None:
        return None
    if bound:
        return Asked(text, Op.FILTER, _without(text, chosen, _BOUND.search(text)), chosen["noun"], bound)
    extreme = _EXTREME.search(text, chosen.start("noun"))
    if extreme is None or _SHARE.search(text) or re.search(r"\brespective(?:ly)?\b", text, re.IGNORECASE):
        return None
    rank = {"second": 2, "third": 3, "fourth": 4}.get((extreme["nth"] or "").casefold(), 1)
    noun = chosen["noun"]
    body = text[chosen.end("noun") :] if extreme.start() >= chosen.end("noun") else text[extreme.end() :]
    return Asked(
        text,
        Op.EXTREME,
        _EXTREME.sub(" ", body),
        _EXTREME.sub(" ", noun).strip(),
        None,
        rank if extreme["up"] else -rank,
    )


def _computed(text: str) -> Asked | None:
    """Questions that compute with cells."""
    plain = _OPENING.sub("", text).strip()
    percent = re.search(_PERCENT, text, re.IGNORECASE) is not None
    if found := re.search(rf"\babsolute\s+{_PERCENT}\s+{_MOVE}\b", text, re.IGNORECASE):
        return Asked(text, Op.CHANGE, _without(text, found))
    if found := _PERCENT_CHANGE.search(text):
        body = re.sub(rf"\b{_MOVED}\b", " ", _without(text, found), flags=re.IGNORECASE)
        return Asked(text, Op.PERCENT_CHANGE, " ".join(body.split()), percent=True)
    change, share = _CHANGE.search(text), _SHARE.search(text)
    if change and share and change.start() < share.start() and not re.match(r"as\b", share.group(), re.IGNORECASE):
        return Asked(text, Op.CHANGE, _without(text, change))
    for op, pattern in _WITH_SHARES:
        if share and (found := pattern.match(plain)) and found.end() + 1 >= share.start() - text.index(plain):
            return Asked(text, op, _without(plain, found))
    if divided := share or _RATIO.search(text):
        return Asked(text, Op.SHARE if share else Op.RATIO, _without(text, divided), percent=percent)
    for op, pattern, words in (
        (Op.DIFFERENCE, _DIFFERENCE, text),
        (Op.CHANGE, _CHANGE, text),
        (Op.AVERAGE, _AVERAGE, plain),
        (Op.SUM, _SUM, plain),
    ):
        if found := pattern.search(words):
            return Asked(text, op, _without(words, found))
    return None


def _bound(text: str) -> Bound | None:
    found = _BOUND.search(text)
    if found is None:
        return None
    value = Decimal(found["value"].replace(",", ""))
    if not found["scale"] and re.search(r"\d", text[found.end() : found.end() + 1]):
        return None
    return Bound(bool(found["up"]), value, _FACTORS.get((found["scale"] or "").casefold(), 0))


def _without(text: str, *found: re.Match[str] | None) -> str:
    """The question's words beside those of its operation."""
    for match in sorted((m for m in found if m), key=lambda m: -m.start()):
        text = f"{text[: match.start()]} {text[match.end() :]}"
    return " ".join(_OPENING.sub("", text.strip()).split())


_JOINTS = re.compile(
    r"\s+(?:and|to|over|versus|vs\.?|compared\s+(?:to|with)|against|relative\s+to|from|than|less|minus|in|between)\s+(?:the\s+)?|\s*,\s*(?:and\s+)?",
    re.IGNORECASE,
)


def sides(body: str) -> Iterator[tuple[str, str]]:
    """The ways to part a text in two at a joining word."""
    for joint in _JOINTS.finditer(body):
        left, right = body[: joint.start()], body[joint.end() :]
        if left.strip() and right.strip():
            yield re.sub(r"^(?:.*\b)?between\s+", "", left), right


def listed(body: str) -> list[str]:
    """The items of an enumeration: "A, B and C"."""
    return [p for p in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s+as\s+well\s+as\s+", body) if p.strip()]


_PART_OF = (
    re.compile(
        rf"(?P<a>.+?)\s+as\s+an?\s+(?:{_PERCENT}|proportion|fraction|share|portion)\s+(?:of|to)\s+(?P<b>.+)", re.I
    ),
    re.compile(
        rf"\b(?:what|how\s+much|which)\s+(?:is\s+the\s+)?(?:{_PERCENT}|proportion|fraction|share|portion)\s+of\s+(?P<b>.+?)\s+"
        r"(?:(?:is|are|was|were|does|do|did|has|have)\s+)?(?:made\s+up\s+(?:of|by)|represented\s+by|attribut\w+\s+to|accounted\s+for\s+by|consist\w*\s+of|comprise\w*(?:\s+of)?|came\s+from|comes\s+from|relate\w*\s+to|from|is|are|was|were)\s+(?P<a>.+)",
        re.I,
    ),
    re.compile(
        rf"(?:{_PERCENT}|proportion|fraction|share|portion|ratio)s?(?:\s+constitution)?\s+of\s+(?:constitution\s+of\s+)?(?P<a>.+?)\s+(?:out\s+of|over|against|among|relative\s+to|compared\s+(?:to|with)|as\s+compared\s+to|with\s+respect\s+to)\s+(?P<b>.+)",
        re.I,
    ),
    re.compile(rf"(?:ratio|proportion|{_PERCENT})s?\s+of\s+(?P<a>.+?)\s+(?:to|in|of|from)\s+(?P<b>.+)", re.I),
    re.compile(r"(?P<a>.+?)[\s-]+(?:to|over)[\s-]+(?P<b>.+?)\s+(?:ratio|proportion|percentage)(?P<rest>.*)", re.I),
)


def part_and_whole(text: str) -> Iterator[tuple[str, str]]:
    """What a question divides by what, by each of the ways in which it may say so."""
    for pattern in _PART_OF:
        if found := pattern.search(text):
            rest = found.groupdict().get("rest") or ""
            yield _OPENING.sub("", found["a"]).strip(), f"{found['b']} {rest}".strip()
