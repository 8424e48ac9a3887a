"""The network: one encoding of a sentence, spans, and one score for each (subject span, relation, object span).

A span is the sum of what its first and last piece with their neighbours outside project to, and its width. A pair is
what both spans project to, their order and distance, and the pieces that both attend to (the idea of localised context
in ATLOP, Zhou et al. 2021).
A relation is a vector made from frozen embeddings of its label, definition, domain and range, so one that was never
trained on can be asked for: the score is the pair against the relation, plus how well each span alone fits it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

DISTANCES = (-20, -10, -5, -2, 0, 2, 5, 10, 20)  # words from subject to object; bins between


@dataclass(frozen=True, slots=True)
class Sizes:
    """Widths of the network's layers."""

    hidden: int = 384
    span: int = 256
    pair: int = 256
    heads: int = 4
    width: int = 12
    kept: int = 16


class Heads(nn.Module):
    """Everything above the encoder."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        s = self.sizes = sizes
        self.start, self.end = nn.Linear(3 * s.hidden, s.span), nn.Linear(2 * s.hidden, s.span)
        self.width = nn.Embedding(s.width, s.span)
        self.mention = nn.Linear(s.span, 1)
        self.query, self.keys = nn.Linear(s.span, s.pair), nn.Linear(s.hidden, s.pair)
        self.context = nn.Linear(s.hidden, s.pair)
        self.subject, self.object = nn.Linear(s.span, s.pair), nn.Linear(s.span, s.pair)
        self.distance = nn.Embedding(len(DISTANCES) + 1, s.pair)
        self.deep = nn.Linear(s.pair, s.pair)
        self.relation = nn.Linear(4 * s.hidden, 2 * s.pair)
        self.as_pair, self.as_sentence = nn.Linear(2 * s.pair, s.pair), nn.Linear(2 * s.pair, s.pair)
        self.as_subject, self.as_object = nn.Linear(2 * s.pair, s.span), nn.Linear(2 * s.pair, s.span)
        self.sentence = nn.Linear(s.hidden, s.pair)
        self.bias = nn.Linear(2 * s.pair, 1)
        self.drop = nn.Dropout(0.15)
        nn.init.constant_(self.bias.bias, -5.0)  # facts are rare among pairs
        nn.init.constant_(self.mention.bias, -2.0)

    def spans(self, hidden: Tensor, mask: Tensor, first: Tensor, last: Tensor, where: Tensor) -> Tensor:
        """Span vectors, shape (B, S, span), of ``where`` (B, S, 2): words, inclusive."""
        # Before the first piece stands the last, as in an unpadded row.
        closed = hidden[torch.arange(len(hidden)), mask.sum(1) - 1]
        before, after = torch.cat([closed[:, None], hidden[:, :-1]], 1), hidden.roll(-1, 1)
        opening = self.start(torch.cat([hidden, before, before.roll(1, 1)], -1))
        closing = self.end(torch.cat([hidden, after], -1))
        start = _gather(opening, torch.gather(first, 1, where[..., 0]))
        end = _gather(closing, torch.gather(last, 1, where[..., 1]))
        return F.relu(start + end + self.width((where[..., 1] - where[..., 0]).clamp(0, self.sizes.width - 1)))

    def attention(self, spans: Tensor, hidden: Tensor, mask: Tensor) -> Tensor:
        """What each span attends to, shape (B, heads, N, T)."""
        b, n, _ = spans.shape
        query = self.query(spans).view(b, n, self.sizes.heads, -1).transpose(1, 2)
        keys = self.keys(hidden).view(b, hidden.shape[1], self.sizes.heads, -1).permute(0, 2, 3, 1)
        logits = query @ keys / query.shape[-1] ** 0.5
        return torch.softmax(logits.masked_fill(~mask[:, None, None], -1e4), -1)

    def pairs(self, spans: Tensor, hidden: Tensor, mask: Tensor, where: Tensor) -> Tensor:
        """Pair vectors, shape (B, N, N, pair): subject first."""
        looked = self.attention(spans, hidden, mask)
        shared = torch.einsum("bhit,bhjt->bijt", looked, looked)
        shared = shared / (shared.sum(-1, keepdim=True) + 1e-6)
        context = shared @ self.context(hidden)[:, None]
        gap = where[:, None, :, 0] - where[:, :, None, 0]
        distance = self.distance(torch.bucketize(gap, torch.tensor(DISTANCES, device=gap.device)))
        joint = F.relu(self.subject(spans)[:, :, None] + self.object(spans)[:, None] + context + distance)
        return joint + F.relu(self.deep(joint))

    def relations(self, texts: Tensor) -> dict[str, Tensor]:
        """Relation vectors from ``texts`` (R, 4·hidden)."""
        base = F.relu(self.relation(self.drop(texts)))
        named = {name: getattr(self, f"as_{name}")(base) for name in ("pair", "subject", "object", "sentence")}
        return {**named, "bias": self.bias(base)[:, 0]}

    def scores(
        self, spans: Tensor, pairs: Tensor, hidden: Tensor, mask: Tensor, relations: dict[str, Tensor]
    ) -> Tensor:
        """Log-odds, shape (B, N, N, R)."""
        whole = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        fits = relations["bias"] + F.relu(self.sentence(whole)) @ relations["sentence"].T / 16
        subject = spans @ relations["subject"].T / 16
        object_ = spans @ relations["object"].T / 16
        return pairs @ relations["pair"].T / 16 + subject[:, :, None] + object_[:, None] + fits[:, None, None]


class Network(nn.Module):
    """Encoder and heads."""

    def __init__(self, encoder: Any, sizes: Sizes) -> None:
        super().__init__()
        self.encoder, self.heads = encoder, Heads(sizes)

    def lower(self, ids: Tensor, mask: Tensor, layers: int) -> Tensor:
        """Vectors of the pieces below the first trained layer, shape (B, T, hidden)."""
        return self._through(self.encoder.embeddings(input_ids=ids), mask, 0, layers)

    def upper(self, hidden: Tensor, mask: Tensor, layers: int) -> Tensor:
        """From :meth:`lower`'s vectors the contextual ones, shape (B, T, hidden)."""
        return self._through(hidden, mask, layers, len(self.encoder.encoder.layer))

    def hidden(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Contextual vectors of the pieces, shape (B, T, hidden)."""
        return self.upper(self.lower(ids, mask, 0), mask, 0)

    def _through(self, hidden: Tensor, mask: Tensor, first: int, last: int) -> Tensor:
        wide = mask[:, None, None].expand(-1, 1, mask.shape[1], -1)
        for layer in self.encoder.encoder.layer[first:last]:
            hidden = layer(hidden, attention_mask=wide)
        return hidden


def _gather(table: Tensor, at: Tensor) -> Tensor:
    return torch.gather(table, 1, at[..., None].expand(-1, -1, table.shape[-1]))


def load_encoder(folder: str) -> Any:
    """The sentence encoder of a model folder, for training. Needs torch and transformers."""
    from transformers import AutoModel

    return AutoModel.from_pretrained(folder, attn_implementation="sdpa")
