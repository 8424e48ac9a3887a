"""What kind of answer a question's wording asks for; what that is worth is learned (``training/judge``)."""

from __future__ import annotations

import re

_HOW_MANY = re.compile(
    r"\bhow (?:many|much|long|far|big|old|tall|often|large|high|fast)\b|\bwhat (?:percentage|number)\b"
)
_WHEN = re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|time)\b")
_WHO = re.compile(r"\bwho(?:se|m)?\b")
_WHERE = re.compile(r"\bwhere\b|\b(?:what|which) (?:city|country|place|state)\b")
_REASON = re.compile(r"\bwhy\b|^how (?:do|does|did|can|is|are|was|were|should|would)\b|\bwhat happens\b")
_MEANS = re.compile(r"^(?:what (?:is|are|was|were|does)|define|explain|describe)\b")
_SEVERAL = re.compile(
    r"^(?:list|name)\b|\b(?:what|which) (?:\w+ ){0,3}?\w+s\b(?! (?:is|was|does|has)\b)|"
    r"\bwho (?:are|were)\b|\bwhat are\b"
)
_MOST = re.compile(r"\b(?:most|least|fewest|first|last|earliest|latest|\w{2,}(?:est|iest))\b")
_WHETHER = re.compile(
    r"^(?:(?:if|when|once|while|after|before|since|in|on|at|for|with|during|as|although|though)\b[^?]*,\s*)?"
    r"(?:is|are|was|were|am|do|does|did|can|could|has|have|had|will|would|shall|should|may|might|must)\b"
)


def shape_of_question(text: str) -> dict[str, float]:
    """What kind of answer the wording asks for; weights over these are learned."""
    lower = text.casefold()
    asks = {
        "how_many": _HOW_MANY, "when": _WHEN, "who": _WHO, "where": _WHERE, "reason": _REASON, "means": _MEANS,
        "several": _SEVERAL, "whether": _WHETHER,
        "most": _MOST,
    }  # fmt: skip
    found = {name: float(bool(pattern.search(lower))) for name, pattern in asks.items()}
    found["or"] = float(" or " in lower)
    found["count"] = float(lower.startswith("how many") or "number of" in lower)
    return found
