"""Names that a text equates."""

from __future__ import annotations

import pytest

from kg.text.aliases import aliases


@pytest.mark.parametrize(
    ("text", "name", "alias"),
    [
        ("Architecture: Mixture of Experts (MoE)", "Mixture of Experts", "MoE"),
        ("the Zero Redundancy Optimizer (ZeRO) shards", "Zero Redundancy Optimizer", "ZeRO"),
        ("ZeRO (Zero Redundancy Optimizer) shards", "Zero Redundancy Optimizer", "ZeRO"),
        ("funded by the Irish Lights Commission (ILC).", "Irish Lights Commission", "ILC"),
        ("an ILC (Irish Lights Commission) boat", "Irish Lights Commission", "ILC"),
        ("liquid crystal displays (LCDs)", "liquid crystal displays", "LCDs"),
        ("the Bakers of Cork (BoC) met", "Bakers of Cork", "BoC"),
        ("Fastnet Light, also known as the Teardrop, shone", "Fastnet Light", "Teardrop"),
        ("Reed Works (formerly Harlan Yard) closed", "Reed Works", "Harlan Yard"),
        ("Royal Observatory, or Royal Obs for short", "Royal Observatory", "Royal Obs"),
        ('Titanium Kiln (aka "TK One")', "Titanium Kiln", "TK One"),
    ],
)
def test_stated_aliases(text: str, name: str, alias: str) -> None:
    (found,) = aliases(text)
    assert (found.name, found.alias) == (name, alias)
    stated = text[found.start : found.end]
    assert name in stated
    assert alias in stated


@pytest.mark.parametrize(
    "text",
    [
        "Mary Harlan (CTO) spoke",
        "eight lamps (K200)",
        "Chief Keeper (2024-), formerly Harbour Director",
        "Trinity House (TX) yard",
        "the tower (1906)",
        "Fastnet (Ireland)",
        "a lamp (see below)",
        "lamps (LED)",
    ],
)
def test_brackets_that_equate_nothing(text: str) -> None:
    assert aliases(text) == ()


def test_two_in_one_sentence() -> None:
    text = "Irish Lights Commission (ILC) and Northern Lighthouse Board (NLB)"
    assert [(a.name, a.alias) for a in aliases(text)] == [
        ("Irish Lights Commission", "ILC"),
        ("Northern Lighthouse Board", "NLB"),
    ]
