"""What the lines of plain text look like: bullets, commands, headings, diagrams, furniture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TAB = 4
_LONGEST_COMMAND = 300
_LONGEST_EVENT = 1000
_LONGEST_HEADING, _MOST_WORDS = 80, 12

_BULLET = re.compile(r"(?:[•◦▪‣·●○*+–-]|\(?(\d{1,3})[.)]|\(?[a-z]\))[ \t]+(?=\S)")
_RULE = re.compile(r"([-*_=~])(?:[ \t]*\1){2,}")
_FENCE = re.compile(r"(```+|~~~+)[ \t]*([\w+-]*)[ \t]*")
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
class Line:
    """A non-blank line: offsets of its text without the blanks around it, and the width of its indentation."""

    start: int
    end: int
    indent: int
    body: str


@dataclass(frozen=True, slots=True)
class Group:
    """Lines between blank lines; ``code`` is the language of a fenced block ("" without one), else None."""

    lines: tuple[Line, ...]
    code: str | None = None
    start: int = 0
    end: int = 0


def groups(text: str) -> list[Group]:
    """The non-blank lines of the text in groups, page furniture left out, fenced code as groups of its own."""
    lines = _lines(text)
    closers = _fences(lines)
    found: list[Group] = []
    current: list[Line] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        close = closers.get(index)
        if close is not None or line is None or _FURNITURE.fullmatch(line.body):
            if current:
                found.append(Group(tuple(current)))
            current = []
        elif line is not None:
            current.append(line)
        if close is not None and line is not None:
            last = lines[close]
            fence = _FENCE.fullmatch(line.body)
            inside = tuple(inner for inner in lines[index + 1 : close] if inner is not None)
            if inside and last is not None and fence is not None:
                found.append(Group(inside, fence[2].lower(), line.start, last.end))
            index = close
        index += 1
    if current:
        found.append(Group(tuple(current)))
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


def _fences(lines: Sequence[Line | None]) -> dict[int, int]:
    """Line numbers of opening and closing fences."""
    found: dict[int, int] = {}
    opened: tuple[int, str] | None = None
    for index, line in enumerate(lines):
        match = _FENCE.fullmatch(line.body) if line is not None and line.body[0] in "`~" else None
        if match is None:
            continue
        if opened is None:
            opened = (index, match[1])
        elif match[1].startswith(opened[1]) and not match[2]:
            found[opened[0]] = index
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


def is_wrapped(lines: Sequence[Line]) -> bool:
    """Whether the lines are one paragraph broken at a margin, rather than lines that each stand for themselves."""
    widest = max(len(line.body) for line in lines)
    if not 40 <= widest <= 140:
        return False
    full = sum(len(line.body) >= 0.6 * widest for line in lines[:-1])
    flows = sum(not line.body[:1].isupper() for line in lines[1:])
    return full >= 0.8 * (len(lines) - 1) and (flows >= 0.3 * (len(lines) - 1) or lines[0].body[-1] not in ".;")


def is_indented_code(lines: Sequence[Line], margin: int) -> bool:
    """Whether all lines are indented like code and don't read as prose."""
    if any(line.indent < margin + _TAB for line in lines):
        return False
    words = sum(len(line.body.split()) for line in lines)
    return not (words >= 6 * len(lines) and lines[-1].body[-1] in ".!?”\"'")
