"""The OpenAPI description is true: whatever is made from it is answered as it says."""

from __future__ import annotations

from pathlib import Path

from .description import lighthouses, probe


def test_every_reply_is_as_described(tmp_path: Path) -> None:
    with lighthouses(tmp_path) as client:
        fine, told = probe(client.address, 1, tmp_path)
        assert fine, told
        assert "Tested:" in told
        assert client.send("GET", "/readyz").status == 200
