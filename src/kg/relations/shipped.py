"""The model that comes with the package, and where a model's encoder and tokeniser lie.

A model that ``kg train`` writes holds all of its files. The distributed one holds only what training changed: its
encoder is put together once (:mod:`kg.relations.export_model`) and cached by a hash of all that defines it.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from kg.indexes.embedding import MODEL_FILE, TOKENIZER_FILE, find_export, made_export, model_folder, model_hash
from kg.namespaces import digest
from kg.relations.files import ENCODER, FORMAT, LAYERS, TOKENIZER, read_about, weights_hash

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
    return digest("relations", str(FORMAT), base, str(read_about(folder).frozen), weights_hash(folder, LAYERS))


def encoder_files(folder: Path) -> tuple[Path, Path]:
    """A model's encoder (ONNX) and tokeniser, exported first where the folder holds none. Raises ModelUnavailable."""
    if (folder / ENCODER).is_file():
        return folder / ENCODER, folder / TOKENIZER
    hash_ = export_hash(folder)
    found = find_export(hash_) or made_export("kg.relations.export_model", [str(folder.resolve())], hash_, "relation")
    return found[0] / MODEL_FILE, found[0] / TOKENIZER_FILE
