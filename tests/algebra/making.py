"""Small tables, and strategies for tables and forms."""

from __future__ import annotations

from hypothesis import strategies as st

from kg.algebra.forms import Beside, Both, Either, Every, Extreme, Nth, Rows, Side, Where, Without
from kg.algebra.source import Table, read, table

LIGHTS = table(
    ["Light", "Built", "Height (m)", "County", "Keeper"],
    [
        ["Corran", "1901", "18", "Argyll", "Ada Wren"],
        ["Skerry", "1844", "48", "Argyll", "Tom Flint"],
        ["Northness", "1870", "27", "Orkney", "Ada Wren"],
        ["Holm", "1925", "12", "Orkney", "–"],
        ["Sandaig", "1910", "48", "Skye", "Iris Vane"],
    ],
)


def tables() -> st.SearchStrategy[Table]:
    """Tables of a name, a number (or none) and a kind."""
    row = st.tuples(
        st.sampled_from(["ash", "birch", "cedar", "oak", "yew", "larch"]),
        st.one_of(st.integers(-50, 5000).map(str), st.just("–")),
        st.sampled_from(["red", "green", "blue", ""]),
    )
    rows = st.lists(row, min_size=1, max_size=9)
    return rows.map(lambda found: table(["Tree", "Number", "Colour"], [list(r) for r in found]))


def sets() -> st.SearchStrategy[Rows]:
    """Sets of rows over such tables."""
    filters = st.one_of(
        st.just(Every()),
        st.sampled_from(["red", "green", "blue"]).map(lambda c: Where(2, "=", read(c))),
        st.sampled_from(["ash", "oak", "yew"]).map(lambda t: Where(0, "=", read(t))),
        st.tuples(st.sampled_from([">", ">=", "<", "<=", "="]), st.integers(-10, 3000)).map(
            lambda pair: Where(1, pair[0], read(str(pair[1])).number)
        ),
    )
    return st.recursive(
        filters,
        lambda inner: st.one_of(
            st.builds(Both, inner, inner),
            st.builds(Either, inner, inner),
            st.builds(Without, inner, inner),
            st.builds(Nth, inner, st.sampled_from([1, 2, -1])),
            st.builds(Beside, inner, st.sampled_from([1, -1])),
            st.builds(Side, inner, st.booleans()),
            st.builds(Extreme, inner, st.just(1), st.booleans(), st.integers(1, 4)),
        ),
        max_leaves=5,
    )
