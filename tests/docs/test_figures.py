"""Figures that pages promise are those of the benchmarks' files: what is measured anew makes a stale page fail."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ..conftest import REPOSITORY
from .pages import DOCS

PROMISES = DOCS / "explanation" / "promises.md"
_ROW = re.compile(r"^\| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
_LINK = re.compile(r"\]\((\.\./\.\./benchmarks/[\w-]+\.md)\)")
_FIGURE = re.compile(r"(?<![\w.,])(?:\d[\d,]*)?(?:\.?\d)+(?: %)?(?![\w.,]?\d)")


def figures(text: str) -> set[str]:
    """Figures as written: whole numbers, decimals, percentages (told from other figures by their sign)."""
    return set(_FIGURE.findall(text))


def together(wanted: set[str], text: str) -> bool:
    """Whether one paragraph or table of a text has all the figures."""
    return any(wanted <= figures(block) for block in re.split(r"\n\s*\n", text))


def rows() -> list[tuple[str, str, Path]]:
    """What each row of the table measures, its figure, and the file that it links to (a row without one: the last)."""
    found, source = [], None
    for what, figure, where in _ROW.findall(PROMISES.read_text(encoding="utf-8")):
        if link := _LINK.search(where):
            source = (PROMISES.parent / link[1]).resolve()
        if source is not None:
            found.append((what, figure, source))
    return found


@pytest.mark.parametrize(("what", "figure", "source"), rows(), ids=lambda cell: cell if isinstance(cell, str) else "")
def test_promised_figures_stand_together_in_the_file_that_the_row_names(what: str, figure: str, source: Path) -> None:
    assert together(figures(figure), source.read_text(encoding="utf-8")), f"{what}: {figure}, not so in {source.name}"


def test_most_rows_have_figures() -> None:
    assert sum(bool(figures(figure)) for _, figure, _ in rows()) >= 10


def test_the_readme_gives_figures_of_the_promises_only() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    told = readme[readme.index("## How good is it") : readme.index("## Licence")]
    assert figures(told) and figures(told) <= figures(PROMISES.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("promised", "measured", "same"),
    [
        ("12 of 40 (30 %)", "right: 12 of 40 asked\n(30 %)", True),
        ("12 of 40 (30 %)", "right: 12 of 40\n\nleft: 30 %", False),
        ("30 %", "30 cases", False),
        ("12", "112, 12.5 and 1,12", False),
        (".84 (before .76)", "| before | .76 |\n| now | **.84** |", True),
        ("1,473", "473", False),
        ("54.4 %", "it was 54.4 % then", True),
        ("54.4 %", "it is 55.4 % now", False),
    ],
)
def test_figures_are_compared_whole_and_within_a_paragraph(promised: str, measured: str, same: bool) -> None:
    assert together(figures(promised), measured) is same
