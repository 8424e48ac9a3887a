"""Sentences of Re-DocRED, which come as tokens, as people write them."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_RANGES = rf"(?<=\d) – (?=\d+\b(?! {_MONTH}))|(?<=[A-Za-zà-ž]) – (?=[A-ZÀ-Ž])(?!{_MONTH})"
_TIDIED = [  # in this order
    (r"\s+", " "),
    (r"(?<=[\w.]) - (?=\w)", "-"),  # compound words
    (_RANGES, "–"),
    (r"(?<![\w']) ' ([^']+?) '(?= |$)", r" '\1'"),
    (r"([(\[]) ", r"\1"),
    (r" ([)\]])", r"\1"),
    (r"\((?:[;,] ?)+", "("),  # brackets left empty
    (r"(?: ?[;,])+\)", ")"),
    (r" ?\(\)", ""),
    (r" (n't|'s|'S|'re|'ve|'ll|'d|'m|’s|’t)\b", r"\1"),
    (r" ([’'])(?= |$|[,.;])", r"\1"),  # plural's apostrophe
    (r" ([,;:!?%°]|\.(?!NET))", r"\1"),
    (r"(?i)\b(gon|wan) na\b", r"\1na"),
    (r"‘ ", "‘"),
    (r"BG&E;", "BG&E"),
    (r"C #", "C#"),
    (r"(?<=\d) \+", "+"),
    (r"' wildly", " 'wildly"),
    (r"(?<=[$£€#]) (?=\d)", ""),
    (r"(?<=\d) (?=%)", ""),
    (r"\b([Cc])an not\b", r"\1annot"),
    (r"(?<=\w) / (?=\w)", "/"),
    (r" +", " "),
]
_LENGTH = 420  # characters, after which a paragraph ends with the sentence


def sentences(tokens: Sequence[Sequence[str]]) -> list[str]:
    """The sentences of a document."""
    told = _quoted([html.unescape(" ".join(sentence)) for sentence in tokens])
    return [text for text in map(_tidied, told) if text]


def paragraphs(told: Sequence[str]) -> list[str]:
    """The sentences in paragraphs of some length; none of the last sentence alone."""
    found: list[str] = []
    current: list[str] = []
    for number, sentence in enumerate(told):
        current.append(sentence)
        ends = re.search(r"[^A-Z][.!?\"')]+$", sentence)
        if len(" ".join(current)) > _LENGTH and ends and len(told) - number > 2:
            found.append(" ".join(current))
            current = []
    return [*found, " ".join(current)] if current else found


def _quoted(told: Sequence[str]) -> list[str]:
    """Quotation marks joined to what they open or close, also where this is some sentences long."""
    odd = sum(text.count('"') for text in told) % 2  # one is missing: then none reaches over a sentence's end
    inside, found = False, []
    for text in told:
        inside, parts = inside and not odd, text.split('"')
        for number, part in enumerate(parts[:-1]):
            part = part.rstrip() if inside else part
            parts[number] = (part.lstrip() if number and inside else part) + '"'
            inside = not inside
        if len(parts) > 1 and inside:
            parts[-1] = parts[-1].lstrip()
        found.append("".join(parts))
    return found


def _tidied(text: str) -> str:
    for pattern, tidy in _TIDIED:
        text = re.sub(pattern, tidy, text)
    return text.strip()
