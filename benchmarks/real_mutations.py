"""Mutated copies of real documents: damage of every kind, and what is legal, odd and near a limit.

The same ones for the same seed and the same files. Some of the ways are those of tests/readers/mutated.py (bits
flipped, cut short, spliced, nested thousands deep, parts of archives and PDF streams changed); those here keep a file
readable.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kg.text.passages import HARD_LIMIT, SOFT_LIMIT
from tests.readers.mutated import GENERAL, OF_FORMAT, Mutated

__all__ = ["Mutated", "mutated"]

Sources = Mapping[str, Sequence[bytes]]
Way = Callable[[Random, Sources, str], bytes]
_TEXT = ("md", "html", "txt", "csv")
_NEAR = [
    n + d
    for n in (1, 10, HARD_LIMIT // 4, HARD_LIMIT // 2, SOFT_LIMIT, HARD_LIMIT, 2 * HARD_LIMIT, 20 * HARD_LIMIT)
    for d in (-1, 0, 1, 7)
]
_PROSE = "lamp of the harbour was built in 1901 by Ada Wren , cost $ 1.5 million and has 40 lights ; see e.g. No. 5"
_WORDS = _PROSE.split()


def mutated(sources: Sources, count: int, seed: int) -> Iterator[Mutated]:
    """``count`` mutated files, formats and ways in turn; ``sources`` are the bytes of real files by format."""
    formats = [f for f in sources if sources[f]]
    for number in range(count):
        random = Random(f"{seed} {number}")
        format = formats[number % len(formats)]
        ways = [*GENERAL, *OF_FORMAT[format], *(_KEEPING * 2 if format in _TEXT else ())]
        way = ways[number // len(formats) % len(ways)]
        try:
            data = way(random, sources, format)
        except (ValueError, IndexError, KeyError, NotImplementedError, RuntimeError, EOFError, OSError):
            # A way that takes a file apart can't be gone with one that isn't whole.
            way, data = _cut, _cut(random, sources, format)
        yield Mutated(_named(random, number, format), data, way.__name__.removeprefix("_"))


def _cut(random: Random, sources: Sources, format: str) -> bytes:
    data = random.choice(sources[format])
    return data[: random.randrange(len(data) + 1)]


def _named(random: Random, number: int, format: str) -> str:
    odd = random.choice(("", "", "", "Über Größe ", "a b/c/", "日本/", "x" * 150, "%20&;'\"", "..a/", "\u202e", "é"))
    return f"{number:05}-{odd}.{format.upper() if random.random() < 0.1 else format}"


def _lines(random: Random, sources: Sources, format: str) -> list[str]:
    return random.choice(sources[format]).decode("utf-8", "replace").split("\n")


def _lines_repeated(random: Random, sources: Sources, format: str) -> bytes:
    """Stretches of lines many times over."""
    lines = _lines(random, sources, format)
    for _ in range(random.randint(1, 4)):
        at, length = random.randrange(len(lines)), random.choice((1, 1, 2, 5, 20))
        lines[at:at] = lines[at : at + length] * random.choice((1, 3, 30, 200 // length))
    return "\n".join(lines).encode()


def _lines_permuted(random: Random, sources: Sources, format: str) -> bytes:
    """Stretches of lines elsewhere, or all of them in another order."""
    lines = _lines(random, sources, format)
    if random.random() < 0.3:
        random.shuffle(lines)
    for _ in range(random.randint(1, 10)):
        at, length, to = random.randrange(len(lines)), random.randint(1, 12), random.randrange(len(lines))
        moved = lines[at : at + length]
        del lines[at : at + length]
        lines[to:to] = moved
    return "\n".join(lines).encode()


def _blocks_spliced(random: Random, sources: Sources, format: str) -> bytes:
    """Blocks (what blank lines part) of two files in turn, at times with lines glued together."""
    first, second = ("\n".join(_lines(random, sources, format)).split("\n\n") for _ in range(2))
    found: list[str] = []
    while (first or second) and len(found) < 300:
        part = random.choice([p for p in (first, second) if p])
        length = random.randint(1, 6)
        found += part[:length]
        del part[:length]
    return random.choice(("\n\n", "\n\n", "\n", "\r\n\r\n")).join(found).encode()


def _blown_up(random: Random, sources: Sources, format: str) -> bytes:
    """Headings, comments, tables, items, sentences and words as long as the limits of a passage, side by side."""
    lines = _lines(random, sources, format)
    make = _MADE[format]
    for _ in range(random.randint(1, 6)):
        at = random.randrange(len(lines) + 1)
        stretch = [random.choice(make)(random, random.choice(_NEAR)) for _ in range(random.randint(1, 5))]
        lines[at:at] = random.choice(("\n", "\n\n", "")).join(stretch).split("\n")
    return "\n".join(lines).encode()


def _prose(random: Random, length: int) -> str:
    return " ".join(random.choices(_WORDS, k=length // 4 + 1))[:length]


def _word(random: Random, length: int) -> str:
    return random.choice(("x", "é", "語", "-", "|", "<", "a.", "1,", "\u0301", "\u200b")) * length


_MADE: dict[str, list[Callable[[Random, int], str]]] = {
    "md": [
        _prose,
        _word,
        lambda r, n: "#" * r.randint(1, 6) + " " + _prose(r, n),
        lambda r, n: f"<!-- {_prose(r, n)}\n{_prose(r, 30)} -->",
        lambda r, n: "<!--" + "\n" * (n // 3) + _prose(r, n) + "-->",
        lambda r, n: "\n" * n,
        lambda r, n: (
            f"| {_prose(r, n)} | b |\n|---|---|\n| {_prose(r, r.choice(_NEAR))} | 1 |\n" + "| a | 2 |\n" * (n // 30)
        ),
        lambda r, n: f"**{_prose(r, n)}**",
        lambda r, n: f"{_prose(r, n)}:",
        lambda r, n: "".join(f"- [{_prose(r, 20)}](#x-{i})\n" for i in range(n // 30 + 1)),
        lambda r, n: "\n".join("  " * i + f"- {_prose(r, n // 12 + 1)}" for i in range(12)),
        lambda r, n: f"```\n{_prose(r, n)}\n{_word(r, n)}\n```",
        lambda r, n: f"[{_prose(r, n)}](http://example.org/{_word(r, n)})",
        lambda r, n: f"> {_prose(r, n)}\n>> {_prose(r, n)}",
        lambda r, n: f"[^1]: {_prose(r, n)}\n\n    {_prose(r, n)}",
        lambda r, n: f"---\ntitle: {_prose(r, n)}\n---",
        lambda r, n: f"<details><summary>{_prose(r, n)}</summary>\n\n{_prose(r, n)}\n\n</details>",
    ],
    "html": [
        _prose,
        _word,
        lambda r, n: f"<h{r.randint(1, 6)}>{_prose(r, n)}</h1>",
        lambda r, n: f"<!-- {_prose(r, n)} -->",
        lambda r, n: (
            f"<table><tr><th>{_prose(r, n)}<th>b</tr>" + f"<tr><td>{_prose(r, 30)}<td rowspan=3>1" * (n // 40 + 1)
        ),
        lambda r, n: f"<ul><li>{_prose(r, n)}<ul><li>{_prose(r, n)}</ul></ul>",
        lambda r, n: f"<p><b>{_prose(r, n)}</b><br>{_prose(r, n)}",
        lambda r, n: f"<pre>{_word(r, n)}\n{_prose(r, n)}</pre>",
        lambda r, n: f"<dl><dt>{_prose(r, n)}<dd>{_prose(r, n)}</dl>",
        lambda r, n: "&nbsp;" * n,
    ],
    "txt": [
        _prose,
        _word,
        lambda r, n: f"{_prose(r, n)}\n{'=' * min(n, 200)}",
        lambda r, n: "\n" * n,
        lambda r, n: f"{_prose(r, n)}:\n    {_prose(r, n)}",
        lambda r, n: "".join(f"{i}. {_prose(r, 25)}\n" for i in range(n // 30 + 1)),
        lambda r, n: f"{_prose(r, 12):20}{_prose(r, 12):20}{_prose(r, n)}\n" * 3,
        lambda r, n: " " * n + _prose(r, n),
    ],
    "csv": [
        _prose,
        _word,
        lambda r, n: f'"{_prose(r, n)}\n{_prose(r, n)}",1',
        lambda r, n: ",".join(_prose(r, 9).replace(",", " ") for _ in range(min(n, 400))),
        lambda r, n: "," * min(n, 400),
        lambda r, n: f"a,{_prose(r, n).replace(',', ' ')},3\n" * 3,
    ],
}


def _odd_unicode(random: Random, sources: Sources, format: str) -> bytes:
    """Letters exchanged for ones that take more or fewer code points in other forms, or that turn the direction."""
    text = list("\n".join(_lines(random, sources, format)))
    for _ in range(random.choice((10, 100, 1_000))):
        at = random.randrange(len(text))
        text[at] += random.choice(
            "\u0301\u200d\u202e\u2066\u00ad\ufe0f\u00a0\u2028\u3000İßﬁ①½٣\U0001f469\U0001d7d8\ufeff"
        )
    return "".join(text).encode("utf-8", "replace")


def _figures_changed(random: Random, sources: Sources, format: str) -> bytes:
    """Figures, dates and signs exchanged for extreme ones."""
    lines = _lines(random, sources, format)
    odd = (
        "9" * 30,
        "1e400",
        "-0",
        "31.02.2021",
        "0000-00-00",
        "1/0",
        "$$$",
        "1,,000",
        "½ million",
        "∞",
        "2021-13",
        "5 %–6 %",
    )
    for number in random.sample(range(len(lines)), min(len(lines), 40)):
        words = lines[number].split(" ")
        words[random.randrange(len(words))] = random.choice(odd)
        lines[number] = " ".join(words)
    return "\n".join(lines).encode()


_KEEPING: list[Way] = [
    _lines_repeated,
    _lines_permuted,
    _blocks_spliced,
    _blown_up,
    _blown_up,
    _blown_up,
    _odd_unicode,
    _figures_changed,
]
