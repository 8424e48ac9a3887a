"""What people upload: names that harm nobody, and what became of the files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from kg.errors import BadInput, UnreadableDocument
from kg.readers import suffixes
from kg.reports import BuildReport, Failure

_MOST_BYTES, _MOST_PARTS, _MOST_NAME = 255, 16, 1000
# Names that Windows gives to devices, with any suffix.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"|?*\\]')


class BadName(BadInput):
    """A document's name that could mean another place, or nothing at all."""

    slug = "bad-document-name"


def document_name(name: str) -> str:
    """The name, if it is a relative path that is harmless on every system. Raises BadName, UnreadableDocument.

    It is never used as a path here – files are kept under their hash –, but people's tools may.
    """
    _check(bool(name), "it is empty")
    _check(len(name.encode("utf-8", "surrogatepass")) <= _MOST_NAME, f"it has more than {_MOST_NAME} bytes")
    odd = next((c for c in name if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")), "")
    _check(not odd, f"it holds the character U+{ord(odd or 'x'):04X}")
    _check(not name.startswith("/"), "it is absolute")
    _check(not _FORBIDDEN.search(name), "it holds a backslash or another character that is no part of a file's name")
    parts = name.split("/")
    _check(len(parts) <= _MOST_PARTS, f"it has more than {_MOST_PARTS} parts")
    for part in parts:
        _check(bool(part), "one of its parts is empty")
        _check(part.strip(".") != "", "it points to a folder above")
        _check(
            part == part.strip() and not part.endswith("."), "a part begins or ends with a space, or ends with a dot"
        )
        _check(len(part.encode()) <= _MOST_BYTES, f"a part has more than {_MOST_BYTES} bytes")
        _check(not _DEVICES.fullmatch(part), f"{part} is reserved")
    if not parts[-1].lower().endswith(suffixes()):
        raise UnreadableDocument(f"no reader for {name}", f"known suffixes: {', '.join(suffixes())}")
    return name


def _check(fine: bool, reason: str) -> None:
    if not fine:
        raise BadName(
            f"the document's name can't be used: {reason}", "use a plain relative path such as reports/2024.md"
        )


class NothingRead(UnreadableDocument):
    """An upload of which no document could be read; ``failed`` says why of each."""

    def __init__(self, failed: Sequence[Failure]) -> None:
        first = failed[0]
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        super().__init__(first.message + more, first.hint)
        self.failed = failed


def read_something(report: BuildReport) -> BuildReport:
    """The report, unless all that was sent failed. Raises NothingRead."""
    if report.failed and not (report.added or report.changed or report.unchanged or report.removed):
        raise NothingRead(report.failed)
    return report
