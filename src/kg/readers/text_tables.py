"""Tables in plain text: columns parted by tabs or wide gaps, and columns run together as pages lose their markup.

A page copied as text may keep a table's rows as lines and lose what stood between the cells: ``NameBornTrade`` above
``Ada Wren1871Keeper``. The header's words tell how many columns there are; where one cell ends and the next begins
shows in letters' case, in digits, and in which words the page uses elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise, product

from kg.readers.text_lines import Line

Cell = tuple[int, int]
Rows = tuple[tuple[Cell | None, ...], ...]

_MOST_COLUMNS = 6
_LONGEST_HEADER = 100
_LONGEST_ROW = 600
_FEWEST_ROWS = 2
_LONGEST_CODE = 6  # "A100", "K8s"
_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")
_HEADER = re.compile(r"[A-Z][\w()%/ .-]*[a-z)][A-Z][\w()%/ .-]*[\w)%]")
_HEAD = re.compile(r"[A-Z][a-z]{2}|[A-Z]{2,}$|[A-Z][a-z]{2,} ")
_CUT = re.compile(
    r"(?<=[a-z)\]”\"’.%])(?=[A-Z“\"$€£~])|(?<=[a-z]{2}|.[)”\"])(?=\d)|(?<=[\d–%+-])(?=[A-Z“\"])"
    r"|(?<=\D[12]\d{3})(?=[12]\d{3}(?!\d))"  # one year right behind another
)
_FIGURE = re.compile(
    r"(?:c\. ?)?[~≈<>$€£]*\d[\d.,–—−+%°/-]*(?:[ $€£\d.,–—−+%°/-]*\d[%°+–-]?)?(?: ?[A-Za-z°%/²³]{1,6})?"
)
_TABS = re.compile(r"[ ]*\t+[ ]*")
_GAPS = re.compile(r"[ ]{2,}|[ ]*\t+[ ]*")
_IMPOSSIBLE = -1000.0


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of ``count`` lines, the first of them its header; cells by offsets, None where blank."""

    count: int
    rows: Rows


def vocabulary(text: str) -> Counter[str]:
    """How often each word stands in a text."""
    return Counter(_WORD.findall(text))


def table(text: str, lines: Sequence[Line], at: int, words: Counter[str]) -> TextTable | None:
    """The table that begins at ``lines[at]``, if one does."""
    if found := _parted(text, lines, at, _TABS):
        return found
    if found := _parted(text, lines, at, _GAPS):
        return found
    return _run_together(text, lines, at, words)


# --- columns parted by blanks --------------------------------------------------------------------


def _parted(text: str, lines: Sequence[Line], at: int, gap: re.Pattern[str]) -> TextTable | None:
    """Lines of the same number of cells; parted by gaps, these must stand below each other or nearly so."""
    head = _pieces(lines[at], gap)
    if not 2 <= len(head) <= 2 * _MOST_COLUMNS or any(len(text[a:b]) > 40 or "://" in text[a:b] for a, b in head):
        return None
    if not all(text[a].isupper() or not text[a].isalpha() for a, _ in head):
        return None
    rows = [tuple(head)]
    for line in lines[at + 1 :]:
        cells = _pieces(line, gap)
        if len(cells) != len(head):
            break
        rows.append(tuple(cells))
    enough = len(rows) > (_FEWEST_ROWS if gap is _GAPS else 1)
    return TextTable(len(rows), tuple(rows)) if enough else None


def _pieces(line: Line, gap: re.Pattern[str]) -> list[Cell]:
    cuts = [(m.start(), m.end()) for m in gap.finditer(line.body)]
    bounds = [(0, 0), *cuts, (len(line.body), len(line.body))]
    return [(line.start + a, line.start + b) for (_, a), (b, _) in pairwise(bounds) if b > a]


# --- columns run together ------------------------------------------------------------------------


def _run_together(text: str, lines: Sequence[Line], at: int, words: Counter[str]) -> TextTable | None:
    head = lines[at]
    if len(head.body) > _LONGEST_HEADER or not _HEADER.fullmatch(head.body):
        return None
    cuts = [m.start() for m in _CUT.finditer(head.body) if not _is_word(head.body, m.start(), words)]
    heads = [(a, b) for a, b in pairwise([0, *cuts, len(head.body)])]
    if not 2 <= len(heads) <= _MOST_COLUMNS or not all(_HEAD.match(head.body[a:b]) for a, b in heads):
        return None
    rows = list(_rows(lines[at + 1 :], words))
    while len(rows) >= _FEWEST_ROWS:
        cells = _best(rows, len(heads), words)
        if cells is not None:
            placed = [tuple((head.start + a, head.start + b) for a, b in heads), *cells]
            return TextTable(len(placed), tuple(placed))
        rows.pop()
    return None


def _is_word(body: str, at: int, words: Counter[str]) -> bool:
    """Whether a place lies within a word that the page uses elsewhere too ("LampWorks")."""
    return any(m.start() < at < m.end() and _is_used(m.group(), words) for m in _WORD.finditer(body))


def _is_used(word: str, words: Counter[str]) -> bool:
    """Whether a word stands elsewhere; one with long numbers within is a seam that repeats itself."""
    return words[word] > 1 and (word.isalpha() or len(word) <= _LONGEST_CODE)


def _rows(lines: Sequence[Line], words: Counter[str]) -> Iterator[Line]:
    for line in lines:
        if len(line.body) > _LONGEST_ROW or not any(not _is_word(line.body, at, words) for at in _cuts(line.body)):
            return
        yield line


@lru_cache(maxsize=2_000)
def _cuts(body: str) -> tuple[int, ...]:
    return tuple(m.start() for m in _CUT.finditer(body) if m.start())


def _best(rows: Sequence[Line], columns: int, words: Counter[str]) -> list[tuple[Cell | None, ...]] | None:
    """The cells of all rows under the one division into figures and texts that fits them best."""
    best: tuple[float, list[tuple[Cell | None, ...]]] | None = None
    for figures in product((False, True), repeat=columns):
        if all(figures):
            continue
        read = [_row(line, figures, words) for line in rows]
        if any(score <= _IMPOSSIBLE for score, _ in read) or not any(None not in cells for _, cells in read):
            continue
        total = sum(score for score, _ in read)
        if best is None or total > best[0]:
            best = total, [cells for _, cells in read]
    return best[1] if best is not None and _prose_apart(rows) else None


def _prose_apart(rows: Sequence[Line]) -> bool:
    """Whether lines are long enough to be rows: a list of names such as "PowerPoint" is none."""
    return sum(len(line.body.split()) + any(c.isdigit() for c in line.body) for line in rows) >= 2 * len(rows)


def _row(line: Line, figures: Sequence[bool], words: Counter[str]) -> tuple[float, tuple[Cell | None, ...]]:
    """The likeliest cells of a row with their score."""
    body, cuts = line.body, (0, *_cuts(line.body), len(line.body))
    evidence = {at: _evidence(body, at, words) for at in cuts[1:-1]}

    @cache
    def parse(column: int, start: int) -> tuple[float, tuple[Cell | None, ...]]:
        if column == len(figures):
            return (0.0, ()) if start == len(body) else (_IMPOSSIBLE, ())
        options: list[tuple[float, tuple[Cell | None, ...]]] = []
        for end in (at for at in cuts if at > start):
            own = _cell_score(body[start:end], figures[column])
            if own > _IMPOSSIBLE:
                score, rest = parse(column + 1, end)
                total = score + own + evidence.get(end, 0.0)
                options.append((total, ((line.start + start, line.start + end), *rest)))
        if figures[column] and column:
            score, rest = parse(column + 1, start)
            options.append((score - 1, (None, *rest)))
        return max(options, key=lambda option: option[0], default=(_IMPOSSIBLE, ()))

    score, cells = parse(0, 0)
    return (score, cells) if score > _IMPOSSIBLE / 2 else (_IMPOSSIBLE, cells)


def _cell_score(cell: str, figure: bool) -> float:
    if figure:
        return 3.0 if _FIGURE.fullmatch(cell.strip()) else _IMPOSSIBLE
    return -2.0 if cell[0].isdigit() or cell[0] in "~$€£" else 0.0


def _evidence(body: str, at: int, words: Counter[str]) -> float:
    """What speaks for a cell's end in a row: the words on both sides stand elsewhere, the joined one doesn't."""
    whole = next((m for m in _WORD.finditer(body) if m.start() < at < m.end()), None)
    if whole is None:
        return 0.5
    if _is_used(whole.group(), words):
        return -4.0
    left, right = body[whole.start() : at], body[at : whole.end()]
    return 2.0 * (words[left] > 0) + 2.0 * (words[right] > 0) - 1.0 * (len(left) < 2 or len(right) < 2)
