"""Times that questions and the heads of tables name: years, as "2019", "FY19", "2018/19"."""

from __future__ import annotations

import re

_SPACED = re.compile(r"\b([12]) ?(\d) ?(\d) ?(\d)\b")
_YEAR = re.compile(
    r"(?<![\w,.$€£-])(?P<short>(?:FY|CY|F|’|')\s?['’]?(?P<two>\d\d))(?![\d,.]\d|\d)"
    r"|(?:(?<![\d,.$€£])|(?<=(?:19|20)\d\d,))(?:FY|CY|F)?\s?(?P<full>(?:19|20)\d\d)(?:\s?[/–-]\s?(?P<end>\d\d))?"
    r"(?!\d|\.\d|,\d(?!\d{3}\b)|%)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"(?:FY\s?)?(?P<a>(?:19|20)\d\d)\s*(?:-|–|—|to|through|until|till)\s*(?:the\s+)?(?:fiscal\s+|year\s+|FY\s?)*"
    r"(?P<b>(?:19|20)\d\d)",
    re.IGNORECASE,
)


def unspaced(text: str) -> str:
    """Text whose years are written in one piece ("2 0 1 9"), as the cells of scanned tables don't always."""
    return _SPACED.sub(lambda m: "".join(m.groups()), text)


def years(text: str) -> tuple[int, ...]:
    """The years that a text names, each once, in order; of one that spans two (2018/19) the one it ends in.

    >>> years("from FY18 to fiscal 2019")
    (2018, 2019)
    """
    found = []
    for m in _YEAR.finditer(unspaced(text)):
        if m["full"]:
            year = int(m["full"])
            ends = m["end"] and int(m["end"]) == (year + 1) % 100
            found.append(year + 1 if ends else year)
        else:
            found.append(2000 + int(m["two"]) if int(m["two"]) < 60 else 1900 + int(m["two"]))
    return tuple(dict.fromkeys(found))


def span_of_years(text: str) -> tuple[int, ...]:
    """All years from the first to the last of a range that a text writes ("2017 to 2019"); none without one."""
    found = _RANGE.search(unspaced(text))
    if found is None:
        return ()
    first, last = sorted((int(found["a"]), int(found["b"])))
    return tuple(range(first, last + 1)) if last - first <= 30 else ()


def without_years(text: str) -> str:
    """Text with its years left out."""
    return _YEAR.sub(" ", unspaced(text))
