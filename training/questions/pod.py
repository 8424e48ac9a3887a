"""Perl's documentation (POD, perlpod(1)) as Markdown."""

from __future__ import annotations

import re

_OUTER = re.compile(r"\b([A-Z])(?:<{3}\s+(?=.*?\s>{3})|<<\s+)(.*?)\s+>{2,3}", re.S)  # C<< a > b >>
_INNER = re.compile(r"([A-Z])<([^<>]*)>")
_CHARACTERS = {
    "lt": "<", "gt": ">", "sol": "/", "verbar": "|", "eacute": "é", "ouml": "ö", "aring": "å", "oslash": "ø",
    "auml": "ä",
}  # fmt: skip
_MARKS = {"B": "**{}**", "I": "*{}*", "C": "`{}`", "F": "`{}`"}


def markdown(pod: str) -> str:
    """A page."""
    page = _Page()
    for paragraph in re.split(r"\n[ \t]*\n+", pod):
        page.add(paragraph.strip("\n"))
    return "\n\n".join(page.blocks) + "\n"


class _Page:
    """Blocks of Markdown, and what the paragraphs before say of the next."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self._shown = True  # not between =begin and =end, which are for other formats
        self._bullet = ""

    def add(self, paragraph: str) -> None:
        if command := re.match(r"=(\w+)\s*(.*)", paragraph, re.S):
            self._command(command[1], _inline(" ".join(command[2].split())))
        elif self._shown and paragraph:
            if paragraph[0] in " \t":
                self._code(paragraph)
            else:
                self.blocks.append(self._bullet + _inline(paragraph))
                self._bullet = ""

    def _command(self, name: str, text: str) -> None:
        if name in ("begin", "for", "end", "pod"):
            self._shown = name != "begin"
        elif name.startswith("head"):
            self.blocks.append("#" * int(name[4:]) + " " + text)
        elif name == "item":
            self._bullet = "- " if text in ("*", "o", "") else ""
            if not self._bullet:
                text = re.sub(r"^\*\s+", "", text)
                self.blocks.append(text if text[:1].isdigit() else "- " + text)

    def _code(self, paragraph: str) -> None:
        if self.blocks and self.blocks[-1].endswith("\n```"):
            self.blocks[-1] = self.blocks[-1].removesuffix("```") + paragraph + "\n```"
        else:
            self.blocks.append(f"```\n{paragraph}\n```")


def _inline(text: str) -> str:
    """Formatting codes from the innermost outwards; the brackets that they give are hidden from the next round."""
    before = ""
    while text != before:
        before = text
        for pattern in _OUTER, _INNER:
            text = pattern.sub(lambda m: _code(m[1], m[2]).replace("<", "\x01").replace(">", "\x02"), text)
    return text.replace("\x01", "<").replace("\x02", ">")


def _code(letter: str, text: str) -> str:
    if letter in "XZ":  # entries of an index, and nothing
        return ""
    if letter == "E":
        return _CHARACTERS.get(text) or (chr(int(text, 0)) if text[:1].isdigit() else text)
    if letter == "L":
        if "|" in text:
            return text.split("|")[0]
        return text if ":/" in text else text.replace("/", " ").strip()
    return _MARKS.get(letter, "{}").replace("{}", text)
