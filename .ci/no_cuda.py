"""Stops an installation that would fetch CUDA: says so before several gigabytes come down the line.

Usage: no_cuda.py PIP_ARGS… (run by the environment's own Python, in the repository root)
"""

from __future__ import annotations

import json
import subprocess
import sys

COMMAND = ["-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", "--report", "-", "-c", "constraints.txt"]
ADVICE = """The torch that pip would install here brings CUDA's libraries: gigabytes that Citegraph doesn't use.
Let pip see PyTorch's CPU builds, for instance: make install PIP_ARGS='--extra-index-url URL' with the URL that
pytorch.org's "Get started" gives for CPU. To have CUDA all the same: make install CUDA=1"""


def brings_cuda(report: dict[str, list[dict[str, dict[str, list[str]]]]]) -> bool:
    """Whether a package of pip's installation report requires NVIDIA's on this system."""
    needs = [need for item in report["install"] for need in item["metadata"].get("requires_dist", [])]
    linux = sys.platform == "linux"
    return linux and any(need.lower().startswith(("nvidia-", "cuda-")) and "extra ==" not in need for need in needs)


def main() -> None:
    """Exits with advice where torch would bring CUDA; whatever else is wrong shows in the installation itself."""
    found = subprocess.run([sys.executable, *COMMAND, *sys.argv[1:], "torch"], capture_output=True, text=True)
    if found.returncode == 0 and brings_cuda(json.loads(found.stdout)):
        sys.exit(ADVICE)


if __name__ == "__main__":
    main()
