"""Limits on the work that a PDF can make pdfminer.six do, counted in bytes and objects and never in seconds.

pdfminer unpacks, loops and recurses as far as a file says. Its functions that do so are wrapped here, once; the
wrappers count against the budget of the file that the current thread reads and do nothing outside of one.

How much work a PDF may make its reader do: counted in bytes, objects and characters, never in seconds.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from pdfminer import cmapdb, pdffont, pdftypes, psparser
from pdfminer.lzw import LZWDecoder
from pdfminer.pdfdocument import PDFXRefStream
from pdfminer.pdfinterp import PDFContentParser

_COSTS = {"unpacked": 12, "parsed": 60, "content": 600, "objects": 1_500, "glyphs": 10_000, "names": 0, "steps": 500}
"""Work of a unit of each kind, in nanoseconds on the machine where they were measured; their ratios are what counts."""
_BASE = 2_500_000_000  # work that any file may make
_A_BYTE = 30_000  # and for each byte that it can't do without; prose and tables take 12,000
_MOST = 100_000_000_000  # that of 3,000 full pages


class Exhausted(Exception):
    """A file that takes more work than a document does."""


@dataclass(slots=True)
class Budget:
    """What is left for a file: bytes unpacked and parsed, those of pages apart; objects, characters, names, steps.

    ``work``: what all of them may take together. A document of 3,000 full pages stays below.
    """

    unpacked: int = 150_000_000
    parsed: int = 250_000_000
    content: int = 60_000_000
    objects: int = 10_000_000
    glyphs: int = 10_000_000
    names: int = 50_000
    steps: int = 100_000_000
    work: int = _MOST
    spent: bool = False

    @classmethod
    def of(cls, data: bytes) -> Budget:
        """That of a file: the more it says, the more work it may make. What can be packed away says nothing."""
        return cls(work=min(_MOST, _BASE + _A_BYTE * len(zlib.compress(data, 1))))

    def spend(self, what: str, amount: int) -> None:
        """Takes ``amount`` off. Raises Exhausted."""
        left = getattr(self, what) - amount
        setattr(self, what, left)
        self.work -= _COSTS[what] * amount
        if left < 0 or self.work < 0:
            self.spent = True
            raise Exhausted(what)


CURRENT: ContextVar[Budget | None] = ContextVar("pdf_budget", default=None)
"""The budget of the file that the current thread reads."""


def spend(what: str, amount: int = 1) -> None:
    """Takes from the current file's budget, if there is one. Raises Exhausted."""
    budget = CURRENT.get()
    if budget is not None:
        budget.spend(what, amount)


_WIDEST_RANGE = 65_536  # codes that one entry of a font may cover
_LONGEST_TOKEN = 32_768  # bytes; the format's own limit of a string
_LONGEST_WAIT = 1 << 20  # bytes of a token that goes on over several buffers
_CHUNK = 4096  # bytes; as much of a damaged stream is lost
_DEEPEST = 200  # arrays and dictionaries inside each other
_MOST_ENTRIES = 1_000_000  # of an array or dictionary
_MOST_HOPS = 20  # references to references
_A_LINE = 24  # bytes that take as much work as looking for a line's end
_TAIL = 65_536  # bytes at the end of a file in which its index is announced


_lock = threading.Lock()
_installed: list[bool] = []


@contextmanager
def limited(budget: Budget) -> Iterator[Budget]:
    """Whatever pdfminer does inside counts against the budget."""
    with _lock:
        if not _installed:
            _install()
            _installed.append(True)
    token = CURRENT.set(budget)
    try:
        yield budget
    finally:
        CURRENT.reset(token)


def _guarded(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    """Replaces ``owner.name`` by what ``make`` makes of it, in force only while a budget is."""
    original = getattr(owner, name)
    limited_version = make(original)

    def chosen(*args: Any, **kwargs: Any) -> Any:
        return (original if CURRENT.get() is None else limited_version)(*args, **kwargs)

    setattr(owner, name, chosen)


def _install() -> None:
    module: Any = pdftypes
    module.zlib = _Zlib()
    _guarded(pdftypes, "decompress_corrupted", lambda _: _inflate)
    _guarded(pdftypes, "lzwdecode", lambda _: _lzw)
    _guarded(pdftypes, "ascii85decode", _ascii)
    _guarded(pdftypes, "asciihexdecode", _ascii)
    _guarded(pdftypes, "rldecode", lambda _: _run_lengths)
    _guarded(pdftypes, "ccittfaxdecode", lambda _: lambda data, params: b"")  # pictures aren't read
    _guarded(pdftypes, "apply_png_predictor", _predictor)
    _guarded(pdftypes, "apply_tiff_predictor", _predictor)
    _guarded(pdftypes.PDFObjRef, "resolve", _resolve)
    _guarded(pdffont, "get_widths", lambda original: lambda seq: original(_narrow(seq, 3)))
    _guarded(pdffont, "get_widths2", lambda original: lambda seq: original(_narrow(seq, 5)))
    _guarded(pdffont.TrueTypeFont, "parse_cmap_format_4", _font_table)
    _guarded(pdffont.TrueTypeFont, "parse_cmap_format_10", _font_table)
    _guarded(pdffont.TrueTypeFont, "parse_cmap_format_12", _font_table)
    _guarded(cmapdb.CMapParser, "do_keyword", _cmap_keyword)
    _guarded(PDFXRefStream, "get_objids", lambda _: _object_ids)
    _guarded(psparser.PSBaseParser, "fillbuf", _fillbuf)
    _guarded(psparser.PSBaseParser, "nextline", lambda _: _next_line)
    _guarded(psparser.PSBaseParser, "revreadlines", lambda _: _last_lines)
    _guarded(PDFContentParser, "fillbuf", _fillbuf)
    _guarded(PDFContentParser, "get_inline_data", lambda _: _skip_inline)
    for name in ("_parse_string", "_parse_string_1", "_parse_literal", "_parse_literal_hex"):
        _guarded(psparser.PSBaseParser, name, _short_token)
    _guarded(psparser.PSStackParser, "start_type", _start)
    _guarded(psparser.PSStackParser, "push", _push)
    _guarded(psparser, "LIT", _intern)
    _guarded(psparser, "KWD", _intern)


# --- unpacking ------------------------------------------------------------------------------------


class _Zlib:
    """Stands in for the module ``zlib`` in pdfminer.pdftypes."""

    error = zlib.error
    decompressobj = staticmethod(zlib.decompressobj)

    @staticmethod
    def decompress(data: bytes) -> bytes:
        return zlib.decompress(data) if CURRENT.get() is None else _inflate(data)


def _inflate(data: bytes) -> bytes:
    """What can be unpacked of the data, up to the budget. Raises zlib.error if that is nothing."""
    inflater = zlib.decompressobj()
    parts: list[bytes] = []
    at, rest = 0, b""
    while not inflater.eof and (rest or at < len(data)):
        piece = rest or data[at : at + _CHUNK]
        at += 0 if rest else _CHUNK
        try:
            part = inflater.decompress(piece, 1 << 20)
        except zlib.error:
            if not parts:
                raise
            break
        rest = inflater.unconsumed_tail
        spend("unpacked", len(part) + 64)
        parts.append(part)
    return b"".join(parts)


def _lzw(data: bytes) -> bytes:
    parts: list[bytes] = []
    for part in LZWDecoder(BytesIO(data)).run():
        spend("unpacked", len(part) + 16)
        parts.append(part)
    return b"".join(parts)


def _run_lengths(data: bytes) -> bytes:
    found = bytearray()
    at = 0
    while at < len(data) and data[at] != 128:
        length = data[at]
        part = data[at + 1 : at + 2 + length] if length < 128 else data[at + 1 : at + 2] * (257 - length)
        at += 2 + length if length < 128 else 2
        spend("unpacked", len(part) + 16)
        found += part
    return bytes(found)


def _ascii(original: Any) -> Any:
    def decoded(data: bytes) -> Any:
        spend("unpacked", 5 * len(data))  # slow: a byte at a time
        return original(data)

    return decoded


def _predictor(original: Any) -> Any:
    def predicted(*args: Any) -> Any:
        colors, columns, bits, data = args[-4:]
        if not (0 < colors <= 32 and 0 < columns <= 1_000_000 and 0 < bits <= 16):
            raise ValueError("no such predictor")
        spend("unpacked", 10 * len(data))  # slow: a byte at a time
        return original(*args)

    return predicted


# --- looking up and looping -----------------------------------------------------------------------


def _resolve(original: Any) -> Any:
    def resolved(self: Any, default: object = None) -> Any:
        found: Any = self
        for _ in range(_MOST_HOPS):
            spend("objects")
            found = original(found, default)
            if not isinstance(found, pdftypes.PDFObjRef):
                return found
        return default

    return resolved


def _narrow(seq: Iterable[object], size: int) -> list[object]:
    """Widths of a font less the ranges that cover more codes than a font has."""
    found: list[object] = []
    waiting: list[object] = []
    for entry in seq:
        entry = pdftypes.resolve1(entry)
        waiting.append(entry)
        if isinstance(entry, list):
            spend("objects", len(entry))
            found.extend(waiting)
            waiting = []
        elif len(waiting) == size:
            first, last = waiting[:2]
            wide = not (isinstance(first, int) and isinstance(last, int)) or last - first > _WIDEST_RANGE
            if not wide:
                spend("objects", max(1, int(last) - int(first)))  # type: ignore[call-overload]
                found.extend(waiting)
            waiting = []
    return found


def _font_table(original: Any) -> Any:
    """A font's own table of characters, read only if its ranges stay within those that there are."""

    def parsed(self: Any, fp: Any, char2gid: dict[int, int]) -> None:
        at = fp.tell()
        size = sum(length for _, length in self.tables.values())
        data = fp.read(min(size, 4_000_000))
        if original.__name__.endswith("_4"):
            count = int.from_bytes(data[4:6], "big") // 2
            ends = [int.from_bytes(data[12 + 2 * i : 14 + 2 * i], "big") for i in range(count)]
            starts = [int.from_bytes(data[14 + 2 * (count + i) : 16 + 2 * (count + i)], "big") for i in range(count)]
            spend("objects", sum(max(0, end - start) for start, end in zip(starts, ends, strict=True)))
        elif original.__name__.endswith("_12"):
            count = int.from_bytes(data[10:14], "big")
            for i in range(min(count, len(data) // 12 + 1)):
                start = int.from_bytes(data[14 + 12 * i : 18 + 12 * i], "big")
                end = int.from_bytes(data[18 + 12 * i : 22 + 12 * i], "big")
                spend("objects", max(1, end - start))
        elif int.from_bytes(data[14:18], "big") > len(data):
            return
        fp.seek(at)
        original(self, fp, char2gid)

    return parsed


def _cmap_keyword(original: Any) -> Any:
    ends = (cmapdb.CMapParser.KEYWORD_ENDBFRANGE, cmapdb.CMapParser.KEYWORD_ENDCIDRANGE)

    def kept(self: Any, pos: int, token: Any) -> None:
        if token in ends:
            entries = self.curstack
            self.curstack = []
            for at in range(0, len(entries) - len(entries) % 3, 3):
                first, last = entries[at][1], entries[at + 1][1]
                if isinstance(first, bytes) and isinstance(last, bytes) and len(first) == len(last):
                    reach = int.from_bytes(last, "big") - int.from_bytes(first, "big")
                    if reach <= _WIDEST_RANGE:
                        spend("objects", max(1, reach))
                        self.curstack.extend(entries[at : at + 3])
        original(self, pos, token)

    return kept


def _object_ids(self: Any) -> Iterator[int]:
    for start, count in self.ranges:
        for i in range(min(count, len(self.data) // max(1, self.entlen) + 1)):
            entry = self.data[self.entlen * i : self.entlen * (i + 1)]
            if self.fl1 == 0 or int.from_bytes(entry[: self.fl1], "big") in (1, 2):
                spend("objects")
                yield start + i


# --- parsing --------------------------------------------------------------------------------------


def _fillbuf(original: Any) -> Any:
    def filled(self: Any) -> Any:
        if self.charpos < len(self.buf):
            return False
        if len(self._curtoken) > _LONGEST_WAIT:
            self._curtoken = self._curtoken[:1]
        found = original(self)
        spend("content" if isinstance(self, PDFContentParser) else "parsed", len(self.buf))
        return found

    return filled


def _next_line(self: Any) -> tuple[int, bytes]:
    """The next line with its end, as the original reads it, without copying what it has for every buffer."""
    start = self.bufpos + self.charpos
    spend("parsed", _A_LINE)
    parts: list[bytes] = []
    while True:
        self.fillbuf()
        found = psparser.EOL.search(self.buf, self.charpos)
        if found is None:
            parts.append(self.buf[self.charpos :])
            self.charpos = len(self.buf)
            continue
        parts.append(self.buf[self.charpos : found.end()])
        self.charpos = found.end()
        break
    if parts[-1].endswith(b"\r"):
        self.fillbuf()
        if self.buf[self.charpos : self.charpos + 1] == b"\n":
            parts.append(b"\n")
            self.charpos += 1
    return start, b"".join(parts)


def _last_lines(self: Any) -> Iterator[bytes]:
    """The lines of the file's end, the last one first."""
    size = self.fp.seek(0, 2)
    self.fp.seek(max(0, size - _TAIL))
    lines = self.fp.read(_TAIL).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    yield from reversed(lines)


def _short_token(original: Any) -> Any:
    def parsed(self: Any, s: bytes, i: int) -> Any:
        if len(self._curtoken) > _LONGEST_TOKEN:
            self._curtoken = self._curtoken[:1]
        return original(self, s, i)

    return parsed


def _start(original: Any) -> Any:
    def started(self: Any, pos: int, type: str) -> None:
        if len(self.context) > _DEEPEST:
            raise psparser.PSSyntaxError("nested too deep")
        spend("objects", 3)
        original(self, pos, type)

    return started


def _push(original: Any) -> Any:
    def pushed(self: Any, *objs: Any) -> None:
        spend("objects", len(objs))
        if len(self.curstack) > _MOST_ENTRIES:
            raise Exhausted("entries")
        original(self, *objs)

    return pushed


def _intern(original: Any) -> Any:
    """Names are kept for as long as the process runs: a file may add only so many."""
    known = original.__self__.dict

    def interned(name: Any) -> Any:
        if name not in known:
            spend("names")
        return original(name)

    return interned


def _skip_inline(self: Any, pos: int, target: bytes = b"EI") -> tuple[int, bytes]:
    """Passes over a picture's data, as the original reads it; pictures aren't looked at."""
    self.seek(pos)
    matched = 0
    while matched <= len(target):
        self.fillbuf()
        if not matched:
            found = self.buf.find(target[:1], self.charpos)
            self.charpos = found + 1 if found >= 0 else len(self.buf)
            matched = int(found >= 0)
            continue
        sign = self.buf[self.charpos : self.charpos + 1]
        self.charpos += 1
        ends = sign.isspace() if matched == len(target) else sign == target[matched : matched + 1]
        matched = matched + 1 if ends else 0
    return pos, b""
