"""Documents whose values are empty, of marks alone, or very many: they are read, and in time."""

from __future__ import annotations

import pytest

from tests.extract.reading import extraction


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# Boats\n\n(optional):\n\n- Elsa\n- Aurelia\n", "list.md"),
        ("# Boats\n\n- **2019**: ...\n- **Elsa (2018)**: ...\n- **Undisclosed**: ...\n", "pairs.md"),
        ("# Records\n\ndig MX corran.example +short\n1901 mail.harbour.example.\n", "site.txt"),
        ('# Records\n\n```\ncorran.example. 300 IN TXT ""\n```\n', "txt.md"),
        ('# Plan\n\n```mermaid\ngraph TD\nsubgraph A[" "]\nB[Elsa] --> C[Aurelia]\nend\n```\n', "plan.md"),
        ("# Undisclosed\n\nNot disclosed:\n\n- ...\n- Elsa\n", "undisclosed.md"),
        ("# Words\n\nCorran Keel means ............\n", "words.md"),
        ('# Sources\n\nSources:\n\n- ["“”"](https://corran.example/a) says so\n', "sources.md"),
    ],
)
def test_what_says_nothing_is_read_without_a_fault(text: str, name: str) -> None:
    document, found = extraction(text, name)
    assert document.text and all(claim.confidence > 0 for claim in found.claims)


def test_each_row_and_item_is_looked_at_as_often_in_long_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    from kg.extract.words import Words

    asked = 0
    known = Words.is_name

    def counted(self: Words, text: str) -> bool:
        nonlocal asked
        asked += 1
        return known(self, text)

    monkeypatch.setattr(Words, "is_name", counted)
    times = []
    for rows in (60, 240):
        asked = 0
        table = "\n".join(f"| Boat {n} | {n % 7} | blue |" for n in range(rows))
        items = "\n".join(f"- Boat {n}: a boat of {n % 7} masts" for n in range(rows))
        extraction(f"# Fleet\n\n| Boat | Masts | Hull |\n| --- | --- | --- |\n{table}\n\n## Others\n\n{items}\n")
        times.append(asked)
    assert times[1] < 6 * times[0]
