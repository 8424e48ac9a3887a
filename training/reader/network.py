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


class Reader(nn.Module):
    """See the module."""

    def __init__(self, folder: Path, frozen_embeddings: bool = True) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(folder, attn_implementation="eager", add_pooling_layer=False)
        size = self.encoder.config.hidden_size
        self.tokens = nn.Linear(size, TOKEN_HEADS)
        self.pair = nn.Sequential(nn.Linear(size, size), nn.Tanh(), nn.Linear(size, PAIR_HEADS))
        self.drop = nn.Dropout(0.1)
        if frozen_embeddings:  # shared with the index's encoder, and 25 MB less to ship
            self.encoder.embeddings.word_embeddings.weight.requires_grad_(False)

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
        """(B, T, 3) of the tokens and (B, 4) of the pairs, logits; ``kinds`` is 1 on the text's tokens."""
        hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state
        hidden = self.drop(hidden)
        return self.tokens(hidden), self.pair(hidden[:, 0])


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
