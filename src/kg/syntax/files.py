"""A trained parser on disk: one ``.npz`` of 16-bit weights with what they mean. Nothing is pickled."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kg.errors import ModelUnavailable

if TYPE_CHECKING:
    from kg.syntax.network import Parser

FORMAT = 1
_ABOUT = "about"


@dataclass(frozen=True, slots=True)
class About:
    """What a parser's file says of itself. ``frozen``: layers of the encoder below its own ``trained`` ones."""

    tags: tuple[str, ...]
    labels: tuple[str, ...]
    frozen: int
    trained: int
    format: int = FORMAT


def save(network: Parser, about: About, path: Path) -> None:
    """Writes a parser's file. The same network gives the same bytes on the same versions."""
    weights = {name: value.detach().numpy().astype(np.float16) for name, value in sorted(network.state_dict().items())}
    said = np.frombuffer(json.dumps(asdict(about), sort_keys=True).encode(), np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **{_ABOUT: said}, **weights)


def load(path: Path) -> tuple[About, dict[str, npt.NDArray[np.float32]]]:
    """A parser's description and weights. Raises ModelUnavailable."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            given = json.loads(stored[_ABOUT].tobytes())
            weights = {name: stored[name].astype(np.float32) for name in stored.files if name != _ABOUT}
        about = About(**{**given, "tags": tuple(given["tags"]), "labels": tuple(given["labels"])})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(f"no parser in {path}", "train one with kg train-parser") from error
    if about.format != FORMAT:
        raise ModelUnavailable(f"the parser in {path} has format {about.format}", "train it again")
    return about, weights
