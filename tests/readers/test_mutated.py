"""Damaged files, a few of each kind; benchmarks/mutated_files.py reads them by the thousand."""

from __future__ import annotations

import pytest

from tests.readers.mutated import FORMATS, mutated
from tests.readers.mutations import survives


@pytest.mark.parametrize("format", FORMATS)
def test_damaged_files_are_read_or_refused(format: str) -> None:
    files = list(mutated(format, 60, seed=7))
    assert len({file.data for file in files}) > 50 and len({file.way for file in files}) > 8
    read = sum(survives(file.data, file.name) for file in files)
    assert 5 <= read <= 55  # some of the damage is slight, some isn't


def test_the_same_files_each_time() -> None:
    assert list(mutated("pdf", 20)) == list(mutated("pdf", 20)) != list(mutated("pdf", 20, seed=2))
