"""The parser as it is trained: the encoder's upper layers and deep biaffine heads. Needs torch.

Arcs and labels are scored as by Dozat and Manning (2017, arXiv 1611.01734), over the first piece of each word; the
encoder's opening piece stands for the root. Tags come from the same vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from kg.syntax.parser import SHAPES


@dataclass(frozen=True, slots=True)
class Sizes:
    """Widths. ``frozen``: encoder layers kept as they are, ``trained``: those above them that are trained."""

    tags: int
    labels: int
    frozen: int = 3
    trained: int = 2
    hidden: int = 384
    shape: int = 16
    arc: int = 320
    label: int = 112
    tag: int = 128


class Parser(nn.Module):
    """Everything that is trained. ``encoder`` gives the upper layers' first weights."""

    def __init__(self, sizes: Sizes, encoder: Any) -> None:
        super().__init__()
        s = self.sizes = sizes
        upper = encoder.encoder.layer[s.frozen : s.frozen + s.trained]
        self.upper = nn.ModuleList(upper)
        for layer in upper:
            layer.intermediate.intermediate_act_fn = nn.GELU(approximate="tanh")
        self.shape = nn.Embedding(SHAPES, s.shape)
        wide = s.hidden + s.shape
        self.arc_of, self.arc_to = nn.Linear(wide, s.arc), nn.Linear(wide, s.arc)
        self.label_of, self.label_to = nn.Linear(wide, s.label), nn.Linear(wide, s.label)
        self.tag_in, self.tag_out = nn.Linear(wide, s.tag), nn.Linear(s.tag, s.tags)
        self.arc = nn.Parameter(torch.zeros(s.arc + 1, s.arc))
        self.labels = nn.Parameter(torch.zeros(s.labels, s.label + 1, s.label + 1))
        self.drop = nn.Dropout(0.33)
        nn.init.normal_(self.labels, std=0.01)

    def words(self, below: Tensor, mask: Tensor, first: Tensor, shapes: Tensor) -> Tensor:
        """Vectors of the root and the words, shape (B, 1 + W, hidden + shape), from ``below`` (B, T, hidden)."""
        wide = mask[:, None, None].expand(-1, 1, mask.shape[1], -1)
        hidden = below
        for layer in self.upper:
            hidden = layer(hidden, attention_mask=wide)
        at = F.pad(first, (1, 0))
        vectors = torch.gather(hidden, 1, at[..., None].expand(-1, -1, hidden.shape[-1]))
        seen = F.pad(self.shape(shapes), (0, 0, 1, 0))
        words: Tensor = self.drop(torch.cat([vectors, seen], -1))
        return words

    def scores(self, words: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Arcs (B, W, 1 + W) from word to head; what labels are made of, of words and heads; tags (B, W, tags)."""
        own = words[:, 1:]
        arc_of, label_of = self.drop(F.relu(self.arc_of(own))), self.drop(F.relu(self.label_of(own)))
        arc_to, label_to = self.drop(F.relu(self.arc_to(words))), self.drop(F.relu(self.label_to(words)))
        arcs = F.pad(arc_of, (0, 1), value=1.0) @ self.arc @ arc_to.transpose(1, 2)
        tags = self.tag_out(self.drop(F.relu(self.tag_in(own))))
        return arcs, F.pad(label_of, (0, 1), value=1.0), F.pad(label_to, (0, 1), value=1.0), tags

    def label_scores(self, label_of: Tensor, label_to: Tensor, heads: Tensor) -> Tensor:
        """Labels (B, W, labels) of the arcs from words to ``heads`` (B, W; 0 is the root)."""
        chosen = torch.gather(label_to, 1, heads[..., None].expand(-1, -1, label_to.shape[-1]))
        return torch.einsum("bwi,lij,bwj->bwl", label_of, self.labels, chosen)
