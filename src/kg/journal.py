"""What a build has extracted so far, so that the next one takes up where a stopped one was.

A file of lines beside the records: it is no part of the knowledge base, and goes with the rubbish when a manifest is
put in force. A line that was cut short, or names a record that isn't there whole, counts for nothing.
"""

from __future__ import annotations

import json
from functools import cached_property

from kg.errors import CorruptKnowledgeBase
from kg.storage import Folder

_NAME = "taken.jsonl"


class Journal:
    """Records by the document's name, the SHA-256 of its bytes, and what it was made with."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._path = folder.path / "records" / _NAME

    @cached_property
    def _known(self) -> dict[tuple[str, ...], str]:
        found: dict[tuple[str, ...], str] = {}
        if self._path.is_file():
            for line in self._path.read_bytes().splitlines():
                try:
                    *made_from, record = json.loads(line)
                except (ValueError, TypeError):
                    continue
                found[tuple(made_from)] = record
        return found

    def record(self, name: str, source: str, made_with: str) -> str:
        """The record that a build stopped since has made; empty where there is none."""
        record = self._known.get((name, source, made_with), "")
        try:
            return record if record and self._folder.get("records", record, ".json") else ""
        except CorruptKnowledgeBase:
            return ""

    def add(self, name: str, source: str, made_with: str, record: str) -> None:
        """Notes a record that is on disk."""
        with self._path.open("ab") as file:  # a line begins with its break: what was cut short stays by itself
            file.write(b"\n" + json.dumps((name, source, made_with, record)).encode())
