"""Documents about invented ferries, and a knowledge base built from them without an ontology."""

from __future__ import annotations

from pathlib import Path

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

FLEET = """# The Ferries of Larn Sound

## The Fleet

| Ferry | Builder | Year | Cars | Cost |
|-------|---------|------|------|------|
| Aurelia | Holm Yard | 1994 | 48 | $12 million |
| Bryndis | Holm Yard | 2003 | 72 | $31 million |
| Corvina | Pelham Works | 2019 | 120 | $88 million |

## Aurelia

- **Captain**: Ingrid Solberg
- **Harbours**: Larn, Skelby, Orra and Tunnock
- **Engine**: two diesel motors of 900 kW each
- Refitted in March 2011 after the grounding off Skelby

The Aurelia crosses the sound in 35 minutes. Its hull was painted green in 2011.

## Bryndis

The Bryndis was launched in June 2003 by Mayor Tove Lindqvist. It never sails at night.

## Glossary

Roll-on ferry — A ship onto which vehicles drive under their own power.

Slack water — The short time at the turn of the tide when there is no current.
"""
OFFICE = """# Notes from the harbour office

Petter Nygaard has led the harbour office since April 2015. He studied at the nautical school in Orra.

The Corvina probably burns methanol, but there is nothing that proves it.

In May 2020 the office bought a pilot boat, the Dunlin, for $2.4 million. The pilot boat carries six people.
"""
DOCUMENTS = {"fleet.md": FLEET, "office.md": OFFICE}


def build(folder: Path) -> KnowledgeBase:
    """A knowledge base with the documents."""
    docs = folder / "docs"
    docs.mkdir()
    for name, text in DOCUMENTS.items():
        (docs / name).write_text(text, encoding="utf-8")
    knowledge_base = KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ()}))
    assert knowledge_base.add([docs]).failed == ()
    return knowledge_base
