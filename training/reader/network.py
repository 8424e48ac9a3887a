"""The reader's network: an encoder over (question, text) and small heads over what it says of each token.

One encoding gives, for every token, whether the answer starts there, ends there, or covers it (after Devlin et al.
2019, arXiv 1810.04805, §4.3: the first token stands for "no answer"), and for the pair whether the text answers the
question and, for a question whether something is so, yes, no or unsaid.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import AutoModel

TOKEN_HEADS, PAIR_HEADS = 3, 4  # start, end, inside; answers, yes, no, unsaid
_BARRED = -1e4
_MPNET_SHIFT = 4  # MPNet's vocabulary is BERT's behind four marks of its own
_MPNET_MARKS = {"start": 0, "pad": 1, "end": 2}


class Reader(nn.Module):
    """See the module."""

    def __init__(self, folder: Path, frozen_layers: int = 0) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(
            folder,
            attn_implementation="eager",
            add_pooling_layer=False,
            # Few passes over the data overfit nothing, and drawing what to drop takes half of a processor's time.
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        size = self.encoder.config.hidden_size
        self.tokens = nn.Linear(size, TOKEN_HEADS)
        self.pair = nn.Sequential(nn.Linear(size, size), nn.Tanh(), nn.Linear(size, PAIR_HEADS))
        self.drop = nn.Dropout(0.1)
        self.encoder.embeddings.word_embeddings.weight.requires_grad_(False)  # they know more words than are trained on
        if frozen_layers:
            for part in (self.encoder.embeddings, *self.encoder.encoder.layer[:frozen_layers]):
                part.requires_grad_(False)

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
        """(B, T, 3) of the tokens and (B, 4) of the pairs, logits; ``kinds`` is 1 on the text's tokens."""
        if self.encoder.config.model_type == "mpnet":
            hidden = self._through_mpnet(ids, mask, kinds)
        else:
            hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state
        hidden = self.drop(hidden)
        return self.tokens(hidden), self.pair(hidden[:, 0])

    def _through_mpnet(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        """What MPNet says of BERT's tokens: it has no kinds of tokens, but two marks between question and text."""
        first = kinds.argmax(1, keepdim=True)  # where the text begins
        last = mask.sum(1, keepdim=True) - 1
        at = torch.arange(ids.shape[1], device=ids.device)[None]
        own = ids + _MPNET_SHIFT
        own = own.masked_fill(at == 0, _MPNET_MARKS["start"]).masked_fill(mask == 0, _MPNET_MARKS["pad"])
        own = own.masked_fill((at == first - 1) | (at == last), _MPNET_MARKS["end"])
        place = at + (at >= first)  # where each token stands with one mark more
        wide = torch.full((ids.shape[0], ids.shape[1] + 1), _MPNET_MARKS["end"], device=ids.device)
        seen = torch.ones_like(wide)
        wide, seen = wide.scatter(1, place, own), seen.scatter(1, place, mask)
        hidden = self.encoder(input_ids=wide, attention_mask=seen).last_hidden_state
        return hidden.gather(1, place[..., None].expand(-1, -1, hidden.shape[-1]))


def loss_of(tokens: Tensor, pair: Tensor, batch: dict[str, Tensor]) -> Tensor:
    """The sum of the heads' losses. ``batch``: ``allowed`` (B, T) tokens that may answer and the first; ``start``,
    ``end`` (B,), -100 where not asked; ``inside`` (B, T); ``answers`` (B,), ``polar`` (B,), -100 where not asked."""
    tokens, pair = tokens.float(), pair.float()
    barred = torch.zeros_like(tokens[..., 0]).masked_fill(~batch["allowed"], _BARRED)
    cross = nn.functional.cross_entropy
    loss = torch.zeros(())
    for at, name in enumerate(("start", "end")):
        if (batch[name] >= 0).any():
            loss = loss + 0.5 * cross(tokens[..., at] + barred, batch[name], ignore_index=-100)
    binary = nn.functional.binary_cross_entropy_with_logits
    allowed = batch["allowed"].clone()
    allowed[:, 0] = False
    covered = binary(tokens[..., 2], batch["inside"], reduction="none") * allowed
    loss = loss + 2.0 * (covered.sum(1) / allowed.sum(1).clamp(min=1)).mean()
    loss = loss + 0.5 * binary(pair[:, 0], batch["answers"])
    if (batch["polar"] >= 0).any():
        loss = loss + 0.5 * cross(pair[:, 1:], batch["polar"], ignore_index=-100)
    return loss


def likeness(tokens: Tensor, pair: Tensor, taught: tuple[Tensor, Tensor], batch: dict[str, Tensor]) -> Tensor:
    """How far a network is from what another says of the same batch (Hinton et al. 2015, arXiv 1503.02531)."""
    tokens, pair, other, their_pair = tokens.float(), pair.float(), taught[0].float(), taught[1].float()
    barred = torch.zeros_like(tokens[..., 0]).masked_fill(~batch["allowed"], _BARRED)
    loss = torch.zeros(())
    for at in (0, 1):
        loss = loss + 0.5 * _divergence(tokens[..., at] + barred, other[..., at] + barred)
    binary = nn.functional.binary_cross_entropy_with_logits
    allowed = batch["allowed"].clone()
    allowed[:, 0] = False
    covered = binary(tokens[..., 2], other[..., 2].sigmoid(), reduction="none") * allowed
    loss = loss + 2.0 * (covered.sum(1) / allowed.sum(1).clamp(min=1)).mean()
    loss = loss + 0.5 * binary(pair[:, 0], their_pair[:, 0].sigmoid())
    if (asked := batch["polar"] >= 0).any():
        loss = loss + 0.5 * _divergence(pair[asked][:, 1:], their_pair[asked][:, 1:])
    return loss


def _divergence(ours: Tensor, theirs: Tensor) -> Tensor:
    return nn.functional.cross_entropy(ours, theirs.softmax(-1))
