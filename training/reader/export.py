"""A trained reader → ``reader.onnx`` in 8 bits, its tokeniser and description: ``python -m training.reader.export``."""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

import torch

from kg.indexes.embedding import model_folder
from kg.reading import DESCRIPTION_FILE, MODEL_FILE, TOKENIZER_FILE
from training.reader.network import Reader


def export(checkpoint: Path, out: Path, whole: bool, encoder: str = "") -> None:
    """Writes the reader's folder; ``whole``: in 32 bits, four times as large; ``encoder``: as it was trained with."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    folder = model_folder(encoder)
    network = Reader(folder)
    network.load_state_dict(torch.load(checkpoint, weights_only=True, map_location="cpu")["network"])
    network.eval()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "plain.onnx"
        given = torch.ones((1, 8), dtype=torch.long)
        names = ["input_ids", "attention_mask", "token_type_ids"]
        axes = {name: {0: "pairs", 1: "length"} for name in [*names, "tokens"]} | {"pair": {0: "pairs"}}
        torch.onnx.export(
            network,
            (given, given, given),
            str(plain),
            input_names=names,
            output_names=["tokens", "pair"],
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )
        if whole:
            shutil.copy(plain, out / MODEL_FILE)
        else:
            quantize_dynamic(plain, out / MODEL_FILE, weight_type=QuantType.QInt8, per_channel=True)
    shutil.copy(folder / "tokenizer.json", out / TOKENIZER_FILE)
    files = {n: hashlib.sha256((out / n).read_bytes()).hexdigest() for n in (MODEL_FILE, TOKENIZER_FILE)}
    (out / DESCRIPTION_FILE).write_text(json.dumps({"files": files}, indent=1, sort_keys=True) + "\n")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--whole", action="store_true", help="32 bits")
    parser.add_argument("--encoder", default="", help="the folder that training was given; without it the package's")
    options = parser.parse_args()
    export(options.checkpoint, options.out, options.whole, options.encoder)


if __name__ == "__main__":
    main()
