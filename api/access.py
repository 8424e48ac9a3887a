"""Who may change something: whoever sends a key of which the settings hold the hash."""

from __future__ import annotations

import hashlib
import hmac
from typing import Annotated

from fastapi import Depends, Request

from kg.errors import KeyNeeded, ReadOnly

from .live import Live


def may_write(live: Live, authorization: str) -> None:
    """Lets the holder of a write key pass (``Authorization: Bearer KEY``). Raises ReadOnly, KeyNeeded.

    A dataset for tests is open: it holds nothing else, and is only served on this machine.
    """
    if live.current().snapshot.manifest.plain:
        return
    keys = live.settings.serve.write_keys
    if not keys:
        raise ReadOnly("this server is read-only", "[serve] write_keys in kg.toml says who may write")
    scheme, _, key = authorization.partition(" ")
    hashed = hashlib.sha256(key.strip().encode()).hexdigest()
    # All are compared, so that the time taken tells nothing.
    if scheme.lower() != "bearer" or not sum(hmac.compare_digest(hashed, known.lower()) for known in keys):
        raise KeyNeeded("writing takes a key that this server knows", "send it as: Authorization: Bearer KEY")


def _writer(request: Request) -> Live:
    live: Live = request.app.state.live
    may_write(live, request.headers.get("authorization", ""))
    return live


Writer = Annotated[Live, Depends(_writer)]
"""The application's :class:`Live`, for a request that may change something."""
