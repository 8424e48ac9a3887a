"""What the commands share: the flag for the knowledge base's folder, its settings, and opening it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from kg.knowledge_base import KnowledgeBase
    from kg.settings import Settings

Kb = Annotated[
    Path | None,
    typer.Option("--kb", metavar="DIR", help="Folder of the knowledge base. [default: ./kb]", show_default=False),
]


def settings_for(kb: Path | None) -> Settings:
    """The settings in force; the flag goes before file and environment."""
    from kg.settings import load_settings

    return load_settings() if kb is None else load_settings(kb=kb)


def open_knowledge_base(kb: Path | None, *, pinned: bool = False) -> KnowledgeBase:
    """The knowledge base that the flag, or else the settings, name. Raises as :meth:`KnowledgeBase.open`.

    ``pinned``: to be read for long; no writer takes away what is read.
    """
    from kg.knowledge_base import KnowledgeBase

    settings = settings_for(kb)
    opening = KnowledgeBase.open_pinned if pinned else KnowledgeBase.open
    return opening(settings.kb, settings)
