from __future__ import annotations

import pytest

from tests.extract.reading import facts


@pytest.mark.parametrize(
    ("happened", "told"),
    [
        ("Rolf Works gave us charge of the old harbour", False),
        ("Rolf Works sold your grandmother's mill to Alma", False),
        ("Rolf Works sold the old mill to US Orchards", True),
        ("Rolf Works lost two barges in World War I", True),
    ],
)
def test_what_is_told_of_writer_or_reader_is_no_event(happened: str, told: bool) -> None:
    found = facts(f"# Harbours\n\nIn May 1951, {happened}.\n")
    assert ((happened, "date", "1951-05") in found) is told
