"""A trained model on disk: ``encoder.onnx``, ``tokenizer.json``, ``heads.npz``, ``layers.npz`` and ``model.json``.

Nothing is pickled. ``layers.npz`` holds the encoder layers that training changed, so that a model can be trained on.
What ``kg train`` writes (:mod:`kg.relations.encoder_export`) holds all of these files. The distributed model holds only
what training changed: its encoder is put together once and cached by a hash of all that defines it.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kg.errors import ModelUnavailable
from kg.indexes.embedding import MODEL_FILE, TOKENIZER_FILE, find_export, made_export, model_folder, model_hash
from kg.namespaces import digest
from kg.storage import file_sha256

ENCODER, TOKENIZER, DESCRIPTION = "encoder.onnx", "tokenizer.json", "model.json"
HEADS, LAYERS = "heads.npz", "layers.npz"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class About:
    """What ``model.json`` says. ``thresholds``: log-odds by the precision that they gave on development data.

    ``choice``: the decision rule that did best there (:attr:`kg.relations.scoring.Choice.numbers`); empty if none was
    sought.
    """

    kept: int
    heads: int
    frozen: int = 0
    format: int = FORMAT
    thresholds: dict[str, float] = field(default_factory=dict)
    choice: dict[str, float] = field(default_factory=dict)
    trained_on: tuple[str, ...] = ()


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


# --- the distributed model, and where a model's encoder and tokeniser lie ---

GENERAL, NONE = "general", "none"  # the distributed model and no model, wherever a model's folder is asked for


def model_of(name: str | Path) -> Path | None:
    """The folder that a name stands for: :data:`GENERAL` the distributed model's, :data:`NONE` none, others itself.

    A folder of that name goes before.
    """
    if not Path(name).is_dir() and str(name) in (GENERAL, NONE):
        return Path(str(resources.files("kg.relations") / GENERAL)) if str(name) == GENERAL else None
    return Path(name)


def export_hash(folder: Path) -> str:
    """What tells a model's export from others: its layers and the encoder that they belong to.

    Raises ModelUnavailable.
    """
    base = model_hash(model_folder(), pinned=True)
    try:
        layers = file_sha256(folder / LAYERS)
    except OSError as error:
        raise ModelUnavailable(f"{LAYERS} of {folder} can't be read", "train the model again") from error
    return digest("relations", str(FORMAT), base, str(read_about(folder).frozen), layers)


def encoder_files(folder: Path) -> tuple[Path, Path]:
    """A model's encoder (ONNX) and tokeniser, exported first where the folder holds none. Raises ModelUnavailable."""
    if (folder / ENCODER).is_file():
        return folder / ENCODER, folder / TOKENIZER
    hash_ = export_hash(folder)
    found = find_export(hash_) or made_export("kg.relations.encoder_export", [str(folder.resolve())], hash_, "relation")
    return found[0] / MODEL_FILE, found[0] / TOKENIZER_FILE


def configuration() -> str:
    """Names the model that the environment asks for by all of its files, with the precision; "" for none."""
    folder = model_of(named())
    if folder is None:
        return ""
    read_about(folder)
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return digest(precision(), *(part for path in files for part in (path.name, file_sha256(path))))


def named() -> str:
    """The model that the environment names, or none."""
    return os.environ.get("KG_RELATION_MODEL", "") or NONE


def precision() -> str:
    """The precision from whose threshold on a model speaks, as its description has it."""
    return os.environ.get("KG_RELATION_PRECISION", "0.9")
