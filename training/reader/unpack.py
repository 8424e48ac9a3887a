"""An exported reader or verifier → a checkpoint to train on from.

    python -m training.reader.unpack reader.onnx checkpoint.pt

The 8 bits of its weights are kept, so what goes on from here begins as good as what is packaged, not better.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from kg.indexes.embedding import model_folder
from training.reader.network import Reader
from training.verifier.network import Verifier


def weights(file: Path) -> dict[str, np.ndarray]:
    """The network's parameters by name, matrices as PyTorch lays them (out, in). Raises KeyError of other networks."""
    graph = onnx.load(file).graph
    held = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    takers: dict[str, list[onnx.NodeProto]] = {}
    for node in graph.node:
        for name in node.input:
            takers.setdefault(name, []).append(node)
    found = {name: value for name, value in held.items() if "." in name and "::" not in name}
    for name, value in held.items():
        if not name.endswith("_quantized"):
            continue
        base = name.removesuffix("_quantized")
        whole = (value.astype(np.float32) - held[base + "_zero_point"].astype(np.float32)) * held[base + "_scale"]
        if "embeddings" in base:
            found[base] = whole
        elif base.startswith(("pair.", "head.")):
            found[base] = whole.T
        else:
            found[_bias_after(takers[name][0], takers, held).removesuffix("bias") + "weight"] = whole.T
    return found


def _bias_after(node: onnx.NodeProto, takers: dict[str, list[onnx.NodeProto]], held: dict[str, np.ndarray]) -> str:
    """The name of the bias that is added to what a product gives, behind what scales it."""
    while True:
        (node, *_) = takers[node.output[0]]
        if node.op_type == "Add":
            return next(name for name in node.input if name in held)


def unpack(file: Path, out: Path) -> None:
    """Writes the checkpoint. Raises RuntimeError where a parameter is missing or of another shape."""
    held, folder = weights(file), model_folder("")
    network = Verifier(folder) if any(name.startswith("head.") for name in held) else Reader(folder)
    network.load_state_dict({name: torch.tensor(value) for name, value in held.items()}, strict=False)
    missing = {name for name, _ in network.named_parameters()} - set(held)
    if missing:
        raise RuntimeError(f"{file} lacks {sorted(missing)}")
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"network": network.state_dict()}, out)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("checkpoint", type=Path)
    options = parser.parse_args()
    unpack(options.model, options.checkpoint)


if __name__ == "__main__":
    main()
