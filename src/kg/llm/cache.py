"""Replies kept on disk, so that a rebuild asks nothing twice and comes out the same."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

from kg.llm.prompts import Filled
from kg.storage import write_atomically


def default_folder() -> Path:
    """The user's cache folder for it."""
    from platformdirs import user_cache_path

    return user_cache_path("citegraph") / "llm"


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of replies, one JSON file each; a damaged one is asked for anew. It holds what documents say."""

    folder: Path

    @staticmethod
    def key(model: str, prompt: Filled) -> str:
        """SHA-256 over the prompt's version, the model's name and all that is sent."""
        said = json.dumps([prompt.key, model, prompt.system, prompt.user], ensure_ascii=True)
        return hashlib.sha256(said.encode()).hexdigest()

    def _file(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"

    def get(self, key: str) -> str | None:
        """The reply kept under a key."""
        try:
            found = json.loads(self._file(key).read_bytes())
        except (OSError, ValueError):
            return None
        text = found.get("reply") if isinstance(found, dict) else None
        return text if isinstance(text, str) else None

    def put(self, key: str, reply: str) -> None:
        """Keeps a reply; one that can't be written is not kept."""
        file = self._file(key)
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            os.chmod(self.folder, 0o700)
            write_atomically(file, json.dumps({"reply": reply}).encode())
