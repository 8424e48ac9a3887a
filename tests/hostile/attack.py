"""Sends nonsense to a server and collects what should never come back."""

from __future__ import annotations

import http.client
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..w3c.server import Client
from .nonsense import request


@dataclass(slots=True)
class Report:
    """How often each status came; seeds of requests that were answered with 500 or not at all."""

    statuses: Counter[int] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)


def attack(address: str, seeds: Iterable[int]) -> Report:
    """Sends the requests of the seeds, one after the other."""
    report, client = Report(), Client(address)
    for seed in seeds:
        method, path, headers, body = request(seed)
        try:
            reply = client.send(method, path, headers, body)
        except (OSError, http.client.HTTPException) as error:
            # A server may hang up on what is no HTTP; it has to be there for the next one.
            client.close()
            client = Client(address)
            if client.send("GET", "/livez").status != 200:
                report.failed.append(f"{seed}: {error!r}")
            continue
        report.statuses[reply.status] += 1
        if reply.status in (500, 501, 502) or reply.status < 200:
            report.failed.append(f"{seed}: {reply.status} {reply.body[:200]!r}")
    client.close()
    return report
