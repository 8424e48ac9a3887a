"""One document on invented ferries in six formats, in many shapes, and the facts that each gives."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

from kg.model import EntityName
from kg.ontology import Ontology
from kg.workers.pipeline import make_record

__all__ = ["FILES", "Fact", "facts", "reason"]

Fact = tuple[str, str, str]
"""Subject, property and value, as the document words them."""

TITLE = "Ferries of Holmsund"
BULLETS = [
    ("Operator", "Sund Line"),
    ("Length", "62 m"),
    ("Launched", "14 May 1987"),
    ("Cars", "40"),
    ("Top speed", "15 knots"),
    ("Price of a ticket", "$12"),
    ("Captain", "Marit Lunde"),
]
SENTENCES = "MV Tern was built by Orr Yard in 1987. It crosses the sound in 35 minutes."
NESTED = {"Engines": ["two diesels", "a bow thruster"], "Decks": ["car deck", "saloon", "bridge"]}
TERMS = [
    ("Linkspan", "A bridge that lets cars drive on board."),
    ("Slipway", "A slope on which ships are hauled ashore."),
]
ROWS = [
    ("Ferry", "Length", "Passengers", "Launched", "Builder"),
    ("MV Gannet", "48 m", "220", "1969", "Orr Yard"),
    ("MV Skua", "71 m", "~400", "1994", "Fjell Works"),
    ("MV Puffin", "33 m", "90", "2003", "Orr Yard"),
    ("MV Dunlin", "55 m", "300", "2011", "Fjell Works"),
]
STEPS = ["Doors are shut", "Ramps are raised", "Lines are cast off"]


def _markdown() -> str:
    bullets = "\n".join(f"- **{key}**: {value}" for key, value in BULLETS)
    nested = "\n".join(f"- {key}:\n" + "\n".join(f"  - {v}" for v in values) for key, values in NESTED.items())
    terms = "\n\n".join(f"**{term}** — {meaning}" for term, meaning in TERMS)
    head, *rows = (f"| {' | '.join(row)} |" for row in ROWS)
    table = "\n".join((head, "|---" * len(ROWS[0]) + "|", *rows))
    steps = "\n".join(f"{n}. {step}" for n, step in enumerate(STEPS, 1))
    return (
        f"# {TITLE}\n\n## MV Tern\n\n{SENTENCES}\n\n{bullets}\n{nested}\n\n## Fleet\n\n{table}\n\n"
        f"## Glossary\n\n{terms}\n\n## Departure\n\n{steps}\n"
    )


def _html() -> str:
    bullets = "".join(f"<li><b>{key}</b>: {value}</li>" for key, value in BULLETS)
    nested = "".join(
        f"<li>{key}:<ul>{''.join(f'<li>{v}</li>' for v in values)}</ul></li>" for key, values in NESTED.items()
    )
    terms = "".join(f"<dt>{term}</dt><dd>{meaning}</dd>" for term, meaning in TERMS)
    head = "".join(f"<th>{cell}</th>" for cell in ROWS[0])
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in ROWS[1:])
    steps = "".join(f"<li>{step}</li>" for step in STEPS)
    return (
        f"<!doctype html><html><head><title>{TITLE}</title></head><body><main><h1>{TITLE}</h1><h2>MV Tern</h2>"
        f"<p>{SENTENCES}</p><ul>{bullets}{nested}</ul><h2>Fleet</h2><table><tr>{head}</tr>{rows}</table>"
        f"<h2>Glossary</h2><dl>{terms}</dl><h2>Departure</h2><ol>{steps}</ol></main></body></html>"
    )


def _text() -> str:
    bullets = "\n".join(f"- {key}: {value}" for key, value in BULLETS)
    nested = "\n".join(f"- {key}:\n" + "\n".join(f"  - {v}" for v in values) for key, values in NESTED.items())
    terms = "\n\n".join(f"{term} — {meaning}" for term, meaning in TERMS)
    table = "\n".join("\t".join(row) for row in ROWS)
    steps = "\n".join(f"{n}. {step}" for n, step in enumerate(STEPS, 1))
    return (
        f"{TITLE}\n\nMV Tern\n\n{SENTENCES}\n\n{bullets}\n{nested}\n\nFleet\n\n{table}\n\nGlossary\n\n{terms}\n\n"
        f"Departure\n\n{steps}\n"
    )


def _docx() -> bytes:
    import docx

    word = docx.Document()
    word.add_heading(TITLE, 1)
    word.add_heading("MV Tern", 2)
    word.add_paragraph(SENTENCES)
    for key, value in BULLETS:
        _keyed(word, key, value)
    for key, values in NESTED.items():
        word.add_paragraph(f"{key}:", style="List Bullet")
        for entry in values:
            word.add_paragraph(entry, style="List Bullet 2")
    word.add_heading("Fleet", 2)
    table = word.add_table(len(ROWS), len(ROWS[0]))
    for row, texts in zip(table.rows, ROWS, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    word.add_heading("Glossary", 2)
    for term, meaning in TERMS:
        entry = word.add_paragraph()
        entry.add_run(term).bold = True
        entry.add_run(f" — {meaning}")
    word.add_heading("Departure", 2)
    for step in STEPS:
        word.add_paragraph(step, style="List Number")
    file = io.BytesIO()
    word.save(file)
    return file.getvalue()


def _keyed(word: Any, key: str, value: str) -> None:
    item = word.add_paragraph(style="List Bullet")
    item.add_run(key).bold = True
    item.add_run(f": {value}")


def _pdf() -> bytes:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import ListFlowable, ListItem, Paragraph, SimpleDocTemplate, Table

    styles = getSampleStyleSheet()

    def text(words: str, style: str = "BodyText") -> Paragraph:
        return Paragraph(words, styles[style])

    def listed(entries: list[Any], kind: str = "bullet") -> ListFlowable:
        return ListFlowable([ListItem(entry) for entry in entries], bulletType=kind)

    keyed = [text(f"<b>{key}</b>: {value}") for key, value in BULLETS]
    nested = [[text(f"{key}:"), listed([text(v) for v in values])] for key, values in NESTED.items()]
    story = [
        text(TITLE, "Heading1"),
        text("MV Tern", "Heading2"),
        text(SENTENCES),
        listed([*keyed, *nested]),
        text("Fleet", "Heading2"),
        Table(ROWS, style=[("GRID", (0, 0), (-1, -1), 0.5, (0, 0, 0))], colWidths=80),
        text("Glossary", "Heading2"),
        *(text(f"<b>{term}</b> — {meaning}") for term, meaning in TERMS),
        text("Departure", "Heading2"),
        listed([text(step) for step in STEPS], "1"),
    ]
    file = io.BytesIO()
    SimpleDocTemplate(file, invariant=1).build(story)
    return file.getvalue()


FILES: dict[str, bytes] = {
    "md": _markdown().encode(),
    "html": _html().encode(),
    "docx": _docx(),
    "pdf": _pdf(),
    "txt": _text().encode(),
    "csv": "".join(",".join(row) + "\n" for row in ROWS).encode(),
}
_OF_TABLE = frozenset(row[0] for row in ROWS[1:])


@cache
def facts(format: str) -> frozenset[Fact]:
    """Subject, property and value of each claim that comes from a format."""
    record = make_record(FILES[format], f"ferries.{format}", Ontology.empty(), 10_000_000)
    found = set()
    for claim in record.extraction.claims:
        subject = claim.subject.surface if isinstance(claim.subject, EntityName) else claim.subject.label
        value = (
            getattr(claim.object, "stated", "")
            or getattr(claim.object, "surface", "")
            or str(getattr(claim.object, "value", claim.object))
        )
        found.add((subject, claim.predicate.label, value))
    return frozenset(found)


def reason(format: str, fact: Fact) -> str:
    """Why a format can't give a fact of the Markdown version; "" where it could."""
    if format == "csv" and fact[0] not in _OF_TABLE:
        return "CSV holds the table alone"
    return ""
