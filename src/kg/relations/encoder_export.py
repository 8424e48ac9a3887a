"""Exports a relation model's encoder to ONNX: ``python -m kg.relations.encoder_export FOLDER``. Needs torch.

A model that is distributed holds no export, only the layers that training changed: those below are the packaged
embedding model's. Its export is made once, in a process of its own, and cached beside that of the embedding model.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kg.indexes.embedding import MODEL_FILE, TOKENIZER_FILE, Description, model_folder
from kg.indexes.export_model import OPSET, into_cache, printed, write_description
from kg.relations.files import ENCODER, HEADS, LAYERS, TOKENIZER, About, describe, export_hash, read_about, read_weights
from kg.storage import file_sha256

if TYPE_CHECKING:
    from kg.relations.training import Network


def export(network: Network, path: Path, base: Path, frozen: int) -> None:
    """The encoder as ONNX: ``input_ids`` (1, T) to ``hidden`` and ``plain``, both (1, T, hidden).

    ``plain`` is what the encoder in the folder ``base`` gives, with which training began and with which the network
    has the embeddings and the first ``frozen`` layers in common. Matrices are rounded to 8 bits; sums stay 32-bit.
    """
    import torch

    from kg.relations.training import load_encoder

    before = load_encoder(str(base))

    class Encoder(torch.nn.Module):
        """Word pieces of one unpadded sentence to vectors."""

        def __init__(self) -> None:
            super().__init__()
            self.inner = network.encoder
            self.rest = torch.nn.ModuleList(before.encoder.layer[frozen:])

        def forward(self, input_ids: Any) -> Any:
            hidden = self.inner.embeddings(input_ids=input_ids)
            for layer in self.inner.encoder.layer[:frozen]:
                hidden = layer(hidden, attention_mask=None)
            plain = hidden
            for layer in self.inner.encoder.layer[frozen:]:
                hidden = layer(hidden, attention_mask=None)
            for layer in self.rest:
                plain = layer(plain, attention_mask=None)
            return hidden, plain

    network.eval()
    for encoder in (network.encoder, before):
        encoder.set_attn_implementation("eager")
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tracing warns of sizes that it takes as fixed; the tests compare lengths
        torch.onnx.export(
            Encoder().eval(),
            (torch.tensor([[101, 2023, 2003, 102]]),),
            str(path),
            input_names=["input_ids"],
            output_names=["hidden", "plain"],
            dynamic_axes={name: {1: "pieces"} for name in ("input_ids", "hidden", "plain")},
            opset_version=OPSET,
            dynamo=False,
        )
    network.encoder.set_attn_implementation("sdpa")
    _quantise(path)


def _quantise(path: Path) -> None:
    """Rounds an export's matrices to 8 bits in place; sums stay 32-bit."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    whole = path.with_suffix(".fp32.onnx")
    path.replace(whole)
    logging.getLogger().addFilter(lambda record: "pre-processing" not in record.getMessage())
    quantize_dynamic(str(whole), str(path), weight_type=QuantType.QInt8, per_channel=True)
    whole.unlink()


def save(network: Network, tokenizer: Path, folder: Path, about: About) -> None:
    """Writes a model's files into a folder, which is made.

    ``tokenizer`` lies beside the encoder that training began with. Heads are kept as 16-bit numbers. The same network
    gives the same bytes on the same versions.
    """
    folder.mkdir(parents=True, exist_ok=True)
    export(network, folder / ENCODER, tokenizer.parent, about.frozen)
    if (folder / TOKENIZER).resolve() != tokenizer.resolve():
        shutil.copyfile(tokenizer, folder / TOKENIZER)
    _write(folder / HEADS, network.heads.state_dict())
    state = network.encoder.encoder.state_dict()
    _write(folder / LAYERS, {name: v for name, v in state.items() if int(name.split(".")[1]) >= about.frozen})
    describe(folder, about)


def _write(path: Path, state: Mapping[str, Any]) -> None:
    weights = {name: value.detach().numpy().astype(np.float16) for name, value in sorted(state.items())}
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **weights)


def load_network(folder: Path, base: Path) -> Network:
    """A model to train on from: the encoder of ``base`` with the model's own layers and heads. Needs torch."""
    import torch

    from kg.relations.training import Network, Sizes, load_encoder

    about = read_about(folder)
    network = Network(load_encoder(str(base)), Sizes(kept=about.kept, heads=about.heads))
    network.heads.load_state_dict({k: torch.from_numpy(v) for k, v in read_weights(folder).items()})
    layers = {k: torch.from_numpy(v) for k, v in read_weights(folder, LAYERS).items()}
    network.encoder.encoder.load_state_dict(layers, strict=False)
    return network


def export_into_cache(folder: Path) -> Path:
    """The folder of a model's export; made if it isn't there. Raises ModelUnavailable."""
    base, hash_ = model_folder(), export_hash(folder)
    about = read_about(folder)

    def make(target: Path) -> None:
        network = load_network(folder, base)
        export(network, target / MODEL_FILE, base, about.frozen)
        shutil.copyfile(base / TOKENIZER_FILE, target / TOKENIZER_FILE)
        files = {name: file_sha256(target / name) for name in (MODEL_FILE, TOKENIZER_FILE)}
        write_description(target, Description(hash_, network.heads.sizes.hidden, 0, "", files))

    return into_cache(hash_, make)


def main(arguments: list[str] | None = None) -> int:
    """Prints the export's folder; else gives 1 and, last on standard error, one sentence that says why."""
    parser = argparse.ArgumentParser(prog="python -m kg.relations.encoder_export", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of the model")
    folder: Path = parser.parse_args(arguments).folder
    return printed(lambda: export_into_cache(folder))


if __name__ == "__main__":
    sys.exit(main())
