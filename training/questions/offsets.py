"""Words of a document kept as their places in it, where its sentences may not be kept themselves.

    python -m training.questions.offsets SET OUT

Writes SET/questions.jsonl, whose words stand in SET/documents, to OUT with [start, end] for them, in characters:

- for all evidence and all spans, which are these characters as they are;
- for the forms of answers that are a span's words, each stretch of whitespace read as one space;
- in other forms of more than eight words for any four or more in a row that stand in the document: such a form is a
  list of words and places, to be joined by spaces, or one place where the document has all of it.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Question = dict[str, Any]
Place = list[int]  # [start, end]
Form = str | Place | list[str | Place]
_LONG = 8  # words of a form of an answer; one with more may be most of a sentence
_FEWEST = 4  # words in a row that such a form isn't to hold of a document


def collapsed(text: str) -> str:
    """The text with each stretch of whitespace as one space."""
    return " ".join(text.split())


def stored(question: Question, text: str) -> Question:
    """The question with places in the document's text for its words; ValueError where these don't stand there."""
    evidence = [_within(text, words, [[0, len(text)]]) for words in question["evidence"]]
    spans = [_within(text, words, evidence) for words in question["spans"]]
    said = {collapsed(words): place for words, place in zip(question["spans"], spans, strict=True)}
    answers = [[said.get(form) or _form(text, form) for form in item] for item in question["answers"]]
    return question | {"answers": answers, "evidence": evidence, "spans": spans}


def resolved(question: Question, text: str) -> Question:
    """The question with its words for places in the document's text."""
    answers = [[_formed(text, form) for form in item] for item in question["answers"]]
    told = {key: [_words(text, kept) for kept in question[key]] for key in ("evidence", "spans")}
    return question | {"answers": answers} | told


def questions(file: Path) -> list[Question]:
    """The lines of a file of questions."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]


def document(folder: Path, question: Question) -> str:
    """The text of the one document that a question is on; none for a question that names none."""
    return "".join((folder / name).read_bytes().decode("utf-8") for name in question["docs"][:1])


def write(file: Path, asked: Iterable[Question]) -> None:
    """A file of questions, one a line."""
    lines = (json.dumps(question, ensure_ascii=False) + "\n" for question in asked)
    file.write_bytes("".join(lines).encode("utf-8"))


def _words(text: str, kept: str | Place) -> str:
    return kept if isinstance(kept, str) else text[kept[0] : kept[1]]


def _within(text: str, words: str, stretches: Sequence[Place]) -> Place:
    """Where the words stand in one of the stretches, whole words before parts of such."""
    for pattern in rf"(?<!\w){re.escape(words)}(?!\w)", re.escape(words):
        for start, end in stretches:
            if (match := re.compile(pattern).search(text, start, end)) is not None:
                return list(match.span())
    raise ValueError(f"not in the document: {words}")


def _form(text: str, form: str) -> Form:
    """A form of an answer; of a long one the words that stand in the text in a row as their place."""
    if len(form.split()) <= _LONG:
        return form
    words = form.split(" ")  # one with a line's end in it is none of the text's, where that would be a space
    parts: list[str | Place] = []
    while words:
        count, place = _longest(text, words)
        parts.append(place or words[0])
        words = words[count:]
    return parts[0] if len(parts) == 1 else parts


def _longest(text: str, words: Sequence[str]) -> tuple[int, Place | None]:
    """How many of the first words stand in the text in a row, and where; 1 and None where they are few."""
    for count in range(len(words), _FEWEST - 1, -1):
        match = re.search(r"\s+".join(map(re.escape, words[:count])), text)
        if match is not None and collapsed(match[0]) == " ".join(words[:count]):
            return count, list(match.span())
    return 1, None


def _formed(text: str, form: Form) -> str:
    parts = [form] if isinstance(form, str) or isinstance(form[0], int) else form
    return " ".join(part if isinstance(part, str) else collapsed(_words(text, part)) for part in parts)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    asked = questions(options.set / "questions.jsonl")
    write(options.out, [stored(one, document(options.set / "documents", one)) for one in asked])


if __name__ == "__main__":
    main()
