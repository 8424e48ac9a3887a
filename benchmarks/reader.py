"""How well the extractive reader answers: exact match and F1 on XQuAD, every paragraph a document, no ontology.

    python benchmarks/reader.py DIR [--count 250] [--seed 1] [--kb KB] [--half open|blind] [--out FILE]

DIR has ``xquad.en.json``. Questions are asked of all 240 paragraphs at once, so that finding the right one is part of
it. The span is what the answer names (``answers``), else the sentence that it quotes; SQuAD's normalised tokens are
compared. A declined question scores 0; the figures of those that are answered are printed beside. ``--half`` takes the
questions whose hash is even (open: to be looked at) or odd (blind: never written by ``--out``). ``--kb`` keeps the
knowledge base.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import string
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kg.knowledge_base import KnowledgeBase
from kg.model import Answer

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its gold spans and the name of the document that holds them."""

    text: str
    gold: tuple[str, ...]
    document: str

    @property
    def blind(self) -> bool:
        """Whether the question belongs to the half that isn't looked at."""
        return hashlib.sha256(self.text.encode()).digest()[0] % 2 == 1


@dataclass(frozen=True, slots=True)
class Read:
    """A question's answer: its span (empty if declined), exact match and F1, and whether its paragraph is cited."""

    asked: Asked
    span: str
    exact: float
    f1: float
    held: bool
    found: bool

    @property
    def declined(self) -> bool:
        """Whether the question was declined."""
        return not self.span


def normal(text: str) -> list[str]:
    """SQuAD's normalised tokens: lower case, without punctuation and articles.

    >>> normal("The Larn, 1901.")
    ['larn', '1901']
    """
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def f1(given: str, gold: str) -> float:
    """Harmonic mean of the shares of tokens that the two have in common."""
    ours, theirs = normal(given), normal(gold)
    common = sum((Counter(ours) & Counter(theirs)).values())
    return 2 * common / (len(ours) + len(theirs)) if common else float(ours == theirs)


def span(answer: Answer) -> str:
    """What an answer names, else what it quotes; empty of an abstention."""
    if answer.status == "abstained":
        return ""
    return ", ".join(item.label for item in answer.answers) or answer.citations[0].plain


def read(asked: Asked, answer: Answer) -> Read:
    """An answer scored."""
    ours = span(answer)
    exact = max(float(bool(ours) and normal(ours) == normal(gold)) for gold in asked.gold)
    score = max(f1(ours, gold) if ours else 0.0 for gold in asked.gold)
    said = answer.answer[:200].casefold()
    held = bool(ours) and any(gold.casefold() in said for gold in asked.gold)
    cited = bool(ours) and answer.citations[0].document.endswith("/" + asked.document)
    return Read(asked, ours, exact, score, held, cited)


def load(folder: Path, documents: Path) -> list[Asked]:
    """The questions, with every paragraph written as a document."""
    found = []
    paragraphs = [p for a in json.loads((folder / "xquad.en.json").read_text("utf-8"))["data"] for p in a["paragraphs"]]
    documents.mkdir(parents=True, exist_ok=True)
    for number, paragraph in enumerate(paragraphs):
        name = f"p{number:03d}.txt"
        (documents / name).write_text(paragraph["context"], encoding="utf-8")
        for question in paragraph["qas"]:
            gold = tuple(dict.fromkeys(answer["text"] for answer in question["answers"]))
            found.append(Asked(question["question"], gold, name))
    return found


def report(name: str, reads: Iterable[Read]) -> None:
    """One line of figures, from 0 to 1."""
    all_ = list(reads)
    told = [r for r in all_ if not r.declined]
    few, many = max(len(told), 1), max(len(all_), 1)
    print(
        f"{name}: questions {len(all_)} exact {sum(r.exact for r in all_) / many:.3f} "
        f"f1 {sum(r.f1 for r in all_) / many:.3f} declined {1 - len(told) / many:.3f} "
        f"held {sum(r.held for r in all_) / many:.3f} | of answered: exact {sum(r.exact for r in told) / few:.3f} "
        f"f1 {sum(r.f1 for r in told) / few:.3f} paragraph {sum(r.found for r in told) / few:.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kb", type=Path)
    parser.add_argument("--half", choices=("open", "blind", "both"), default="both")
    parser.add_argument("--out", type=Path, help="write the open half's answers here")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        documents = Path(scratch) / "documents"
        questions = load(args.folder, documents)
        random.Random(args.seed).shuffle(questions)
        kb = args.kb or Path(scratch) / "kb"
        if not (kb / "manifest.json").exists():
            KnowledgeBase.build(kb, [documents])
        chosen = [q for q in questions[: args.count] if args.half == "both" or q.blind == (args.half == "blind")]
        with KnowledgeBase.open(kb) as knowledge_base:
            reads = [read(q, knowledge_base.ask(q.text)) for q in chosen]
    for name, blind in (("open", False), ("blind", True)):
        if args.half in (name, "both"):
            report(name, (r for r in reads if r.asked.blind == blind))
    if args.half == "both":
        report("both", reads)
    if args.out:
        lines = (
            json.dumps({"question": r.asked.text, "gold": r.asked.gold, "ours": r.span, "f1": r.f1, "found": r.found})
            for r in reads
            if not r.asked.blind
        )
        args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
