"""Public question sets → examples for the reader, each with where it came from.

SQuAD's development sets (CC BY-SA 4.0), QAMR (MIT) and WikiTableQuestions (CC BY-SA 4.0), in the layouts of the
folders' README files. What figures are reported on (XQuAD's paragraphs, the validation files) is not trained on.
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Span = tuple[int, int]
POLAR = ("yes", "no", "unsaid")
_DIGEST = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Example:
    """A question on a text. ``spans``: the answer's places, none where the text doesn't say; ``several``: a list.

    ``polar`` is "yes", "no" or "unsaid" for a question whether something is so, else "".
    """

    source: str
    question: str
    text: str
    spans: tuple[Span, ...]
    polar: str = ""
    several: bool = False


def records(path: Path) -> list[dict[str, object]]:
    """The JSON lines of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def headed(title: str, text: str, spans: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """A text below its title, as passages are read, and the spans in it."""
    head = f"{title}\n" if title else ""
    return head + text, tuple((start + len(head), end + len(head)) for start, end in spans)


def squad(path: Path, chance: random.Random) -> Iterator[Example]:
    """Questions on paragraphs, some without an answer; two in three paragraphs below their article's title."""
    for record in records(path):
        title = str(record["article"]).replace("_", " ") if chance.random() < 0.67 else ""
        yield _extractive("squad", record, title)


def qamr(path: Path) -> Iterator[Example]:
    """Questions on single sentences."""
    for record in records(path):
        yield _extractive("qamr", record, "")


def _extractive(source: str, record: Mapping[str, object], title: str) -> Example:
    answers = record["answers"]
    assert isinstance(answers, list)
    spans = [(a["start"], a["start"] + len(a["text"])) for a in answers[:1]]
    text, placed = headed(title, str(record["context"]), spans)
    return Example(source, str(record["question"]), text, placed)


def strangers(source: str, rows: Sequence[Mapping[str, object]], group: str, count: int, seed: int) -> list[Example]:
    """Questions put to another text of their group (an article) that shares words with them and lacks the answer."""
    chance = random.Random(seed)
    texts: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        name = _group(row, group)
        if str(row["context"]) not in texts[name]:
            texts[name].append(str(row["context"]))
    found = []
    for row in chance.sample(list(rows), len(rows)):
        answers = [str(a["text"]).casefold() for a in row["answers"]]  # type: ignore[attr-defined]
        others = [t for t in texts[_group(row, group)] if t != row["context"]]
        others = [t for t in others if not any(a in t.casefold() for a in answers)]
        if not answers or not others:
            continue
        asked = set(_DIGEST.findall(str(row["question"]).casefold()))
        best = max(others, key=lambda t: len(asked & set(_DIGEST.findall(t.casefold()))))
        found.append(Example(source + "-stranger", str(row["question"]), best, ()))
        if len(found) == count:
            break
    return found


def _group(row: Mapping[str, object], group: str) -> str:
    return str(row[group]).rsplit(":", 2)[0] if group == "sentence" else str(row[group])


def tables(folder: Path, most: int) -> Iterator[Example]:
    """Questions whose answers are cells, on tables said row by row; ``most`` characters a table at most."""
    seen: dict[str, tuple[list[str], list[list[str]]]] = {}
    for record in records(folder / "train.jsonl"):
        name = str(record["table"])
        if name not in seen:
            with (folder / "tables" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
                head, *rows = list(csv.reader(file))
            seen[name] = head, rows
        answers = [str(a) for a in record["answers"]]  # type: ignore[union-attr]
        if (example := table_example(str(record["question"]), *seen[name], answers, most)) is not None:
            yield example


def table_example(
    question: str, head: Sequence[str], rows: Sequence[Sequence[str]], answers: Sequence[str], most: int
) -> Example | None:
    """The example, or None where an answer is no cell, or several, or the table is too long."""
    if len(said(head, rows)[0]) > most:
        rows = _around(question, rows, answers)
    text, cells = said(head, rows)
    if len(text) > most or not answers:
        return None
    spans = []
    for answer in answers:
        places = [span for value, span in cells if value.strip().casefold() == answer.strip().casefold()]
        if len(places) != 1:
            return None
        spans += places
    return Example("tables", question, text, tuple(sorted(spans)), several=len(spans) > 1)


_ASKED = ("what are the {}s?", "list the {}s", "which {}s are there?", "name all {}s", "What {}s are listed?")


def columns(folder: Path, count: int, seed: int) -> list[Example]:
    """Questions for all cells of a column, told as a list below its head or within its rows' other cells.

    ``Which HEAD have OTHER: VALUE?`` asks for those of some rows only.
    """
    chance = random.Random(seed)
    names = sorted(path for path in (folder / "tables").glob("*.csv"))
    allowed = {str(r["table"]) for r in records(folder / "train.jsonl")}
    found: list[Example] = []
    for path in chance.sample(names, len(names)):
        if path.stem in allowed and (made := _listed(path, chance)) is not None:
            found.append(made)
        if len(found) == count:
            break
    return found


def _listed(path: Path, chance: random.Random) -> Example | None:
    with path.open(newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    at = chance.randrange(len(head))
    some = [row for row in rows if len(row) == len(head) and row[at].strip()][: chance.randint(3, 7)]
    values = [row[at].strip() for row in some]
    words = any(c.isalpha() for v in values for c in v)
    if len(set(values)) < max(3, len(values)) or not head[at].strip() or not words:
        return None
    name = head[at].strip().lower()
    if chance.random() < 0.5:
        text, spans = f"{head[at]}:", []
        for value in values:
            spans.append((len(text) + 1, len(text) + 1 + len(value)))
            text += f"\n{value}"
        return Example("columns", chance.choice(_ASKED).format(name), text, tuple(spans), several=True)
    text, cells = said(head, some)
    other = chance.randrange(len(head))
    wanted = chance.choice(some)[other].strip()
    question = chance.choice(_ASKED).format(name)
    if other != at and wanted:
        question = chance.choice(("which {} have {} {}?", "What are the {} with {} {}?")).format(
            name, head[other].lower(), wanted
        )
        values = [row[at].strip() for row in some if row[other].strip() == wanted]
    spans = [span for value, span in cells if value.strip() in values]
    if len(text) > 900 or len(spans) != len(values):
        return None
    return Example("columns", question, text, tuple(spans), several=len(spans) > 1)


_LOOKED_UP = (
    "what is the {} of {}?",
    "{1} {0}",
    "{} of {}",
    "What {} does {} have?",
    "{1}: what {0}?",
    "Which {} is given for {}?",
)
_WHICH = ("which {} has {} {}?", "What {} has the {} {}?", "whose {1} is {2}?")


def lookups(folder: Path, count: int, seed: int) -> list[Example]:
    """Questions for one cell of a row that they name, told among other rows; two in five are of a row that isn't told.

    What tables of other things say is no answer, however well its columns fit.
    """
    chance = random.Random(seed)
    allowed = sorted({str(r["table"]) for r in records(folder / "train.jsonl")})
    found: list[Example] = []
    while len(found) < count:
        with (folder / "tables" / f"{chance.choice(allowed)}.csv").open(newline="", encoding="utf-8") as file:
            head, *rows = list(csv.reader(file))
        if (made := _looked_up(head, [r for r in rows if len(r) == len(head)], chance)) is not None:
            found.append(made)
    return found


def _looked_up(head: Sequence[str], rows: list[list[str]], chance: random.Random) -> Example | None:
    if len(rows) < 4 or len(head) < 2:
        return None
    named, asked = chance.sample(range(len(head)), 2)
    at = chance.randrange(len(rows))
    name, answer = rows[at][named].strip(), rows[at][asked].strip()
    once = [r[named].strip() for r in rows].count(name) == 1
    if not once or not answer or not head[asked].strip() or not any(c.isalpha() for c in name) or len(name) < 3:
        return None
    told = chance.random() < 0.6
    first = max(0, at - chance.randint(0, 4))
    some = rows[first : first + chance.randint(5, 8)]
    if not told:
        some = [r for r in some if r[named].strip() != name]
    question = chance.choice(_LOOKED_UP).format(head[asked].lower(), name)
    if chance.random() < 0.3 and [r[asked].strip() for r in rows].count(answer) == 1:
        question = chance.choice(_WHICH).format(head[named].lower(), head[asked].lower(), answer)
        named, answer = asked, name
    text, cells = said(head, some)
    spans = [span for value, span in cells if value.strip() == answer] if told else []
    if len(text) > 900 or not some or len(spans) != int(told):
        return None
    return Example("lookups", question, text, tuple(spans))


def elsewhere(folder: Path, count: int, seed: int) -> list[Example]:
    """Questions on tables put to other rows of theirs, or to another table with a like column: no answer there."""
    chance = random.Random(seed)
    asked = records(folder / "train.jsonl")
    found: list[Example] = []
    for record in chance.sample(asked, len(asked)):
        name = str(record["table"] if chance.random() < 0.5 else chance.choice(asked)["table"])
        with (folder / "tables" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            head, *rows = list(csv.reader(file))
        wanted = {str(a).strip().casefold() for a in record["answers"]}  # type: ignore[attr-defined]
        question = str(record["question"]).casefold()
        named = [r for r in rows if any(len(v.strip()) > 3 and v.strip().casefold() in question for v in r)]
        others = [r for r in rows if r not in named and not any(v.strip().casefold() in wanted for v in r)]
        if (name == record["table"] and not named) or len(others) < 3:
            continue
        first = chance.randrange(len(others) - 2)
        text, _ = said(head, others[first : first + chance.randint(3, 6)])
        if len(text) <= 900:
            found.append(Example("tables-stranger", str(record["question"]), text, ()))
        if len(found) == count:
            break
    return found


def _around(question: str, rows: Sequence[Sequence[str]], answers: Sequence[str]) -> Sequence[Sequence[str]]:
    """Of a long table the row of the one answer with some around it, where the question names another of its cells."""
    asked, wanted = question.casefold(), [a.strip().casefold() for a in answers]
    holding = [n for n, row in enumerate(rows) if any(v.strip().casefold() in wanted for v in row)]
    if len(holding) != 1 or len(wanted) != 1:
        return rows
    at = holding[0]
    others = (v.strip().casefold() for v in rows[at] if v.strip().casefold() not in wanted)
    if not any(len(v) > 3 and v in asked for v in others):
        return rows
    first = max(0, at - len(question) % 4)  # it stands now here, now there
    return rows[first : first + 4]


def said(head: Sequence[str], rows: Iterable[Sequence[str]]) -> tuple[str, list[tuple[str, Span]]]:
    """A table as passages say it, ``Head: cell; Head: cell`` a row, and where each cell stands in it."""
    text, cells = "", []
    for row in rows:
        parts = 0
        for name, value in zip(head, row, strict=False):
            if not value.strip():
                continue
            text += "; " if parts else "\n" if text else ""
            text += f"{name}: "
            cells.append((value, (len(text), len(text) + len(value))))
            text += value
            parts += 1
    return text, cells


def polar_examples(source: str, rows: Sequence[Mapping[str, object]], count: int, seed: int) -> list[Example]:
    """Questions whether something is so, made of questions with their answers (:mod:`training.reader.polar`)."""
    from training.reader import polar

    found = []
    for made in polar.examples(list(rows), seed):  # type: ignore[arg-type]
        start, end = made["answer_start"], made["answer_end"]
        spans = () if start is None or made["polar"] == "unsaid" else ((start, end),)
        found.append(Example(source + "-polar", made["question"], made["context"], spans, made["polar"]))
    return random.Random(seed).sample(found, min(count, len(found)))
