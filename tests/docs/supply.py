"""What is installed: ``python -m tests.docs.supply audit`` (known advisories), ``… sbom`` (a CycloneDX file).

Both look at this environment's packages but Citegraph itself. Without a network the audit can't be done: it says so
and succeeds, so that ``make check-all`` can be run offline; ``--strict`` makes that a failure. The bill of materials
is made from what is installed and needs no network.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from ..conftest import REPOSITORY

SBOM = REPOSITORY / "build" / "sbom.json"
# What pip-audit prints when the service of advisories, not a package, is the trouble.
_OFFLINE = (
    "ConnectionError",
    "Max retries exceeded",
    "Name or service not known",
    "ServiceError",
    "HTTPError",
    "Timeout",
)


def audit(strict: bool) -> int:
    """0 where no package has a known advisory."""
    command = [sys.executable, "-m", "pip_audit", "--skip-editable", "--progress-spinner", "off", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True)
    return judged(done.stdout, done.stderr, strict)


def judged(printed: str, complaints: str, strict: bool) -> int:
    """The exit status for what pip-audit printed, told on standard output."""
    try:
        packages = json.loads(printed)["dependencies"]
    except (ValueError, KeyError, TypeError):
        offline = any(sign in complaints for sign in _OFFLINE)
        print("Not audited: " + ("the advisories can't be reached." if offline else complaints.strip()[-300:]))
        return 1 if strict or not offline else 0
    found = [(p["name"], p["version"], v) for p in packages for v in p.get("vulns", ())]
    for name, version, advisory in found:
        print(
            f"{name} {version}: {advisory['id']}, mended in {', '.join(advisory['fix_versions']) or 'no version yet'}"
        )
    skipped = [p["name"] for p in packages if "skip_reason" in p]
    if len(skipped) >= len(packages) - 1:  # one may be this project itself
        print("Not audited: no package is known to the service of advisories (a mirror without them?).")
        return 1 if strict else 0
    print(f"Audited: {len(packages) - len(skipped)} packages, {len(found)} advisories; not known: {', '.join(skipped)}")
    return 1 if found else 0


def sbom(target: Path = SBOM) -> int:
    """Writes the bill of materials; 0 where that worked."""
    target.parent.mkdir(parents=True, exist_ok=True)
    project = REPOSITORY / "pyproject.toml"
    options = ["--output-format", "JSON", "--output-reproducible", "--pyproject", str(project), "-o", str(target)]
    done = subprocess.run([sys.executable, "-m", "cyclonedx_py", "environment", *options, sys.executable])
    if done.returncode == 0:
        components = json.loads(target.read_text(encoding="utf-8"))["components"]
        print(f"{target.name}: {len(components)} components")
    return done.returncode


if __name__ == "__main__":
    sys.exit(audit("--strict" in sys.argv) if "audit" in sys.argv else sbom())
