"""Generated documents about observatories: tables, aliases, homonyms and figures on which they disagree."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = ("annals.md", "bulletin.md", "catalogue.txt", "digest.md")
PLACES = ("Kestrel Observatory", "Kestrel", "Northlight", "the Mercury", "Mercury", "Corvid Station", "Corvid Stations")
PROPERTIES = ("Mirror count", "Number of mirrors", "Staff", "Opened", "Director", "Budget")

_cells = st.sampled_from(
    (
        "8",
        "~12",
        "8-16",
        "12",
        "1931",
        "May 1931",
        "Ada Wren",
        "Ada Wren, Tom Finch",
        "$2M",
        "~$2M-$3M",
        "unknown",
        "9 (planned)",
    )
)
_sentences = st.sampled_from(
    (
        "Kestrel Observatory (KO) stands on Mount Arden.",
        "KO was probably designed by Ada Wren.",
        "Mercury, a space probe, photographed the planet Mercury.",
        "Northlight never had a director.",
        "The Corvid Station was founded in 1931 by Tom Finch.",
        "Nobody has said what Northlight cost.",
    )
)
_places = st.sampled_from(PLACES)


@st.composite
def _table(draw: st.DrawFn) -> str:
    heads = draw(st.lists(st.sampled_from(PROPERTIES), min_size=1, max_size=3, unique=True))
    rows = draw(st.lists(st.tuples(_places, *[_cells for _ in heads]), min_size=1, max_size=4))
    lines = ["| Observatory | " + " | ".join(heads) + " |", "|" + "---|" * (len(heads) + 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


@st.composite
def _bullets(draw: st.DrawFn) -> str:
    pairs = draw(st.lists(st.tuples(st.sampled_from(PROPERTIES), _cells), min_size=1, max_size=4))
    return "\n".join(f"- **{key}**: {value}" for key, value in pairs)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Text of one document, never blank."""
    parts = [f"# {draw(_places)} in brief"]
    for _ in range(draw(st.integers(1, 3))):
        parts.append(f"## {draw(_places)}" + draw(st.sampled_from(("", " (1931)", " (from leaks)", ": planned"))))
        parts.append(draw(st.one_of(_table(), _bullets(), st.lists(_sentences, min_size=1, max_size=3).map(" ".join))))
    return "\n\n".join(parts) + "\n"


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[str, str | None]]:
    """Changes in order: (document, its new text), or None for its removal."""
    change = st.tuples(st.sampled_from(NAMES), st.one_of(documents(), documents(), st.none()))
    return draw(st.lists(change, min_size=1, max_size=6))
