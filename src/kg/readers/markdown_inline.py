"""Inline Markdown with exact offsets: markdown-it's inline rules, run by a state that records positions.

markdown-it gives block tokens a line map but inline tokens nothing, so every rule that pushes tokens is
wrapped to note on them where in the content they begin and end (``meta["at"]``, ``meta["end"]``). Text that
no rule claims is then exactly what lies between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkDestination, parseLinkLabel, parseLinkTitle
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline.state_inline import StateInline
from markdown_it.token import Token

from kg.model import Inline, MarkKind
from kg.readers.inline import InlineBuilder, Origin

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
        parseLinkLabel=_label_end, parseLinkDestination=parseLinkDestination, parseLinkTitle=parseLinkTitle
    )


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

    def tokens(self, tokens: list[Token]) -> None:
        for token in tokens:
            at = token.meta.get("at", self.cursor)
            if "at" in token.meta and at < self.cursor:
                continue  # a lone tilde that markdown-it has moved
            self.cursor = at
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
