"""An invented bell foundry: prose, nested lists and tables whose facts only answer together."""

from __future__ import annotations

from pathlib import Path

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

FOUNDRY = """# The Toller bell foundry

The Toller Foundry was founded in 1871 by the blacksmith Agda Toller and the clockmaker Juris Venn. Its first bell was
cast on 4 March 1872. Agda Toller was born in Hvalby in 1840 and learned her trade in Tarnow.

The foundry buys its copper from Morrow Mining. Morrow Mining was founded by the priest Ivo Sand. Since 2004 it has been
run by Lene Quist.

## Bells

1. *Old Grumbler*, the storm bell
   - cast by Juris Venn in 1880
   - rung by Petra Holl
2. *Little Swift*, the hour bell
   - hauled up by *Ox*
3. *Ox*, the crane
   - built by Anders Mott in 1902

## Masters

| Master | From | To | Born | Trained at |
|---|---|---|---|---|
| Agda Toller | 1871 | 1899 | 1840 | Tarnow |
| Emil Rask | 1899 | 1926 | 1861 | Delft School |
| Nora Pike | 1926 | 1955 | 1890 | Leeds College |
| Otto Brandl | 1955 |  | 1920 | Graz Academy |

## Chronicle

- 1884: fire in the mould room
- 1911: first bell sent to Chile
- 1938: strike of the moulders
- 1962: the furnace is changed to gas
"""
TOWERS = """Tower,Town,Built,Steps,Architect,Owner
Salt Tower,Hvalby,1790,212,Ede Korn,Town of Hvalby
Reed Tower,Lisk,1904,148,Mona Falk,Reed Trust
Hare Tower,Lisk,1948,96,Mona Falk,Anders Mott
"""
SHEET = """Foundry: Toller Foundry
Manager: Tilde Oram
Bells cast in 2020: 48
Bells cast in 2022: 60
Visitors in 2020: 3,100
Visitors in 2022: 2,450
Workers: 31
"""


def build(folder: Path) -> KnowledgeBase:
    """A knowledge base of the foundry, without an ontology."""
    docs = folder / "docs"
    docs.mkdir()
    for name, text in (("foundry.md", FOUNDRY), ("towers.csv", TOWERS), ("sheet.txt", SHEET)):
        (docs / name).write_text(text, encoding="utf-8")
    knowledge_base = KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ()}))
    assert knowledge_base.add([docs]).failed == ()
    return knowledge_base
