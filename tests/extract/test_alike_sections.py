from __future__ import annotations

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
