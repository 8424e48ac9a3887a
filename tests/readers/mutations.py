"""Damaged files: bit flips, cuts, stretches lost, repeated or overwritten."""

from __future__ import annotations

from hypothesis import strategies as st

from kg.errors import UnreadableDocument
from kg.readers import read
from tests.readers.invariants import check

_CHANGES = ("flip", "cut", "drop", "repeat", "fill")


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """The bytes with one to eight things done to them."""
    found = bytearray(data)
    for _ in range(draw(st.integers(1, 8))):
        if not found:
            break
        at = draw(st.integers(0, len(found) - 1))
        length = draw(st.integers(1, 60))
        change = draw(st.sampled_from(_CHANGES))
        if change == "flip":
            found[at] ^= 1 << draw(st.integers(0, 7))
        elif change == "cut":
            del found[at:]
        elif change == "drop":
            del found[at : at + length]
        elif change == "repeat":
            found[at:at] = found[at : at + length] * draw(st.integers(1, 20))
        else:
            found[at : at + length] = draw(st.binary(min_size=1, max_size=60))
    return bytes(found)


def survives(data: bytes, name: str) -> bool:
    """Whether a damaged file is still read; refused in one sentence with a hint if not, and nothing else happens."""
    try:
        document = read(data, name)
    except UnreadableDocument as error:
        assert name in error.message and "\n" not in error.message and error.hint
        return False
    check(document)
    return True
