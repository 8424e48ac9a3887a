"""The verifier's network: the reader's encoder, and a head on its first token that says whether an answer holds.

Its embeddings and lower layers stay the reader's, so that both are packaged with one copy of them.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from training.reader.network import Reader

SHARED = 2  # layers from below that stay the reader's


class Verifier(nn.Module):
    """See the module."""

    def __init__(self, folder: Path, shared: int = SHARED) -> None:
        """With the encoder in a folder; its ``shared`` lowest layers aren't trained."""
        super().__init__()
        network = Reader(folder, frozen_layers=shared)
        size = network.encoder.config.hidden_size
        self.encoder, self.drop = network.encoder, network.drop
        self.head = nn.Sequential(nn.Linear(size, size), nn.Tanh(), nn.Linear(size, 1))

    def start_from(self, checkpoint: Path) -> None:
        """Begins with the encoder of a trained reader, or with all of a trained verifier."""
        held = torch.load(checkpoint, weights_only=True, map_location="cpu")["network"]
        if held.keys() == self.state_dict().keys():
            self.load_state_dict(held)
            return
        own = {name.removeprefix("encoder."): value for name, value in held.items() if name.startswith("encoder.")}
        self.encoder.load_state_dict(own)

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        """(B,) logits; ``kinds`` is 1 on the tokens of what is quoted."""
        hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state
        return self.head(self.drop(hidden[:, 0]))[:, 0]


def loss_of(logits: Tensor, right: Tensor, sizes: list[int]) -> Tensor:
    """Of each pair whether it is right; and of each question with a right one among its ``sizes`` pairs, which."""
    loss = nn.functional.binary_cross_entropy_with_logits(logits.float(), right)
    among = [
        -(torch.log_softmax(own, 0) * (told / told.sum())).sum()
        for own, told in zip(logits.float().split(sizes), right.split(sizes), strict=True)
        if len(told) > 1 and told.sum() > 0
    ]
    return loss + 0.3 * torch.stack(among).mean() if among else loss
