"""Front matter: a block of ``key: value`` lines at the head of a Markdown file."""

from __future__ import annotations

import re

_BLOCK = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)^(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r"([A-Za-z_][\w .-]*?)\s*[:=](?:[ \t]+(.*)|[ \t]*)$")
_LONGEST = 20_000


def find(text: str) -> tuple[int, int, tuple[tuple[str, str], ...]] | None:
    """(start, end) of the lines between the fences, and their entries; None without front matter.

    Reads top-level scalars and lists of scalars (joined by ", "), not the whole of YAML; nested
    mappings are skipped. A rule and prose below it are not front matter.
    """
    match = _BLOCK.match(text[:_LONGEST])
    if match is None:
        return None
    entries: dict[str, list[str]] = {}
    key = ""
    for line in match[2].split("\n"):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        entry = _ENTRY.match(line)
        if entry:
            key = entry[1].lower()
            entries.setdefault(key, []).extend(_values(entry[2] or ""))
        elif not key or not (line[0] in " \t" or line.startswith("- ")):
            return None
        elif line.lstrip().startswith("- ") or not _ENTRY.match(line.strip()):
            entries[key].extend(_values(line.strip().removeprefix("- ")))
    if not entries:
        return None
    return match.start(2), match.end(2), tuple((k, ", ".join(v)) for k, v in sorted(entries.items()) if v)


def _values(raw: str) -> list[str]:
    raw = raw.strip()
    if raw in (">", "|", ">-", "|-"):
        return []
    if raw.startswith("[") and raw.endswith("]"):
        return [value for part in raw[1:-1].split(",") if (value := _unquoted(part.strip()))]
    return [value] if (value := _unquoted(raw)) else []


def _unquoted(raw: str) -> str:
    if len(raw) >= 2 and raw[0] == raw[-1] and raw[0] in "\"'":
        return raw[1:-1]
    return raw
