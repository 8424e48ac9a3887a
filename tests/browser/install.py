"""Gets Chromium for the tests of the page where there is none: Debian's package, by apt; says so where it can't.

python -m tests.browser.install
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from .chromium import find

_WITHOUT = "the page is not tested in a browser"


def commands(*, root: bool, sudo: bool) -> list[list[str]]:
    """What installs it: with the rights that there are; nothing where there are none."""
    if not root and not sudo:
        return []
    before = [] if root else ["sudo", "--non-interactive"]
    options = ["-qq", "-o", "Dpkg::Use-Pty=0"]
    return [
        [*before, "apt-get", *options, "update"],
        [*before, "apt-get", *options, "install", "--yes", "--no-install-recommends", "chromium"],
    ]


def main() -> int:
    """Never fails: the tests tell what they skip."""
    if find():
        return 0
    if not shutil.which("apt-get"):
        print(f"No Chromium on the PATH and no apt to install it: {_WITHOUT}", file=sys.stderr)
        return 0
    todo = commands(root=os.geteuid() == 0, sudo=bool(shutil.which("sudo")))
    print("Installing Chromium for the tests of the page", file=sys.stderr)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in todo:
        if subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode:
            break
    if not find():
        print(f"Chromium couldn't be installed: {_WITHOUT}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
