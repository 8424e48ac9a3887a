"""The date that a sentence gives for what a phrase in it says: a bound of its validity."""

from __future__ import annotations

import re
from dataclasses import replace

from kg.extract.build import Frame
from kg.extract.matches import Match
from kg.extract.values import Part
from kg.model import EntityName, Quantity
from kg.text import dates
from kg.text.stretch import Stretch

_SINCE = re.compile(
    r"\b(?:since|from|joined|became|start(?:s|ed|ing)|began|beginning|appointed|hired)\b", re.IGNORECASE
)
_NEAR = re.compile(r"[\s,(]*(?:(?:[a-z][\w-]*|for|in|on|since|from|until)\s+){0,4}")
_MOVES = re.compile(r"(?:departed|left|moved|went|transferred|returned)\b", re.IGNORECASE)  # from then on elsewhere
_UNTIL = re.compile(r"\b(?:until|till|left|departed|ended|ending|stopped|resigned|retired)\b", re.IGNORECASE)


def dated(frame: Frame, sentence: Stretch, value: Part, match: Match) -> Frame:
    """The frame with the date right behind the phrase, as the bound that the sentence's words make of it."""
    end = max([match.end, *(m.end for m in (*match.left, *match.right))])
    if isinstance(value.value, Quantity):
        return _figured_at(frame, sentence, end)
    within = [f for f in dates.find(sentence.text) if match.start <= f.start and f.end <= match.end]
    if within and _MOVES.match(sentence.text, match.start):
        at = sentence.part(within[0].start, within[0].end)
        return replace(frame, valid_from=within[0].value, qualifiers=(*frame.qualifiers, at.span))
    behind = [f for f in dates.find(sentence.text) if f.start >= end and _NEAR.fullmatch(sentence.text[end : f.start])]
    if not behind or not isinstance(value.value, EntityName):
        return frame
    date, at = behind[0].value, sentence.part(behind[0].start, behind[0].end)
    frame = replace(frame, qualifiers=(*frame.qualifiers, at.span))
    if date.end or not (date.earliest and date.latest):  # a period, or open at one end
        since, until = (date if date.earliest else None), (date if date.latest else None)
        return replace(frame, valid_from=since, valid_until=until)
    if _UNTIL.search(sentence.text):
        return replace(frame, valid_from=None, valid_until=date)
    if _SINCE.search(sentence.text):
        return replace(frame, valid_from=date, valid_until=None)
    return replace(frame, valid_from=date, valid_until=date)


_NEAR_BY = 60  # characters between a figure and its date
_BRACKETED = re.compile(r"(?:\s+[\w-]+){0,3}\s*\(")
# "… published a post on 40 boats (May 1921)" dates the post.
_PUBLISHED = re.compile(
    r"\b(?:publish(?:ed|es)|post(?:ed|s)|releas(?:ed|es)|wrote|writes|present(?:ed|s))\s+(?:[\w-]+\s+){1,4}?"
    r"(?:posts?|papers?|articles?|reports?|stud(?:y|ies)|analys[ei]s|videos?|books?|essays?|announcements?)\b",
    re.IGNORECASE,
)
_LISTED_IN = re.compile(r"\s+(?:on|in)\s+the\s+")


def _figured_at(frame: Frame, sentence: Stretch, end: int) -> Frame:
    """The frame with the date of a figure: all that a bracket behind it holds, or that of the list it stands in."""
    if _PUBLISHED.search(sentence.text, 0, end):
        return frame
    for date in dates.find(sentence.text):
        if not 0 <= date.start - end <= _NEAR_BY:
            continue
        before, after = sentence.text[end : date.start], sentence.text[date.end : date.end + _NEAR_BY]
        inner = _BRACKETED.fullmatch(before) and after.startswith(")")
        listed = _LISTED_IN.fullmatch(before) and re.match(r"(?:\s+[\w-]+){0,2}\s+(?:list|ranking)\b", after)
        if (inner or listed) and date.value.latest:
            at = sentence.part(date.start, date.end)
            frame = replace(frame, qualifiers=(*frame.qualifiers, at.span))
            return replace(frame, valid_from=date.value, valid_until=date.value)
    return frame
