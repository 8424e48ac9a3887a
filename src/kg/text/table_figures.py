"""What a table's figures tell together and none tells alone: how numbers and days are written, which rows are sums."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

# --- how a column writes its numbers and days -------------------------------------------------------

_NUMBER = re.compile(r"(?<![\w.,:/])\d+(?:[.,]\d+)+(?![.,:/]?\d|,\S)")
# Told by two marks, by one that comes twice, or by one that doesn't stand before three digits ("9,8", "0,125").
_BY_COMMA = re.compile(
    r"[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})|\d+,\d{1,2}|\d{1,3},\d{4,}|(?:0|\d{4,}),\d{3}", re.ASCII
)
_SWAPPED = str.maketrans(".,", ",.")
_COMMA_NUMBER = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?|\d+,\d+")
_DAY = re.compile(r"(?<![\w/.-])(\d{1,2})/(\d{1,2})/(\d{4})(?![\w/-])")
_FEWEST = 2
"""So many numbers must tell how all tables of a document write them."""


@dataclass(frozen=True, slots=True)
class Written:
    """How numbers and days are written, where they can be read in two ways; None where nothing tells.

    ``comma``: whether a comma stands before decimals, and dots between thousands. ``day_first``: whether "03/04/2020"
    is in April.
    """

    comma: bool | None = None
    day_first: bool | None = None


AS_ENGLISH = Written()
"""Nothing tells of another way."""


def written(cells: Iterable[str], beside: Written = AS_ENGLISH) -> Written:
    """How the cells of a column are written; where they leave it open, as those ``beside`` it are.

    What tells both ways isn't settled: it is read as English writes it.

    >>> written(["9,8", "1.774"])
    Written(comma=True, day_first=None)
    """
    texts = list(cells)
    commas = [told for text in texts for found in _NUMBER.findall(text) if (told := _by_comma(found)) is not None]
    days = [told for text in texts for found in _DAY.findall(text) if (told := _day_first(*found)) is not None]
    return Written(all(commas) if commas else beside.comma, _agreed(days) if days else beside.day_first)


def written_throughout(cells: Iterable[str]) -> Written:
    """How all tables of a document write numbers and days, where enough of them tell and none tells otherwise."""
    texts = list(cells)
    told = sum(_by_comma(found) is True for text in texts for found in _NUMBER.findall(text))
    found = written(texts)
    return found if told >= _FEWEST else Written(None, found.day_first)


def _by_comma(number: str) -> bool | None:
    if _BY_COMMA.fullmatch(number):
        return True
    return False if _BY_COMMA.fullmatch(number.translate(_SWAPPED)) else None


def _day_first(first: str, second: str, _: str) -> bool | None:
    return int(first) > 12 if (int(first) > 12) != (int(second) > 12) else None


def _agreed(told: Sequence[bool]) -> bool | None:
    return told[0] if len(set(told)) == 1 else None


def in_english(text: str, how: Written) -> str:
    """A text as long, whose numbers and days are written so that English reads them rightly: "1.774" as "1,774"."""
    if how.comma:
        text = _NUMBER.sub(
            lambda found: found[0].translate(_SWAPPED) if _COMMA_NUMBER.fullmatch(found[0]) else found[0], text
        )
    if how.day_first is not None:
        text = _DAY.sub(r"\1.\2.\3" if how.day_first else r"\3/\1/\2", text)
    return text


# --- rows that add up the others --------------------------------------------------------------------

_TOTAL = re.compile(r"(?:sub-?|grand )?totals?|sums?|all|overall", re.IGNORECASE)
_OF_TOTAL = re.compile(
    rf"(?:(?:sub-?|grand )?totals?|sums?)\b.*|.*\b(?:sub-?)?totals?|{_TOTAL.pattern}", _TOTAL.flags | re.S
)
_MOST_WORDS = 6
_FIGURE = re.compile(r"\W*(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s?[^\W\d]{1,4}[²³]?|\W*)")
_ROWS, _COLUMNS = 3, 2
"""So many rows and columns must add up where no word says that they do."""

Row = Sequence[str]


def totals(rows: Sequence[Row]) -> frozenset[int]:
    """The numbers of the rows that aren't of one thing but add up others, told by their label or by their figures.

    A label ("Total", "Total income", "Career total") does where most figures are as large as any above, back to the
    sums before; "Total" alone does in the last row, whatever its figures. Without such a word the last row is one where
    most of its figures, and two at least, are exact sums.
    ``rows``: cells as :func:`in_english` has them.
    """
    named = [number for number, row in enumerate(rows) if _says_total(row)]
    if len(named) == len(rows):
        return frozenset()  # nothing here that they add up
    found: list[int] = []
    for number in named:
        since = rows[found[-1] + 1 if found else 0 : number] or rows[:number] or rows[number + 1 :]
        columns = _columns(rows[number], since)
        larger = 2 * sum(own >= max(told) for own, told in columns) > len(columns)
        alone = _TOTAL.fullmatch(_label(rows[number])) and (number == len(rows) - 1 or not columns)
        if larger or alone:
            found.append(number)
    if len(rows) - 1 not in found and len(rows) > _ROWS:
        parts = [row for at, row in enumerate(rows[:-1]) if at not in found]
        found += [len(rows) - 1] if _adds_up(rows[-1], parts) else []
    return frozenset(found)


def _label(row: Row) -> str:
    """The first cell of a row with a letter in it."""
    return next((cell.strip(" *_:.") for cell in row if re.search(r"[^\W\d_]", cell)), "")


def _says_total(row: Row) -> bool:
    label = _label(row)
    return len(label.split()) <= _MOST_WORDS and _OF_TOTAL.fullmatch(label) is not None


def _columns(row: Row, above: Sequence[Row]) -> list[tuple[Decimal, list[Decimal]]]:
    """The figures of a row, each with those above it; years are none."""
    found = []
    for column, cell in enumerate(row):
        over = [_figure(other[column]) for other in above if column < len(other)]
        if (own := _figure(cell)) is not None and (told := [figure for figure in over if figure is not None]):
            found.append((own, told))
    return found


def _figure(cell: str) -> Decimal | None:
    found = _FIGURE.fullmatch(cell)
    return Decimal(found["number"].replace(",", "")) if found and not re.fullmatch(r"(?:1[5-9]|20)\d\d", cell) else None


def _adds_up(row: Row, above: Sequence[Row]) -> bool:
    columns = _columns(row, above)
    sums = sum(own == sum(told) and sum(map(bool, told)) > 1 for own, told in columns)
    return sums >= _COLUMNS and 2 * sums > len(columns)
