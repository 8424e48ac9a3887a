"""Choosing a media type."""

from __future__ import annotations

import pytest
from kg.api.protocol import GRAPHS, ROWS, choose, require

from kg.errors import Unsupported


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, "application/sparql-results+json"),
        ("", "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
        ("text/csv", "text/csv"),
        ("TEXT/CSV", "text/csv"),
        ("text/*", "text/csv"),
        ("text/csv;q=0.2, application/sparql-results+xml;q=0.9", "application/sparql-results+xml"),
        ("text/html, */*;q=0.1", "application/sparql-results+json"),
        ("*/*, application/sparql-results+json;q=0", "application/sparql-results+xml"),
        ("text/csv; header=present; q=0.5", "text/csv"),
        ("text/html", None),
        ("text/csv;q=0", None),
        ("text/csv;q=high", "application/sparql-results+json"),
    ],
)
def test_the_heaviest_range_wins(accept: str | None, chosen: str | None) -> None:
    assert choose(accept, ROWS) == chosen


def test_nothing_acceptable_is_refused_with_what_there_is() -> None:
    with pytest.raises(Unsupported) as refused:
        require("image/png", GRAPHS)
    assert refused.value.http_status == 406 and "text/turtle" in refused.value.hint
