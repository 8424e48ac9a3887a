"""Tokens and BM25 scores, against brute force."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import CorruptKnowledgeBase
from kg.indexes.lexical import FILE, K1, STOP_WORDS, B, LexicalIndex, tokenize

ENTRIES = [
    ("p1", "The lamp of the lighthouse was lit in 1811; the lamp burned colza oil."),
    ("p2", "The bakery's ovens burn 1,250 kg of beech a week."),
    ("p3", "A comet was seen from the lighthouse."),
    ("p4", "Of the and."),
]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The GPT-4 runs on 10,000 A100s", ["gpt4", "gpt", "4", "run", "10000", "a100"]),
        ("3.5 and 1,234,567.89", ["3.5", "1234567.89"]),
        ("~20,000-25,000", ["20000", "25000"]),
        ("20-25 or 2019–2021", ["20", "25", "2019", "2021"]),
        ("$1.5bn", ["1.5bn", "1.5", "bn"]),
        ("C++ and C#", ["c++", "c#"]),
        ("Smith & Sons, R&D", ["smith", "son", "r&d", "r", "d"]),
        ("Ada's lamps don't burn", ["ada", "lamp", "burn"]),
        ("Ada’s O’Brien", ["ada", "obrien", "o", "brien"]),
        ("Malmö naïve", ["malmo", "naiv"]),
        ("Λάμπα 東京", ["λαμπα", "東京"]),
        ("v1.2.3", ["v1.2.3"]),
        ("soft\u00adened", ["soften"]),
        ("the of and", []),
        (" \n|--|**", []),
        ("", []),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GPT-4", "GPT4"),
        ("GPT-4", "gpt‑4"),
        ("GPUs", "GPU"),
        ("LLMs", "llm"),
        ("H100s", "H100"),
        ("10,000", "10000"),
        ("U.S.", "US"),
        ("baking", "bakes"),
        ("ﬁre", "fire"),
        ("1990s", "1990"),
    ],
)
def test_forms_that_meet(one: str, other: str) -> None:
    assert set(tokenize(one)) & set(tokenize(other))


@pytest.mark.parametrize(
    ("one", "other"), [("A100", "100"), ("20-25", "2025"), ("1,250", "1"), ("3.5", "35"), ("bus", "bu")]
)
def test_forms_that_do_not_meet(one: str, other: str) -> None:
    assert not set(tokenize(one)) & set(tokenize(other))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_tokenizing_is_by_words(one: str, other: str) -> None:
    assert tokenize(f"{one} | {other}") == tokenize(one) + tokenize(other)
    assert all(token and not token.isspace() for token in tokenize(one))


def test_no_stop_word_survives_alone() -> None:
    assert [word for word in STOP_WORDS if tokenize(word)] == []


def brute_force(entries: list[tuple[str, str]], query: str) -> dict[str, float]:
    """BM25 as Lucene defines it, straight from the formula."""
    counts = {id_: Counter(tokenize(text)) for id_, text in entries}
    mean = sum(c.total() for c in counts.values()) / len(counts)
    scores = {}
    for id_, count in counts.items():
        score = 0.0
        for token in tokenize(query):
            n = sum(token in c for c in counts.values())
            idf = math.log(1 + (len(counts) - n + 0.5) / (n + 0.5))
            score += idf * count[token] / (count[token] + K1 * (1 - B + B * count.total() / mean)) if n else 0.0
        if score > 0:
            scores[id_] = score
    return scores


WORDS = ("lamp", "lamps", "oil", "comet", "oven", "ovens", "bread", "10,000", "GPT-4", "the", "reef", "signal")
words = st.sampled_from(WORDS)
texts = st.lists(words, max_size=12).map(" ".join)


@settings(max_examples=100, deadline=None)
@given(st.lists(texts, min_size=1, max_size=8), texts)
def test_scores_are_bm25(found: list[str], query: str) -> None:
    entries = [(f"e{i}", text) for i, text in enumerate(found)]
    expected = brute_force(entries, query)
    hits = LexicalIndex.build(entries).search(query, 100)
    assert {hit.id for hit in hits} == expected.keys()
    for hit in hits:
        assert hit.score == pytest.approx(expected[hit.id], abs=2e-5)
    assert list(hits) == sorted(hits, key=lambda hit: (-hit.score, hit.id))


def test_idf() -> None:
    index = LexicalIndex.build(ENTRIES)
    assert index.idf("lighthous") == pytest.approx(math.log(1 + 2.5 / 2.5))
    assert index.idf("atlantis") == pytest.approx(math.log(1 + 4.5 / 0.5))


def test_order_of_words_and_stop_words_change_nothing() -> None:
    index = LexicalIndex.build(ENTRIES)
    assert index.search("what lit the lamp of the lighthouse?", 5) == index.search("lighthouse lamp lit", 5)
    assert index.search("who is it?", 5) == ()


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    LexicalIndex.build(ENTRIES).save(tmp_path)
    sound = (tmp_path / FILE).read_bytes()
    for damaged in (b"", sound[:-3], sound[: len(sound) // 2], b"[]"):
        (tmp_path / FILE).write_bytes(damaged)
        with pytest.raises(CorruptKnowledgeBase):
            LexicalIndex.load(tmp_path)
    (tmp_path / FILE).unlink()
    with pytest.raises(CorruptKnowledgeBase):
        LexicalIndex.load(tmp_path)


def test_parts_that_do_not_fit_are_refused() -> None:
    sound, other = LexicalIndex.build(ENTRIES).arrays(), LexicalIndex.build(ENTRIES[:2]).arrays()
    for name in sound:
        with pytest.raises(CorruptKnowledgeBase):
            LexicalIndex.of_arrays({**sound, name: other[name]})
        with pytest.raises(CorruptKnowledgeBase):
            LexicalIndex.of_arrays({n: array for n, array in sound.items() if n != name})
    for name in ("rows", "counts", "lengths"):
        with pytest.raises(CorruptKnowledgeBase):
            LexicalIndex.of_arrays({**sound, name: -sound[name] - 1})
    assert LexicalIndex.of_arrays(sound).search("lamp", 1)[0].id == "p1"
