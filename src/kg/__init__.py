"""Citegraph: documents in, an RDF knowledge graph with evidence for every fact out.

>>> from kg import KnowledgeBase
>>> KnowledgeBase.__name__
'KnowledgeBase'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kg.client import Client
    from kg.errors import CitegraphError
    from kg.knowledge_base import KnowledgeBase
    from kg.model import Answer, Citation
    from kg.settings import Settings, load_settings

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Citation",
    "CitegraphError",
    "Client",
    "KnowledgeBase",
    "Settings",
    "__version__",
    "load_settings",
]

_HOMES = {
    "Answer": "kg.model",
    "Citation": "kg.model",
    "CitegraphError": "kg.errors",
    "Client": "kg.client",
    "KnowledgeBase": "kg.knowledge_base",
    "Settings": "kg.settings",
    "load_settings": "kg.settings",
}


def __getattr__(name: str) -> Any:
    """What the package offers, loaded when first asked for (PEP 562), so that the command line starts at once."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
