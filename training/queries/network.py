"""The network that gives a question its vector: an encoder whose tokens' mean is the vector, as the texts' own is.

The texts' vectors stay as they are ("query-side fine-tuning", Lee et al. 2021, arXiv 2012.12624, §3.3): knowledge bases
needn't be built again. Its embeddings and lowest layers are the reader's, so that all are packaged with one copy.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from training.reader.network import Reader
from training.verifier.network import SHARED


class Queries(nn.Module):
    """See the module."""

    def __init__(self, folder: Path, reader: Path | None = None) -> None:
        """With the encoder in a folder that gave the texts their vectors; ``reader``: the checkpoint of a reader."""
        super().__init__()
        self.encoder = Reader(folder, frozen_layers=SHARED).encoder
        if reader is not None:
            held = torch.load(reader, weights_only=True, map_location="cpu")["network"]
            own = {name.removeprefix("encoder."): value for name, value in held.items() if _is_shared(name)}
            wanted = {name for name in self.encoder.state_dict() if _is_shared(f"encoder.{name}")}
            if own.keys() != wanted:
                raise ValueError(f"{reader} is no checkpoint of a reader: its layers have other names")
            self.encoder.load_state_dict(own, strict=False)

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        """(B, dimensions), of length 1."""
        hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state
        given = mask[..., None].to(hidden.dtype)
        return nn.functional.normalize((hidden * given).sum(1) / given.sum(1), dim=1)


def _is_shared(name: str) -> bool:
    layers = tuple(f"encoder.encoder.layer.{n}." for n in range(SHARED))
    return name.startswith(("encoder.embeddings.", *layers))
