"""Whether a draft is good enough to be given, and if not, what is missing."""

from __future__ import annotations

from dataclasses import dataclass

from kg.ask.drafts import Asking, Draft
from kg.model import Reason


@dataclass(frozen=True, slots=True)
class Verdict:
    """``reason`` is None when the draft may be given."""

    confidence: float
    reason: Reason | None = None
    what: str = ""
    hint: str = ""


def judge(asking: Asking, draft: Draft | None) -> Verdict:
    """The verdict on a draft."""
    unknown = asking.found.unknown_names
    if unknown:
        return Verdict(0.9, Reason.UNKNOWN_ENTITY, unknown[0].text, "")
    if draft is None:
        return Verdict(0.5, Reason.NO_EVIDENCE)
    return Verdict(0.5)
