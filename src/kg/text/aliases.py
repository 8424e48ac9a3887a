"""Names that a text itself equates: ``Mixture of Experts (MoE)``, ``X, also known as Y``, ``X (formerly Y)``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kg.text.gazetteer import ROLES
from kg.text.words import FUNCTION_WORDS


class StatedAlias(NamedTuple):
    """Two names for one thing; ``text[start:end]`` says so."""

    name: str
    alias: str
    start: int
    end: int


_CAPITAL = r"[A-Z0-9][\w.&+·’'-]*(?:(?:\s(?:of|the|for|and|de|van|von|&))?\s[A-Z0-9][\w.&+·’'-]*){0,6}"
_BRACKET = re.compile(r"(?<=\w)[”\"’']?\s\(([^()]{2,60})\)")
_KNOWN_AS = (
    r"(?:also\s|formerly\s|previously\s|originally\s|commonly\s|better\s|now\s|otherwise\s)?(?:known|referred\sto|called)"
    r"(?:\sas)?|aka|a\.k\.a\.|formerly|previously|originally|now|nicknamed|code-?named|abbreviated(?:\s(?:as|to))?|"
    r"short\sfor|in\sshort"
)
_STATED = re.compile(rf"(?P<name>{_CAPITAL})(?:\s\(|,\s)(?:{_KNOWN_AS})\s(?:the\s)?[“\"‘]?(?P<alias>{_CAPITAL})[”\"’]?")
_SHORT = re.compile(rf"(?P<name>{_CAPITAL})(?:,\sor|\s\()\s?[“\"‘]?(?P<alias>{_CAPITAL})[”\"’]?,?\sfor\sshort\b")
_LONGEST_ALIAS = 12


def aliases(text: str) -> tuple[StatedAlias, ...]:
    """Pairs of names that the text equates, left to right."""
    found = {*_bracketed(text), *_spelt(text)}
    return tuple(sorted(found, key=lambda a: (a.start, a.end, a.name, a.alias)))


def _spelt(text: str) -> Iterator[StatedAlias]:
    for pattern in (_STATED, _SHORT):
        for found in pattern.finditer(text):
            name, alias = _bare(found["name"]), _bare(found["alias"])
            if name != alias and not (_role(name) or _role(alias)) and not name.isdigit() and not alias.isdigit():
                yield StatedAlias(name, alias, found.start("name"), found.start("alias") + len(alias))


def _bare(name: str) -> str:
    return re.sub(r"(?:['’]s|[.,'’])+$", "", name)


def _role(name: str) -> bool:
    return any(word.casefold() in ROLES for word in name.split())


def _bracketed(text: str) -> Iterator[StatedAlias]:
    """Abbreviations in brackets after their long form, and the other way round (after Schwartz & Hearst 2003)."""
    for found in _BRACKET.finditer(text):
        inner = re.split(r"[,;]|\s[–—-]\s", found[1])[0].strip(" “”\"'")
        at = found.start(1) + found[1].index(inner)
        before = text[: found.start()].rstrip("”\"’'")
        if _abbreviation(inner):
            long = _long_form(before, inner)
            if long:
                yield StatedAlias(long, inner, len(before) - len(long), at + len(inner))
                continue
        short = re.search(r"[^\s(]+$", before)
        if short and _abbreviation(short[0]) and _spells(inner, short[0]):
            yield StatedAlias(inner, short[0], short.start(), at + len(inner))


def _abbreviation(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    return (
        2 <= len(text) <= _LONGEST_ALIAS
        and len(text.split()) == 1
        and len(letters) >= 2
        and sum(c.isupper() for c in letters) >= 2
        and text[0].isalnum()
    )


def _long_form(before: str, short: str) -> str | None:
    """The shortest end of the text before that spells the abbreviation."""
    letters = sum(c.isalnum() for c in short)
    words = list(re.finditer(r"\S+", before.split("(")[-1]))[-min(letters + 5, 2 * letters) :]
    tail = before[len(before) - len(before.split("(")[-1]) :]
    for word in reversed(words):
        long = tail[word.start() :]
        led = word[0].casefold() in FUNCTION_WORDS  # "of Products and Programs" spells OPP too
        if not led and _spells(long, short) and re.search(r"[.;:!?]\s", long) is None:
            return long
    return None


def _spells(long: str, short: str) -> bool:
    """Whether the letters of ``short`` occur in ``long`` in order, the first at its start and every word used."""
    plural = short[:-1] if short.endswith("s") and short[:-1].isupper() else short
    if len(long.split()) < 2 or plural in long.split():
        return False
    initials = [w[0].casefold() for w in re.findall(r"[^\W_]+", long)]
    main = [w[0].casefold() for w in re.findall(r"[^\W_]+", long) if w.casefold() not in FUNCTION_WORDS]
    wanted = [c.casefold() for c in plural if c.isalnum()]
    if wanted in (initials, main):
        return True
    at = len(long) - 1
    for letter in reversed(wanted[1:]):
        at = long.casefold().rfind(letter, 0, at + 1) - 1
        if at < -1:
            return False
    starts = long[0].casefold() == wanted[0] and at >= 0
    return starts and all(i in wanted for i in main) and len(main) <= len(wanted)
