"""Bytes to stored text: encoding, newlines, and what is refused before any reader looks at it.

Formats whose files are often older than UTF-8, HTML and CSV, may declare another encoding.
"""

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
    encoding = "utf-16" if data.startswith(_UTF16_MARKS) else "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "utf-8":
            _refuse_binary(data.decode("latin-1"), name)
        raise UnreadableDocument(
            f"{name} is not {encoding.upper()} text (byte {error.start})",
            "save it as UTF-8, for example: iconv -f WINDOWS-1252 -t UTF-8",
        ) from error
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    _refuse_binary(text, name)
    if not text.strip():
        raise UnreadableDocument(f"{name} holds nothing but blanks", "leave it out")
    return text


def content_hash(data: bytes) -> str:
    """SHA-256 of the source bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def _refuse_binary(text: str, name: str) -> None:
    """Raises UnreadableDocument. Control characters are the same bytes in all encodings but UTF-16."""
    if _BINARY.search(text):
        raise UnreadableDocument(
            f"{name} is not text: it holds control characters", "leave it out, or convert it to text first"
        )


_FALLBACK = "windows-1252"
# What the web calls by these names, as its Encoding Standard has it; others are taken by their own.
_MEANT = {"ascii": "cp1252", "us-ascii": "cp1252", "iso8859-1": "cp1252", "latin-1": "cp1252", "gb2312": "gb18030"}
_MEANT |= {"gbk": "gb18030", "shift_jis": "cp932", "x-sjis": "cp932", "iso8859-9": "cp1254", "tis-620": "cp874"}
_MEANT |= {"euc_kr": "cp949", "ks_c_5601-1987": "cp949", "macintosh": "mac-roman", "x-mac-cyrillic": "mac-cyrillic"}
_ALLOWED = ("cp125", "cp874", "cp932", "cp949", "iso8859", "koi8", "gb18030", "big5", "euc_jp", "mac-", "utf-8")


def decode_declared(data: bytes, name: str, declared: str = "") -> tuple[str, str]:
    """Text as :func:`kg.readers.decoding.decode` gives it, and the encoding if it isn't UTF-8 or UTF-16, else "".

    Tried in order: a byte order mark, UTF-8, the encoding ``declared`` in the file, Windows-1252.
    Raises UnreadableDocument.
    """
    try:
        data.decode("utf-8")
        return decode(data, name), ""
    except UnicodeDecodeError:
        if data.startswith((*_UTF16_MARKS, codecs.BOM_UTF8)):
            return decode(data, name), ""
    for encoding in filter(None, (_known(declared), _FALLBACK)):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return decode(text.encode("utf-8"), name), encoding
    _refuse_binary(data.decode("latin-1"), name)
    raise UnreadableDocument(
        f"{name} is neither UTF-8 nor Windows-1252 text", "save it as UTF-8, or declare its encoding"
    )


def _known(label: str) -> str:
    """Python's name of a declared encoding; "" for none, for unknown ones and for those that are no charsets."""
    label = label.strip().strip("\"'").lower()
    try:
        found = codecs.lookup(_MEANT.get(label, label)).name if label else ""
    except (LookupError, UnicodeError):
        return ""
    found = _MEANT.get(found, found)
    return found if found.startswith(_ALLOWED) else ""
