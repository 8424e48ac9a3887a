from __future__ import annotations

import subprocess
import sys

import pytest

ORDERED = """
from kg.algebra.compose import Candidate
from kg.algebra.evaluate import Result
from kg.algebra.parse import _grouped
tied = [("Corran", "Skerry"), ("Holm", "Orr"), ("Kiel", "Alma"), ("Rex", "Fastnet")]
found = [Candidate(None, Result(texts=texts), (), 1.0) for texts in tied]
print([one.result.texts[0] for one, share in _grouped(found)])
"""


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_results_of_equal_chance_stand_in_one_order_in_every_process(seed: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", ORDERED], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["['Kiel',", "'Corran',", "'Rex',", "'Holm']"]
