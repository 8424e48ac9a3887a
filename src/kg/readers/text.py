"""Plain text as blocks: what a reader of the page would see as headings, lists, code and paragraphs.

Plain text states no structure, so this guesses, and guesses carefully: what is taken for a heading carries
the subject of all that follows. Where the signs are weak a line stays a paragraph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kg.errors import UnreadableDocument
from kg.model import Block, BlockKind, Document, Inline
from kg.readers import text_lines as look
from kg.readers import text_tables
from kg.readers.decoding import content_hash, decode
from kg.readers.header_row import is_header
from kg.readers.inline import flowing, origin, verbatim
from kg.readers.markdown import has_text, title_of
from kg.readers.text_lines import Group, Line
from kg.readers.text_tables import TextTable

_MOST_HEADINGS_IN_A_ROW = 4
_DEEPEST_HEADING = 4
_DEEPEST_LIST = 30
_LONGEST_COMMENT = 20  # lines


class TextReader:
    """Reads ``.txt`` files."""

    suffixes: tuple[str, ...] = (".txt",)
    media_type: str = "text/plain"

    def read(self, data: bytes, name: str) -> Document:
        """The document. Raises UnreadableDocument for what isn't UTF-8 text or is blank."""
        text = decode(data, name)
        blocks = _Page(text).blocks()
        if not any(has_text(block) for block in blocks):
            raise UnreadableDocument(f"{name} holds no text, only lines or page furniture", "leave it out")
        return Document(name, text, blocks, title_of(blocks, name), self.media_type, content_hash(data))


@dataclass
class _Entry:
    """A list item while its list is being read."""

    indent: int
    start: int
    lines: list[tuple[int, int]]
    number: int | None
    nested: list[_Entry] = field(default_factory=list)


class _Page:
    """Builds the blocks of one text from top to bottom."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.groups = look.groups(text)
        self.words = text_tables.vocabulary(text)
        self.found: list[Block] = []
        self.entries: list[_Entry] = []  # of the list being read
        indents = sorted(line.indent for group in self.groups for line in group.lines)
        self.margin = indents[len(indents) // 10] if indents else 0
        self.headings = self._lone_headings()

    def blocks(self) -> tuple[Block, ...]:
        for index, group in enumerate(self.groups):
            if group.code is not None:
                self._code(group.lines, group.code, group)
            elif index in self.headings:
                self._heading(group.lines[0])
            else:
                self._group(group.lines, index)
        self._end_list()
        return tuple(self.found)

    def _lone_headings(self) -> frozenset[int]:
        """Numbers of the groups that are one line which reads as a heading of what comes next."""
        run: list[int] = []
        found: set[int] = set()
        for index, group in enumerate(self.groups):
            if self._is_lone_heading(index, group):
                run.append(index)
                continue
            found.update(run if len(run) <= _MOST_HEADINGS_IN_A_ROW else run[:1] if run[0] == 0 else ())
            run = []
        return frozenset(found)  # a run at the very end heads nothing

    def _is_lone_heading(self, index: int, group: Group) -> bool:
        if len(group.lines) != 1 or group.code is not None or index + 1 == len(self.groups):
            return False
        line, after = group.lines[0], self.groups[index + 1].lines[0]
        if look.hashes(line):
            return not look.is_command(after)
        if look.bullet(line) and not (look.section_depth(line.body) and not look.bullet(after)):
            return False
        if look.is_rule(line) or look.is_command(line) or line.indent >= self.margin + 4:
            return False
        return look.is_heading_like(line.body)

    # --- a group -------------------------------------------------------------------------------

    def _group(self, lines: Sequence[Line], index: int) -> None:
        if not look.bullet(lines[0]) and not self.entries and look.is_indented_code(lines, self.margin):
            self._code(lines, "")
            return
        lone_comment = len(lines) == 1 and index + 1 < len(self.groups) and self._commands_follow(index)
        plain: list[Line] = []
        at = 0
        while at < len(lines):
            if (grid := text_tables.table(self.text, lines, at, self.words)) is not None:
                self._plain(plain, above_special=True, titled=True)
                plain = []
                self._table(grid)
                at += grid.count
                continue
            kind, count = _special(lines, at)
            if not count:
                plain.append(lines[at])
                at += 1
                continue
            self._plain(plain, above_special=True, titled=kind == "mermaid")
            plain = []
            self._take("console" if lone_comment else kind, lines[at : at + count])
            at += count
        tail = len(plain) == 1 and len(lines) > 1 and index + 1 < len(self.groups)
        if tail and look.is_heading_like(plain[0].body) and not look.is_wrapped(lines):
            self._heading(plain[0])
        else:
            self._plain(plain, above_special=False)

    def _table(self, grid: TextTable) -> None:
        heads = is_header([[self.text[a:b] for a, b in (c or (0, 0) for c in cells)] for cells in grid.rows[:200]])
        rows = tuple(self._row(cells, heads and number == 0) for number, cells in enumerate(grid.rows))
        self._add(Block(BlockKind.TABLE, rows[0].start, rows[-1].end, children=rows))

    def _row(self, cells: Sequence[tuple[int, int] | None], header: bool) -> Block:
        blocks: list[Block] = []
        start = next(cell[0] for cell in cells if cell is not None)
        end = next(cell[1] for cell in reversed(cells) if cell is not None)
        at = start
        for cell in cells:
            inline = flowing(self.text, [cell]) if cell is not None else Inline("", ())
            left, right = cell or (at, at)
            blocks.append(Block(BlockKind.TABLE_CELL, left, right, inline, header=header))
            at = right
        return Block(BlockKind.TABLE_ROW, start, end, children=tuple(blocks), header=header)

    def _commands_follow(self, index: int) -> bool:
        return look.hashes(self.groups[index].lines[0]) is not None and look.is_command(self.groups[index + 1].lines[0])

    def _take(self, kind: str, lines: Sequence[Line]) -> None:
        first = lines[0]
        if kind == "rule":
            self._add(Block(BlockKind.RULE, first.start, first.end))
        elif kind == "list":
            self._items(lines)
        elif kind == "underlined":
            self._heading(first, 1 if lines[1].body[0] == "=" else 2, lines[1].end)
        elif kind == "heading":
            self._heading(first)
        else:
            self._code(lines, kind)

    def _plain(self, lines: list[Line], above_special: bool, titled: bool = False) -> None:
        """Lines without signs of their own: a wrapped paragraph, or lines with headings among them.

        ``titled``: what follows is a table or diagram, for which even a single line is a heading.
        """
        if not lines:
            return
        if len(lines) > 1 and look.is_wrapped(lines):
            self._paragraph(lines)
            return
        rest = list(lines)
        if len(rest) > 1 and _heads(rest[0], rest[1:]):
            self._heading(rest.pop(0))
        last = (
            rest.pop()
            if above_special and len(rest) > (0 if titled else 1) and look.is_heading_like(rest[-1].body)
            else None
        )
        for line in rest:
            self._paragraph([line])
        if last is not None:
            self._heading(last)

    # --- blocks --------------------------------------------------------------------------------

    def _add(self, block: Block) -> None:
        self._end_list()
        self.found.append(block)

    def _paragraph(self, lines: Sequence[Line]) -> None:
        inline = flowing(self.text, [(line.start, line.end) for line in lines])
        self._add(Block(BlockKind.PARAGRAPH, lines[0].start, lines[-1].end, inline))

    def _heading(self, line: Line, level: int = 0, end: int = 0) -> None:
        marks = look.hashes(line)
        start = line.start + (marks.end() if marks else 0)
        stop = line.end - (len(line.body) - len(line.body.rstrip("# \t")) if marks else 0)
        level = level or (len(marks[1]) if marks else self._level(line))
        inline = flowing(self.text, [(start, stop)])
        self._add(Block(BlockKind.HEADING, line.start, end or line.end, inline, level=level))

    def _level(self, line: Line) -> int:
        """The title is 1; a heading right below another is one deeper; a number says it; all others are 2."""
        self._end_list()
        if not self.found:
            return 1
        if depth := look.section_depth(line.body):
            return min(depth + 1, _DEEPEST_HEADING)
        above = self.found[-1]
        return min(above.level + 1, _DEEPEST_HEADING) if above.kind is BlockKind.HEADING else 2

    def _code(self, lines: Sequence[Line], info: str, fenced: Group | None = None) -> None:
        leads = [line.start - self.text.rfind("\n", 0, line.start) - 1 for line in lines]
        shared = min(leads)
        at = lines[0].start - leads[0]
        pieces: list[tuple[int, int]] = []
        for row in self.text[at : lines[-1].end].split("\n"):
            skipped = min(shared, len(row) - len(row.lstrip()))
            pieces.append((at + skipped, len(row) - skipped + 1))
            at += len(row) + 1
        pieces[-1] = (pieces[-1][0], pieces[-1][1] - 1)
        start = min(fenced.start if fenced else lines[0].start, pieces[0][0])
        end = fenced.end if fenced else lines[-1].end
        inline = verbatim(self.text, origin(pieces))
        self._add(Block(BlockKind.CODE, start, end, inline, info=info))

    # --- lists ---------------------------------------------------------------------------------

    def _items(self, lines: Sequence[Line]) -> None:
        """Adds to the list being read: blank lines between items don't end it."""
        for line in lines:
            marker = look.bullet(line)
            if marker is None:
                self.entries[-1].lines.append((line.start, line.end))
                continue
            number = int(marker[1]) if marker[1] else None
            self.entries.append(_Entry(line.indent, line.start, [(line.start + marker.end(), line.end)], number))

    def _end_list(self) -> None:
        if not self.entries:
            return
        root = _Entry(-1, 0, [], None)
        stack = [root]
        for entry in self.entries:
            while len(stack) > 1 and (entry.indent <= stack[-1].indent or len(stack) > _DEEPEST_LIST):
                stack.pop()
            stack[-1].nested.append(entry)
            stack.append(entry)
        self.entries = []
        self.found.extend(self._lists(root.nested, 1))

    def _lists(self, entries: Sequence[_Entry], level: int) -> list[Block]:
        """Lists of siblings: a new one where the numbering starts again or numbers and bullets change."""
        runs: list[list[_Entry]] = []
        for entry in entries:
            last = runs[-1][-1] if runs else None
            if last is None or (last.number is None) != (entry.number is None) or _restarts(last, entry):
                runs.append([])
            runs[-1].append(entry)
        return [self._list(run, level) for run in runs]

    def _list(self, entries: Sequence[_Entry], level: int) -> Block:
        items = tuple(self._item(entry, level) for entry in entries)
        info = "ordered" if entries[0].number is not None else ""
        return Block(BlockKind.LIST, items[0].start, items[-1].end, children=items, level=level, info=info)

    def _item(self, entry: _Entry, level: int) -> Block:
        own = Block(BlockKind.PARAGRAPH, entry.lines[0][0], entry.lines[-1][1], flowing(self.text, entry.lines))
        children = (own, *self._lists(entry.nested, level + 1))
        return Block(BlockKind.LIST_ITEM, entry.start, children[-1].end, children=children, number=entry.number)


def _special(lines: Sequence[Line], at: int) -> tuple[str, int]:
    """What begins at ``lines[at]`` other than plain lines, and how many lines it takes; ("", 0) for nothing."""
    line = lines[at]
    if look.is_rule(line):
        return "rule", 1
    if count := look.diagram(lines, at):
        return "mermaid", count
    if look.bullet(line) and not look.is_command(line):
        return "list", _list_length(lines, at)
    after = at
    while after < min(len(lines), at + _LONGEST_COMMENT) and look.hashes(lines[after]):
        after += 1
    if after < len(lines) and look.is_command(lines[after]):
        return "console", len(lines) - at
    if at + 1 < len(lines) and _underlines(lines[at + 1], line):
        return "underlined", 2
    return ("heading", 1) if after > at == 0 else ("", 0)


def _restarts(last: _Entry, entry: _Entry) -> bool:
    return last.number is not None and entry.number is not None and entry.number <= last.number


def _list_length(lines: Sequence[Line], at: int) -> int:
    """Lines from ``at`` that are items or, indented, go on with one."""
    count = 1
    indent = lines[at].indent
    while at + count < len(lines):
        line = lines[at + count]
        if look.bullet(line):
            indent = line.indent
        elif line.indent <= indent:
            break
        count += 1
    return count


def _underlines(line: Line, above: Line) -> bool:
    """Whether ``line`` is the underline that makes ``above`` a heading."""
    sign = line.body[0]
    return (
        sign in "=-"
        and len(line.body) >= 3
        and not line.body.strip(sign)
        and len(above.body) <= 120
        and not look.is_rule(above)
    )


def _heads(line: Line, below: Sequence[Line]) -> bool:
    """Whether the first of several lines is their heading: short, and what follows is clearly longer."""
    longest = max(len(other.body) for other in below)
    return look.is_heading_like(line.body) and len(line.body.split()) <= 8 and longest >= 1.5 * len(line.body)
