"""A small library of invented lighthouses, and a knowledge base built from it through the command line."""

from __future__ import annotations

from pathlib import Path

LIGHTS = """# Lighthouses of the Outer Skerries

Notes on the lights kept by the Harbour Board.

## Corran Head Light

Corran Head Light was built by Elspeth Marr in 1871. It stands on the northern cliff above the village of Drum.

- **Height**: 38 m
- **Keepers**: 3
- **First lit**: 4 October 1871

## Comparison

| Lighthouse | Height | First lit | Keepers |
|---|---|---|---|
| Corran Head Light | 38 m | 1871 | 3 |
| Saltmouth Beacon | 24 m | 1903 | 1 |
| Gannet Rock Light | 51 m | 1888 | 4 |
"""
KEEPERS = """# Keepers' Handbook

## Saltmouth Beacon

Saltmouth Beacon is kept by Tomas Reyle, who took over in March 1998.

- **Height**: 26 m (estimated)
- **Keepers**: 1
"""
DOCUMENTS = {"lights.md": LIGHTS, "keepers.md": KEEPERS}


def write(folder: Path, documents: dict[str, str] = DOCUMENTS) -> Path:
    """The folder with the documents in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in documents.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
