"""Documents made of the files of the data folder (see ``training/README.md`` and the sets' ``README.txt``).

Every maker takes that folder and what ``sources.toml`` says of the set, and gives names and texts.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .tokens import paragraphs, sentences

Document = tuple[str, str]  # its file's name and its text
About = Mapping[str, Any]


def pages(data: Path, about: About) -> Iterator[Document]:
    """Pages as they are, those in folders named after these too; some without what comes after a heading."""
    for page in about["pages"]:
        text = (data / about["folder"] / page).read_bytes().decode("utf-8")
        end = about.get("cut_before", {}).get(page)
        yield page.replace("/", "--"), text[: text.index(end)] if end else text


def articles(data: Path, about: About) -> Iterator[Document]:
    """Articles put together of their first paragraphs, each under its title; a second file with the next."""
    told: dict[str, dict[str, None]] = {}
    for line in (data / about["file"]).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        told.setdefault(row["article"], {})[row["context"].strip()] = None
    most, joint = about["paragraphs"], about["joint"]
    for title in about["titles"]:
        name = re.sub(r"[^a-z0-9]+", joint, title.lower()).strip(joint)
        for number in range(about["files"]):
            if part := list(told[title])[number * most : (number + 1) * most]:
                ending = f"_{number + 1}" if number else ""
                yield f"{name}{ending}.md", "\n\n".join([f"# {title}", *part]) + "\n"


def biographies(data: Path, about: About) -> Iterator[Document]:
    """Openings of encyclopedia articles, those of a theme on a page."""
    read = json.loads((data / about["file"]).read_text(encoding="utf-8"))
    for theme, numbers in about["pages"].items():
        parts = [f"# {theme}"]
        for document in map(read.__getitem__, numbers):
            parts.append("## " + html.unescape(html.unescape(document["title"])))
            parts += paragraphs(sentences(document["sents"]))
        yield re.sub(r"[^a-z]+", "-", theme.lower()).strip("-") + ".md", "\n\n".join(parts) + "\n"
