"""A trained parser on disk: one ``.npz`` of 16-bit weights with what they mean. Nothing is pickled."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kg.errors import ModelUnavailable

FORMAT = 1
ABOUT = "about"


@dataclass(frozen=True, slots=True)
class About:
    """What a parser's file says of itself. ``frozen``: layers of the encoder below its own ``trained`` ones."""

    tags: tuple[str, ...]
    labels: tuple[str, ...]
    frozen: int
    trained: int
    format: int = FORMAT


def load(path: Path) -> tuple[About, dict[str, npt.NDArray[np.float32]]]:
    """A parser's description and weights. Raises ModelUnavailable."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            given = json.loads(stored[ABOUT].tobytes())
            weights = {name: stored[name].astype(np.float32) for name in stored.files if name != ABOUT}
        about = About(**{**given, "tags": tuple(given["tags"]), "labels": tuple(given["labels"])})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(f"no parser in {path}", "name a file that training.syntax wrote") from error
    if about.format != FORMAT:
        raise ModelUnavailable(f"the parser in {path} has format {about.format}", "train it again")
    return about, weights
