"""Prompts: text files with a version in their name, filled in without ever being read as templates twice."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

EXTRACT, PROPOSE, PHRASE = "extract-1", "propose-1", "phrase-1"
"""The versions in use. What a file says is part of the key under which replies are kept, so they never go stale."""
_BREAK = "\n---\n"


@dataclass(frozen=True, slots=True)
class Filled:
    """A prompt as it is sent. ``key`` names its version and the exact words of its file."""

    key: str
    system: str
    user: str

    @property
    def tokens(self) -> int:
        """About how many tokens it has: three characters make one, a guess on the high side."""
        return (len(self.system) + len(self.user)) // 3


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: what the model is to do, and the form of what it is given."""

    version: str
    system: str
    user: str
    sha256: str

    def filled(self, **values: str) -> Filled:
        """With the values in place of ``$names``, taken as they are. Raises KeyError for a missing one."""
        return Filled(f"{self.version} {self.sha256}", self.system, Template(self.user).substitute(values))


@cache
def prompt(version: str) -> Prompt:
    """The prompt of a version, from the package's files."""
    text = files("kg.llm").joinpath("prompts", f"{version}.txt").read_text(encoding="utf-8")
    system, _, user = text.partition(_BREAK)
    return Prompt(version, system.strip(), user.strip(), hashlib.sha256(text.encode()).hexdigest()[:16])
