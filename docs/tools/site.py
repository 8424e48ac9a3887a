"""Hooks of MkDocs (see mkdocs.yml): pages may link to any file of the repository, as they do on a forge.

A link that leaves ``docs/`` ("../../benchmarks/questions.md") is followed to the file, which becomes part of the site
under ``repository/``. So one and the same link works in a checkout, on a forge and on the site.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s#]+)(#[^)\s]*)?\)")
_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:|/")
_PREFIX = "repository/"


def _place(source: str) -> str:
    """A page's path in the repository, from its path in the site's sources."""
    return source.removeprefix(_PREFIX) if source.startswith(_PREFIX) else f"docs/{source}"


def _target(source: str, link: str) -> str:
    """The path in the repository that a link leads to; empty for what isn't a file of it."""
    if _EXTERNAL.match(link):
        return ""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(_place(source)), link))
    return path if not path.startswith("..") and (ROOT / path).is_file() else ""


def on_files(files: Files, config: Any) -> Files:
    """Adds the files that pages link to, and those that these link to."""
    waiting = [f.src_uri for f in files if f.src_uri.endswith(".md") and f.inclusion.is_included()]
    while waiting:
        source = waiting.pop()
        for link, _ in _LINK.findall((ROOT / _place(source)).read_text(encoding="utf-8")):
            path = _target(source, link)
            if path and _site_path(path, files) is None:
                where = _PREFIX + path
                files.append(File.generated(config, where, abs_src_path=str(ROOT / path)))
                if where.endswith(".md"):
                    waiting.append(where)
    return files


def _site_path(path: str, files: Files) -> str | None:
    """Where the site keeps a file of the repository."""
    inside = path.removeprefix("docs/") if path.startswith("docs/") else ""
    for candidate in (inside, _PREFIX + path):
        found = files.get_file_from_path(candidate) if candidate else None
        if found is not None and found.inclusion.is_included():
            return candidate
    return None


def on_page_markdown(markdown: str, page: Any, files: Files, **_: Any) -> str:
    """Turns links to files of the repository into links to where the site keeps them."""
    source = page.file.src_uri

    def moved(match: re.Match[str]) -> str:
        path = _target(source, match[1])
        place = _site_path(path, files) if path else None
        if place is None:
            return match[0]
        return match[0].replace(f"({match[1]}", f"({os.path.relpath(place, posixpath.dirname(source) or '.')}")

    return _LINK.sub(moved, markdown)
