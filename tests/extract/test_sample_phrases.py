"""Phrases of the sample ontology over invented sentences: what they read, and what they must leave alone."""

from __future__ import annotations

import pytest

from kg.ontology import load
from tests.conftest import REPOSITORY
from tests.extract.reading import facts

KNOWN = load([REPOSITORY / "ontology" / "ai-infrastructure.ttl"])


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("AMD scaled Kubernetes to 1,200 nodes on Azure.", ("Kubernetes", "runsOn", "Azure")),
        ("AMD gave a talk about pushing Kubernetes to 300+ nodes on AWS.", ("Kubernetes", "runsOn", "AWS")),
        ("AMD stores all its test code in GitHub.", ("AMD", "uses", "GitHub")),
        ('AMD rewrote "all of the old schedulers".', ("AMD", "rebuilt", "all of the old schedulers")),
    ],
)
def test_what_is_read(sentence: str, expected: tuple[str, str, str]) -> None:
    assert expected in facts(sentence + "\n", known=KNOWN)


@pytest.mark.parametrize(
    "sentence",
    [
        "AMD moved from Kubernetes to faster nodes on Azure.",  # what it moved from doesn't run there
        "AMD stores all its data in Iceland.",
        "AMD stores spare code books in Berlin.",
    ],
)
def test_what_is_left_alone(sentence: str) -> None:
    assert not {f for f in facts(sentence + "\n", known=KNOWN) if f[1] in ("runsOn", "uses")}
