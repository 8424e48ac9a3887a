"""Links between pages, to headings and to files of the repository lead somewhere; the site can be built."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from ..conftest import REPOSITORY
from .pages import DOCS

OTHERS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
PAGES = sorted({*DOCS.rglob("*.md"), *(REPOSITORY / name for name in OTHERS)})
PAGES = [page for page in PAGES if "documents" not in page.parts and "sources" not in page.parts]
_LINK = re.compile(r"\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def links(page: Path) -> list[str]:
    return _LINK.findall(_FENCE.sub("", page.read_text(encoding="utf-8")))


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as Python-Markdown and forges make them for plain headings."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head).strip().lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(REPOSITORY).as_posix())
def test_links_lead_to_files_and_headings(page: Path) -> None:
    for link in links(page):
        parts = urlsplit(link)
        if parts.scheme:
            assert parts.scheme in ("http", "https"), link
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        assert target.is_relative_to(REPOSITORY) and target.exists(), f"{link} leads nowhere"
        if parts.fragment and target.suffix == ".md":
            assert parts.fragment in anchors(target), f"{link}: no such heading"


def test_every_page_is_in_the_navigation() -> None:
    text = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r": ([\w/-]+\.md)$", text, re.MULTILINE))
    there = {p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md") if "samples" not in p.parts}
    assert listed == there


class _References(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        wanted = {"a": "href", "link": "href", "script": "src", "img": "src"}.get(tag)
        self.found += [value for name, value in attrs if name == wanted and value]


def test_the_site_is_built_offline_and_hangs_together(tmp_path: Path) -> None:
    blocked = {**os.environ, "http_proxy": "http://127.0.0.1:1", "https_proxy": "http://127.0.0.1:1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=REPOSITORY, env=blocked, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        parser = _References()
        parser.feed(page.read_text(encoding="utf-8"))
        for reference in parser.found:
            parts = urlsplit(reference)
            if parts.scheme or reference.startswith(("//", "#", "/")):
                continue
            assert (page.parent / unquote(parts.path)).exists(), f"{page.name}: {reference}"


def test_pages_load_nothing_from_elsewhere(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path / "site")]
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True)
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    loaded = re.findall(r'<(?:script|img)[^>]* src="([^"]+)"|<link[^>]*stylesheet[^>]* href="([^"]+)"', page)
    assert loaded
    assert not [one for pair in loaded for one in pair if urlsplit(one).scheme or one.startswith("//")]


def test_the_documentation_needs_what_the_extra_brings() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert any(text.startswith("mkdocs") for text in project["optional-dependencies"]["docs"])
