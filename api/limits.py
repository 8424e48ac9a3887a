"""How much of the server one visitor may have: bodies of a bounded size and time, requests of a bounded number."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope

from kg.errors import BadInput

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
