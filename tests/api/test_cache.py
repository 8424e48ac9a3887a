"""Results that are kept: only of the same generation, bounded, and never of what differs each time."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kg.api.sandbox import Cache


@dataclass(frozen=True)
class Result:
    body: bytes


def test_a_result_belongs_to_its_generation() -> None:
    cache: Cache = Cache(1600)
    first, second = object(), object()
    cache.put(first, ("ASK {}", "JSON"), "ASK {}", Result(b"one"))
    assert cache.get(first, ("ASK {}", "JSON")) == Result(b"one")
    assert cache.get(first, ("ASK {}", "XML")) is None
    assert cache.get(second, ("ASK {}", "JSON")) is None
    cache.put(second, ("ASK {}", "JSON"), "ASK {}", Result(b"two"))
    assert cache.get(first, ("ASK {}", "JSON")) is None
    assert cache.get(second, ("ASK {}", "JSON")) == Result(b"two")


@pytest.mark.parametrize(
    "query", ["SELECT (NOW() AS ?n) {}", "SELECT (rand() AS ?n) {}", "SELECT (\\u004eOW() AS ?n) {}"]
)
def test_what_differs_each_time_is_not_kept(query: str) -> None:
    cache: Cache = Cache(1600)
    cache.put(cache, (query,), query, Result(b"x"))
    assert cache.get(cache, (query,)) is None


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 90)), max_size=60))
def test_it_never_holds_more_than_it_may(asked: list[tuple[str, int]]) -> None:
    cache: Cache = Cache(1000)
    last: dict[str, bytes] = {}
    for name, size in asked:
        cache.put(cache, (name,), name, Result(b"x" * size))
        if size < 62:
            last[name] = b"x" * size
        held = sum(len(result.body) + 1 for result, _ in cache._results.values())
        assert held == cache._held <= 1000
    for name, body in last.items():
        assert cache.get(cache, (name,)) in (None, Result(body))
