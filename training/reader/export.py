"""A trained reader, and a verifier with it → networks in 8 bits, their tokeniser and description.

    python -m training.reader.export READER_CHECKPOINT OUT [--verifier VERIFIER_CHECKPOINT] [--queries CHECKPOINT]

What the networks have in common, embeddings and lower layers being the reader's, is kept once, in ``weights.bin``
(ONNX's external data).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import onnx
import torch
from torch import nn

from kg.indexes.embedding import model_folder, model_hash
from kg.reading import (
    DESCRIPTION_FILE,
    MODEL_FILE,
    QUERIES_FILE,
    QUERIES_OF,
    TOKENIZER_FILE,
    VERIFIER_FILE,
    WEIGHTS_FILE,
)
from training.queries.network import Queries
from training.reader.network import Reader
from training.verifier.network import Verifier

_LEAST, _ALIGNED = 1024, 64  # bytes of a tensor that is kept apart, and what places of such are multiples of


def _network(network: nn.Module, outputs: Sequence[str], whole: bool) -> onnx.ModelProto:
    """A trained network, in 8 bits unless it is to be ``whole``."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with tempfile.TemporaryDirectory() as scratch:
        plain, small = Path(scratch) / "plain.onnx", Path(scratch) / "small.onnx"
        given = torch.ones((1, 8), dtype=torch.long)
        names = ["input_ids", "attention_mask", "token_type_ids"]
        axes = {name: {0: "pairs"} for name in outputs} | {name: {0: "pairs", 1: "length"} for name in names}
        torch.onnx.export(
            network.eval(),
            (given, given, given),
            str(plain),
            input_names=names,
            output_names=list(outputs),
            dynamic_axes=axes | ({"tokens": {0: "pairs", 1: "length"}} if "tokens" in outputs else {}),
            opset_version=17,
            dynamo=False,
        )
        if whole:
            return onnx.load(plain)
        quantize_dynamic(plain, small, weight_type=QuantType.QInt8, per_channel=True)
        return onnx.load(small)


def share(models: Sequence[onnx.ModelProto], file: Path) -> None:
    """Moves the models' larger tensors into a file beside them, equal ones once."""
    places: dict[bytes, int] = {}
    with file.open("wb") as out:
        for tensor in (one for model in models for one in model.graph.initializer):
            held = tensor.raw_data
            if len(held) < _LEAST:
                continue
            if held not in places:
                out.write(bytes(-out.tell() % _ALIGNED))
                places[held] = out.tell()
                out.write(held)
            tensor.ClearField("raw_data")
            tensor.data_location = onnx.TensorProto.EXTERNAL
            about = {"location": file.name, "offset": places[held], "length": len(held)}
            for key, value in about.items():
                tensor.external_data.add(key=key, value=str(value))


def export(
    checkpoint: Path,
    out: Path,
    whole: bool,
    encoder: str = "",
    verifier: Path | None = None,
    queries: Path | None = None,
) -> None:
    """Writes the reader's folder; ``whole``: in 32 bits, four times as large; ``encoder``: as it was trained with."""
    folder = model_folder(encoder)
    networks = {MODEL_FILE: _network(_trained(Reader(folder), checkpoint), ("tokens", "pair"), whole)}
    if verifier is not None:
        networks[VERIFIER_FILE] = _network(_trained(Verifier(folder), verifier), ("verified",), whole)
    if queries is not None:
        networks[QUERIES_FILE] = _network(_trained(Queries(folder), queries), ("vector",), whole)
    out.mkdir(parents=True, exist_ok=True)
    shared = len(networks) > 1
    if shared:
        share(list(networks.values()), out / WEIGHTS_FILE)
    for name, network in networks.items():
        onnx.save(network, out / name)
    (out / TOKENIZER_FILE).write_bytes((folder / "tokenizer.json").read_bytes())
    kept = [*networks, *([WEIGHTS_FILE] if shared else []), TOKENIZER_FILE]
    described: dict[str, object] = {"files": {x: hashlib.sha256((out / x).read_bytes()).hexdigest() for x in kept}}
    if queries is not None:
        described[QUERIES_OF] = model_hash(folder, pinned=True)
    (out / DESCRIPTION_FILE).write_text(json.dumps(described, indent=1, sort_keys=True) + "\n")


def _trained(network: nn.Module, checkpoint: Path) -> nn.Module:
    network.load_state_dict(torch.load(checkpoint, weights_only=True, map_location="cpu")["network"])
    return network


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--verifier", type=Path, help="checkpoint of a verifier that was trained from this reader")
    parser.add_argument("--queries", type=Path, help="checkpoint of an encoder of questions begun with this reader")
    parser.add_argument("--whole", action="store_true", help="32 bits")
    parser.add_argument("--encoder", default="", help="the folder that training was given; without it the package's")
    options = parser.parse_args()
    if options.queries and options.encoder:
        parser.error("an encoder of questions is learned for the package's encoder: leave --encoder or --queries out")
    export(options.checkpoint, options.out, options.whole, options.encoder, options.verifier, options.queries)


if __name__ == "__main__":
    main()
