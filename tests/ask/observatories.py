"""Documents about invented observatories: two tables that point at each other, and a letter that disagrees."""

from __future__ import annotations

from pathlib import Path

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

INSTRUMENTS = """# Instruments of the Sarn hills

## Telescopes

| Telescope | Observatory | Mirror | Weight | First light | Price |
|-----------|-------------|--------|--------|-------------|-------|
| Great Heron | Sarn Observatory | 2.5 m | 14 t | 1931 | $90,000 |
| Little Wren | Sarn Observatory | 80 cm | 900 kg | 1958 | $12,000 |
| Grey Owl | Tolva Observatory | 1.2 m | 3 t | 1977 | $310,000 |

## Sarn Observatory

- **Founder**: Edda Quill
- **Opened**: April 1929
- **Domes**: 4

## Tolva Observatory

- **Founder**: Bram Oster
- **Opened**: September 1975
- **Domes**: 2
"""
LETTER = """# A letter from the hills

Sarn Observatory has 5 domes, as I counted them this spring. Edda Quill was born in Marrow Bay.

The Grey Owl was repaired in 1984.
"""
DOCUMENTS = {"instruments.md": INSTRUMENTS, "letter.md": LETTER}


def build(folder: Path) -> KnowledgeBase:
    """A knowledge base with the documents, without an ontology."""
    docs = folder / "docs"
    docs.mkdir()
    for name, text in DOCUMENTS.items():
        (docs / name).write_text(text, encoding="utf-8")
    knowledge_base = KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ()}))
    assert knowledge_base.add([docs]).failed == ()
    return knowledge_base
