"""One small document on invented windmills, written in each format that is read."""

from __future__ import annotations

import io
from typing import Any

MARKDOWN = """# Windmills of Vesterby

The mills are described in [the survey](https://mills.example/survey) of the parish.

## Skovlund Mill

Skovlund Mill was built by Ane Holm in 1842. It grinds rye and oats.

- **Height**: 21 m
- **Sails**: 4
- **Miller**: Jens Brandt
- Equipment:
  - two pairs of millstones
  - a sack hoist

## Comparison

| Mill | Height | Built | Stones |
|---|---|---|---|
| Skovlund Mill | 21 m | 1842 | 2 |
| Hedegaard Mill | 17 m | 1866 | 3 |
| Norrevang Mill | 26 m | 1901 | 5 |
"""

HTML = """<!doctype html><html lang="en"><head><title>Windmills of Vesterby</title></head><body>
<nav><a href="/">Home</a></nav><main>
<h1>Windmills of Vesterby</h1>
<p>The mills are described in <a href="https://mills.example/survey">the survey</a> of the parish.</p>
<h2>Skovlund Mill</h2>
<p>Skovlund Mill was built by Ane Holm in 1842. It grinds rye and oats.</p>
<ul><li><b>Height</b>: 21 m</li><li><b>Sails</b>: 4</li><li><b>Miller</b>: Jens Brandt</li>
<li>Equipment:<ul><li>two pairs of millstones</li><li>a sack hoist</li></ul></li></ul>
<h2>Comparison</h2>
<table><thead><tr><th>Mill</th><th>Height</th><th>Built</th><th>Stones</th></tr></thead><tbody>
<tr><td>Skovlund Mill</td><td>21 m</td><td>1842</td><td>2</td></tr>
<tr><td>Hedegaard Mill</td><td>17 m</td><td>1866</td><td>3</td></tr>
<tr><td>Norrevang Mill</td><td>26 m</td><td>1901</td><td>5</td></tr></tbody></table>
</main><footer>Parish archive</footer></body></html>
"""

TEXT = """Windmills of Vesterby

The mills are described in the survey of the parish.

Skovlund Mill

Skovlund Mill was built by Ane Holm in 1842. It grinds rye and oats.

- Height: 21 m
- Sails: 4
- Miller: Jens Brandt
- Equipment:
  - two pairs of millstones
  - a sack hoist
"""

ROWS = [
    ("Mill", "Height", "Built", "Stones"),
    ("Skovlund Mill", "21 m", "1842", "2"),
    ("Hedegaard Mill", "17 m", "1866", "3"),
    ("Norrevang Mill", "26 m", "1901", "5"),
]
CSV = "\n".join(",".join(row) for row in ROWS) + "\n"


def add_link(paragraph: Any, text: str, address: str) -> None:
    """Adds a hyperlink to a paragraph of python-docx, which has no call for that."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    link, run, words = OxmlElement("w:hyperlink"), OxmlElement("w:r"), OxmlElement("w:t")
    link.set(qn("r:id"), paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    words.text = text
    run.append(words)
    link.append(run)
    paragraph._p.append(link)


def docx() -> bytes:
    import docx

    word = docx.Document()
    word.add_heading("Windmills of Vesterby", 1)
    paragraph = word.add_paragraph("The mills are described in ")
    add_link(paragraph, "the survey", "https://mills.example/survey")
    paragraph.add_run(" of the parish.")
    word.add_heading("Skovlund Mill", 2)
    word.add_paragraph("Skovlund Mill was built by Ane Holm in 1842. It grinds rye and oats.")
    for key, value in (("Height", "21 m"), ("Sails", "4"), ("Miller", "Jens Brandt")):
        item = word.add_paragraph(style="List Bullet")
        item.add_run(key).bold = True
        item.add_run(f": {value}")
    word.add_paragraph("Equipment:", style="List Bullet")
    word.add_paragraph("two pairs of millstones", style="List Bullet 2")
    word.add_paragraph("a sack hoist", style="List Bullet 2")
    word.add_heading("Comparison", 2)
    table = word.add_table(len(ROWS), 4)
    for row, texts in zip(table.rows, ROWS, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    file = io.BytesIO()
    word.save(file)
    return file.getvalue()


def pdf(ruled: bool = True) -> bytes:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import ListFlowable, ListItem, Paragraph, SimpleDocTemplate, Table

    styles = getSampleStyleSheet()

    def text(words: str, style: str = "BodyText") -> Paragraph:
        return Paragraph(words, styles[style])

    def bullets(entries: list[Any]) -> ListFlowable:
        return ListFlowable([ListItem(e) for e in entries], bulletType="bullet")

    inner = bullets([text("two pairs of millstones"), text("a sack hoist")])
    keyed = [text("<b>Height</b>: 21 m"), text("<b>Sails</b>: 4"), text("<b>Miller</b>: Jens Brandt")]
    story = [
        text("Windmills of Vesterby", "Heading1"),
        text("The mills are described in <a href='https://mills.example/survey'>the survey</a> of the parish."),
        text("Skovlund Mill", "Heading2"),
        text("Skovlund Mill was built by Ane Holm in 1842. It grinds rye and oats."),
        bullets([*keyed, [text("Equipment:"), inner]]),
        text("Comparison", "Heading2"),
        Table(ROWS, style=[("GRID", (0, 0), (-1, -1), 0.5, (0, 0, 0))] if ruled else [], colWidths=[110, 60, 60, 60]),
    ]
    file = io.BytesIO()
    SimpleDocTemplate(file, invariant=1).build(story)
    return file.getvalue()


def all_formats() -> dict[str, bytes]:
    """The document by file name."""
    return {
        "mills.md": MARKDOWN.encode(),
        "mills.html": HTML.encode(),
        "mills.txt": TEXT.encode(),
        "mills.csv": CSV.encode(),
        "mills.docx": docx(),
        "mills.pdf": pdf(),
        "plain.pdf": pdf(ruled=False),
    }
