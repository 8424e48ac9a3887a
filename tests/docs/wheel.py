"""``python -m tests.docs.wheel``: builds the wheel, installs it where there is no checkout, and uses it there.

The environment is a new one that sees this one's packages (so that torch isn't fetched again) but not the editable
installation: the wheel comes first, and what was imported from is checked. Packages of the extras are seen there too.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import urllib.request
import venv
from pathlib import Path

from ..conftest import REPOSITORY

DOCUMENT = "# Lights\n\n## Corran Light\n\n- **Height**: 38 m\n- **Keeper**: Elspeth Marr\n"


def main() -> int:
    """Builds, installs, builds a knowledge base, asks, serves; 0 where all works."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = _wheel(folder)
        python = _installed(folder, wheel)
        kg = python.parent / "kg"
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("KG_", "PYTHON"))}
        environment |= {"KG_MODEL_CACHE": str(folder / "models"), "PYTHONUNBUFFERED": "1"}
        (folder / "documents").mkdir()
        (folder / "documents" / "lights.md").write_text(DOCUMENT, encoding="utf-8")

        def run(*command: object) -> str:
            done = subprocess.run([*map(str, command)], cwd=folder, env=environment, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"{command} failed:\n{done.stdout}{done.stderr}")
            return done.stdout

        where = run(python, "-c", "import kg, kg.api, kg.vocabulary; print(kg.__file__, kg.api.__file__)")
        _expect(str(folder) in where and str(REPOSITORY) not in where, f"imported from {where}")
        _expect("1 added" in run(kg, "build", "documents"), "kg build")
        _expect("38 m" in run(kg, "ask", "How high is Corran Light?"), "kg ask")
        _expect("Sound." in run(kg, "check"), "kg check")
        _serve(kg, folder, environment)
    print(f"{wheel.name}: installed without a checkout; kg build, ask, check and serve work")
    return 0


def _wheel(folder: Path) -> Path:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(REPOSITORY)]
    subprocess.run(command, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


def _installed(folder: Path, wheel: Path) -> Path:
    """The interpreter of a new environment with the wheel."""
    venv.create(folder / "environment", with_pip=False)
    python = folder / "environment" / "bin" / "python"
    purelib = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    # A line in a .pth file adds the packages of this environment behind the new one's own; lines of theirs aren't read.
    others = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    (Path(purelib) / "others.pth").write_text("\n".join(others) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*command, "--ignore-installed", "--disable-pip-version-check", str(wheel)], check=True)
    return python


def _serve(kg: Path, folder: Path, environment: dict[str, str]) -> None:
    command = [str(kg), "serve", "--port", "0"]
    server = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    with server.stdout:
        found = re.search(r"http://\S+", server.stdout.readline())
        _expect(found is not None, "kg serve starts")
        assert found is not None
        for path, wanted in (
            ("/readyz", b"ok"),
            ("/", b"<html"),
            ("/static/app.js", b""),
            ("/documents", b"lights.md"),
        ):
            with urllib.request.urlopen(found[0] + path, timeout=60) as reply:
                _expect(reply.status == 200 and wanted in reply.read(), f"kg serve: {path}")
        server.terminate()
        _expect(server.wait(30) == 0, "kg serve ends")


def _expect(true: bool, what: str) -> None:
    if not true:
        raise SystemExit(f"the wheel: {what} went wrong")


if __name__ == "__main__":
    sys.exit(main())
