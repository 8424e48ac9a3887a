"""Who may do what: keys whose hashes the settings or the knowledge base's folder hold, and hosts that are this one.

And how much of the server one visitor may have: bodies of a bounded size and time, requests of a bounded number.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope

from kg.app.keys import FILE, Key, Role, read_keys
from kg.errors import BadInput, KeyNeeded, ReadOnly
from kg.settings import ServeSettings

from .live import Live

MAX_BODY = 2_000_000
# A body that comes more slowly than this many seconds for all of it is given up.
BODY_S = 60.0


class BodyTooLarge(BadInput):
    """A request body beyond its limit."""

    http_status = 413
    slug = "body-too-large"


class TooManyRequests(BadInput):
    """More requests than one visitor may send; ``wait_s`` tells when to try again."""

    http_status = 429
    slug = "too-many-requests"

    def __init__(self, message: str, wait_s: float) -> None:
        super().__init__(message, f"try again in {max(1, round(wait_s))} s")
        self.wait_s = max(1, round(wait_s))


def limited(scope: Scope, receive: Receive, limit: int) -> Receive:
    """``receive``, for a body of ``limit`` bytes at most. Raises BodyTooLarge for one that announces more.

    One that turns out to be larger or slower raises the exception of whoever reads it that FastAPI lets through.
    """
    announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    if not announced.isdigit() or len(announced) > 18 or int(announced) > limit:
        raise BodyTooLarge(f"the body has more than {limit:,} bytes", "send less")
    if announced == b"0" and scope["method"] in ("GET", "HEAD") and not _chunked(scope):
        return receive
    return _Body(receive, limit).receive


def _chunked(scope: Scope) -> bool:
    return any(name == b"transfer-encoding" for name, _ in scope["headers"])


class _Body:
    """A body that is counted and timed as it comes."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive, self._limit = receive, limit
        self._came = 0
        self._until = time.monotonic() + BODY_S
        self._whole = False

    async def receive(self) -> Message:
        """ASGI: the next piece. Once it is whole, what comes is the end of the connection, which may take long."""
        if self._whole:
            return await self._receive()
        try:
            async with asyncio.timeout(max(0.0, self._until - time.monotonic())):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(408, f"the body didn't come within {BODY_S:g} seconds") from None
        self._came += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._came > self._limit:
            raise HTTPException(413, f"the body has more than {self._limit:,} bytes")
        return message


class Rate:
    """Counts requests by visitor: ``per_minute`` in the long run (bursts of a sixth go through), ``at_once`` together.

    0 stands for no limit.
    """

    MOST_VISITORS = 10_000

    def __init__(self, per_minute: int, at_once: int) -> None:
        self._per_second = per_minute / 60
        self._burst = max(1.0, per_minute / 6)
        self._at_once = at_once
        # By visitor: requests that it may still send, and when that was counted.
        self._left: dict[str, tuple[float, float]] = {}
        self._under_way: Counter[str] = Counter()

    def enter(self, visitor: str) -> None:
        """Counts a request that begins. Raises TooManyRequests; then :meth:`leave` isn't to be called."""
        if self._at_once and self._under_way[visitor] >= self._at_once:
            raise TooManyRequests(f"{self._at_once} requests of yours are under way", 1)
        if self._per_second and not self._may(visitor):
            raise TooManyRequests("too many requests came from you", 1 / self._per_second)
        self._under_way[visitor] += 1

    def leave(self, visitor: str) -> None:
        """Counts a request that has ended."""
        self._under_way[visitor] -= 1
        if not self._under_way[visitor]:
            del self._under_way[visitor]

    def _may(self, visitor: str) -> bool:
        now = time.monotonic()
        left, then = self._left.pop(visitor, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._per_second)
        if len(self._left) >= self.MOST_VISITORS:
            # The one that has been quiet for longest.
            self._left.pop(next(iter(self._left)))
        self._left[visitor] = (max(0.0, left - 1) if left >= 1 else left, now)
        return left >= 1


_VERBS = {Role.NONE: "nothing", Role.READ: "reading", Role.WRITE: "writing", Role.ADMIN: "administration"}
_SEND = "send it as: Authorization: Bearer KEY"
BEARER = HTTPBearer(auto_error=False, description="A key that `kg key add` made.")


class NotAllowed(BadInput):
    """A request that takes more rights than its key has."""

    http_status = 403
    slug = "not-allowed"


class NotHere(BadInput):
    """A request that names another host than this server: a web site that was made to point here."""

    http_status = 421
    slug = "not-this-host"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who sends a request: what it may do, and the name under which its requests are counted."""

    role: Role
    name: str


class Keys:
    """Keys of the settings, and of the file that ``kg key`` writes, followed as that changes."""

    def __init__(self, settings: ServeSettings, folder: Path) -> None:
        named = ((Role.READ, settings.read_keys), (Role.WRITE, settings.write_keys), (Role.ADMIN, settings.admin_keys))
        self._fixed = tuple(
            Key(f"{role.name.lower()}-{i}", role, sha) for role, ss in named for i, sha in enumerate(ss)
        )
        self._folder, self._path = folder, str(folder / FILE)
        self._seen: tuple[int, int] | None = None
        self._keys: tuple[Key, ...] = self._fixed

    def all(self) -> tuple[Key, ...]:
        """The keys in force."""
        try:
            found = os.stat(self._path)
            seen: tuple[int, int] | None = (found.st_mtime_ns, found.st_ino)
        except OSError:
            seen = None
        if seen != self._seen:
            self._keys = (*self._fixed, *read_keys(self._folder))
            self._seen = seen
        return self._keys

    def visitor(self, authorization: str, address: str) -> Visitor:
        """Whoever sends this header. Raises KeyNeeded for a key that isn't known."""
        if not authorization:
            return Visitor(Role.READ if self.open_to_read() else Role.NONE, address)
        scheme, _, given = authorization.partition(" ")
        hashed = hashlib.sha256(given.strip().encode("utf-8", "surrogateescape")).hexdigest()
        # All are compared, so that the time taken tells nothing.
        fitting = [key for key in self.all() if hmac.compare_digest(hashed, key.sha256.lower())]
        if scheme.lower() != "bearer" or not fitting:
            if not self.all():
                return Visitor(Role.READ, address)
            raise KeyNeeded("the request's key is not one that this server knows", _SEND)
        best = max(fitting, key=lambda key: key.role)
        return Visitor(best.role, f"key {best.name}")

    def open_to_read(self) -> bool:
        """Whether everyone may read: until there is a key that is for reading."""
        return not any(key.role is Role.READ for key in self.all())

    def may_be_written(self) -> bool:
        """Whether somebody may write."""
        return any(key.role >= Role.WRITE for key in self.all())


def require(visitor: Visitor, role: Role, keys: Keys) -> None:
    """Lets a visitor pass that has this role or a higher one. Raises ReadOnly, KeyNeeded, NotAllowed."""
    if visitor.role >= role:
        return
    if role >= Role.WRITE and not keys.may_be_written():
        raise ReadOnly("this server is read-only", "kg key add NAME --role write makes a key that may write")
    if visitor.name.startswith("key "):
        needed = role.name.lower()
        raise NotAllowed(f"this takes a key with the role {needed}, yours is for {_VERBS[visitor.role]}")
    raise KeyNeeded(f"{_VERBS[role]} takes a key that this server knows", _SEND)


def may_write(request: Request, role: Role = Role.WRITE) -> None:
    """Lets the holder of such a key pass. Raises as :func:`require` does.

    A dataset for tests is open: it holds nothing else, and is only served on this machine.
    """
    if request.app.state.open_dataset:
        return
    keys: Keys = request.app.state.keys
    visitor: Visitor | None = request.scope.get("citegraph.visitor")
    require(visitor or keys.visitor(request.headers.get("authorization", ""), ""), role, keys)


def _with_role(role: Role) -> Callable[..., Live]:
    # The second parameter is what tells readers of the OpenAPI description that a key is needed.
    def check(request: Request, _: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)]) -> Live:
        live: Live = request.app.state.live
        may_write(request, role)
        return live

    return check


Writer = Annotated[Live, Depends(_with_role(Role.WRITE))]
"""The application's :class:`Live`, for a request that may change something."""
Administrator = Annotated[Live, Depends(_with_role(Role.ADMIN))]
"""The same, for one that may have everything."""


def is_loopback(host: str) -> bool:
    """Whether a name or address, as a URL writes it, is this machine's own."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower().rstrip(".") in ("localhost", "ip6-localhost") or host.lower().endswith(".localhost")


def check_host(header: str, known: Sequence[str]) -> None:
    """Refuses requests for other hosts than this machine's own names and those ``known``. Raises NotHere.

    A site whose name is made to resolve to 127.0.0.1 (DNS rebinding) gets nothing out of a server on loopback.
    """
    host = header.rpartition(":")[0] if ":" in header and not header.endswith("]") else header
    if not (is_loopback(host) or host.lower() in _lower(known)):
        raise NotHere("this server doesn't answer for that host", "[serve] hosts in kg.toml lists other names for it")


def _lower(names: Iterable[str]) -> set[str]:
    return {name.lower() for name in names}
