from __future__ import annotations

import pytest

from tests.extract.reading import facts

SPELLS = """# Charms (B)

Charms of the book.

#### Blink

**Casting Time:** 1 action

**Range:** 30 feet

You vanish.

#### Harm

**Casting Time:** 1 minute

**Range:** 60 feet

It hurts.

#### Daylight

**Casting Time:** 1 hour

**Range:** 90 feet

It shines.
"""


def test_sections_with_the_same_keys_are_each_a_things() -> None:
    found = facts(SPELLS)
    assert {(s, o) for s, p, o in found if p.casefold() == "range"} == {
        ("Blink", "30 FT"),
        ("Harm", "60 FT"),
        ("Daylight", "90 FT"),
    }


def test_keys_of_one_section_alone_say_nothing_of_its_heading() -> None:
    text = "# Fastnet Works\n\n## Notes\n\n**Length:** 30 feet\n\n**Height:** 60 feet\n\n## Sources\n\nA book.\n"
    assert {s for s, _, _ in facts(text)} == {"Fastnet Works"}


@pytest.mark.parametrize("names", [["Nondetection"], ["Jump", "Nondetection"]])
def test_a_section_that_only_gathers_things_may_have_few(names: list[str]) -> None:
    keys = "**Range:** {} feet\n\n**Duration:** 1 minute\n\nYou leap.\n"
    text = "# Charms (J)\n\n" + "\n".join(f"#### {name}\n\n{keys.format(30 + n)}" for n, name in enumerate(names))
    found = facts(text)
    assert {(s, o) for s, p, o in found if p.casefold() == "range"} == {
        (n, f"{30 + i} FT") for i, n in enumerate(names)
    }


@pytest.mark.parametrize("text", [
    "# Fastnet Works\n\n## Measures\n\n**Length:** 30 feet\n\n**Height:** 60 feet\n",
    "# Charms\n\n## Overview\n\n**Length:** 30 feet\n\n**Height:** 60 feet\n",
])  # fmt: skip
def test_one_section_alone_is_a_things_only_where_nothing_else_can_be(text: str) -> None:
    assert not {s for s, _, _ in facts(text)} & {"Measures", "Overview"}
