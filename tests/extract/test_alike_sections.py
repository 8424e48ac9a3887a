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


def gathered(over: str, *names: str) -> str:
    """Things below a heading, of which the text also speaks as of common words."""
    keys = "**Length:** {} feet\n\n**Duration:** 1 minute\n\nThe {} of a creature is tripled.\n"
    return over + "\n".join(f"## {name}\n\n{keys.format(30 + n, name.lower())}" for n, name in enumerate(names))


@pytest.mark.parametrize("names", [["Jump"], ["Jump", "Knock"]])
def test_a_section_that_only_gathers_things_may_have_few(names: list[str]) -> None:
    found = facts(gathered("# Charms (J)\n\n", *names))
    lengths = {(s, o) for s, p, o in found if p.casefold() == "length"}
    assert lengths == {(name, f"{30 + n} FT") for n, name in enumerate(names)}


@pytest.mark.parametrize("text", [
    gathered("# Fastnet Works\n\n", "Jump"),
    gathered("# Charms\n\nCharms of the book.\n\n", "Jump"),
    gathered("# Charms\n\n", "Overview"),
    gathered("# Alternatives\n\n", "implement as a new enum in LabelSelector"),
])  # fmt: skip
def test_few_are_told_of_what_is_above_them_unless_they_are_surely_only_gathered(text: str) -> None:
    title = text[2 : text.index("\n")]
    assert {s for s, p, _ in facts(text) if p.casefold() == "length"} <= {title}


def staff(*lines: str) -> str:
    """Records of lines that Markdown sets as one paragraph."""
    people = ("Ada Wren", "Bo Ray", "Cleo Ashby")
    return "# Staff of Corran Light\n\n" + "\n".join(f"## {who}\n\n" + "\n".join(lines) + "\n" for who in people)


def test_a_key_that_records_share_stands_for_all_of_them() -> None:
    text = staff("Position: Keeper", "Phone: ext. 4405", "Joined: 1 March 2016", "Languages: English, Cornish")
    found = facts(text)
    for who in ("Ada Wren", "Bo Ray", "Cleo Ashby"):
        assert {(p, o) for s, p, o in found if s == who} == {
            ("Position", "Keeper"),
            ("Phone", "ext. 4405"),
            ("Joined", "2016-03-01"),
            ("Languages", "English"),
            ("Languages", "Cornish"),
        }
