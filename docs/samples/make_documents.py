"""Renders the Markdown sources of the sample libraries' Word and PDF documents.

    python docs/samples/make_documents.py [--check]

``sources/A/B.md`` becomes the file that ``TARGETS`` names for it. The bytes depend on the sources only: archive members
carry a fixed date, PDF files no date. ``--check`` writes nothing and exits 1 when a committed file differs.
Needs python-docx and reportlab, which reading the documents doesn't.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from docx import Document
from docx.text.paragraph import Paragraph as WordParagraph
from markdown_it import MarkdownIt
from markdown_it.token import Token
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Flowable, ListFlowable, ListItem, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

SAMPLES = Path(__file__).resolve().parent
REPOSITORY = SAMPLES.parent.parent
RAILWAYS = "docs/samples/mountain-railways/documents"
TARGETS = {
    "machines/stargate-and-titan.md": "corpus/machines/stargate-and-titan.docx",
    "ideas/scaling-laws.md": "corpus/ideas/scaling-laws.docx",
    "deals/microsoft-and-openai.md": "corpus/deals/microsoft-and-openai.pdf",
    "ideas/the-megacluster.md": "corpus/ideas/the-megacluster.pdf",
    "mountain-railways/annual-report.md": f"{RAILWAYS}/annual-report.docx",
    "mountain-railways/a-winter-in-the-workshop.md": f"{RAILWAYS}/a-winter-in-the-workshop.pdf",
}
FIXED = (1980, 1, 1, 0, 0, 0)  # the earliest date that a ZIP archive can hold


@dataclass(frozen=True)
class Part:
    """One block: ``kind`` is heading, text, bullets, steps or table; rows of a table have several cells, others one."""

    kind: str
    rows: tuple[tuple[str, ...], ...]
    level: int = 0


def parts(markdown: str) -> Iterator[Part]:
    """The blocks of a Markdown text, inline markup kept. Raises ValueError for a block of none of the five kinds."""
    tokens = MarkdownIt().enable("table").parse(markdown)
    i = 0
    while i < len(tokens):
        token = tokens[i]
        end = next(
            j for j in range(i, len(tokens)) if tokens[j].level == token.level and tokens[j].nesting <= 0 and j >= i
        )
        inside = tokens[i : end + 1]
        contents = tuple((t.content,) for t in inside if t.type == "inline")
        if token.type == "heading_open":
            yield Part("heading", contents, int(token.tag[1]))
        elif token.type == "paragraph_open":
            yield Part("text", contents)
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            yield Part("bullets" if token.type.startswith("bullet") else "steps", contents)
        elif token.type == "table_open":
            yield Part("table", tuple(_rows(inside)))
        else:
            raise ValueError(f"no way to render {token.type}")
        i = end + 1


def _rows(tokens: list[Token]) -> Iterator[tuple[str, ...]]:
    row: list[str] = []
    for token in tokens:
        if token.type == "inline":
            row.append(token.content)
        elif token.type == "tr_close":
            yield tuple(row)
            row = []


def plain(text: str) -> str:
    """A text without the marks of bold and without line ends."""
    return text.replace("**", "").replace("\n", " ")


def word(markdown: str) -> bytes:
    """A Word document of a Markdown text."""
    document = Document()
    for part in parts(markdown):
        if part.kind == "heading":
            document.add_heading(plain(part.rows[0][0]), part.level - 1)
        elif part.kind == "table":
            table = document.add_table(len(part.rows), len(part.rows[0]), style="Table Grid")
            for cells, row in zip(table.rows, part.rows, strict=True):
                for cell, text in zip(cells.cells, row, strict=True):
                    cell.text = plain(text)
        else:
            style = {"bullets": "List Bullet", "steps": "List Number"}.get(part.kind)
            for (text,) in part.rows:
                _runs(document.add_paragraph(style=style), text)
    document.core_properties.title = plain(next(p for p in parts(markdown) if p.kind == "heading").rows[0][0])
    document.core_properties.author = ""
    stream = io.BytesIO()
    document.save(stream)
    return _undated(stream.getvalue())


def _runs(paragraph: WordParagraph, text: str) -> None:
    for i, piece in enumerate(text.replace("\n", " ").split("**")):
        if piece:
            paragraph.add_run(piece).bold = bool(i % 2) or None


def _undated(archive: bytes) -> bytes:
    """The same archive with every member dated ``FIXED``."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            member = zipfile.ZipInfo(name, FIXED)
            member.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(member, old.read(name))
    return stream.getvalue()


def pdf(markdown: str) -> bytes:
    """A PDF document of a Markdown text, A4."""
    styles = getSampleStyleSheet()
    flow: list[Flowable] = []
    for part in parts(markdown):
        if part.kind == "heading":
            style = styles["Title" if part.level == 1 else f"Heading{part.level}"]
            flow.append(Paragraph(escape(plain(part.rows[0][0])), style))
        elif part.kind == "table":
            cells = [[Paragraph(_rich(text), styles["BodyText"]) for text in row] for row in part.rows]
            grid = TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.grey), ("VALIGN", (0, 0), (-1, -1), "TOP")])
            flow += [Table(cells, style=grid, repeatRows=1), Spacer(1, 8)]
        elif part.kind == "text":
            flow.append(Paragraph(_rich(part.rows[0][0]), styles["BodyText"]))
        else:
            items = [ListItem(Paragraph(_rich(text), styles["BodyText"])) for (text,) in part.rows]
            flow.append(ListFlowable(items, bulletType="1" if part.kind == "steps" else "bullet"))
    title = plain(next(p for p in parts(markdown) if p.kind == "heading").rows[0][0])
    stream = io.BytesIO()
    SimpleDocTemplate(stream, pagesize=A4, title=title, invariant=1).build(flow)
    return stream.getvalue()


def _rich(text: str) -> str:
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text.replace("\n", " ")))


RENDERERS: dict[str, Callable[[str], bytes]] = {".docx": word, ".pdf": pdf}


def rendered(source: str) -> bytes:
    """The bytes of a source's document; ``source`` is a key of ``TARGETS``."""
    markdown = (SAMPLES / "sources" / source).read_text(encoding="utf-8")
    return RENDERERS[Path(TARGETS[source]).suffix](markdown)


def main() -> None:
    """Writes what differs, or only reports it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, fail when a committed file differs")
    check = parser.parse_args().check
    stale = []
    for source, target in TARGETS.items():
        file, content = REPOSITORY / target, rendered(source)
        if file.is_file() and file.read_bytes() == content:
            continue
        stale.append(target)
        if not check:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    print("\n".join(stale) or "All documents are up to date.")
    sys.exit(check and bool(stale))


if __name__ == "__main__":
    main()
