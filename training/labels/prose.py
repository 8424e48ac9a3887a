"""Labelled propositions of prose with what they are judged by, made anew from the documents that they were read in.

    python -m training.labels.prose build/prose.npz --documents build/documents --data ../shared/bench

``prose.jsonl`` beside this file has one judgement a line: the set and the document, where the value begins, a digest of
subject, property and value, and the ``verdict`` (right, lost, meaningless, wrong; ``GUIDE.md`` says what each means).
No text of the documents is kept here: those of ``training/questions`` are built by ``training.questions.documents``,
paragraphs of SQuAD and documents of Re-DocRED are read where ``--data`` has them. What the rules no longer propose in
the same words is left out and counted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kg.extract.label_kinds import Vector
from kg.extract.propositions import Candidate, candidates
from kg.extract.source import Source
from kg.model import Role
from kg.namespaces import document_slug
from kg.ontology import Ontology
from kg.readers import read
from kg.text.passages import split

VERDICTS = Path(__file__).with_name("prose.jsonl")
_UNSEEN = frozenset(["handbook", "rustnode", "sqlite", "theatre", "festival", "natural", "port", "farm", "insurer"])
"""Sets that the judges of answers are measured on."""
_SUFFIXES = (".md", ".txt", ".html", ".htm")
_DOCUMENTS, _LONGEST, _PARAGRAPHS = 12, 60_000, 14
_DOCRED = slice(60, 260)


@dataclass(frozen=True, slots=True)
class Text:
    """A document of a set."""

    set: str
    name: str
    text: str


def texts(documents: Path, data: Path) -> Iterator[Text]:
    """The documents that propositions are read from."""
    for folder in sorted(p for p in documents.iterdir() if p.is_dir() and p.name not in _UNSEEN):
        files = [p for p in sorted(folder.rglob("*")) if p.suffix in _SUFFIXES and p.name != "README.md"]
        random.Random(3).shuffle(files)
        for path in sorted(files[:_DOCUMENTS]):
            yield Text(folder.name, path.name, path.read_text(encoding="utf-8", errors="replace")[:_LONGEST])
    articles: dict[str, dict[str, None]] = defaultdict(dict)
    for line in (data / "squad_dev" / "train.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        articles[one["article"]][one["context"]] = None
    for title, paragraphs in articles.items():
        yield Text("squad", f"{title}.md", f"# {title}\n\n" + "\n\n".join(list(paragraphs)[:_PARAGRAPHS]) + "\n")
    for one in json.loads((data / "redocred" / "dev_revised.json").read_text(encoding="utf-8"))[_DOCRED]:
        body = " ".join(" ".join(sentence) for sentence in one["sents"])
        for cut, joined in ((" ,", ","), (" .", "."), ("( ", "("), (" )", ")"), (" '", "'"), (" - ", "-")):
            body = body.replace(cut, joined)
        yield Text("redocred", one["title"].replace("/", "-") + ".md", f"# {one['title']}\n\n{body}\n")


def proposed(text: Text) -> Iterator[tuple[str, int, Candidate]]:
    """What a document proposes: a digest of each proposition's words, where its value begins, and what it is."""
    document = read(text.text.encode(), text.name)
    id_ = document_slug(document.name)
    source = Source(document, id_, tuple(split(document, id_)), Ontology.empty())
    for candidate in candidates(source):
        claim = candidate.claim
        value = next(e for e in claim.evidence if e.role is Role.VALUE)
        assert claim.subject.kind == "entity"
        words = " | ".join((claim.subject.surface, claim.predicate.label, value.exact))
        yield hashlib.sha256(words.encode()).hexdigest()[:12], value.start, candidate


def main() -> None:
    """Writes features, vectors, sets and verdicts of what is labelled and still proposed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--documents", type=Path, default=Path("build/documents"))
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"))
    args = parser.parse_args()
    labels = [json.loads(line) for line in VERDICTS.read_text(encoding="utf-8").splitlines()]
    verdicts = {(one["set"], one["document"], one["start"], one["claim"]): one["verdict"] for one in labels}
    told: list[tuple[str, str, str]] = []
    vectors: list[Vector] = []
    for text in texts(args.documents, args.data):
        for digest, start, candidate in proposed(text):
            if verdict := verdicts.pop((text.set, text.name, start, digest), None):
                told.append((text.set, verdict, "\t".join(candidate.features)))
                vectors.append(candidate.vector)
    sets, judged, features = (np.array(column) for column in zip(*told, strict=True))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(args.out, sets=sets, verdicts=judged, features=features, vectors=np.array(vectors, np.float16))
    print(f"{len(told)} of {len(labels)} are still proposed; {dict(sorted(Counter(judged.tolist()).items()))}")


if __name__ == "__main__":
    main()
