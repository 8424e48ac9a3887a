"""Follow-up questions made whole: "and the Aurelia?", "when was it built?", "who said that?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kg.ask.question import Name, analyse

_AND = re.compile(
    r"^(?:and|but|or|so)?[\s,]*(?:what|how)\s+about\s+(?P<x>.+?)[?.!\s]*$|^(?:and|but)\s+(?:for\s+|of\s+)?(?P<y>.+?)[?.!\s]*$",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"^(?:and\s+)?(?:who (?:said|says|told|states|claims)(?: (?:that|so|this|it))?|says who|"
    r"why(?: do you say (?:that|so))?|"
    r"where does (?:that|it|this) (?:come from|say so|stand)|how do you know(?: that)?|"
    r"(?:what(?:'s| is) )?(?:the|your) source|according to whom|which document says (?:that|so))\s*\??$",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"\b(?:he|she|him|his|her|hers)\b", re.IGNORECASE)
_THING = re.compile(r"\b(?:it|its|they|them|their|theirs|that one|this one)\b", re.IGNORECASE)
_OWNING = frozenset(("its", "their", "his", "her", "hers", "theirs"))


@dataclass(frozen=True, slots=True)
class Whole:
    """A question that stands by itself. ``source``: it asks where the answer comes from."""

    text: str
    source: bool = False


def whole(question: str, history: Sequence[Any], capitalised: frozenset[str]) -> Whole:
    """A question with what its conversation says filled in. A turn: a mapping with ``question`` and ``answer``."""
    before, answer = "", ""
    for turn in history:
        asked = str(turn.get("question", "")) if isinstance(turn, dict) else str(getattr(turn, "question", turn))
        given = turn.get("answer", "") if isinstance(turn, dict) else getattr(turn, "answer", "")
        if not _SOURCE.match(asked.strip()):
            before, answer = _filled(asked, before, answer, capitalised), str(given or "")
    if before and _SOURCE.match(question.strip()):
        return Whole(before, source=True)
    return Whole(_filled(question, before, answer, capitalised))


def _filled(text: str, before: str, answer: str, capitalised: frozenset[str]) -> str:
    if not before:
        return text
    match = _AND.match(text.strip())
    names = analyse(before, capitalised).names
    own = analyse(text, capitalised)
    if match and not own.opening.startswith(("who", "when", "where", "which", "how many", "how much")):
        return _carried((match["x"] or match["y"]).strip(), before, names, capitalised)
    if own.names:
        return text
    return _with_pronouns(text, before, answer, names)


def _carried(said: str, before: str, names: tuple[Name, ...], capitalised: frozenset[str]) -> str:
    """The earlier question about another thing, or another property of its thing."""
    bare = re.sub(r"^(?:the|an?)\s+", "", said, flags=re.IGNORECASE)
    found = analyse("about " + bare, capitalised).names
    if not names:
        return f"{before.rstrip('?')} {said}?"
    if found and len(found[0].text) >= 0.6 * len(bare):
        last = names[-1]
        whole_before = analyse(before, capitalised).text
        return whole_before[: last.start] + bare + whole_before[last.end :]
    return f"What is the {bare} of {names[0].text}?"


def _with_pronouns(text: str, before: str, answer: str, names: tuple[Name, ...]) -> str:
    """Pronouns replaced: "he" by whom the last answer named, "it" by what the last question named."""
    label = re.split(r"\s[–—(]\s?|[.:;\n]", answer.strip())[0].strip()
    person = label if re.match(r"\s*(?:and\s+)?who", before, re.IGNORECASE) and 0 < len(label) <= 60 else ""
    thing = names[0].text if names else ""
    for pattern, name in ((_PERSONAL, person or thing), (_THING, thing or person)):
        if name:
            text = pattern.sub(lambda m, n=name: n + "'s" if m.group().casefold() in _OWNING else n, text, count=1)  # type: ignore[misc]
    return text
