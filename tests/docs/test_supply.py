"""The audit's verdicts, with and without a network, and the bill of materials of what is installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .supply import judged, sbom

OURS = {"name": "citegraph", "skip_reason": "editable"}
CLEAN = {"dependencies": [{"name": "a", "version": "1", "vulns": []}, {"name": "b", "version": "1", "vulns": []}, OURS]}
NONE = {"dependencies": [{"name": "a", "skip_reason": "not on the index"}, OURS]}
_ADVISORY = {"id": "PYSEC-1", "fix_versions": ["2"]}
BAD = {"dependencies": [{"name": "a", "version": "1", "vulns": [_ADVISORY]}, OURS, *CLEAN["dependencies"]]}


@pytest.mark.parametrize(
    ("printed", "complaints", "strict", "status", "told"),
    [
        (json.dumps(CLEAN), "", True, 0, "Audited: 2 packages, 0 advisories"),
        (json.dumps(NONE), "", False, 0, "Not audited: no package is known"),
        (json.dumps(NONE), "", True, 1, "Not audited: no package is known"),
        (json.dumps(BAD), "Found 1 known vulnerability", False, 1, "a 1: PYSEC-1, mended in 2"),
        ("", "requests.exceptions.ConnectionError: …", False, 0, "Not audited: the advisories can't be reached."),
        ("", "requests.exceptions.ConnectionError: …", True, 1, "Not audited"),
        ("", "usage: pip-audit", False, 1, "Not audited: usage: pip-audit"),
    ],
)
def test_verdicts(
    capsys: pytest.CaptureFixture[str], printed: str, complaints: str, strict: bool, status: int, told: str
) -> None:
    assert judged(printed, complaints, strict) == status
    assert told in capsys.readouterr().out


@pytest.mark.long
def test_the_bill_of_materials_names_what_is_installed(tmp_path: Path) -> None:
    assert sbom(tmp_path / "sbom.json") == 0
    bill = json.loads((tmp_path / "sbom.json").read_text(encoding="utf-8"))
    assert bill["bomFormat"] == "CycloneDX"
    names = {component["name"] for component in bill["components"]}
    assert {"pyoxigraph", "rdflib", "fastapi"} <= names
    assert bill["metadata"]["component"]["name"] == "citegraph"
    assert "timestamp" not in bill["metadata"]
