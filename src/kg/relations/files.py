"""A trained model on disk: ``encoder.onnx``, ``tokenizer.json``, ``heads.npz``, ``layers.npz`` and ``model.json``.

Writing needs torch; reading needs ONNX Runtime and NumPy alone. Nothing is pickled. ``layers.npz`` holds the encoder
layers that training changed, so that a model can be trained on. The distributed model has no encoder and tokeniser of
its own (:mod:`kg.relations.shipped`).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kg.errors import ModelUnavailable
from kg.indexes.embedding import file_hash

if TYPE_CHECKING:
    from kg.relations.network import Network

ENCODER, TOKENIZER, DESCRIPTION = "encoder.onnx", "tokenizer.json", "model.json"
HEADS, LAYERS = "heads.npz", "layers.npz"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class About:
    """What ``model.json`` says. ``thresholds``: log-odds by the precision that they gave on development data.

    ``choice``: the decision rule that did best there (:attr:`kg.relations.decode.Choice.numbers`); empty if none was
    sought.
    """

    kept: int
    heads: int
    frozen: int = 0
    format: int = FORMAT
    thresholds: dict[str, float] = field(default_factory=dict)
    choice: dict[str, float] = field(default_factory=dict)
    trained_on: tuple[str, ...] = ()


def save(network: Network, tokenizer: Path, folder: Path, about: About | None = None, int8: bool = True) -> None:
    """Writes a model's files into a folder, which is made. ``int8`` rounds the encoder's matrices.

    ``tokenizer`` lies beside the encoder that training began with. Heads are kept as 16-bit numbers. The same network
    gives the same bytes on the same versions.
    """
    folder.mkdir(parents=True, exist_ok=True)
    from kg.relations.export_model import export

    sizes = network.heads.sizes
    about = about or About(sizes.kept, sizes.heads)
    export(network, folder / ENCODER, tokenizer.parent, about.frozen, int8)
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


def describe(folder: Path, about: About) -> None:
    """Writes ``model.json``."""
    (folder / DESCRIPTION).write_text(json.dumps(asdict(about), indent=1, sort_keys=True) + "\n", encoding="utf-8")


def read_about(folder: Path) -> About:
    """What ``model.json`` says. Raises ModelUnavailable."""
    try:
        given: dict[str, Any] = json.loads((folder / DESCRIPTION).read_text("utf-8"))
        about = About(**{**given, "trained_on": tuple(given.get("trained_on", ()))})
    except (OSError, ValueError, TypeError) as error:
        raise ModelUnavailable(f"no relation model in {folder}", "train one with kg train") from error
    if about.format != FORMAT:
        raise ModelUnavailable(f"the relation model in {folder} has format {about.format}", "train it again")
    return about


def read_weights(folder: Path, name: str = HEADS) -> dict[str, npt.NDArray[np.float32]]:
    """The weights above the encoder, or those of its trained layers. Raises ModelUnavailable."""
    try:
        with np.load(folder / name, allow_pickle=False) as stored:
            return {key: stored[key].astype(np.float32) for key in stored.files}
    except (OSError, ValueError, KeyError) as error:
        raise ModelUnavailable(f"{name} of {folder} can't be read", "train the model again") from error


def weights_hash(folder: Path, name: str = HEADS) -> str:
    """SHA-256 of a file of weights. Raises ModelUnavailable."""
    try:
        return file_hash(folder / name)
    except OSError as error:
        raise ModelUnavailable(f"{name} of {folder} can't be read", "train the model again") from error


def load_network(folder: Path, base: Path) -> Network:
    """A model to train on from: the encoder of ``base`` with the model's own layers and heads. Needs torch."""
    import torch

    from kg.relations.network import Network, Sizes, load_encoder

    about = read_about(folder)
    network = Network(load_encoder(str(base)), Sizes(kept=about.kept, heads=about.heads))
    network.heads.load_state_dict({k: torch.from_numpy(v) for k, v in read_weights(folder).items()})
    layers = {k: torch.from_numpy(v) for k, v in read_weights(folder, LAYERS).items()}
    network.encoder.encoder.load_state_dict(layers, strict=False)
    return network
