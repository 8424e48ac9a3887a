"""Damaged files made from documents of the repository, the same ones for the same seed, by general ways and by those
of each format: what the readers must refuse or survive."""

from __future__ import annotations

import base64
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

__all__ = ["FORMATS", "Mutated", "mutated"]

FORMATS = ("md", "txt", "html", "csv", "docx", "pdf")
_ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = ("corpus", "docs/samples")
_ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "cp037", "utf-8-sig", "shift_jis", "utf-7")
_DEEPEST = 30_000  # brackets, tags or quotes inside each other
_LONGEST = 400  # bytes that one change takes


@dataclass(frozen=True, slots=True)
class Mutated:
    """A damaged file: its name, its bytes and the way in which they were damaged."""

    name: str
    data: bytes
    way: str


Sources = Mapping[str, Sequence[bytes]]
Way = Callable[[Random, Sources, str], bytes]


def mutated(format: str, count: int, seed: int = 1) -> Iterator[Mutated]:
    """``count`` damaged files of a format, the ways taken in turn."""
    sources = _sources()
    ways = [*GENERAL, *OF_FORMAT[format]]
    for number in range(count):
        random = Random(f"{seed} {format} {number}")
        way = ways[number % len(ways)]
        yield Mutated(f"{number:05}.{format}", way(random, sources, format), way.__name__.removeprefix("_"))


@cache
def _sources() -> Sources:
    found: dict[str, list[bytes]] = {format: [] for format in FORMATS}
    for folder in _FOLDERS:
        for path in sorted((_ROOT / folder).rglob("*")):
            if path.suffix[1:] in found and path.name != "README.md":
                found[path.suffix[1:]].append(path.read_bytes())
    return found


def _one(random: Random, sources: Sources, format: str) -> bytes:
    return random.choice(sources[format])


# --- any format -----------------------------------------------------------------------------------


def _bit_flips(random: Random, sources: Sources, format: str) -> bytes:
    return _flipped(random, _one(random, sources, format))


def _flipped(random: Random, data: bytes) -> bytes:
    found = bytearray(data)
    for _ in range(random.choice((1, 2, 5, 20, 200))):
        found[random.randrange(len(found))] ^= 1 << random.randrange(8)
    return bytes(found)


def _truncated(random: Random, sources: Sources, format: str) -> bytes:
    data = _one(random, sources, format)
    cut = random.randrange(len(data))
    return data[cut:] if random.random() < 0.2 else data[:cut]


def _inserted(random: Random, sources: Sources, format: str) -> bytes:
    return _changed(random, _one(random, sources, format))


def _changed(random: Random, data: bytes) -> bytes:
    """The bytes with some put in, taken out, written over, repeated or moved."""
    found = bytearray(data)
    for _ in range(random.randint(1, 8)):
        at, length = random.randrange(len(found) + 1), random.randint(1, _LONGEST)
        stretch = bytes(found[at : at + length])
        change = random.randrange(6)
        if change == 0:
            found[at:at] = random.randbytes(length)
        elif change == 1:
            found[at : at + length] = random.randbytes(len(stretch))
        elif change == 2 and len(found) > 2 * _LONGEST:
            del found[at : at + length]
        elif change == 3:
            found[at:at] = stretch * random.choice((1, 2, 50))
        elif change == 4:
            found[at:at] = random.choice((b"\0", b"\xff", b"\n", b" ", b"\xef\xbb\xbf")) * length
        else:
            to = random.randrange(len(found) + 1)
            found[to:to] = stretch
    return bytes(found)


def _spliced(random: Random, sources: Sources, format: str) -> bytes:
    """The first part of a file and the last part of another one, at times of another format."""
    other = random.choice(FORMATS) if random.random() < 0.3 else format
    first, second = _one(random, sources, format), _one(random, sources, other)
    return first[: random.randrange(len(first))] + second[random.randrange(len(second)) :]


def _wrong_suffix(random: Random, sources: Sources, format: str) -> bytes:
    other = random.choice([f for f in FORMATS if f != format])
    data = _one(random, sources, other)
    return data if random.random() < 0.7 else random.randbytes(random.randint(1, 5_000))


def _small(random: Random, sources: Sources, format: str) -> bytes:
    data = _one(random, sources, format)
    return random.choice(
        (b"", b" \n\t\n", b"\0" * 100, data[:1], data[:10], b"\xef\xbb\xbf", b"\xff\xfe", b"\n" * 50_000)
    )


def _deep(random: Random, sources: Sources, format: str) -> bytes:
    """Nested as deep as nobody writes, by the means of the format."""
    depth = random.choice((50, 500, 5_000, _DEEPEST))
    opened, closed = random.choice(_NESTED[format])
    data = _one(random, sources, format)
    inside = (opened * depth).encode() + data[:200] + (closed * depth if random.random() < 0.7 else "").encode()
    if format == "docx":
        return _with_part(data, "word/document.xml", lambda xml: _inside_body(xml, (opened, closed), depth))
    if format == "pdf":
        return _with_stream(random, data, lambda content: (opened * depth).encode() + content)
    return inside if random.random() < 0.5 else data + b"\n" + inside


def _inside_body(xml: bytes, tags: tuple[str, str], depth: int) -> bytes:
    depth = min(depth, 5_000)
    return xml.replace(b"<w:body>", b"<w:body>" + (tags[0] * depth).encode() + (tags[1] * depth).encode(), 1)


_NESTED: dict[str, list[tuple[str, str]]] = {
    "md": [
        ("> ", ""),
        ("- ", ""),
        ("[", "]"),
        ("**a ", "**"),
        ("<div>", "</div>"),
        ("![", "](a)"),
        ("`" * 3 + "\n", ""),
        ("[[", "]]"),
        ("(", ")"),
        ("1. ", ""),
        ("_a ", "_"),
        ("[^1]: ", ""),
        ("| ", " |"),
        ("# ", ""),
        ("<", ">"),
    ],
    "txt": [("(", ")"), ("[", "]"), ("- ", ""), ("  ", ""), ("a\t", ""), ("1. ", "\n"), ("> ", ""), ("|", "|\n")],
    "html": [
        ("<div>", "</div>"),
        ("<table><tr><td>", "</td></tr></table>"),
        ("<ul><li>", "</li></ul>"),
        ("<b>", "</b>"),
        ("<blockquote>", "</blockquote>"),
        ("<dl><dd>", "</dd></dl>"),
        ("<svg>", ""),
        ("<select><option>", ""),
        ("<a href=x>", "</a>"),
        ("<template>", ""),
        ("<p><i>", ""),
        ("<!--", "-->"),
        ("<td colspan=999>", ""),
    ],
    "csv": [('"', '"'), (",", ","), ('""', ""), (";", "\t"), ('a,"b\n', '"'), ("a" * 9 + ",", "\n")],
    "docx": [
        ("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"),
        ("<w:p><w:r>", "</w:r></w:p>"),
        ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>"),
        ("<w:p><w:ins>", "</w:ins></w:p>"),
        ("<w:smartTag>", "</w:smartTag>"),
    ],
    "pdf": [
        ("[", "]"),
        ("<<", ">>"),
        ("q ", "Q "),
        ("BT ", "ET "),
        ("(", ")"),
        ("/a BMC ", "EMC "),
        ("{", "}"),
        ("<", ">"),
    ],
}

GENERAL: list[Way] = [_bit_flips, _truncated, _inserted, _spliced, _wrong_suffix, _small, _deep]


# --- text -----------------------------------------------------------------------------------------


def _wrong_encoding(random: Random, sources: Sources, format: str) -> bytes:
    """Another encoding, or an encoding for a part of the file only."""
    text = _one(random, sources, format).decode()
    data = text.encode(random.choice(_ENCODINGS), "replace")
    return data if random.random() < 0.8 else text.encode()[: len(text) // 2] + data


def _odd_characters(random: Random, sources: Sources, format: str) -> bytes:
    """Characters in a text that it doesn't hold: signs of the format, marks of direction, unpaired and huge ones."""
    text = list(_one(random, sources, format).decode())
    for _ in range(random.choice((3, 30, 300))):
        text[random.randrange(len(text))] = random.choice(_SIGNS) * random.choice((1, 1, 3, 40))
    return "".join(text).encode("utf-8", "surrogatepass")


_SIGNS = (
    *"|<>&#*_`[](){}\"',;:-=~$%^\\/!?@\t\n\r\v\f\x1b\x85\u2028\u202e\u200b\ufeff\ufffd\U0010ffff\u0301\ud800\x00İ٣",
    "\n\n",
    "\n|",
    "&#0;",
    "&#x110000;",
    "---\n",
    "```",
    "</",
    "<!--",
    "[[",
    "[^",
    "\r\n",
)


def _shuffled_lines(random: Random, sources: Sources, format: str) -> bytes:
    lines = b"".join(random.sample(sources[format], min(2, len(sources[format])))).splitlines(keepends=True)
    random.shuffle(lines)
    return b"".join(lines[: random.randint(1, len(lines))])


# --- docx -----------------------------------------------------------------------------------------


def _with_part(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """The archive with one part changed; ``name`` may be new."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            content = old.read(part)
            new.writestr(zipfile.ZipInfo(part.filename), change(content) if part.filename == name else content)
        if name not in old.namelist():
            new.writestr(zipfile.ZipInfo(name), change(b""))
    return packed.getvalue()


def _part(random: Random, data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]
    return "word/document.xml" if random.random() < 0.5 else random.choice(parts)


def _damaged_part(random: Random, sources: Sources, format: str) -> bytes:
    data = _one(random, sources, format)
    change = random.choice((_flipped, _changed, lambda r, d: d[: r.randrange(len(d))], _odd_xml, _odd_xml))
    return _with_part(data, _part(random, data), lambda part: change(random, part))


def _odd_xml(random: Random, xml: bytes) -> bytes:
    """Well-formed more often than not: elements lost, doubled or renamed, values of attributes out of bounds."""
    tags = list(re.finditer(rb"<(/?)(w:\w+)([^<>]*)>", xml))
    found, end = [], 0
    for tag in sorted(random.sample(tags, min(len(tags), random.choice((1, 5, 50)))), key=lambda t: t.start()):
        odd = random.choice((b"-1", b"99999999999", b"", b"x", b"1e9", b"0", b"2147483648"))
        values = re.sub(rb'"[^"]*"', b'"' + odd + b'"', tag[3])
        whole = b"<" + tag[1] + tag[2] + values + b">"
        found += [xml[end : tag.start()], random.choice((whole, whole, tag[0] * 2, b"", tag[0].replace(b"w:", b"m:")))]
        end = tag.end()
    return b"".join((*found, xml[end:]))


def _bomb_or_entity(random: Random, sources: Sources, format: str) -> bytes:
    data = _one(random, sources, format)
    entity = b'<!DOCTYPE x [<!ENTITY a "%s"><!ENTITY b "&a;&a;&a;">]>' % (b"a" * 1_000)
    declared = random.choice((b" " * 3_000_000, b"<w:p/>" * 200_000, b"", b"<a/>"))
    if random.random() < 0.5:
        return _with_part(data, _part(random, data), lambda part: part.replace(b"?>", b"?>" + entity, 1))
    return _with_part(data, random.choice(("word/media/a.png", "word/document.xml", "a/../b.xml")), lambda _: declared)


def _damaged_directory(random: Random, sources: Sources, format: str) -> bytes:
    """Sizes, sums, methods and offsets of the archive's headers changed; parts left out."""
    data = bytearray(_one(random, sources, format))
    heads = [m.start() for m in re.finditer(rb"PK\x01\x02|PK\x03\x04|PK\x05\x06", bytes(data))]
    for head in random.sample(heads, min(len(heads), random.randint(1, 4))):
        at = head + random.randrange(4, 30)
        data[at : at + 4] = random.choice((b"\xff" * 4, b"\0" * 4, random.randbytes(4)))
    return bytes(data)


def _part_left_out(random: Random, sources: Sources, format: str) -> bytes:
    data, packed = _one(random, sources, format), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w") as new:
        for part in old.namelist():
            if random.random() < 0.8:
                new.writestr(zipfile.ZipInfo(part), old.read(part))
    return packed.getvalue()


# --- pdf ------------------------------------------------------------------------------------------


_STREAM = re.compile(rb"(?<!end)stream\r?\n(.*?)\r?\n?endstream", re.DOTALL)


def _with_stream(random: Random, data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """The file with one of its packed streams unpacked, changed and packed again; its length is left as it was."""
    chosen = random.choice(list(_STREAM.finditer(data)))
    packed, printable = chosen[1], chosen[1].rstrip().endswith(b"~>")
    try:
        if printable:
            packed = base64.a85decode(packed.strip()[:-2])
        again = zlib.compress(change(zlib.decompressobj().decompress(packed)))
        again = base64.a85encode(again) + b"~>" if printable else again
    except (ValueError, zlib.error):
        again = change(chosen[1])
    return data[: chosen.start(1)] + again + data[chosen.end(1) :]


def _damaged_contents(random: Random, sources: Sources, format: str) -> bytes:
    """A page's instructions changed before they are packed."""
    data = _one(random, sources, format)
    change = random.choice((_flipped, _changed, _odd_numbers, _odd_numbers, lambda r, d: d[: r.randrange(len(d) + 1)]))
    return _with_stream(random, data, lambda content: change(random, content))


def _odd_numbers(random: Random, data: bytes) -> bytes:
    """Numbers (lengths, offsets, references, coordinates) replaced by others and by such as nobody writes."""
    numbers = list(re.finditer(rb"(?<![\d.])\d+(?:\.\d+)?", data))
    found, end = [], 0
    for number in sorted(random.sample(numbers, min(len(numbers), random.choice((1, 3, 20)))), key=lambda n: n.start()):
        odd = random.choice((b"0", b"-1", b"4294967296", b"1e9", b"99999999999999999999", b"%d" % random.randrange(60)))
        found += [data[end : number.start()], odd]
        end = number.end()
    return b"".join((*found, data[end:]))


def _odd_references(random: Random, sources: Sources, format: str) -> bytes:
    data = _one(random, sources, format)
    if random.random() < 0.5:
        return _odd_numbers(random, data)
    return re.sub(rb"\d+(?= 0 R)", lambda m: b"%d" % random.randrange(20) if random.random() < 0.2 else m[0], data)


def _words_lost(random: Random, sources: Sources, format: str) -> bytes:
    """Words of the format left out, doubled or exchanged."""

    def other(word: re.Match[bytes]) -> bytes:
        return random.choice((b"", word[0] * 2, random.choice(_WORDS))) if random.random() < 0.1 else word[0]

    return re.sub(b"|".join(_WORDS), other, _one(random, sources, format))


_WORDS = [
    b"endobj",
    b"endstream",
    b"stream",
    b"xref",
    b"trailer",
    b"startxref",
    b"obj",
    b"/FlateDecode",
    b"/ASCII85Decode",
    b"/Type",
    b"/Page",
    b"/Kids",
    b"/Font",
    b"/Contents",
    b"/Length",
    b"/Filter",
    b"<<",
    b">>",
    b"/Root",
    b"%%EOF",
]

_TEXT: list[Way] = [_wrong_encoding, _odd_characters, _shuffled_lines]
OF_FORMAT: dict[str, list[Way]] = {
    "md": _TEXT,
    "txt": _TEXT,
    "html": _TEXT,
    "csv": _TEXT,
    "docx": [_damaged_part, _damaged_part, _bomb_or_entity, _damaged_directory, _part_left_out],
    "pdf": [_damaged_contents, _damaged_contents, _odd_references, _words_lost],
}
