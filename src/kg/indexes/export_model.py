"""Exports a sentence-transformers model to ONNX (fp32), once: ``python -m kg.indexes.export_model [--model FOLDER]``.

The whole pipeline is traced – transformer, pooling, whatever layers follow, normalisation – so any pooling that
sentence-transformers offers comes out right or is refused: before an export is kept, its vectors are compared with
the original's. This is the only module of asking and serving that imports torch, and it runs in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kg.errors import ModelUnavailable
from kg.indexes.embedding import (
    DESCRIPTION_FILE,
    MODEL_FILE,
    OUTPUTS,
    TOKENIZER_FILE,
    Description,
    Runtime,
    export_name,
    export_places,
    find_export,
    model_folder,
    model_hash,
    read_export,
)
from kg.storage import file_sha256

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

TOLERANCE = 1e-4  # largest difference of a component from the original's; fp32 gives about 2e-7
OPSET = 17
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_NO_LIMIT = 1_000_000  # tokenisers without a limit state an astronomically large one
_PROBES = (
    "",
    "Salt.",
    "  The keeper of the lighthouse at Skerryvore lit the lamp at dusk.  ",
    "Rye flour 1,250 kg; wheat flour ~3.5 t – delivered 2021-06-03 (estimated).",
    "Ünïcödé naïve café, Москва, 東京 and ☃.",
    "| Telescope | Aperture |\n|---|---|\n| Hale | 5.1 m |",
    "one two three four five six seven eight nine ten " * 12,
    "comet " * 2_000,
)


def export(folder: Path, hash_: str, target: Path) -> None:
    """Writes the three files of an export into the empty folder ``target``. Raises ModelUnavailable.

    The same model gives the same bytes on the same versions of torch and transformers.
    """
    try:
        model = _load(folder)
    except Exception as error:  # whatever a foreign folder makes transformers raise
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelUnavailable(f"sentence-transformers can't load it: {reason}", "copy the model again") from error
    prompt = model.prompts.get(model.default_prompt_name or "") or ""
    if prompt and any(getattr(module, "include_prompt", True) is False for module in model):
        raise ModelUnavailable("a model whose pooling leaves out its prompt isn't supported", "choose another model")
    tokenizer = getattr(model.tokenizer, "backend_tokenizer", None)
    if tokenizer is None:
        raise ModelUnavailable("a model without a fast tokeniser isn't supported", "save it with a tokenizer.json")
    tokenizer.no_padding()
    tokenizer.no_truncation()
    (target / TOKENIZER_FILE).write_text(tokenizer.to_str(), encoding="utf-8")
    _trace(model, target / MODEL_FILE)
    limit = model.max_seq_length
    description = Description(
        model_hash=hash_,
        dimensions=int(model.get_embedding_dimension() or 0),
        max_length=int(limit) if limit is not None and limit < _NO_LIMIT else 0,
        prompt=prompt,
        files={name: file_sha256(target / name) for name in (MODEL_FILE, TOKENIZER_FILE)},
    )
    write_description(target, replace(description, pools=_compare(model, target, description)))


def write_description(target: Path, description: Description) -> None:
    """Puts its description beside an export's files."""
    (target / DESCRIPTION_FILE).write_text(description.to_json(), encoding="utf-8")


def _load(folder: Path) -> SentenceTransformer:
    # Nothing is fetched: the folder is all there is.
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_HUB_DISABLE_PROGRESS_BARS="1")
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    # Eager attention traces to plain matrix products; the fused kernels would bake in shapes.
    return SentenceTransformer(
        str(folder), device="cpu", local_files_only=True, model_kwargs={"attn_implementation": "eager"}
    ).eval()


def _trace(model: SentenceTransformer, path: Path) -> None:
    import torch

    class Pipeline(torch.nn.Module):
        """The model from token numbers to the sentence's vector."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *columns: Any) -> Any:
            found = self.model(dict(zip(names, columns, strict=True)))
            return tuple(found[name] for name in OUTPUTS)

    sample = dict(model.tokenizer(["The lamp was lit at dusk"], return_tensors="pt"))
    names = [name for name in _INPUTS if name in sample]
    if set(sample) - set(names):
        raise ModelUnavailable(f"a model that wants {sorted(sample)} isn't supported", "choose a text model")
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tracing warns of every size that it takes as fixed; _compare judges
        torch.onnx.export(
            Pipeline(),
            tuple(sample[name] for name in names),
            str(path),
            input_names=names,
            output_names=list(OUTPUTS),
            dynamic_axes={name: {0: "texts", 1: "tokens"} for name in (*names, OUTPUTS[1])},
            opset_version=OPSET,
            dynamo=False,
        )


def _compare(model: SentenceTransformer, target: Path, description: Description) -> bool:
    """Whether the export pools: the means of its tokens' vectors are the texts'. Raises ModelUnavailable."""
    runtime = Runtime(target, description)
    pools = True
    for text in _PROBES:
        expected = np.asarray(model.encode([text], show_progress_bar=False)[0], dtype=np.float64)
        length = np.linalg.norm(expected)
        expected = expected / length if length > 0 else expected
        if expected.shape != (description.dimensions,):
            raise ModelUnavailable("the model's vectors haven't the length it states", "choose another model")
        # Written so that a difference that isn't a number is refused too.
        if not float(np.abs(runtime.vector(text) - expected).max()) <= TOLERANCE:
            raise ModelUnavailable("the exported model's vectors differ from the original's", "choose another model")
        mean = runtime.mean(text)
        pools = pools and mean.shape == expected.shape and float(np.abs(mean - expected).max()) <= TOLERANCE
    return pools


def export_into_cache(folder: Path, hash_: str) -> Path:
    """The export's folder in the first place that can be written; made if it isn't there. Raises ModelUnavailable."""
    return into_cache(hash_, lambda target: export(folder, hash_, target))


def into_cache(hash_: str, make: Callable[[Path], None]) -> Path:
    """The folder of the export with a hash, which ``make`` fills if it isn't there. Raises ModelUnavailable."""
    found = find_export(hash_)
    if found is not None:
        return found[0]
    for place in export_places():
        try:
            place.mkdir(parents=True, exist_ok=True)
            scratch = Path(tempfile.mkdtemp(prefix=".making-", dir=place))
        except OSError:
            continue
        try:
            make(scratch)
            return _put(scratch, place / export_name(hash_))
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    places = " and ".join(str(place) for place in export_places())
    raise ModelUnavailable(f"neither {places} can be written", "make one of them writable")


def _put(scratch: Path, final: Path) -> Path:
    scratch.chmod(0o755)  # mkdtemp's 0o700 would shut other users out
    if final.exists() and read_export(final) is None:
        shutil.rmtree(final)  # damaged
    try:
        scratch.rename(final)
    except OSError:
        if read_export(final) is None:  # else another process was first, with the same bytes
            raise
    return final


def main(arguments: list[str] | None = None) -> int:
    """Prints the export's folder; else gives 1 and, last on standard error, one sentence that says why."""
    parser = argparse.ArgumentParser(prog="python -m kg.indexes.export_model", description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="", help="folder of the model; default: the packaged all-MiniLM-L6-v2")
    named = parser.parse_args(arguments).model

    def find() -> Path:
        folder = model_folder(named)
        # The packaged model may be handed over by its folder; it is held to the publisher's files all the same.
        return export_into_cache(folder, model_hash(folder, pinned=not named or _is_packaged(folder)))

    return printed(find)


def printed(find: Callable[[], Path]) -> int:
    """Prints the folder of an export; else gives 1 and, last on standard error, one sentence that says why."""
    try:
        print(find())
    except ModelUnavailable as error:
        print(f"{error.message} ({error.hint})", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"the export can't be written: {error}", file=sys.stderr)
        return 1
    return 0


def _is_packaged(folder: Path) -> bool:
    try:
        return folder.resolve() == model_folder().resolve()
    except ModelUnavailable:
        return False


if __name__ == "__main__":
    sys.exit(main())
