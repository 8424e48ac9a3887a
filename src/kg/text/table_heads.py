"""Headers of several rows composed column by column: words, the time that a column is of, the measure of its figures.

A header may be told in rows ("Years ended 30 June" over "2019 | 2018"), group columns ("Domestic" over "Sales |
Staff"), and end in a row of units ("£m | £m" or one "(in millions)").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from kg.model import Block, BlockKind, DateValue
from kg.text import dates
from kg.text.scales import Measure, leading_quantity, measure, symbol, whole_date
from kg.text.stretch import Stretch
from kg.text.words import WORD

Cells = tuple[Stretch | None, ...]

_MOST = 4
_LEAD = re.compile(
    r"(?:for\s+(?:the\s+)?)?(?:as\s+(?:of|at)|at|by|on)\s+|(?:for\s+(?:the\s+)?)?(?:(?:three|six|nine|twelve|\d+)\s+months?|"
    r"(?:fiscal|financial|calendar)?\s*(?:years?|quarters?|periods?|weeks?|months?))\s+(?:end(?:ed|ing)?|to)?\s*|"
    r"year-end\s+|balances?,?\s+(?:as\s+(?:of|at)\s+|at\s+)?",
    re.IGNORECASE,
)
_UNIT_TAIL = re.compile(r"\s+([$€£¥][^\s\d]*(?:\s*['’]?(?:,?000)s?)?|\([^()]*\))$")


@dataclass(frozen=True, slots=True)
class Head:
    """What stands over a column: ``words`` top-down (none for a time or measure alone), ``when`` with its cells."""

    words: tuple[Stretch, ...] = ()
    when: DateValue | None = None
    told: tuple[Stretch, ...] = ()
    measure: Measure | None = None


def header_rows(head: Cells, rows: Sequence[Cells]) -> int:
    """How many rows of data go on with the header.

    They stand right below it, under a blank corner (or a remark in brackets), and hold no figure: times, words over
    columns of figures, units. The last of them must tell times or units, or tell apart what the header groups.
    """
    kept = 0
    for number, row in enumerate(rows[:_MOST]):
        others = [c for c in row[1:] if c is not None]
        if number + 1 >= len(rows) or not others:
            break
        above = [c for c in head[1:] if c is not None]
        if not above and number == kept == 0 and all(_tells(c) or is_time(c.text) for c in others):
            kept = 1  # the first row holds a caption only, or what the rows are
            continue
        if not _goes_on(row, others, lone=len(above) == 1 < len(others) and number == 0):
            break
        captions = all(_measures(c) for c in others)
        tells = captions or (len(above) < len(head) - 1 and all(map(_tells, others)))
        grouped = any(a is None and below is not None for a, below in zip(head[1:], row[1:], strict=True))
        if tells or (grouped and _figures_below(rows[number + 1 :])):
            kept = number + 1
    return kept


def _tells(cell: Stretch) -> bool:
    return when_of([cell]) is not None or measure(cell.text) is not None


def _measures(cell: Stretch) -> bool:
    return measure(cell.text) is not None or symbol(cell.text) is not None


def _goes_on(row: Cells, others: Sequence[Stretch], lone: bool) -> bool:
    """Whether a row has no name and no figures; words below a lone caption may begin with some ("1 to 3 years")."""
    corner = row[0]
    remark = corner is None or (corner.text.startswith("(") and corner.text.endswith(")"))
    if not remark and not (lone and all(re.search(r"[^\W\d_]{3}", c.text) for c in others)):
        return False
    plain = [c for c in others if not _tells(c) and leading_quantity(c.text) is not None]
    return not plain or (lone and all(re.search(r"[^\W\d_]{3}", c.text) for c in plain))


def _figures_below(rows: Sequence[Cells]) -> bool:
    """Whether the cells of the next rows are mostly figures."""
    cells = [c for row in rows[:_MOST] for c in row[1:] if c is not None]
    return bool(cells) and 2 * sum(leading_quantity(c.text) is not None for c in cells) > len(cells)


def compose(rows: Sequence[Cells]) -> tuple[Head, ...]:
    """The heads of all columns: a caption alone in its row is over all of them, a group over the blanks beside it."""
    if not rows:
        return ()
    spread = [_spread(row, last=row is rows[-1]) for row in rows]
    common = next((m for row in rows if row[0] is not None and (m := measure(row[0].text))), None)  # "In thousands"
    return tuple(_head([row[i] for row in spread], common if i else None) for i in range(len(rows[0])))


def is_header(row: Block) -> bool:
    """Whether a row of a table is told as one of its header, or all of its cells are."""
    return row.header or (bool(row.children) and all(c.header for c in row.children))


def heads_over(table: Block) -> tuple[int, list[str]]:
    """How many rows a table's header takes, and what they say over each column; (0, []) without a header at its top."""
    rows = [r for r in table.children if r.kind is BlockKind.TABLE_ROW]
    width = max((len(r.children) for r in rows), default=0)
    above = list(takewhile(is_header, rows))
    if not above or not width:
        return 0, []
    cells = [_stretches(r, width) for r in rows]
    count = len(above) + header_rows(cells[len(above) - 1], cells[len(above) :])
    return count, texts_over(cells[:count])


def _stretches(row: Block, width: int) -> Cells:
    cells = [Stretch.whole(c.inline) if c.inline is not None and c.inline.text.strip() else None for c in row.children]
    return (*cells, *(None for _ in range(width - len(cells))))


def texts_over(rows: Sequence[Cells]) -> list[str]:
    """What stands over each column, top-down, without the words that stand over all columns of figures alike."""
    spread = [_spread(row, last=row is rows[-1]) for row in rows]
    words = [
        list(dict.fromkeys(cell.text for row in spread if (cell := row[i]) is not None)) for i in range(len(rows[0]))
    ]
    while len(words) > 2 and all(len(w) > 1 for w in words[1:]) and len({w[0] for w in words[1:]}) == 1:
        words = [words[0], *(w[1:] for w in words[1:])]
    return [" ".join(" ".join(w).split()) for w in words]


_END = re.compile(r"(?:.*\S\s*)?(\([^()]*\))\.?|.*?[,:–—-]\s*(in [^,:]*)", re.IGNORECASE | re.DOTALL)


def caption_of(text: str) -> Measure | None:
    """The measure that a table's caption or heading declares as a whole or at its end ("Catch (in tonnes)")."""
    plain = text.strip().strip("*_:. ")
    if (whole := measure(plain)) is not None:
        return whole
    end = _END.fullmatch(plain)
    return measure(end[1] or end[2]) if end else None


def _spread(row: Cells, last: bool) -> Cells:
    filled = [i for i, cell in enumerate(row) if i and cell is not None]
    if len(filled) == 1 and (not last or _is_caption(row[filled[0]])) and len(row) > 2:
        return (row[0], *(row[filled[0]] for _ in row[1:]))
    if last:
        return row
    cells: list[Stretch | None] = [row[0]]
    for cell in row[1:]:
        cells.append(cell if cell is not None or len(cells) == 1 else cells[-1])
    return tuple(cells)


def _is_caption(cell: Stretch | None) -> bool:
    return cell is not None and (found := measure(cell.text)) is not None and found.scale != 1


def _head(cells: Sequence[Stretch | None], common: Measure | None) -> Head:
    found: Measure | None = common
    words: list[Stretch] = []
    for cell in cells:
        if cell is None or any(cell.text == w.text for w in words):
            continue
        caption = measure(cell.text)
        if caption is None and words and (unit := symbol(cell.text)) is not None:
            found = unit  # a row of units below the names of columns
            continue
        if caption is not None and (caption.scale != 1 or cell.text.startswith("(")):
            found = caption if caption.unit or common is None else Measure(caption.scale, common.unit)
            continue
        bare, tail = _without_measure(cell)
        found = tail or found
        words.append(bare)
    if len(words) > 1:  # a word alone is a label, which reads its own measure
        tails = [_UNIT_TAIL.search(w.text) for w in words]
        scales = [measure(t[1]) if t else None for t in tails]
        found = next((m for m in scales if m is not None and m.scale != 1), found)
        words = [
            w.part(0, t.start()).strip() if t and m is not None and m.scale != 1 else w
            for w, t, m in zip(words, tails, scales, strict=True)
        ]
    if (when := when_of(words)) is not None:
        return Head((), when, tuple(words), found)
    dated = [w for w in words if when_of([w]) is not None]
    if len(dated) == 1 and len(words) > 1:
        return Head(tuple(w for w in words if w is not dated[0]), when_of(dated), tuple(dated), found)
    return Head(tuple(words), None, (), found)


def _without_measure(cell: Stretch) -> tuple[Stretch, Measure | None]:
    """A time without the measure behind it ("2019 £m"); a label reads its own."""
    tail = _UNIT_TAIL.search(cell.text)
    found = measure(tail[1]) if tail else None
    bare = cell.part(0, tail.start()).strip() if tail and found else cell
    return (bare, found) if found and when_of([bare]) is not None else (cell, None)


def is_time(text: str) -> bool:
    """Whether a corner says only that its row tells times ("Years ended 30 June", "As of")."""
    lead = _LEAD.match(text)
    rest = text[lead.end() :].strip(" ,:") if lead else text
    return lead is not None and (
        not rest or dates.parse(f"{rest} 2000") is not None or dates.parse(f"{rest}, 2000") is not None
    )


def when_of(cells: Sequence[Stretch]) -> DateValue | None:
    """The time that header cells tell together ("Years ended 30 June", "2019")."""
    if not cells:
        return None
    if len(cells) == 1 and (date := whole_date(cells[0])) is not None:
        return date
    text = " ".join(c.text.strip(" ,") if i + 1 < len(cells) else c.text for i, c in enumerate(cells))
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    if not any(ch.isdigit() for ch in rest) or len(WORD.findall(rest)) > 6:
        return None
    found = dates.parse(rest.strip())
    return found or dates.parse(re.sub(r"(?<=\d)\s+(?=\d{4}$)", ", ", rest.strip()))
