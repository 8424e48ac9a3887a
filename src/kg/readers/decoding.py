"""Bytes to stored text: encoding, newlines, and what is refused before any reader looks at it."""

from __future__ import annotations

import codecs
import hashlib
import re

from kg.errors import UnreadableDocument

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# What text files never hold; tab, newline, form feed and escape (of terminal logs) do occur in them.
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def decode(data: bytes, name: str) -> str:
    """Text of a file: UTF-8, or UTF-16 with a byte order mark; the mark dropped, newlines as "\\n".

    Raises UnreadableDocument for other encodings, binary data, and text that is empty or blank.
    """
    if not data:
        raise UnreadableDocument(f"{name} is empty", "leave it out")
    text = _decoded(data, name)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if _BINARY.search(text):
        raise UnreadableDocument(f"{name} is not text: it holds control characters", "convert it to text first")
    if not text.strip():
        raise UnreadableDocument(f"{name} holds nothing but blanks", "leave it out")
    return text


def content_hash(data: bytes) -> str:
    """SHA-256 of the source bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def _decoded(data: bytes, name: str) -> str:
    encoding = "utf-16" if data.startswith(_UTF16_MARKS) else "utf-8"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnreadableDocument(
            f"{name} is not {encoding.upper()} text (byte {error.start})",
            "save it as UTF-8, for example: iconv -f WINDOWS-1252 -t UTF-8",
        ) from error
