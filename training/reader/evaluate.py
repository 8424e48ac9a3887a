"""The reader's figures on questions that it never saw: F1 and exact match as SQuAD counts them, and yes or no."""

from __future__ import annotations

import random
import re
import string
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from training.reader.batches import tokenizer
from training.reader.data import Example, polar_examples, qamr, records, squad

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_LONGEST = 30  # tokens of an answer


def normal(text: str) -> str:
    """As SQuAD's scorer compares answers (Rajpurkar et al. 2016)."""
    kept = "".join(c for c in text.casefold() if c not in string.punctuation)
    return " ".join(_ARTICLES.sub(" ", kept).split())


def f1(said: str, gold: str) -> float:
    """Overlap of words; 1 for two empty answers."""
    ours, theirs = normal(said).split(), normal(gold).split()
    if not ours or not theirs:
        return float(ours == theirs)
    same = sum((Counter(ours) & Counter(theirs)).values())
    return 2 * same / (len(ours) + len(theirs)) if same else 0.0


def best_span(start: np.ndarray, end: np.ndarray, allowed: np.ndarray) -> tuple[int, int, float]:
    """The likeliest span of at most 30 tokens among the allowed, with its score less that of no answer."""
    low = np.where(allowed, start, -1e4)
    high = np.where(allowed, end, -1e4)
    scores = low[:, None] + high[None, :]
    scores = np.where(np.triu(np.tri(len(low), k=_LONGEST - 1, dtype=bool)), scores, -1e5)
    at = int(scores.argmax())
    s, e = divmod(at, len(low))
    return s, e, float(scores[s, e] - start[0] - end[0])


def _padded(rows: Sequence[Sequence[int]]) -> torch.Tensor:
    width = max(len(row) for row in rows)
    return torch.tensor([[*row, *[0] * (width - len(row))] for row in rows])


@torch.no_grad()
def readings(
    network: torch.nn.Module, folder: Path, examples: Sequence[Example], length: int
) -> list[dict[str, object]]:
    """For each example the best span's text, its score over no answer, and the pair's logits."""
    pieces = tokenizer(folder)
    pieces.enable_truncation(length, strategy="only_second")
    network.eval()
    device = next(network.parameters()).device
    order = sorted(range(len(examples)), key=lambda n: len(examples[n].text))
    found: dict[int, dict[str, object]] = {}
    for at in range(0, len(order), 16):
        rows = order[at : at + 16]
        encodings = [pieces.encode(examples[n].question, examples[n].text) for n in rows]
        given = [[e.ids for e in encodings], [e.attention_mask for e in encodings], [e.type_ids for e in encodings]]
        tokens, pair = (x.float().cpu().numpy() for x in network(*(_padded(x).to(device) for x in given)))
        for n, e, t, p in zip(rows, encodings, tokens, pair, strict=True):
            size = len(e.ids)
            allowed = np.array(e.type_ids) == 1
            allowed[size - 1] = False
            s, last, score = best_span(t[:size, 0], t[:size, 1], allowed)
            text = examples[n].text[e.offsets[s][0] : e.offsets[last][1]]
            found[n] = {"text": text, "score": score, "pair": p.tolist()}
    return [found[n] for n in range(len(examples))]


def figures(network: torch.nn.Module, folder: Path, data: Path, length: int, polar: bool) -> dict[str, float]:
    """Of SQuAD's validation file, QAMR's, and yes or no made of both."""
    results: dict[str, float] = {}
    paragraphs = [e for e in squad(data / "squad_dev" / "validation.jsonl", random.Random(1))]
    gold = [[a["text"] for a in r["answers"]] for r in records(data / "squad_dev" / "validation.jsonl")]  # type: ignore[attr-defined]
    read = readings(network, folder, paragraphs, 384)
    forced = [max(f1(str(r["text"]), g) for g in gs) for r, gs in zip(read, gold, strict=True) if gs]
    results["squad_f1_answerable_forced"] = float(np.mean(forced))
    with_none = [
        float(not gs) if float(r["score"]) <= 0 else max((f1(str(r["text"]), g) for g in gs), default=0.0)  # type: ignore[arg-type]
        for r, gs in zip(read, gold, strict=True)
    ]
    results["squad_f1"] = float(np.mean(with_none))
    declined = [float(float(r["score"]) <= 0) for r, gs in zip(read, gold, strict=True) if not gs]  # type: ignore[arg-type]
    results["squad_declined"] = float(np.mean(declined))
    rows = records(data / "qamr" / "validation.jsonl")[:1500]
    sentences = list(qamr(data / "qamr" / "validation.jsonl"))[:1500]
    read = readings(network, folder, sentences, length)
    theirs = [[a["text"] for a in r["answers"]] for r in rows]  # type: ignore[attr-defined]
    results["qamr_f1"] = float(
        np.mean([max(f1(str(r["text"]), g) for g in gs) for r, gs in zip(read, theirs, strict=True)])
    )
    sources = (("squad", "squad_dev"), ("qamr", "qamr")) if polar else ()
    for source, name in sources:
        made = polar_examples(source, records(data / name / "validation.jsonl"), 600, 3)
        read = readings(network, folder, made, 384)
        right = [
            ("yes", "no", "unsaid")[int(np.argmax(r["pair"][1:]))] == e.polar for r, e in zip(read, made, strict=True)
        ]  # type: ignore[index]
        results[f"{source}_polar"] = float(np.mean(right))
    network.train()
    return results
