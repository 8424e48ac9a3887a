"""Text in encodings other than UTF-8, for formats whose files are often older than that: HTML and CSV."""

from __future__ import annotations

import codecs

from kg.errors import UnreadableDocument
from kg.readers.decoding import decode

__all__ = ["decode_declared"]

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
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF8)):
            return decode(data, name), ""
    for encoding in dict.fromkeys((_known(declared), _FALLBACK)):
        try:
            text = data.decode(encoding) if encoding else None
        except UnicodeDecodeError:
            continue
        if text is not None:
            return decode(text.encode("utf-8"), name), encoding
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
