"""Which cells and bullets gave claims."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.evaluation.structure import Filled, fill, run, shares, slots
from kg.errors import BadInput
from kg.knowledge_base import KnowledgeBase
from kg.model import Claim
from kg.readers import read
from kg.settings import Settings
from tests.extract.reading import extraction

TEXT = """# Bakery

| Loaf | Flour | Oven |
|---|---|---|
| Rye | 2 kg | N/A |
| Spelt | – | Oven 3 |

- **Opened**: 1931
- Staff: 12
- See: https://a.example/b

A note: not a bullet.

**Owner**: Ada Wren
"""


def filled(keep: int | None = None) -> list[Filled]:
    document, found = extraction(TEXT)
    claims: tuple[Claim, ...] = found.claims[:keep]
    return fill("notes.md", document, claims)


def test_what_counts_as_a_slot() -> None:
    document = read(TEXT.encode(), "notes.md")
    found = [(slot.kind, document.text[slot.start : slot.end].strip(" |")) for slot in slots(document)]
    assert [text for kind, text in found if kind == "cell"] == ["Rye", "2 kg", "Spelt", "Oven 3"]
    bullets = [text for kind, text in found if kind == "bullet"]
    assert bullets == ["**Opened**: 1931", "Staff: 12", "See: https://a.example/b", "**Owner**: Ada Wren"]


def test_the_cell_that_names_a_row_is_left_out() -> None:
    assert [one.text for one in filled() if one.slot.kind == "cell"] == ["2 kg", "Oven 3"]


def test_shares() -> None:
    found = filled(3)
    assert [one.text for one in found if not one.claims] == [
        "Staff: 12",
        "See: https://a.example/b",
        "**Owner**: Ada Wren",
    ]
    figures = shares(found)
    assert (figures["cells"], figures["bullets"]) == (2, 4)
    assert (figures["cells_with_claim"], figures["bullets_with_claim"]) == (1.0, 0.25)
    assert figures["typed"] + figures["open"] == 1.0
    nothing = shares(filled(0))
    assert (nothing["cells"], nothing["cells_with_claim"], nothing["claims"]) == (4, 0.0, 0)


def test_the_command_lists_what_gave_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.md").write_text(TEXT + "\n- **No**: never\n", encoding="utf-8")
    kb = KnowledgeBase.create(tmp_path / "kb", Settings(build={"ontology": ()}))
    with pytest.raises(BadInput, match="no table cells"):
        run(kb, None, None, print)
    kb.add([tmp_path / "notes.md"])
    run(kb, tmp_path / "figures.json", tmp_path / "errors.jsonl", print)
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert figures["cells_with_claim"] == 1.0
    assert capsys.readouterr().out.splitlines()[-1].startswith("cells 2 cells_with_claim 1 bullets 5")
    failures = [json.loads(line)["failure"] for line in (tmp_path / "errors.jsonl").read_text().splitlines()]
    assert set(failures) <= {"cell without claim", "bullet without claim", "open property"}
