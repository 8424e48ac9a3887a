"""Markdown (CommonMark, tables, strikethrough, wiki-links, front matter) as blocks with exact offsets.

markdown-it-py says which lines a block takes; where its markup and text stand on those lines is worked out here from
the containers it stands in.

Inline Markdown with exact offsets: markdown-it's inline rules, run by a state that records positions.

markdown-it gives block tokens a line map but inline tokens nothing, so every rule that pushes tokens is wrapped to
note on them where in the content they begin and end (``meta["at"]``, ``meta["end"]``). Text that no rule claims is
then exactly what lies between them.

Cells of a GFM table row with exact places, from the row's source.

Front matter: a block of ``key: value`` lines at the head of a Markdown file.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath
from types import SimpleNamespace
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkDestination, parseLinkLabel, parseLinkTitle
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline.state_inline import StateInline
from markdown_it.token import Token

from kg.errors import UnreadableDocument
from kg.model import Block, BlockKind, Document, Inline, MarkKind
from kg.readers.decoding import content_hash, decode
from kg.readers.html_in_text import blocks_of, text_pieces
from kg.readers.inline import InlineBuilder, Origin, origin, trim, verbatim
from kg.readers.rendering import RAISED, SUPERSCRIPT

_BLOCK = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)^(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r"([A-Za-z_][\w .-]*?)\s*[:=](?:[ \t]+(.*)|[ \t]*)$")
_LONGEST = 20_000


def front_matter(text: str) -> tuple[int, int, tuple[tuple[str, str], ...]] | None:
    """(start, end) of the lines between the fences, and their entries; None without front matter.

    Reads top-level scalars and lists of scalars (joined by ", "), not the whole of YAML; nested
    mappings are skipped. A rule and prose below it are not front matter.
    """
    match = _BLOCK.match(text[:_LONGEST])
    if match is None:
        return None
    entries: dict[str, list[str]] = {}
    key = ""
    for line in match[2].split("\n"):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        entry = _ENTRY.match(line)
        if entry:
            key = entry[1].lower()
            entries.setdefault(key, []).extend(_values(entry[2] or ""))
        elif not key or not (line[0] in " \t" or line.startswith("- ")):
            return None
        elif line.lstrip().startswith("- ") or not _ENTRY.match(line.strip()):
            entries[key].extend(_values(line.strip().removeprefix("- ")))
    if not entries:
        return None
    return match.start(2), match.end(2), tuple((k, ", ".join(v)) for k, v in sorted(entries.items()) if v)


def _values(raw: str) -> list[str]:
    raw = raw.strip()
    if raw in (">", "|", ">-", "|-"):
        return []
    if raw.startswith("[") and raw.endswith("]"):
        return [value for part in raw[1:-1].split(",") if (value := _unquoted(part.strip()))]
    return [value] if (value := _unquoted(raw)) else []


def _unquoted(raw: str) -> str:
    if len(raw) >= 2 and raw[0] == raw[-1] and raw[0] in "\"'":
        return raw[1:-1]
    return raw


_BORDER = re.compile(r"(?<!\\)\|")


def row_cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Trimmed (start, end) of every cell of the row ``text[start:end]``; bars at its ends are borders.

    A bar behind a backslash belongs to the cell. An empty cell is an empty stretch.
    """
    # As in GFM: one backslash right before the bar escapes it, whatever stands before that.
    borders = [m.start() for m in _BORDER.finditer(text, start, end)]
    bounds = [start - 1, *borders, end]
    pieces = [(left + 1, right) for left, right in pairwise(bounds)]
    if pieces and not text[slice(*pieces[0])].strip():
        pieces.pop(0)
    if pieces and not text[slice(*pieces[-1])].strip():
        pieces.pop()
    return [trim(text, *piece) for piece in pieces]


def cell_content(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Source pieces (start, length) of a cell's content: the backslash of an escaped bar is left out."""
    pieces: list[tuple[int, int]] = []
    at = start
    while (bar := text.find("\\|", at, end)) >= 0:
        pieces.append((at, bar - at))
        at = bar + 1
    pieces.append((at, end - at))
    return pieces


# Brackets nested deeper than this are not links: markdown-it re-reads a label once for every level.
_DEEPEST_LABEL = 6
_BRACKET = re.compile(r"\\.|`+|[\[\]]", re.DOTALL)
_BREAK_TAG = re.compile(r"<br\s*/?>", re.IGNORECASE)
_MARKS = {"strong": MarkKind.STRONG, "em": MarkKind.EMPHASIS, "link": MarkKind.LINK}
_Rule = Callable[[StateInline, bool], bool]


class _State(StateInline):
    """Notes on every token where its rule began, and knows beforehand which brackets close."""

    def __init__(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> None:
        super().__init__(src, md, env, tokens)
        self.labels = _labels(src)

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        token.meta["at"] = self.pos
        return token


class _Parser(ParserInline):
    """markdown-it's inline parser without its last step, which would merge tokens and lose their places."""

    def __init__(self, inner_bar: str) -> None:
        super().__init__()
        self.ruler2.disable("fragments_join")
        self.ruler.before("link", "wikilink", _wikilink_rule(inner_bar))
        self.ruler.before("link", "attributes", _attributes)
        for rule in self.ruler.__rules__:
            rule.fn = _recording(rule.fn)
        self.ruler.__cache__ = None

    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def install(md: MarkdownIt, inner_bar: str) -> None:
    """Makes ``md`` record positions. ``inner_bar`` stands for the bar inside a wiki-link."""
    md.inline = _Parser(inner_bar)
    # The rules look these functions up here; markdown-it's own module of them has the type of a module.
    md.helpers = SimpleNamespace(  # type: ignore[assignment]
        parseLinkLabel=_label_end, parseLinkDestination=_destination, parseLinkTitle=parseLinkTitle
    )


_TEMPLATED = re.compile(r"[^\s()<>{}]*(?:\{%[^%\n]*%\}|\{\{[^{}\n]*\}\})[^\s()<>]*")


def _destination(text: str, at: int, end: int) -> Any:
    """Where a link leads; also where a site's template fills that in (``{% page "/x" %}``, ``{{< ref "x" >}}``)."""
    templated = _TEMPLATED.match(text, at, end)
    if templated is None:
        return parseLinkDestination(text, at, end)
    return SimpleNamespace(ok=True, pos=templated.end(), str=templated[0])


def parse(md: MarkdownIt, env: Any, text: str, content: str, origin: Origin) -> Inline:
    """Plain text, runs and marks of a leaf's ``content``, whose characters stand in ``text`` as ``origin`` says."""
    builder = InlineBuilder(text)
    _Walk(md, builder, content, origin, 0).tokens(md.inline.parse(content, md, env, []))
    return builder.build()


class _Walk:
    """Turns recorded tokens into a builder's calls."""

    def __init__(self, md: MarkdownIt, builder: InlineBuilder, content: str, origin: Origin, shift: int) -> None:
        self.md, self.builder, self.content, self.origin = md, builder, content, origin
        self.shift = shift  # where the tokens' content begins in ``content``: not 0 inside an image's label
        self.cursor = 0
        self.stack: list[tuple[str, int, str]] = []
        self.raising = False  # within <sup>
        self.struck = 0  # within how many "~~": what is struck out isn't stated

    def tokens(self, tokens: list[Token]) -> None:
        for token in tokens:
            at = token.meta.get("at", self.cursor)
            if "at" in token.meta and at < self.cursor:
                continue  # a lone tilde that markdown-it has moved
            self.cursor = at
            self.struck += token.nesting if token.type in ("s_open", "s_close") else 0
            if not self.struck or token.nesting:
                self._token(token, at)
            self.cursor = max(self.cursor, token.meta.get("end", self.cursor))

    def _token(self, token: Token, at: int) -> None:
        take = {
            "text": self._text,
            "text_special": self._special,
            "code_inline": self._code,
            "softbreak": self._break,
            "hardbreak": self._break,
            "html_inline": self._html,
            "image": self._image,
            "wikilink": self._wikilink,
        }.get(token.type, self._mark)
        take(token, at)

    def _mark(self, token: Token, at: int) -> None:
        if token.nesting > 0:
            name, target = token.type.removesuffix("_open"), str(token.attrGet("href") or "")
            self.stack.append((name, self.builder.length, target))
        elif token.nesting < 0 and self.stack:
            name, start, target = self.stack.pop()
            if name in _MARKS:
                self.builder.mark(_MARKS[name], start, target)

    def _break(self, token: Token, at: int) -> None:
        at = self.content.index("\n", at + self.shift)
        self.builder.replace(" " if token.type == "softbreak" else "\n", self.origin.at(at), 1)

    def _copy(self, start: int, end: int) -> None:
        for source, length in self.origin.within(start + self.shift, end + self.shift):
            self.builder.copy(source, length)

    def _replace(self, plain: str, start: int, end: int) -> None:
        first, last = self.origin.at(start + self.shift), self.origin.at(end - 1 + self.shift)
        self.builder.replace(plain, first, last + 1 - first)

    def _text(self, token: Token, at: int) -> None:
        if token.meta.get("auto"):
            at += 1
            end = self.content.index(">", at + self.shift) - self.shift
        else:
            end = at + len(token.content)
        if self.raising and token.content and RAISED.issuperset(token.content):
            # As in HTML: 10<sup>6</sup> isn't 106, and what marks a note is no part of a name.
            self._replace(token.content.translate(SUPERSCRIPT), at, end)
        else:
            self._copy(at, end)
        self.cursor = end

    def _special(self, token: Token, at: int) -> None:
        end = at + len(token.markup)
        if token.content == token.markup:
            self._copy(at, end)
        else:
            self._replace(token.content, at, end)

    def _code(self, token: Token, at: int) -> None:
        begin, end = at + len(token.markup), token.meta["end"] - len(token.markup)
        raw = self.content[begin + self.shift : end + self.shift].replace("\n", " ")
        if raw != token.content:
            begin, end = begin + 1, end - 1
        start = self.builder.length
        while begin < end:
            newline = self.content.find("\n", begin + self.shift, end + self.shift) - self.shift
            stop = newline if newline >= begin else end
            self._copy(begin, stop)
            if stop < end:
                self.builder.replace(" ", self.origin.at(stop + self.shift), 1)
            begin = stop + 1
        self.builder.mark(MarkKind.CODE, start)

    def _html(self, token: Token, at: int) -> None:
        if _BREAK_TAG.fullmatch(token.content):
            self._replace("\n", at, at + len(token.content))
        elif tag := _RAISING.fullmatch(token.content):
            self.raising = not tag[1]

    def _image(self, token: Token, at: int) -> None:
        start = self.builder.length
        inner = _Walk(self.md, self.builder, self.content, self.origin, self.shift + at + 2)
        inner.tokens(token.children or [])
        self.builder.mark(MarkKind.LINK, start, str(token.attrGet("src") or ""))

    def _wikilink(self, token: Token, at: int) -> None:
        start = self.builder.length
        self._copy(at + token.meta["label"][0], at + token.meta["label"][1])
        self.builder.mark(MarkKind.WIKILINK, start, token.content)


def _recording(rule: _Rule) -> _Rule:
    def recorded(state: StateInline, silent: bool) -> bool:
        before, start = len(state.tokens), state.pos
        if not rule(state, silent):
            return False
        if silent or len(state.tokens) == before:
            return True
        last = state.tokens[-1]
        if last.type == "text":
            _spread(state, before, start)
        elif last.markup == "autolink":
            state.tokens[-2].meta["auto"] = True
            last.meta["at"] = state.pos
        last.meta["end"] = state.pos
        return True

    return recorded


def _spread(state: StateInline, before: int, start: int) -> None:
    """Gives every delimiter that one rule has pushed its own place (the first token may be flushed text)."""
    at = state.pos
    for token in reversed(state.tokens[before:]):
        if at <= start:
            break
        token.meta["end"] = at
        at -= len(token.content)
        token.meta["at"] = at


_RAISING = re.compile(r"<(/?)sup\b[^<>]*>", re.IGNORECASE)
_ATTRIBUTES = re.compile(r"\{:[^{}\n]*\}")


def _attributes(state: StateInline, silent: bool) -> bool:
    """kramdown's attributes of what stands right before, or of a block ("*Phobos*{: .term}"): markup, like a tag."""
    match = _ATTRIBUTES.match(state.src, state.pos, state.posMax)
    before = state.src[state.pos - 1] if state.pos else "\n"
    if match is None or before not in "\n*_`)]>":
        return False
    if not silent:
        state.push("html_inline", "", 0).content = match[0]
    state.pos = match.end()
    return True


def _wikilink_rule(inner_bar: str) -> _Rule:
    pattern = re.compile(rf"\[\[([^\[\]\n|{inner_bar}\\]+)(?:\\?[|{inner_bar}]([^\[\]\n]*))?\]\]")

    def wikilink(state: StateInline, silent: bool) -> bool:
        if not state.src.startswith("[[", state.pos):
            return False
        match = pattern.match(state.src, state.pos, state.posMax)
        if match is None or not match[1].strip():
            return False
        if not silent:
            token = state.push("wikilink", "", 0)
            token.content = match[1].strip()
            group = 2 if (match[2] or "").strip() else 1
            label = match[group]
            first = match.start(group) + len(label) - len(label.lstrip()) - state.pos
            token.meta["label"] = (first, first + len(label.strip()))
        state.pos = match.end()
        return True

    return wikilink


def _labels(src: str) -> frozenset[int]:
    """Places of the ``[`` that a ``]`` closes, nested at most ``_DEEPEST_LABEL`` deep; linear time.

    markdown-it looks for the end of a label anew from every ``[``: quadratic where none is there.
    """
    codes = _code_ends(src)
    found: set[int] = set()
    waiting: list[list[int]] = []  # place of the bracket, deepest nesting inside it
    at = 0
    while match := _BRACKET.search(src, at):
        at = match.end()
        sign = match.group()[0]
        if sign == "`":
            at = codes.get(match.start(), at)
        elif sign == "[":
            waiting.append([match.start(), 1])
        elif sign == "]" and waiting:
            place, depth = waiting.pop()
            if depth <= _DEEPEST_LABEL:
                found.add(place)
            if waiting:
                waiting[-1][1] = max(waiting[-1][1], depth + 1)
    return frozenset(found)


def _code_ends(src: str) -> dict[int, int]:
    """End of the code span that opens at each run of backticks, where the same number closes it."""
    if "`" not in src:
        return {}
    ends: dict[int, int] = {}
    later: dict[int, int] = {}
    for match in reversed(list(re.finditer("`+", src))):
        size = match.end() - match.start()
        if size in later:
            ends[match.start()] = later[size]
        later[size] = match.end()
    return ends


def _label_end(state: StateInline, start: int, disable_nested: bool = False) -> int:
    if isinstance(state, _State) and start not in state.labels:
        return -1
    return parseLinkLabel(state, start, disable_nested)


_DEEPEST = 60  # containers inside each other; what is nested deeper becomes one paragraph
_LONGEST_LEAF = 200_000  # code points; nobody marks up a longer paragraph, and marks in it would cost memory
_WIKILINK = re.compile(r"\[\[[^\[\]\n]*\]\]")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TABLE = re.compile(r"<(/?)table\b", re.IGNORECASE)
_EXOTIC_BLANKS = re.compile(r"[^\S \t\n]")


@dataclass(frozen=True, slots=True)
class _Place:
    """The container that blocks stand in: how many quotes, and where its content begins on its first line."""

    quotes: int = 0
    line: int = -1
    at: int = 0
    lists: int = 0


class MarkdownReader:
    """Reads ``.md`` files."""

    suffixes: tuple[str, ...] = (".md", ".markdown")
    media_type: str = "text/markdown"

    def read(self, data: bytes, name: str) -> Document:
        """The document. Raises UnreadableDocument for what isn't UTF-8 text or holds no words."""
        text = decode(data, name)
        matter = front_matter(text)
        blocks = _Tree(text, matter[:2] if matter else None).blocks
        if not any(has_text(block) for block in blocks):
            raise UnreadableDocument(f"{name} holds no text, only markup", "leave it out")
        metadata = matter[2] if matter else ()
        return Document(
            name=name,
            text=text,
            blocks=blocks,
            title=dict(metadata).get("title") or title_of(blocks, name),
            media_type=self.media_type,
            content_hash=content_hash(data),
            metadata=metadata,
        )


def title_of(blocks: tuple[Block, ...], name: str) -> str:
    """Text of the first heading of level 1, else of the first heading, else the file's stem."""
    headings = [b for b in blocks if b.kind is BlockKind.HEADING and b.inline and b.inline.text.strip()]
    top = next((b for b in headings if b.level == 1), headings[0] if headings else None)
    if top is not None and top.inline is not None:
        return " ".join(top.inline.text.split())
    return PurePosixPath(name).stem


def has_text(block: Block) -> bool:
    """Whether a block or one inside it has words."""
    if block.inline is not None and block.inline.text.strip():
        return True
    return any(has_text(child) for child in block.children)


def _reference_but_no_footnote(rule: Callable[..., bool]) -> Callable[..., bool]:
    """A footnote's text must not vanish as a link definition."""

    def reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if state.src.startswith("[^", state.bMarks[start] + state.tShift[start]):
            return False
        return rule(state, start, end, silent)

    return reference


def _parser(inner_bar: str) -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable(["table", "strikethrough"])
    md.core.ruler.enableOnly(["block"])
    rules = {rule.name: rule.fn for rule in md.block.ruler.__rules__}
    md.block.ruler.at("reference", _reference_but_no_footnote(rules["reference"]), {"alt": []})
    install(md, inner_bar)
    return md


def _tables(text: str) -> list[tuple[int, int]]:
    """Where the HTML tables that stand in no other begin, and where their end tags do."""
    waiting: list[int] = []
    found: list[tuple[int, int]] = []
    for tag in _TABLE.finditer(text):
        if not tag[1]:
            waiting.append(tag.start())
        elif waiting:
            found.append((waiting.pop(), tag.start()))
            while len(found) > 1 and found[-2][0] > found[-1][0]:
                del found[-2]
    return found


def _without_ends(text: str) -> str:
    """The text with kramdown's end-of-block marks, a "^" alone on its line, as blanks; in fenced code they stay."""
    if "\n^" not in text:
        return text
    lines, fence = text.split("\n"), ""
    for place, line in enumerate(lines):
        if found := _FENCE.match(line):
            fence = "" if fence and found[1].startswith(fence) else fence or found[1][:3]
        elif not fence and line.rstrip(" \t\r") == "^":
            lines[place] = " " + line[1:]
    return "\n".join(lines)


class _Tree:
    """Builds the blocks of one text."""

    def __init__(self, text: str, matter: tuple[int, int] | None) -> None:
        self.text = text
        bar = next(chr(c) for c in range(0xE000, 0xF8FF) if chr(c) not in text)
        # What is parsed has the text's length: odd blanks are blanks, a wiki-link's bar is no border of a cell.
        masked = _EXOTIC_BLANKS.sub(" ", text)
        masked = _WIKILINK.sub(lambda m: m.group().replace("|", bar), masked)
        masked = _without_ends(masked)
        if matter is not None:
            upto = len(text) if (newline := text.find("\n", matter[1])) < 0 else newline
            masked = re.sub(r"[^\n]", " ", masked[:upto]) + masked[upto:]
        self.masked = masked
        self.lines = [0, *(match.end() for match in re.finditer("\n", masked))]
        self.md = _parser(bar)
        self.env: dict[str, Any] = {}
        self.tokens = self.md.parse(masked, self.env)
        self.next = 0
        self.tables = _tables(masked)
        found = [self._code(matter[0], matter[1], "yaml")] if matter else []
        self.blocks = (*found, *self._children(_Place()))

    def _code(self, start: int, end: int, info: str) -> Block:
        start, end = trim(self.text, start, end)
        return Block(BlockKind.CODE, start, end, verbatim(self.text, origin([(start, end - start)])), info=info)

    # --- lines ---------------------------------------------------------------------------------

    def _line_end(self, line: int) -> int:
        return self.lines[line + 1] - 1 if line + 1 < len(self.lines) else len(self.masked)

    def _text_end(self, line: int, last: int) -> int:
        """End of the last non-blank character on the lines ``line`` to ``last``."""
        start = self.lines[line]
        return start + len(self.masked[start : self._line_end(min(last, len(self.lines) - 1))].rstrip())

    def _begin(self, line: int, place: _Place) -> int:
        """Where on ``line`` the content of the container begins, behind quote marks and blanks."""
        at, quotes = (place.at, 0) if line == place.line else (self.lines[line], place.quotes)
        while at < len(self.masked):
            if self.masked[at] == ">" and quotes:
                quotes -= 1
            elif self.masked[at] not in " \t":
                break
            at += 1
        return at

    def _aligned(self, content: str, first: int, last: int, floor: int) -> tuple[str, Origin] | None:
        """Content as the parser gives it, found again on the lines; None where it isn't there.

        A content line is the end of its source line, less quote marks and indentation in front of it.
        """
        pieces: list[tuple[int, int]] = []
        kept: list[str] = []
        line = first
        for body in content.split("\n"):
            core = body.strip(" \t")
            while line <= last and (at := self._found(core, line, floor)) < 0:
                line += 1
            if line > last:
                return None
            lead = _same_lead(body, self.masked, at, max(self.lines[line], floor)) if core else 0
            trail = body[len(body.rstrip(" \t")) :] if core else ""
            if kept:
                newline = self._line_end(line - 1)
                kept.append("\n")
                pieces.append((newline, 1))
            piece = self.masked[at - lead : at] + core + trail
            kept.append(piece)
            pieces.append((at - lead, len(piece)))
            line += 1
        return "".join(kept), origin(pieces)

    def _found(self, core: str, line: int, floor: int) -> int:
        start, end = max(self.lines[line], floor), self._line_end(line)
        if not core:
            return end if not self.masked[start:end].strip(" \t>") else -1
        at = self.masked.rfind(core, start, end)
        return at if at >= 0 and not self.masked[at + len(core) : end].strip(" \t#") else -1

    # --- blocks --------------------------------------------------------------------------------

    def _children(self, place: _Place) -> tuple[Block, ...]:
        found: list[Block] = []
        while self.next < len(self.tokens):
            token = self.tokens[self.next]
            self.next += 1
            if token.nesting < 0:
                break
            if token.type == "html_block":
                found.extend(self._html(token, place))
            elif token.type == "list_item_open":
                found.append(self._item(token, place))
            elif (block := self._block(token, place)) is not None:
                found.append(block)
        return tuple(found)

    def _block(self, token: Token, place: _Place) -> Block | None:
        first, after = token.map or [0, 0]
        kind = token.type
        if kind == "heading_open":
            return self._heading(token, place, first, after - 1)
        if kind == "paragraph_open":
            return self._paragraph(place, first, after - 1)
        if kind in ("bullet_list_open", "ordered_list_open"):
            return self._list(token, place)
        if kind == "blockquote_open":
            return self._quote(token, place, first, after - 1)
        if kind == "table_open":
            return self._table(place, first, after - 1)
        if kind in ("fence", "code_block"):
            return self._code_block(token, place, first, after - 1)
        start, end = self._begin(first, place), self._text_end(first, after - 1)
        return Block(BlockKind.RULE, start, end)

    def _inline(self, content: str, where: Origin) -> Inline:
        if len(content) > _LONGEST_LEAF:
            return verbatim(self.text, where)
        return parse(self.md, self.env, self.text, content, where)

    def _leaf(self, kind: BlockKind, start: int, end: int, inline: Inline, level: int = 0) -> Block | None:
        return Block(kind, start, end, inline, level=level) if inline.text.strip() else None

    def _heading(self, token: Token, place: _Place, first: int, last: int) -> Block | None:
        inline = self.tokens[self.next]
        self.next += 2
        start, end = self._begin(first, place), self._text_end(first, last)
        level = int(token.tag[1:])
        if not inline.content.strip():
            return None
        floor = start + (len(token.markup) if token.markup[0] == "#" else 0)
        found = self._aligned(inline.content, first, last, floor)
        if found is None or token.markup[0] == "#":
            at = self.masked.find(inline.content, floor)
            found = inline.content, origin([(at, len(inline.content))])
        return self._leaf(BlockKind.HEADING, start, end, self._inline(*found), level)

    def _paragraph(self, place: _Place, first: int, last: int) -> Block | None:
        content = self.tokens[self.next].content
        self.next += 2
        found = self._aligned(content, first, last, self._begin(first, place)) if content else None
        if found is None:
            return self._rest(self._begin(first, place), self._text_end(first, last))
        where = found[1]
        return self._leaf(BlockKind.PARAGRAPH, where.start, where.end, self._inline(*found))

    def _rest(self, start: int, end: int) -> Block | None:
        """A paragraph of lines that are taken as they are."""
        where = origin([(start, end - start)]) if start < end else Origin(())
        return self._leaf(BlockKind.PARAGRAPH, start, end, verbatim(self.text, where))

    def _list(self, token: Token, place: _Place) -> Block | None:
        inside = _Place(place.quotes, place.line, place.at, place.lists + 1)
        items = self._children(inside)
        if not items:
            return None
        info = "ordered" if token.type == "ordered_list_open" else ""
        return Block(BlockKind.LIST, items[0].start, items[-1].end, children=items, level=inside.lists, info=info)

    def _item(self, token: Token, place: _Place) -> Block:
        first, after = token.map or [0, 0]
        start = self._begin(first, place)
        behind = start + len(token.info) + 1
        inside = _Place(place.quotes, first, behind, place.lists)
        children = self._contents(token, inside, behind, first, after - 1)
        end = children[-1].end if children else behind
        number = int(token.info) if token.info else None
        return Block(BlockKind.LIST_ITEM, start, end, children=children, number=number)

    def _quote(self, token: Token, place: _Place, first: int, last: int) -> Block | None:
        start = self._begin(first, place)
        inside = _Place(place.quotes + 1, first, start + 1, place.lists)
        children = self._contents(token, inside, start + 1, first, last)
        return Block(BlockKind.QUOTE, start, children[-1].end, children=children) if children else None

    def _contents(self, token: Token, inside: _Place, at: int, first: int, last: int) -> tuple[Block, ...]:
        children = self._children(inside)
        if children or token.level < _DEEPEST - 2:
            return children
        start, end = trim(self.masked, at, self._text_end(first, last))
        rest = self._rest(start, end)
        return (rest,) if rest else ()

    def _code_block(self, token: Token, place: _Place, first: int, last: int) -> Block | None:
        start, end = self._begin(first, place), self._text_end(first, last)
        fenced = token.type == "fence"
        content = token.content.rstrip()
        found = None
        if content.strip():
            found = self._aligned(content, first + fenced, last, 0 if fenced else start)
            found = found or (content, origin([(start, end - start)]))
        inline = verbatim(self.text, found[1]) if found else Inline("", ())
        info = token.info.split()[0].lower() if token.info.split() else ""
        return Block(BlockKind.CODE, start, end, inline, info=info)

    def _html(self, token: Token, place: _Place) -> tuple[Block, ...]:
        first, after = token.map or [0, 0]
        start, end = self._begin(first, place), self._text_end(first, self._table_end(first, after) - 1)
        blocks = None if place.quotes else blocks_of(self.text, start, end, self._stretch)
        if blocks is not None:
            return blocks
        builder = InlineBuilder(self.text)
        for left, right in text_pieces(self.text, start, end):
            builder.copy(left, right - left)
        block = self._leaf(BlockKind.PARAGRAPH, start, end, builder.build())
        return (block,) if block else ()

    def _stretch(self, start: int, end: int) -> Inline:
        return self._inline(self.masked[start:end], origin([(start, end - start)]))

    def _table_end(self, first: int, after: int) -> int:
        """The line behind the HTML on the lines ``first`` up to ``after``, or behind a table that begins in it.

        A blank line ends HTML in Markdown, not a table: the blocks up to its end are passed over. Where a heading or
        fenced code stands among them, it isn't read as one.
        """
        start, end = self.lines[first], self._line_end(after - 1)
        within = self.tables[bisect_left(self.tables, (start, 0)) : bisect_left(self.tables, (end, 0))]
        close = within[-1][1] if within else 0
        depth, last, at = 0, after, self.next
        while end <= close and at < len(self.tokens):
            token = self.tokens[at]
            if token.type in ("heading_open", "fence") or depth + token.nesting < 0:
                break
            last = token.map[1] if token.map and not depth else last
            depth, at = depth + token.nesting, at + 1
            if not depth and close < self._line_end(last - 1):
                self.next = at
                return last
        return after

    def _table(self, place: _Place, first: int, last: int) -> Block:
        header = self._row(place, first, True)
        rows: list[Block] = []
        depth = 1
        while depth:
            token = self.tokens[self.next]
            self.next += 1
            depth += 1 if token.type == "table_open" else -1 if token.type == "table_close" else 0
            if token.type == "tr_open" and token.map and token.map[0] != first:
                rows.append(self._row(place, token.map[0], False))
        children = (header, *rows)
        end = rows[-1].end if rows else self._text_end(first, last)
        return Block(BlockKind.TABLE, header.start, end, children=children)

    def _row(self, place: _Place, line: int, header: bool) -> Block:
        start, end = self._begin(line, place), self._text_end(line, line)
        cells = []
        for left, right in row_cells(self.masked, start, end):
            where = origin(cell_content(self.masked, left, right))
            content = "".join(self.masked[s : s + n] for _, s, n in where.stretches)
            inline = self._inline(content, where) if content else Inline("", ())
            cells.append(Block(BlockKind.TABLE_CELL, left, right, inline, header=header))
        return Block(BlockKind.TABLE_ROW, start, end, children=tuple(cells), header=header)


def _same_lead(body: str, source: str, at: int, floor: int) -> int:
    """How many of the blanks before the line's text stand in the source as they are in the content."""
    lead = len(body) - len(body.lstrip(" \t"))
    same = 0
    while same < lead and at - same - 1 >= floor and source[at - same - 1] == body[lead - same - 1]:
        same += 1
    return same
