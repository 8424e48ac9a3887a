"""How right a collected candidate is: what judge and verifier learn to tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Of a right yes or no whose quotation doesn't show it: to a reader hardly more than a guess. None at all would call
# what is said twice wrong, since evidence names one place only.
UNSHOWN = 0.25


def worth(line: Mapping[str, Any], candidate: Mapping[str, Any]) -> float:
    """0 to 1; a value that is right by itself is better than one whose quotation happens to hold the right one."""
    if line["type"] == "unanswerable":
        return 0.0
    right = 0.5 * candidate["right"] + 0.5 * candidate["exact"]
    if line["type"] == "boolean" and not candidate.get("quoted", True):
        right *= UNSHOWN
    return float(right)
