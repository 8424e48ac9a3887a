"""Columns of versions and other numbers that name things: told from figures by header, form and the other columns."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from kg.extract.words import word_set

_TOKEN = r"[vV]?\d(?:[\w.:/~+-]*[\w+*])?"
_ONE = re.compile(rf"(?:{_TOKEN})(?: (?:LTS|ESR|(?:RC|SP|R|U)\d*))?")
_SEVERAL = re.compile(rf"(?:[<>≤≥]=?\s*)?{_ONE.pattern}(?:(?:\s*[-–—/;]\s*|,\s+|,?\s+(?:to|and|or)\s+){_ONE.pattern})*")
_PARTS = re.compile(r"v?\d+\.\d+\.\d", re.IGNORECASE)
_PAIR = re.compile(r"(\d+)\.(\d+)")
_WILD = re.compile(r"v?\d+(?:\.\d+)*\.[xX*]")  # a whole line of versions: "7.x"
_INTEGER = re.compile(r"\d+")
_DAY = re.compile(r"\d{4}[-/]\d{1,2}[-/]\d{1,2}\b.*|\d{1,2}[./]\d{1,2}[./]\d{4}")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PREPOSITION = re.compile(r"\s+(?:at|by|for|from|in|of|on|to|with)\s+|\s*[(\[,]")
# What a number that names a thing, rather than measures it, is called.
_NAMING = word_set(
    "version release build edition revision branch series cycle generation model tag stream firmware kernel sdk"
)
_STRICTLY = word_set("version edition build revision tag branch firmware")
_COUNTING = word_set("number count total no # of the all")


def _words(header: str) -> list[str]:
    """Words of a header's first noun phrase, in lower case; camelCase is parted."""
    return _PREPOSITION.split(_CAMEL.sub(" ", header).replace("_", " ").strip())[0].lower().split()


def names_by_number(header: str) -> bool:
    """Whether a header says that its numbers are names ("Version", "Supported kernel versions")."""
    noun = (_words(header) or [""])[-1]
    return noun in _NAMING or noun.removesuffix("s") in _NAMING


def is_code(text: str) -> bool:
    """Whether a text could be a version, a range or a list of them. A plain number could, a day could not."""
    plain = text.strip()
    return bool(_SEVERAL.fullmatch(plain)) and not _DAY.fullmatch(plain)


def is_bare(text: str) -> bool:
    """Whether a row's name is but a number or version, which names nothing without what it belongs to."""
    return bool(_ONE.fullmatch(text.strip()))


def are_codes(header: str, cells: Sequence[str], rows: Sequence[str] = (), dated: bool = False) -> bool:
    """Whether a column's numbers are names.

    They are if nearly all cells have the form, and something tells that they don't measure: the header, three parts
    ("4.3.1"), two that are equal as numbers ("1.1", "1.10"), or that most go on from the name of their row ("9" →
    "9.8"). ``rows``: the rows' names, as many as cells, or none. ``dated``: most cells read as dates.
    """
    if not cells or sum(map(is_code, cells)) < 0.9 * len(cells):
        return False
    words = _words(header)
    if dated:
        return bool(words) and words[-1] in _STRICTLY
    if names_by_number(header):
        several = words[-1] not in _NAMING  # "Versions: 12" counts them, "Supported versions: 12" doesn't
        if not several or not all(map(_INTEGER.fullmatch, cells)) or not _COUNTING.issuperset(words[:-1]):
            return True
    if any(map(_PARTS.match, cells)) or _counts_on(cells) or all(map(_WILD.fullmatch, cells)):
        return True
    if _counts_in_tens(cells):
        return True
    return bool(rows) and 2 * sum(_goes_on(c, r) for c, r in zip(cells, rows, strict=True)) > len(cells)


_SERIAL = re.compile(r"[^\W\d_]{1,6}[-_/.]?\d+")
_FEWEST_SERIALS = 3


def are_serials(cells: Sequence[str]) -> bool:
    """Whether cells are numbers given to things in turn ("EQ-001", "EQ-002"), by which nobody would call them.

    They are the same but for their digits, as long as each other or with few gaps, and each comes once: models ("A100",
    "H100"; "F-5", "F-104") aren't.
    """
    if len(cells) < _FEWEST_SERIALS or len(set(cells)) < len(cells) or not all(map(_SERIAL.fullmatch, cells)):
        return False
    digits = [re.sub(r"\D", "", cell) for cell in cells]
    numbers = [int(number) for number in digits]
    padded = len(set(map(len, digits))) == 1 and len(digits[0]) > 2
    dense = max(numbers) - min(numbers) < 2 * len(numbers)
    return len({cell[: -len(number)] for cell, number in zip(cells, digits, strict=True)}) == 1 and (padded or dense)


def _counts_on(cells: Sequence[str]) -> bool:
    """Whether two cells are the same number in different words ("1.1", "1.10") in what counts on: 1.8, 1.9, 1.10."""
    counted: dict[str, set[str]] = defaultdict(set)
    for cell in cells:
        if found := _PAIR.fullmatch(cell):
            counted[found[1]].add(found[2])
    every = {p for parts in counted.values() for p in parts}
    if any(p[0] == "0" and len(p) > 1 for p in every) and any(len(p) == 1 for p in every):
        return False  # "2.04" beside "2.2" are decimals
    for parts in counted.values():
        numbers = {int(p) for p in parts}
        twice = len({Decimal(f"0.{p}") for p in parts}) < len(parts)
        if twice and 2 * len(numbers) >= max(numbers) - min(numbers) + 1:
            return True
    return False


def _counts_in_tens(cells: Sequence[str]) -> bool:
    """Whether 9.10 or 9.20 stands next to 9.9 or 9.21, in numbers some of which have one place."""
    pairs = [found for cell in cells for found in _PAIR.findall(cell)]
    known = {(first, int(last)) for first, last in pairs}
    tens = {(first, int(last)) for first, last in pairs if len(last) > 1 and last.endswith("0")}
    mixed = len({len(last) for _, last in pairs}) > 1
    return mixed and any((first, n - 1) in known or (first, n + 1) in known for first, n in tens)


def _goes_on(cell: str, row: str) -> bool:
    return is_bare(row) and (cell == row or cell.startswith(f"{row}."))
