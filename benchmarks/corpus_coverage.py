"""Which document of the sample library states which subject, and how much of that its graph holds.

    python benchmarks/corpus_coverage.py [--write] [--queries] [--beside FOLDER]

The subjects and what must be said of each are data (``tests/corpus_coverage.jsonl``). A fact counts as stated when its
words stand in the document's text, and as held by the graph when a claim from that document quotes the sentence, row or
bullet in which they stand. Which facts are values of claims, and the query that returns each subject's content, is
told by ``inventory.py`` for the library's graph and for that of other documents (``--beside``; without it the shared
samples, where they are at hand). Exits 1 when a document lacks a fact. Written figures: corpus-coverage.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from kg.knowledge_base import KnowledgeBase
from kg.readers import read
from kg.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import inventory  # noqa: E402  (a script beside this one)

SEEDS = ROOT.parent / "shared" / "seeds"
CORPUS = ROOT / "corpus"
DATA = ROOT / "tests" / "corpus_coverage.jsonl"
REPORT = ROOT / "benchmarks" / "corpus-coverage.md"
HEADER = "# What the sample library covers\n\nMade by `python benchmarks/corpus_coverage.py --write`.\n"
QUOTES = """PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX kg: <https://w3id.org/citegraph/kg#>
PREFIX prov: <http://www.w3.org/ns/prov#>
SELECT DISTINCT ?name ?quote WHERE {
  ?claim a kg:Claim ; kg:quote ?quote ; prov:wasDerivedFrom/dcterms:isPartOf/kg:name ?name .
}"""


@dataclass(frozen=True)
class Subject:
    """A subject and what each document must say of it; paths are relative to ``corpus``."""

    name: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Disagreement:
    """A question to which documents give different answers: (document, words) a side."""

    number: int
    about: str
    sides: tuple[tuple[str, str], ...]


def load(file: Path = DATA) -> tuple[list[Subject], list[Disagreement]]:
    """The subjects and the disagreements, in the file's order."""
    subjects, disagreements = [], []
    for line in file.read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        if "row" in item:
            facts = tuple((path, fact) for path, words in item["facts"].items() for fact in words)
            subjects.append(Subject(item["row"], facts))
        else:
            sides = tuple((path, words) for path, words in item["sides"])
            disagreements.append(Disagreement(item["disagreement"], item["about"], sides))
    return subjects, disagreements


def plain(text: str) -> str:
    """A text for comparing: one kind of dash, no marks of bold, single spaces, lower case."""
    text = unicodedata.normalize("NFC", text).replace("–", "-").replace("**", "")
    return " ".join(text.split()).casefold()


def documents() -> dict[str, str]:
    """The plain text of every document of the library by its path."""
    files = sorted(p for p in CORPUS.rglob("*") if p.is_file())
    names = [p.relative_to(CORPUS).as_posix() for p in files]
    return {name: plain(read(p.read_bytes(), name).text) for name, p in zip(names, files, strict=True)}


def missing(subjects: list[Subject], disagreements: list[Disagreement], texts: dict[str, str]) -> list[str]:
    """``document: words`` for everything that its document does not say."""
    pairs = [pair for subject in subjects for pair in subject.facts]
    pairs += [pair for disagreement in disagreements for pair in disagreement.sides]
    return [f"{path}: {words}" for path, words in pairs if plain(words) not in texts.get(path, "")]


def coverage(subjects: list[Subject], disagreements: list[Disagreement]) -> str:
    """The two Markdown tables: subjects by document, disagreements by side."""
    lines = ["## Subjects", "", "| # | Subject | Facts | Documents |", "|---|---|---|---|"]
    for i, subject in enumerate(subjects, 1):
        paths = ", ".join(dict.fromkeys(path for path, _ in subject.facts))
        lines.append(f"| {i} | {subject.name} | {len(subject.facts)} | {paths} |")
    lines += ["", "## Disagreements", "", "| # | About | Sides |", "|---|---|---|"]
    for item in disagreements:
        sides = "; ".join(f"“{words.replace('|', '/')}” ({path})" for path, words in item.sides)
        lines.append(f"| {item.number} | {item.about} | {sides} |")
    return "\n".join(lines) + "\n"


def built(documents: Path, folder: Path) -> KnowledgeBase:
    """A fresh knowledge base of a folder of documents, with the sample ontology."""
    ontology = ROOT / "ontology" / "ai-infrastructure.ttl"
    base = KnowledgeBase.create(folder, Settings(build={"ontology": (ontology,)}))
    base.add([documents])
    return base


def quotes(base: KnowledgeBase) -> dict[str, str]:
    """All quotations of a graph's claims, by document."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in base.query(QUOTES):
        found[row["name"].value].append(plain(row["quote"].value))
    return {name: "\n".join(sorted(texts)) for name, texts in found.items()}


def held(subjects: list[Subject], disagreements: list[Disagreement], quoted: dict[str, str]) -> str:
    """The Markdown section about the graph."""

    def here(pair: tuple[str, str]) -> bool:
        return plain(pair[1]) in quoted.get(pair[0], "")

    facts = [pair for subject in subjects for pair in subject.facts]
    whole = sum(all(map(here, subject.facts)) for subject in subjects)
    some = sum(any(map(here, subject.facts)) for subject in subjects)
    sides = sum(all(map(here, item.sides)) for item in disagreements)
    lines = [
        "## In the graph",
        "",
        "A fact is held when a claim of its document quotes the sentence, row or bullet that states it:",
        "",
        "```sparql",
        QUOTES,
        "```",
        "",
        "| What | Held | Of |",
        "|---|---|---|",
        f"| Facts | {sum(map(here, facts))} | {len(facts)} |",
        f"| Subjects, at least one fact | {some} | {len(subjects)} |",
        f"| Subjects, all facts | {whole} | {len(subjects)} |",
        f"| Disagreements, all sides | {sides} | {len(disagreements)} |",
        "",
        "Not held:",
        "",
    ]
    for subject in subjects:
        absent = [f"“{words}” ({path})" for path, words in subject.facts if not here((path, words))]
        if absent:
            lines.append(f"- {subject.name}: {'; '.join(absent)}")
    for item in disagreements:
        absent = [f"“{words}” ({path})" for path, words in item.sides if not here((path, words))]
        if absent:
            lines.append(f"- Disagreement {item.number}, {item.about}: {'; '.join(absent)}")
    return "\n".join(lines) + "\n"


def in_graphs(subjects: list[Subject], disagreements: list[Disagreement], beside: Path) -> str:
    """What the graph of the library holds, and what that of other documents, if there are any."""
    with tempfile.TemporaryDirectory() as scratch, built(CORPUS, Path(scratch) / "library") as base:
        quoted = held(subjects, disagreements, quotes(base))
        graphs = [("corpus", inventory.Graph(base))]
        if not beside.is_dir():
            return f"{quoted}\n{inventory.report(graphs)}"
        with built(beside, Path(scratch) / "beside") as other:
            return f"{quoted}\n{inventory.report([*graphs, (beside.name, inventory.Graph(other))])}"


def main() -> None:
    """Prints the report, or writes it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"write {REPORT.name}")
    parser.add_argument("--queries", action="store_true", help="print the query of every row and stop")
    parser.add_argument("--beside", type=Path, default=SEEDS, help="documents to compare with the library")
    options = parser.parse_args()
    if options.queries:
        print(inventory.queries())
        return
    subjects, disagreements = load()
    absent = missing(subjects, disagreements, documents())
    report = "\n".join((HEADER, coverage(subjects, disagreements), in_graphs(subjects, disagreements, options.beside)))
    if options.write:
        REPORT.write_text(report, encoding="utf-8")
    else:
        print(report)
    print("\n".join(f"Missing: {line}" for line in absent) or "Nothing is missing.", file=sys.stderr)
    sys.exit(bool(absent))


if __name__ == "__main__":
    main()
