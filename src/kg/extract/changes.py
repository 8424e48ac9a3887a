"""What took whose place, in items: "Switched from Paraffin to **electric lamps**", "… switched to gas with mantles".

What comes behind "to" replaced what comes behind "from", or, where that is left out, what the clause before is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.extract.build import About, Given, claim, scaled
from kg.extract.bullets import Bullet, bullets, in_sources, key_value
from kg.extract.classify import classes_of, classes_of_mention
from kg.extract.properties import called
from kg.extract.source import Source
from kg.extract.standing import hedge_of, section_frame
from kg.extract.values import Part
from kg.extract.words import WORD
from kg.model import Claim, EntityName, MarkKind
from kg.text.stretch import Stretch

NAME = "asides"
_CHANGED = r"(?:switched|changed|converted)"  # people migrate and move from place to place
_FROM = re.compile(
    rf"\W*(?:(?:they|we|it)\s+)?{_CHANGED}\s+from\s+(?P<old>[^,.;:()]{{2,50}}?)\s+to\s+(?:the\s+|an?\s+)?(?P<new>\S)",
    re.IGNORECASE,
)
_TO = re.compile(
    rf"(?:[—–-]{{1,3}}|[,;]|\b(?:so|and))\s+(?:they\s+|we\s+|it\s+)?{_CHANGED}\s+to\s+(?:the\s+|an?\s+)?(?P<new>\S)",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"(?P<old>(?!(?:The|This|That|These|It|We|They|He|She|An?|All|Some|Many)\b)[A-Z][\w-]*(?:\s(?!(?:is|was|are|were)\b)[a-z][\w-]+){0,2}?)\s+"
    r"(?:could|can|did|does|do|was|were|is|are|had|has|failed|proved|became|reached|ran)(?:n[’']t)?\b"
)
_END = re.compile(r"\s+(?:with|for|on|in|at|by|from|because|since|after|while|and|to|as)\b|[.,;:()—–]|$")
_WITH = re.compile(r"\s+with\s+(?:the\s+|an?\s+|new\s+)?")
_MOST_WORDS = 6


def changes(source: Source) -> Iterator[Claim]:
    """Claims of the replacements that list items tell, and of what the new thing is used with."""
    for bullet in bullets(source):
        if not bullet.in_list or in_sources(source, bullet.placed) or key_value(bullet.stretch):
            continue
        if found := _FROM.match(bullet.stretch.text):
            old = bullet.stretch.part(found.start("old"), found.end("old"))
            if source.words.is_name(old.text):
                yield from _changed(source, bullet, old, found)
            continue
        found = _TO.search(bullet.stretch.text)
        before = _OLD.match(bullet.stretch.text, 0, found.start()) if found else None
        if found and before:
            yield from _changed(source, bullet, bullet.stretch.part(0, before.end("old")), found)


def _changed(source: Source, bullet: Bullet, old: Stretch, found: re.Match[str]) -> Iterator[Claim]:
    new = _new(bullet.stretch, found.start("new"))
    told = hedge_of(bullet.stretch.text, max(0, found.start("new") - 2), found.start("new"))
    if new is None or len(WORD.findall(old.text)) > _MOST_WORDS:
        return
    about = About(EntityName(new.text, classes_of(source, new.text)), (new.span,), new)
    value = EntityName(old.text, classes_of(source, old.text))
    frame = section_frame(source, bullet.placed)
    property_ = called(source, ("replaced",), about.classes, Part(value, old))
    if property_ is not None:
        yield claim(source, NAME, about, property_, Given(value, old.span, old.text, told), frame, scaled(NAME, 0.95))
    along = _WITH.match(new.inline.text, new.end, bullet.stretch.end)
    rest = Stretch(new.inline, along.end(), bullet.stretch.end) if along else None
    for name in source.names_in(rest)[:1] if rest is not None else ():
        at = rest.part(name.start, name.end) if rest is not None else old
        used = EntityName(at.text, classes_of_mention(source, name.value, at.text))
        property_ = called(source, ("uses",), about.classes, Part(used, at)) if name.start == 0 else None
        if property_ is not None:
            yield claim(source, NAME, about, property_, Given(used, at.span, at.text, told), frame, scaled(NAME, 0.9))


def _new(item: Stretch, start: int) -> Stretch | None:
    """What something changed to: the words in bold there, else the noun phrase up to the next preposition."""
    for bold, _ in item.marked(MarkKind.STRONG):
        if bold.start == item.start + start:
            return bold if len(WORD.findall(bold.text)) <= _MOST_WORDS else None
    end = _END.search(item.text, start)
    new = item.part(start, end.start() if end else len(item.text)).strip()
    return new if 1 <= len(WORD.findall(new.text)) <= _MOST_WORDS else None
