"""Examples that differ from an answered one in what counts: another name in the question, another cell claimed.

A reader that has only seen questions with their own texts learns to trust a text that is about the right thing; these
teach it to look for the very name, year and row that is asked of.
"""

from __future__ import annotations

import csv
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from training.reader.data import Example, headed, records, said

# A name inside a question: words with capitals, not the first; or a year.
_NAME = re.compile(r"(?<=\s)[A-Z][\w’'-]+(?:\s+(?:of\s+)?[A-Z][\w’'-]+)*")
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_ROOM = 900  # characters of a table that is told
_CLAIMED = (
    "is the {head} of {name} {value}?",
    "Is {value} the {head} of {name}?",
    "Does {name} have {value} as {head}?",
    "Is it true that the {head} of {name} is {value}?",
    "{name}: is the {head} {value}?",
)


def swapped(rows: Sequence[Mapping[str, object]], count: int, seed: int) -> list[Example]:
    """Answered questions with one name or year put in place of another, which their text doesn't have: no answer.

    The name is another one of the same article's questions, so that it fits; the text is the question's own.
    """
    chance = random.Random(seed)
    known: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for row in rows:
        for name, year in _names(str(row["question"])):
            if name not in (held := known[str(row["article"]), year]):
                held.append(name)
    found: list[Example] = []
    for row in chance.sample(list(rows), len(rows)):
        if row["answers"] and (question := _renamed(row, known, chance)) is not None:
            title = str(row["article"]).replace("_", " ") if chance.random() < 0.67 else ""
            text, _ = headed(title, str(row["context"]), ())
            found.append(Example("squad-swapped", question, text, ()))
        if len(found) == count:
            break
    return found


def _names(question: str) -> Iterator[tuple[str, bool]]:
    """The names and years in a question, each with whether it is a year."""
    yield from ((found[0], False) for found in _NAME.finditer(question))
    yield from ((found[0], True) for found in _YEAR.finditer(question))


def _renamed(
    row: Mapping[str, object], known: Mapping[tuple[str, bool], Sequence[str]], chance: random.Random
) -> str | None:
    """A row's question with one of its names exchanged; None where there is none to exchange, or none instead."""
    question, article = str(row["question"]), str(row["article"])
    text = f"{article} {row['context']}".casefold()
    own = [pair for pair in _names(question) if pair[0].casefold() in text]
    if not own:
        return None
    name, year = chance.choice(own)
    others = [n for n in known[article, year] if not any(w.casefold() in text for w in n.split() if len(w) > 2)]
    return question.replace(name, chance.choice(others)) if others else None


def claimed_cells(folder: Path, count: int, seed: int) -> list[Example]:
    """Whether a cell is so, on some rows of its table: yes; no (another row's cell); unsaid (the row is gone)."""
    chance = random.Random(seed)
    allowed = sorted({str(r["table"]) for r in records(folder / "train.jsonl")})
    found: list[Example] = []
    while len(found) < count:
        with (folder / "tables" / f"{chance.choice(allowed)}.csv").open(newline="", encoding="utf-8") as file:
            head, *rows = list(csv.reader(file))
        if (made := _claimed(head, [r for r in rows if len(r) == len(head)], chance)) is not None:
            found.append(made)
    return found


def _claimed(head: Sequence[str], rows: list[list[str]], chance: random.Random) -> Example | None:
    if len(rows) < 4 or len(head) < 2:
        return None
    named, asked = chance.sample(range(len(head)), 2)
    at = chance.randrange(len(rows))
    name, value = rows[at][named].strip(), rows[at][asked].strip()
    once = [r[named].strip() for r in rows].count(name) == 1
    others = sorted({r[asked].strip() for r in rows} - {value, ""})
    if not once or not value or not others or not head[asked].strip() or not any(c.isalpha() for c in name):
        return None
    verdict = chance.choices(("yes", "no", "unsaid"), (0.42, 0.38, 0.2))[0]
    first = max(0, at - chance.randint(0, 4))
    some = [r for r in rows[first : first + chance.randint(4, 7)] if verdict != "unsaid" or r is not rows[at]]
    text, cells = said(head, some)
    spans = [span for row_value, span in cells if row_value.strip() == value] if verdict != "unsaid" else []
    if len(text) > _ROOM or not some or (verdict != "unsaid" and len(spans) != 1):
        return None
    told = chance.choice(others) if verdict == "no" else value
    question = chance.choice(_CLAIMED).format(head=head[asked].strip().lower(), name=name, value=told)
    return Example("tables-polar", question, text, tuple(spans), verdict)
