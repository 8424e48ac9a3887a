"""Names with "and" in them ("Brandt and Sons"): what follows "and" or a name pattern tells."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.text.words import word_set

# After "and" these name no one by themselves.
_HELD = word_set(
    "sons son brothers brother bros bros. daughters daughter sisters sister co co. company partners associates cie "
    "nephews"
)
_JOINT = re.compile(r"\s+(?:and|&)\s+")


def holds_together(left: str, joiner: str, right: str, patterns: Iterable[re.Pattern[str]] = ()) -> bool:
    """Whether two names and the joiner between them are one name.

    A pattern must cover the joiner: one that fits the right side alone proves nothing.

    >>> holds_together("Brandt", " and ", "Sons"), holds_together("Ada Wren", " and ", "Bo Lind")
    (True, False)
    """
    if not _JOINT.fullmatch(joiner) or not left[:1].isupper() or not right[:1].isupper():
        return False
    words = right.split()
    if words and words[0].rstrip(",").casefold() in _HELD and (len(words) == 1 or _company_form(words[1])):
        return True
    whole = f"{left}{joiner}{right}"
    return any(m.span() == (0, len(whole)) for p in patterns if not p.search(right) for m in p.finditer(whole))


def _company_form(word: str) -> bool:
    return word.rstrip(".,").casefold() in word_set("ltd inc llc llp plc gmbh co corp limited")
