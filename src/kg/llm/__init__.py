"""The optional language model: an extractor of facts and a helper where the engine abstains. Off unless configured.

Nothing of it is believed: a fact must name a property of the ontology and quote the passage, a query must be answered
by claims with evidence, a phrasing may say nothing that the answer doesn't. What fails is dropped with its reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kg.llm.asking import Helper
    from kg.llm.extraction import ModelFacts
    from kg.settings import LlmSettings

_PATIENCE_S = 20.0  # while somebody waits for an answer


def make_extractor(settings: LlmSettings) -> ModelFacts | None:
    """The model as an extractor for one build, if the settings ask for that. Raises CitegraphError without httpx."""
    if not settings.on or "extract" not in settings.uses:
        return None
    from kg.llm.extraction import ModelFacts
    from kg.llm.model_client import Client

    return ModelFacts(Client(settings), settings)


def make_helper(settings: LlmSettings) -> Helper | None:
    """The model as a help in answering, if the settings ask for that. Raises CitegraphError without httpx."""
    if not settings.on or not {"propose", "phrase"} & set(settings.uses):
        return None
    from kg.llm.asking import Helper
    from kg.llm.model_client import Client

    waited_for = settings.model_copy(update={"timeout_s": min(settings.timeout_s, _PATIENCE_S)})
    return Helper(Client(waited_for), settings)
