"""When an answer to a benchmark question counts as right, and a citation as showing it.

A question names what the answer must say: ``answers`` is a list of things, each with the forms in which it may
be said; ``match`` wants all of them or any. Numbers are compared by value ("$10B" is "10,000,000,000").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

# So much of an answer is read: a right value must come early, not somewhere in an essay.
_ROOM = {"list": 600, "conflicting": 600, "definition": 400}
_DEFAULT_ROOM = 200
_LABEL_ROOM, _QUOTE_ROOM, _PASSAGE_ROOM, _CITATIONS = 60, 300, 1_500, 3

_SCALES = {"thousand": 3, "k": 3, "million": 6, "m": 6, "billion": 9, "bn": 9, "b": 9, "trillion": 12, "t": 12}
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2212": "-"})
_DASHES = re.compile("[\u2010-\u2015]")
_MARKUP = re.compile(r"[*_`#|~]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_SCALED = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)[ -]?(" + "|".join(_SCALES) + r")(?!\w)")


def _unscaled(match: re.Match[str]) -> str:
    value = Decimal(match[1]).scaleb(_SCALES[match[2]]).normalize()
    return f"{value:f}"


def plain(text: str) -> str:
    """Text made comparable: case, typography, markup, thousands separators and words of scale evened out.

    >>> plain("**$1,000**  or 2.5 billion")
    '$1000 or 2500000000'
    """
    text = unicodedata.normalize("NFKC", text).casefold().translate(_QUOTES)
    text = _MARKUP.sub(" ", _DASHES.sub("-", text))
    text = _SCALED.sub(_unscaled, _THOUSANDS.sub("", text))
    return " ".join(text.split())


def find_form(text: str, form: str) -> int:
    """Where a form stands in a plain text as whole words (a plural will do), or -1.

    >>> find_form("8 h100s, 16 cores", "H100"), find_form("18 keepers", "8")
    (2, -1)
    """
    wanted = plain(form)
    if not wanted:
        return -1
    first, last = wanted[0], wanted[-1]
    before = r"(?<![\w.,-])" if first.isdigit() else r"(?<!\w)" if first.isalnum() else ""
    if last.isdigit():
        after = ("s?" if re.search("[a-z]", wanted) else "") + r"(?!\w|[.,-]\d)"
    else:
        after = r"(?:e?s)?(?!\w)" if last.isalpha() else ""
    found = re.search(before + re.escape(wanted) + after, text)
    return found.start() if found else -1


def _said(kind: str, reply: Mapping[str, Any]) -> str:
    labels = [str(item.get("label") or "") for item in reply.get("answers") or ()]
    parts = [str(reply.get("answer") or ""), *(label for label in labels if 0 < len(label) <= _LABEL_ROOM)]
    return plain(" ; ".join(parts)[: _ROOM.get(kind, _DEFAULT_ROOM)])


def is_right(question: Mapping[str, Any], reply: Mapping[str, Any]) -> bool:
    """Whether a reply (``POST /ask``) says what the question wants; an abstention where nothing answers it."""
    kind = question["type"]
    if kind == "unanswerable":
        return bool(reply.get("status") == "abstained")
    if reply.get("status") != "answered":
        return False
    said = _said(kind, reply)
    wanted: Sequence[Sequence[str]] = question["answers"]
    if kind == "boolean" and plain(wanted[0][0]) in ("yes", "no"):
        first = re.match(r"[^a-z]*([a-z]+)", said)
        return first is not None and first[1] in {plain(form) for forms in wanted for form in forms}
    places = [min((p for p in (find_form(said, form) for form in forms) if p >= 0), default=-1) for forms in wanted]
    enough = min(places) >= 0 if question["match"] == "all" else max(places) >= 0
    return (
        enough
        and not _too_many(question, reply)
        and _in_order(question, places)
        and _before_wrong(question, said, places)
    )


def _too_many(question: Mapping[str, Any], reply: Mapping[str, Any]) -> bool:
    named = len(reply.get("answers") or ())
    limit = 1.5 * len(question["answers"]) + 1
    return bool(question["type"] == "list" and question["match"] == "all" and named > limit)


def _in_order(question: Mapping[str, Any], places: Sequence[int]) -> bool:
    return not question.get("ordered") or list(places) == sorted(places)


def _before_wrong(question: Mapping[str, Any], said: str, places: Sequence[int]) -> bool:
    wrong = [place for place in (find_form(said, form) for form in question.get("versus") or ()) if place >= 0]
    return not wrong or min(place for place in places if place >= 0) < min(wrong)


def shows_evidence(question: Mapping[str, Any], reply: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether one of the first three citations quotes the evidence, and whether one's passage holds it.

    A quote counts when it is short, stands in its own passage, and has half of the evidence's words.
    """
    quoted = held = False
    for citation in (reply.get("citations") or ())[:_CITATIONS]:
        text, quote = plain(str(citation["text"])[:_PASSAGE_ROOM]), str(citation["quote"])
        held |= any(plain(evidence) in text for evidence in question["evidence"])
        if not quote or len(quote) > _QUOTE_ROOM or plain(quote) not in text:
            continue
        words = set(re.findall(r"\w+", plain(quote)))
        for evidence in question["evidence"]:
            needed = set(re.findall(r"\w+", plain(evidence)))
            quoted |= 2 * len(needed & words) >= len(needed)
    return quoted, held
