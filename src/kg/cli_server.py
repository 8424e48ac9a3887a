"""``kg key``, ``kg backup`` and ``kg restore``: what whoever runs a server needs beside it."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli_common import Kb, open_knowledge_base, settings_for
from kg.console import counted, say, table

if TYPE_CHECKING:
    from kg.backup import BackupReport

keys = typer.Typer(help="Keys for the server: who may read, write, administer.", no_args_is_help=True)


class KeyRole(enum.StrEnum):
    """Roles of keys."""

    read = "read"
    write = "write"
    admin = "admin"


Name = Annotated[str, typer.Argument(metavar="NAME", help="What the key is called (a person, a program).")]


def _folder(kb: Path | None) -> Path:
    """The knowledge base's folder. Raises NotFound where there is none."""
    from kg.storage import Folder

    settings = settings_for(kb)
    Folder(settings.kb).manifest()
    return settings.kb


@keys.command()
def add(
    name: Name,
    role: Annotated[KeyRole, typer.Option(help="What its holder may do.")] = KeyRole.write,
    kb: Kb = None,
) -> None:
    """Make a key and print it, this once; servers that run take it at once. A first read key ends reading by all."""
    from kg.keys import Role, add_key

    say(add_key(_folder(kb), name, Role[role.name.upper()]))


@keys.command(name="list")
def list_(kb: Kb = None) -> None:
    """List the names and roles of the keys."""
    from kg.keys import read_keys

    table(("name", "role"), [(key.name, key.role.name.lower()) for key in read_keys(_folder(kb))])


@keys.command()
def revoke(name: Name, kb: Kb = None) -> None:
    """Take a key out of force, also at servers that run."""
    from kg.keys import revoke_key

    revoke_key(_folder(kb), name)
    say(f"{name} is no key any more")


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; compressed where it ends in .gz.")],
    kb: Kb = None,
) -> None:
    """Write the knowledge base to one file, also while it is served or built."""
    from kg.backup import backup

    _tell(backup(_folder(kb), file), str(file))


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that kg backup wrote.")],
    kb: Kb = None,
) -> None:
    """Make the knowledge base of a backup, every file checked; the folder must be empty or not there."""
    from kg.backup import restore

    settings = settings_for(kb)
    _tell(restore(file, settings.kb), str(settings.kb))


def _tell(report: BackupReport, where: str) -> None:
    files = f"{counted(report.files, 'file')} checked, {report.bytes:,} bytes"
    say(f"{where}: {counted(report.documents, 'document')}, {files}")


def mcp(kb: Kb = None) -> None:
    """Serve agents over standard input and output (Model Context Protocol)."""
    from importlib.util import find_spec

    from kg.errors import CitegraphError

    if find_spec("mcp") is None:
        raise CitegraphError("this needs the MCP SDK", "pip install 'citegraph[agents]'")
    from kg.api.agents import agent_server
    from kg.api.live import Live

    settings = settings_for(kb)
    with open_knowledge_base(kb) as knowledge_base:
        live = Live(knowledge_base, settings)
        try:
            agent_server(live).run("stdio")
        finally:
            live.close()
