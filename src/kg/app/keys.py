"""Keys for the server, kept as hashes in ``keys.json`` of a knowledge base's folder (``kg key add|list|revoke``).

A key is 256 random bits, so one round of SHA-256 is all the hashing that it needs. The file is no part of the
content: backups leave it out.
"""

from __future__ import annotations

import enum
import hashlib
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from kg.errors import BadInput, CorruptKnowledgeBase, NotFound
from kg.storage import write_atomically

FILE = "keys.json"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Role(enum.IntEnum):
    """What the holder of a key may do; a higher role may do what a lower one may."""

    NONE = 0
    READ = 1
    WRITE = 2
    ADMIN = 3


@dataclass(frozen=True, slots=True)
class Key:
    """A key by its name; ``sha256`` is the hexadecimal hash of it, the key itself is kept nowhere."""

    name: str
    role: Role
    sha256: str


_KEYS = TypeAdapter(tuple[Key, ...])


def read_keys(folder: Path) -> tuple[Key, ...]:
    """The keys of a knowledge base, by name. Raises CorruptKnowledgeBase."""
    try:
        return _KEYS.validate_json((folder / FILE).read_bytes())
    except FileNotFoundError:
        return ()
    except (ValidationError, OSError) as error:
        raise CorruptKnowledgeBase(f"{folder / FILE} can't be read", "remove it and make new keys") from error


def add_key(folder: Path, name: str, role: Role) -> str:
    """Makes a key and returns it, the only time that it is seen. Raises BadInput."""
    if not _NAME.fullmatch(name):
        raise BadInput(f"{name!r} is no name for a key", "use letters, digits, dots, dashes (64 at most)")
    known = read_keys(folder)
    if any(key.name == name for key in known):
        raise BadInput(f"there is a key {name} already", "revoke it, or choose another name")
    key = secrets.token_urlsafe(32)
    _write(folder, (*known, Key(name, role, hashlib.sha256(key.encode()).hexdigest())))
    return key


def revoke_key(folder: Path, name: str) -> None:
    """Takes a key out of force, also at servers that run. Raises NotFound."""
    known = read_keys(folder)
    if all(key.name != name for key in known):
        raise NotFound(f"there is no key {name}", "kg key list shows them")
    _write(folder, tuple(key for key in known if key.name != name))


def _write(folder: Path, keys: tuple[Key, ...]) -> None:
    data = _KEYS.dump_json(tuple(sorted(keys, key=lambda key: key.name)), indent=1) + b"\n"
    # Nobody else on this machine may read even the hashes.
    write_atomically(folder / FILE, data, mode=0o600)
