"""How the browser comes onto a machine that has none."""

from __future__ import annotations

from .install import commands


def test_only_with_the_rights_to_install() -> None:
    assert commands(root=False, sudo=False) == []
    update, install = commands(root=True, sudo=False)
    assert update[0] == install[0] == "apt-get" and install[-1] == "chromium"
    assert all(command[:2] == ["sudo", "--non-interactive"] for command in commands(root=False, sudo=True))
