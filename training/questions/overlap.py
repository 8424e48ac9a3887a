"""Which documents of some sets share their text with documents of others: what was learned from is no longer unseen.

    python -m training.questions.overlap LEARNED… --beside UNSEEN…

Sets are folders with ``documents/``. A line for each pair of documents of which one has a tenth of its runs of twelve
words, or three hundred of them, in the other: packages that many systems have are drawn on more than once.
"""

from __future__ import annotations

import argparse
import html
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

_RUN, _SHARE, _MANY = 12, 0.1, 300
Runs = frozenset[int]


def runs(text: str, name: str = "") -> Runs:
    """Hashes of the runs of twelve words of a text, of a page without its tags.

    >>> len(runs("one two three")), len(runs(" ".join(map(str, range(20)))))
    (0, 9)
    """
    if name.endswith((".html", ".htm")):
        text = html.unescape(re.sub(r"<[^>]*>", " ", text))
    words = re.findall(r"\w+", text.casefold())
    return frozenset(hash(tuple(words[at : at + _RUN])) for at in range(len(words) - _RUN + 1))


def shared(documents: Mapping[str, Runs], others: Mapping[str, Runs]) -> Iterator[tuple[str, str, int, int]]:
    """Pairs of documents that share much: both names, how many runs they share, of how many of the first."""
    places: dict[int, list[str]] = defaultdict(list)
    for name, own in others.items():
        for run in own:
            places[run].append(name)
    for name, own in documents.items():
        found = Counter(other for run in own for other in places.get(run, ()))
        for other, count in found.most_common():
            if count >= min(_MANY, _SHARE * len(own)):
                yield name, other, count, len(own)


def read(folders: Sequence[Path]) -> dict[str, Runs]:
    """The documents of sets, by the set's name and theirs."""
    files = sorted(file for folder in folders for file in (folder / "documents").iterdir())
    texts = ((file, file.read_text(encoding="utf-8", errors="replace")) for file in files)
    return {f"{file.parent.parent.name}/{file.name}": runs(text, file.name) for file, text in texts}


def main() -> int:
    """The command; 1 where something is shared."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--beside", nargs="+", type=Path, required=True)
    options = parser.parse_args()
    found = list(shared(read(options.sets), read(options.beside)))
    for name, other, count, size in found:
        print(f"{name} and {other}: {count} of {size} runs")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
