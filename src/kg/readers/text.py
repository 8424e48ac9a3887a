"""Plain text as blocks: what a reader of the page would see as headings, lists, code and paragraphs.

Plain text states no structure, so this guesses, and guesses carefully: what is taken for a heading carries the
subject of all that follows. Where the signs are weak a line stays a paragraph.

What the lines of plain text look like: bullets, commands, headings, diagrams, furniture.

Tables in plain text: columns parted by tabs or wide gaps, and columns run together as pages lose their markup.

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
from pathlib import PurePosixPath

from kg.errors import UnreadableDocument
from kg.model import Block, BlockKind, Document, Inline
from kg.readers.decoding import content_hash, decode
from kg.readers.inline import flowing, origin, verbatim
from kg.readers.markdown import has_text, title_of
from kg.readers.rendering import Entry, nest, runs
from kg.readers.table_grid import is_header

_TAB = 4
_LONGEST_COMMAND = 300
_LONGEST_EVENT = 1000
_LONGEST_HEADING, _MOST_WORDS = 80, 12
_LONGEST_QUESTION, _FEWEST_QUESTIONS, _QUESTION_LEVEL = 140, 3, 3

_BULLET = re.compile(r"(?:[•◦▪‣·●○*+–-]|\(?(\d{1,3})[.)]|\(?[a-z]\))[ \t]+(?=\S)")
_RULE = re.compile(r"([-*_=~])(?:[ \t]*\1){2,}")
_FENCE = re.compile(r"(```+|~~~+)[ \t]*([\w+-]*)[ \t]*")
_ASKED = re.compile(r"^Q\d*[.:)]\s*")
_MORE_THAN_ASKED = re.compile(r"[.!?:]\s|://")  # another sentence, who asks, an address
_HASHES = re.compile(r"(#{1,6})[ \t]+(?=\S)")
_FURNITURE = re.compile(
    r"(?:skip|jump) to (?:main |the )?(?:content|navigation|search|footer)|(?:back|return) to (?:the )?top|"
    r"scroll to top|toggle (?:navigation|menu|sidebar)|(?:open|close) (?:menu|navigation|sidebar)|table of contents|"
    r"on this page|share this (?:page|article|post)|edit this page|print this page|advertisement|"
    r"(?:accept|reject) all cookies|cookie settings|copy link|page \d{1,4} (?:of|/) \d{1,4}",
    re.IGNORECASE,
)

_SHELL = frozenset(
    """dig nslookup curl wget git pip pip3 npm npx yarn docker kubectl helm ssh scp sudo apt apt-get brew cd ls grep
    awk sed chmod chown mkdir rm cp mv tar rsync systemctl python python3 cargo traceroute whois ping openssl psql
    terraform ansible java gcc""".split()  # noqa: SIM905
)
_WORD_OF_COMMAND = re.compile(r"[a-z][a-z0-9_./-]*$")
_OPTION = re.compile(r"(?:--?[A-Za-z][\w-]*(?:=\S*)?|\+[a-z]+)$")

_FLOW = re.compile(r"(?:graph|flowchart)[ \t]+(?:TB|TD|BT|RL|LR)\b")
_DIAGRAMS = frozenset(
    "sequenceDiagram classDiagram stateDiagram stateDiagram-v2 erDiagram gantt pie mindmap journey gitGraph".split()  # noqa: SIM905
)
_TIMELINE_LINE = re.compile(r"(?:title|section)[ \t]+\S|.*\S[ \t]+:[ \t]+\S|:[ \t]+\S")

_KEY_VALUE = re.compile(r"[^:]{1,60}:[ \t]+\S")
_NUMBERED_LABEL = re.compile(r"[^\W\d_]+[ \t]+(?:\d{1,3}|[IVXLC]+)[ \t]*[:—–-]", re.IGNORECASE)
_SECTION_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)\.?[ \t]+(?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class Marks:
    """How a kind of text marks headings and code.

    ``titles``: what stands before a heading, its first group as long as the level; ``underlines``: signs of which a
    line below makes a heading, ``ranked`` by the order in which they come; ``fences``: lines around code. ``guessed``:
    whether lines without marks may be headings too.
    """

    titles: re.Pattern[str] | None = None
    underlines: str = "=-"
    ranked: bool = False
    fences: re.Pattern[str] | None = _FENCE
    guessed: bool = False


PLAIN = Marks(guessed=True)
# https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#sections
RESTRUCTURED = Marks(underlines="=-~^\"'`*+#.:_", ranked=True, fences=None)
# https://docs.asciidoctor.org/asciidoc/latest/sections/titles-and-levels, .../verbatim/listing-blocks
ASCIIDOC = Marks(re.compile(r"(={1,6})[ \t]+(?=\S)"), "", fences=re.compile(r"(-{4,}|\.{4,}|```+)[ \t]*(\w*)[ \t]*"))
RDOC = Marks(ASCIIDOC.titles, "", fences=None)
_MARKS = {".rst": RESTRUCTURED, ".adoc": ASCIIDOC, ".asciidoc": ASCIIDOC, ".rdoc": RDOC}


@dataclass(frozen=True, slots=True)
class Line:
    """A non-blank line: offsets of its text without the blanks around it, and the width of its indentation."""

    start: int
    end: int
    indent: int
    body: str


@dataclass(frozen=True, slots=True)
class Group:
    """Lines between blank lines; ``code`` is the language of a fenced block ("" without one), else None.

    ``level``: of one line that is marked as a heading, without its marks; else 0.
    """

    lines: tuple[Line, ...]
    code: str | None = None
    start: int = 0
    end: int = 0
    level: int = 0


def groups(text: str, marks: Marks = PLAIN) -> list[Group]:
    """The non-blank lines of the text in groups, page furniture left out; fenced code and marked headings apart."""
    lines = _lines(text)
    fences = _fences(lines, marks.fences) if marks.fences is not None else {}
    found: list[Group] = []
    current: list[Line] = []
    index = 0
    while index <= len(lines):
        line = lines[index] if index < len(lines) else None
        fence = fences.get(index)
        title = _title(line, marks) if fence is None and line is not None else None
        if fence is None and title is None and line is not None and not _FURNITURE.fullmatch(line.body):
            current.append(line)
        elif current:
            found.append(Group(tuple(current)))
            current = []
        if title is not None:
            found.append(title)
        if fence is not None:
            index, code = fence
            if code is not None:
                found.append(code)
        index += 1
    return found


def _lines(text: str) -> list[Line | None]:
    found: list[Line | None] = []
    at = 0
    for raw in text.split("\n"):
        body = raw.strip()
        if body:
            lead = raw[: len(raw) - len(raw.lstrip())]
            start = at + len(lead)
            found.append(Line(start, start + len(body), len(lead.expandtabs(_TAB)), body))
        else:
            found.append(None)
        at += len(raw) + 1
    return found


def _title(line: Line, marks: Marks) -> Group | None:
    """A line that is marked as a heading by what stands before it, as a group without its marks."""
    match = marks.titles.match(line.body) if marks.titles is not None and not line.indent else None
    if match is None:
        return None
    body = line.body[match.end() :].removesuffix(f" {match[1]}").rstrip()
    start = line.start + match.end()
    return Group((Line(start, start + len(body), 0, body),), level=len(match[1])) if body else None


def _fences(lines: Sequence[Line | None], fences: re.Pattern[str]) -> dict[int, tuple[int, Group | None]]:
    """Of each line that opens fenced code the number of the one that closes it, and the group, None without lines."""
    found: dict[int, tuple[int, Group | None]] = {}
    opened: tuple[int, int, re.Match[str]] | None = None
    for index, line in enumerate(lines):
        match = fences.fullmatch(line.body) if line is not None else None
        if line is None or match is None:
            continue
        if opened is None:
            opened = index, line.start, match
        elif match[1].startswith(opened[2][1]) and not match[2]:
            first, start, fence = opened
            inside = tuple(inner for inner in lines[first + 1 : index] if inner is not None)
            found[first] = index, Group(inside, fence[2].lower(), start, line.end) if inside else None
            opened = None
    return found


def bullet(line: Line) -> re.Match[str] | None:
    """The marker that a line begins with; its first group is the number of an ordered item."""
    return _BULLET.match(line.body) if not is_rule(line) else None


def is_rule(line: Line) -> bool:
    """A line of dashes, stars or the like."""
    return line.body[0] in "-*_=~" and _RULE.fullmatch(line.body) is not None


def hashes(line: Line) -> re.Match[str] | None:
    """The ``#`` marks that begin a line: of a heading, or of a comment where commands follow."""
    return _HASHES.match(line.body)


def is_command(line: Line) -> bool:
    """Whether the line is typed into a shell: a prompt, a well-known command, or a word with options."""
    body = line.body
    if len(body) > _LONGEST_COMMAND:
        return False
    if body.startswith("$ "):
        return True
    words = body.split()
    if not _WORD_OF_COMMAND.match(words[0]) or len(words) < 2 or body[-1] in ",;:!?":
        return False
    if words[0] in _SHELL:
        return not (body[-1] == "." and len(words) > 6)
    return body[-1] != "." and any(_OPTION.match(word) for word in words[1:])


def diagram(lines: Sequence[Line], at: int) -> int:
    """How many lines from ``lines[at]`` are a Mermaid diagram without its fence; 0 for none."""
    body = lines[at].body
    if body == "timeline":
        count = 1
        while at + count < len(lines) and _is_event(lines[at + count].body):
            count += 1
        return count if count > 1 else 0
    after = lines[at + 1] if at + 1 < len(lines) else None
    drawn = _FLOW.match(body) or (body in _DIAGRAMS and after and (after.indent or ":" in after.body))
    return len(lines) - at if drawn and after else 0


def _is_event(body: str) -> bool:
    return len(body) <= _LONGEST_EVENT and _TIMELINE_LINE.match(body) is not None


def section_depth(body: str) -> int:
    """1 for "3. Results", 2 for "3.1 Results", 0 for a line without such a number."""
    match = _SECTION_NUMBER.match(body)
    return match[1].count(".") + 1 if match else 0


def is_heading_like(body: str) -> bool:
    """Whether a line alone between blank lines reads as a heading: short, a capital first, no stop at its end."""
    if len(body) > _LONGEST_HEADING or len(body.split()) > _MOST_WORDS:
        return False
    if body[-1] in ".,;:!?…" or body[0] == ";" or "://" in body or "@" in body:
        return False
    if (" — " in body or _KEY_VALUE.match(body)) and not _NUMBERED_LABEL.match(body):
        return False
    first = next((sign for sign in body if sign.isalnum()), "")
    return bool(first) and not first.islower() and any(sign.isalpha() for sign in body)


def is_question(body: str) -> bool:
    """Whether a line is one question, as those are above which an answer stands: numbered or not, begun in capitals."""
    asked = body[marker.end() :] if (marker := _BULLET.match(body)) else body
    asked = _ASKED.sub("", asked)
    begins = asked[:1].isupper() and len(body) <= _LONGEST_QUESTION
    return begins and asked.endswith("?") and not _MORE_THAN_ASKED.search(asked)


def is_wrapped(lines: Sequence[Line]) -> bool:
    """Whether the lines are one paragraph broken at a margin, rather than lines that each stand for themselves."""
    widest = max(len(line.body) for line in lines)
    if not 40 <= widest <= 140:
        return False
    full = sum(len(line.body) >= 0.6 * widest for line in lines[:-1])
    flows = sum(not line.body[:1].isupper() for line in lines[1:])
    return full >= 0.8 * (len(lines) - 1) and (flows >= 0.3 * (len(lines) - 1) or lines[0].body[-1] not in ".;")


# Words that no sentence ends with.
_GOES_ON = re.compile(
    r"(?:,|\b(?:an?|the|of|to|in|on|at|by|for|from|with|and|or|is|are|was|were|be|that|which|as|its))$", re.I
)


def sentences_apart(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines that each stand for themselves, but for those in which the one before breaks off at the margin."""
    widest = max((len(line.body) for line in lines), default=0)
    found: list[list[Line]] = []
    for line in lines:
        before = found[-1][-1] if found else None
        full = before is not None and widest >= 40 and len(before.body) >= 0.6 * widest
        lower = before is not None and line.body[0].islower() and before.body[-1] not in ".;:!?"
        if before is not None and full and (lower or _GOES_ON.search(before.body)):
            found[-1].append(line)
        else:
            found.append([line])
    return found


def hangs(lines: Sequence[Line]) -> bool:
    """Whether what is said of a term is set below it, further in, as manuals' pages do."""
    term, below = lines[0], lines[1:]
    if not below or len(term.body) > _LONGEST_HEADING or min(line.indent for line in below) <= term.indent + 1:
        return False
    return len(below) == 1 or is_wrapped(below)


def is_indented_code(lines: Sequence[Line], margin: int) -> bool:
    """Whether all lines are indented like code and don't read as prose."""
    if any(line.indent < margin + _TAB for line in lines):
        return False
    words = sum(len(line.body.split()) for line in lines)
    return not (words >= 6 * len(lines) and lines[-1].body[-1] in ".!?”\"'")


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


_RULED = re.compile(r"[-=_─═+|]{2,}")


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
    parted = _parted(text, lines, at, _TABS) or _parted(text, lines, at, _GAPS)
    return parted or _run_together(text, lines, at, words)


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


_MOST_HEADINGS_IN_A_ROW = 4
_DEEPEST_HEADING = 4
_LONGEST_COMMENT = 20  # lines


class TextReader:
    """Reads plain text, and markup that reads as such: reStructuredText, AsciiDoc, RDoc."""

    suffixes: tuple[str, ...] = (".txt", ".text", *_MARKS)
    media_type: str = "text/plain"

    def read(self, data: bytes, name: str) -> Document:
        """The document. Raises UnreadableDocument for what isn't UTF-8 text or is blank."""
        text = decode(data, name)
        blocks = _Page(text, _MARKS.get(PurePosixPath(name).suffix.lower(), PLAIN)).blocks()
        if not any(has_text(block) for block in blocks):
            raise UnreadableDocument(f"{name} holds no text, only lines or page furniture", "leave it out")
        return Document(name, text, blocks, title_of(blocks, name), self.media_type, content_hash(data))


@dataclass(slots=True)
class _Entry(Entry):
    """A list item while its list is being read."""

    start: int
    lines: list[tuple[int, int]]


class _Page:
    """Builds the blocks of one text from top to bottom."""

    def __init__(self, text: str, marks: Marks = PLAIN) -> None:
        self.text = text
        self.marks = marks
        self.signs: list[str] = []  # of underlines, in the order in which they came
        self.groups = groups(text, marks)
        self.words = vocabulary(text)
        self.found: list[Block] = []
        self.entries: list[_Entry] = []  # of the list being read
        self.margin = _margin([line for group in self.groups for line in group.lines])
        self.headings = self._lone_headings() if marks.guessed else frozenset()
        self.asked = self._questions() if marks.guessed else frozenset()

    def blocks(self) -> tuple[Block, ...]:
        for index, group in enumerate(self.groups):
            if group.code is not None:
                self._code(group.lines, group.code, group)
            elif group.level:
                self._heading(group.lines[0], min(group.level, _DEEPEST_HEADING))
            elif index in self.asked:
                self._heading(group.lines[0], _QUESTION_LEVEL)
                if answer := group.lines[1:]:
                    self._group(answer, index)
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
        if hashes(line):
            return not is_command(after)
        if bullet(line) and not (section_depth(line.body) and not bullet(after)):
            return False
        if is_rule(line) or is_command(line) or line.indent >= self.margin + 4:
            return False
        return is_heading_like(line.body)

    def _questions(self) -> frozenset[int]:
        """Numbers of the groups that begin with a question above its answer, where the page has several such."""
        found = [index for index, group in enumerate(self.groups) if self._is_question(index, group)]
        return frozenset(found if len(found) >= _FEWEST_QUESTIONS else ())

    def _is_question(self, index: int, group: Group) -> bool:
        asked = group.lines[0]
        below = [*group.lines[1:2], *(after.lines[0] for after in self.groups[index + 1 : index + 2])][:1]
        if not below or not is_question(asked.body) or (len(group.lines) == 1 and index + 1 in self.headings):
            return False
        answer = below[0]
        return not (is_question(answer.body) or is_rule(answer)) and answer.indent <= asked.indent

    # --- a group -------------------------------------------------------------------------------

    def _group(self, lines: Sequence[Line], index: int) -> None:
        if not bullet(lines[0]) and not self.entries and is_indented_code(lines, self.margin):
            self._code(lines, "")
            return
        below = self.groups[index + 1].lines[0] if index + 1 < len(self.groups) else None
        lone_comment = len(lines) == 1 and below is not None and hashes(lines[0]) is not None and is_command(below)
        plain: list[Line] = []
        at = 0
        while at < len(lines):
            if (grid := table(self.text, lines, at, self.words)) is not None:
                self._plain(plain, above_special=True, titled=True)
                plain = []
                self._table(grid)
                at += grid.count
                continue
            kind, count = _special(lines, at, self.marks)
            if not count:
                plain.append(lines[at])
                at += 1
                continue
            self._plain(plain, above_special=True, titled=kind == "mermaid")
            plain = []
            self._take("console" if lone_comment else kind, lines[at : at + count])
            at += count
        tail = self.marks.guessed and len(plain) == 1 and len(lines) > 1 and below is not None
        if tail and is_heading_like(plain[0].body) and not is_wrapped(lines):
            self._heading(plain[0])
        else:
            self._plain(plain, above_special=False)

    def _table(self, grid: TextTable) -> None:
        kept = [cells for cells in grid.rows if not self._is_rule(cells)]
        if not kept:
            return
        ruled = grid.rows[0] is kept[0] and len(grid.rows) > 1 and self._is_rule(grid.rows[1])
        heads = ruled or is_header([[self.text[a:b] for a, b in (c or (0, 0) for c in cells)] for cells in kept[:200]])
        rows = tuple(self._row(cells, heads and number == 0) for number, cells in enumerate(kept))
        self._add(Block(BlockKind.TABLE, rows[0].start, rows[-1].end, children=rows))

    def _is_rule(self, cells: Sequence[tuple[int, int] | None]) -> bool:
        """Whether a line only rules off what is above it ("----   -----")."""
        return all(_RULED.fullmatch(self.text, *cell) for cell in cells if cell is not None)

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

    def _take(self, kind: str, lines: Sequence[Line]) -> None:
        first = lines[0]
        if kind == "rule":
            self._add(Block(BlockKind.RULE, first.start, first.end))
        elif kind == "list":
            self._items(lines)
        elif kind == "underlined":
            self._heading(first, self._rank(lines[1].body[0]), lines[1].end)
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
        headed = self.marks.guessed and len(lines) > 1 and _heads(lines[0], lines[1:])
        stands_out = headed and all(line.indent > lines[0].indent for line in lines[1:])
        if len(lines) > 1 and is_wrapped(lines) and not stands_out:
            self._paragraph(lines)
            return
        rest = list(lines)
        if headed:
            self._heading(rest.pop(0))
        heads = self.marks.guessed and above_special and len(rest) > (not titled) and is_heading_like(rest[-1].body)
        last = rest.pop() if heads else None
        whole = len(rest) > 1 and (hangs(rest) or (stands_out and is_wrapped(rest)) or _is_record(rest))
        for run in [rest] if whole else sentences_apart(rest):
            self._paragraph(run)
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
        marks = hashes(line)
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
        if depth := section_depth(line.body):
            return min(depth + 1, _DEEPEST_HEADING)
        above = self.found[-1]
        return min(above.level + 1, _DEEPEST_HEADING) if above.kind is BlockKind.HEADING else 2

    def _rank(self, sign: str) -> int:
        """The level of a heading by the sign that underlines it."""
        if not self.marks.ranked:
            return 1 if sign == "=" else 2
        if sign not in self.signs:
            self.signs.append(sign)
        return min(self.signs.index(sign) + 1, _DEEPEST_HEADING)

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
            marker = bullet(line)
            if marker is None:
                self.entries[-1].lines.append((line.start, line.end))
                continue
            number = int(marker[1]) if marker[1] else None
            self.entries.append(_Entry(line.indent, number, line.start, [(line.start + marker.end(), line.end)]))

    def _end_list(self) -> None:
        items, self.entries = self.entries, []
        self.found.extend(self._list(run, 1) for run in runs(nest(items)))

    def _list(self, entries: Sequence[_Entry], level: int) -> Block:
        items = tuple(self._item(entry, level) for entry in entries)
        info = "ordered" if entries[0].number is not None else ""
        return Block(BlockKind.LIST, items[0].start, items[-1].end, children=items, level=level, info=info)

    def _item(self, entry: _Entry, level: int) -> Block:
        own = Block(BlockKind.PARAGRAPH, entry.lines[0][0], entry.lines[-1][1], flowing(self.text, entry.lines))
        children = (own, *(self._list(run, level + 1) for run in runs(entry.nested)))
        return Block(BlockKind.LIST_ITEM, entry.start, children[-1].end, children=children, number=entry.number)


def _margin(lines: Sequence[Line]) -> int:
    """How far in a page's text begins: where not only headings stand out further, as in manuals' pages."""
    indents = sorted(line.indent for line in lines)
    margin = indents[len(indents) // 10] if indents else 0
    out = [line for line in lines if line.indent <= margin]
    if sum(is_heading_like(line.body) for line in out) >= 0.8 * len(out):
        return next((indent for indent in indents if indent > margin), margin)
    return margin


def _special(lines: Sequence[Line], at: int, marks: Marks) -> tuple[str, int]:
    """What begins at ``lines[at]`` other than plain lines, and how many lines it takes; ("", 0) for nothing."""
    line = lines[at]
    if is_rule(line):
        return "rule", 1
    if count := diagram(lines, at):
        return "mermaid", count
    if bullet(line) and not is_command(line):
        return "list", _list_length(lines, at)
    after = at
    while after < min(len(lines), at + _LONGEST_COMMENT) and hashes(lines[after]):
        after += 1
    if after < len(lines) and is_command(lines[after]):
        return "console", len(lines) - at
    if at + 1 < len(lines) and _underlines(lines[at + 1], line, marks):
        return "underlined", 2
    return ("heading", 1) if after > at == 0 else ("", 0)


def _list_length(lines: Sequence[Line], at: int) -> int:
    """Lines from ``at`` that are items or, indented, go on with one."""
    count = 1
    indent = lines[at].indent
    while at + count < len(lines):
        line = lines[at + count]
        if bullet(line):
            indent = line.indent
        elif line.indent <= indent:
            break
        count += 1
    return count


def _underlines(line: Line, above: Line, marks: Marks) -> bool:
    """Whether ``line`` is the underline that makes ``above`` a heading; docutils takes four signs below any title."""
    sign = line.body[0]
    return (
        sign in marks.underlines
        and len(line.body) >= (min(4, len(above.body)) if marks.ranked else 3)
        and not line.body.strip(sign)
        and len(above.body) <= 120
        and not is_rule(above)
    )


def _heads(line: Line, below: Sequence[Line]) -> bool:
    """Whether the first of several lines is their heading: short, and what follows is clearly longer or a record."""
    longer = max(len(other.body) for other in below) >= 1.5 * len(line.body) or _is_record(below)
    return is_heading_like(line.body) and len(line.body.split()) <= 8 and longer


def _is_record(lines: Sequence[Line]) -> bool:
    """Whether several lines are each "Key: value"."""
    return len(lines) > 1 and all(_KEY_VALUE.match(line.body) and line.body[0].isalpha() for line in lines)
