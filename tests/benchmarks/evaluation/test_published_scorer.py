"""The scoring here against the published scorer, on replies right, wrong and in between."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks.evaluation.scoring import is_right, shows_evidence
from tests.conftest import SHARED

SCORER, QUESTIONS = SHARED / "tools" / "score_questions.py", SHARED / "bench" / "seed_questions_dev.jsonl"
pytestmark = pytest.mark.skipif(not (SCORER.is_file() and QUESTIONS.is_file()), reason="no shared scorer beside")


@pytest.fixture(scope="module")
def published() -> ModuleType:
    spec = importlib.util.spec_from_file_location("published", SCORER)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def replies(question: dict[str, Any]) -> list[dict[str, Any]]:
    """Replies that say all, the first or none of what is wanted, late, in the wrong order or too much."""
    first = [forms[0] for forms in question["answers"]]
    last = [forms[-1] for forms in question["answers"]]
    wrong = list(question.get("versus", []))
    texts = ["; ".join(first), "; ".join(last), "; ".join(reversed(first)), (first or [""])[0], "Yes", "No: never", ""]
    texts += ["; ".join(wrong + first), "; ".join(first + wrong), "x " * 90 + "; ".join(first), "12,345 things"]
    labels = [[], [{"label": x} for x in first], [{"label": f"item {n}"} for n in range(2 * len(first) + 3)]]
    made = [{"status": "answered", "answer": t, "answers": x} for t in texts for x in labels]
    return [*made, {"status": "abstained", "answer": "not said", "answers": []}]


def citations(question: dict[str, Any]) -> list[list[dict[str, Any]]]:
    evidence = [str(e) for e in question["evidence"]] or ["nothing"]
    text = "Before. " + " ".join(evidence) + " After."
    half = " ".join(evidence[0].split()[: max(1, len(evidence[0].split()) // 2)])
    good = {"text": text, "quote": evidence[0]}
    other = {"text": "Elsewhere.", "quote": "Elsewhere."}
    return [[good], [other, good], [other] * 3 + [good], [{"text": text, "quote": half}], [{**good, "text": "no"}], []]


def test_answers_and_quotations_score_as_published(published: ModuleType) -> None:
    lines = Path(QUESTIONS).read_text(encoding="utf-8").splitlines()
    for question in (json.loads(line) for line in lines):
        for reply in replies(question):
            assert is_right(question, reply) == bool(published.correct(question, reply)), (question["id"], reply)
        for cited in citations(question):
            reply = {"citations": cited}
            assert shows_evidence(question, reply) == published.cited(question, reply, []), (question["id"], cited)
