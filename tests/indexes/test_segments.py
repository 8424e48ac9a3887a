"""Segments of the indexes: what they hold, that they come together as one, what the model's kind changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kg import versions
from kg.errors import CorruptKnowledgeBase
from kg.indexes import segments
from kg.indexes.embedding import OnnxEncoder
from kg.indexes.lexical import LexicalIndex
from kg.indexes.segments import Indexes, build_each, build_indexes, merge, of_bytes, to_bytes
from kg.indexes.texts import passage_entries, unit_entries
from kg.knowledge_base import KnowledgeBase
from kg.model import Passage
from kg.readers import read
from kg.settings import Settings
from kg.text.passages import split

ENCODER = OnnxEncoder()
SETTINGS = Settings(build={"ontology": ()})
TEXTS = {
    "reef.md": "# Reef light\n\nThe lamp was lit in 1811. It burned oil.\n\n## Keepers\n\n- Ada Byron\n- Tom Reed\n",
    "bakery.md": "# Bakery\n\n| Bread | Price |\n|---|---|\n| Rye | 3 |\n| Spelt | 4 |\n\nIt opens at five.\n",
    "long.md": "# Long\n\n" + "\n\n".join(f"Comet {n} was seen over the reef in {1800 + n}." for n in range(90)) + "\n",
}


def passages(name: str) -> tuple[Passage, ...]:
    return split(read(TEXTS[name].encode(), name), name)


ALL = {name: passages(name) for name in TEXTS}
SEGMENTS = dict(build_each(ALL.items(), ENCODER))


def test_vectors_of_passages_are_those_of_their_text() -> None:
    for name, found in ALL.items():
        for passage in found:
            ((id_, text),) = passage_entries(passage)
            assert np.abs(SEGMENTS[name].passages.vector(id_) - ENCODER.encode([text])[0]).max() <= 2**-21


def test_units_are_indexed_as_they_stand_in_their_passage() -> None:
    for name, found in ALL.items():
        entries = [entry for passage in found for entry in unit_entries(passage)]
        units = SEGMENTS[name].units
        assert set(units.ids) == {id_ for id_, _ in entries} == set(SEGMENTS[name].units_lexical.ids)
        alone = ENCODER.encode([text for _, text in entries])
        cosines = [float(units.vector(id_) @ vector) for (id_, _), vector in zip(entries, alone, strict=True)]
        assert np.mean(cosines) > 0.7
    reef = SEGMENTS["reef.md"].units.search("When was the light lit?", 5)
    assert [text for id_, text in unit_entries(ALL["reef.md"][0]) if id_ == reef[0].id] == [
        "Reef light: The lamp was lit in 1811."
    ]


def test_segments_come_together_as_one_in_any_order() -> None:
    whole = build_indexes([p for found in ALL.values() for p in found], ENCODER)
    for order in (list(SEGMENTS), list(SEGMENTS)[::-1]):
        assert to_bytes(merge((SEGMENTS[name] for name in order), ENCODER)) == to_bytes(whole)
    assert to_bytes(dict(build_each(reversed(ALL.items()), ENCODER))["long.md"]) == to_bytes(SEGMENTS["long.md"])


def test_saved_is_loaded() -> None:
    for segment in SEGMENTS.values():
        data = to_bytes(segment)
        loaded = of_bytes(data, ENCODER)
        assert to_bytes(loaded) == data
        assert loaded.units.search("the reef", 9) == segment.units.search("the reef", 9)
    for damaged in (b"", data[:-1], data[:40], to_bytes_without(segment, "units.vectors")):
        with pytest.raises(CorruptKnowledgeBase):
            of_bytes(damaged, ENCODER)


def to_bytes_without(segment: Indexes, name: str) -> bytes:
    from kg.indexes import arrays

    return arrays.to_bytes({n: a for n, a in arrays.of_bytes(to_bytes(segment)).items() if n != name})


def test_nothing_makes_an_empty_index() -> None:
    for empty in (build_indexes((), ENCODER), merge((), ENCODER)):
        assert len(empty.passages) == len(empty.units_lexical) == 0
        assert to_bytes(of_bytes(to_bytes(empty), ENCODER)) == to_bytes(empty)


def test_where_the_model_pools_otherwise_units_are_embedded_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OnnxEncoder, "pools", False)
    indexes = build_indexes(ALL["bakery.md"], ENCODER)
    entries = [entry for passage in ALL["bakery.md"] for entry in unit_entries(passage)]
    assert list(indexes.units.ids) == sorted(id_ for id_, _ in entries)
    for id_, text in entries:
        assert np.array_equal(indexes.units.vector(id_), ENCODER.encode([text])[0].astype(np.float16))
    assert LexicalIndex.build(entries).search("rye", 3) == indexes.units_lexical.search("rye", 3)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that are embedded from now on."""
    asked: list[str] = []
    real = OnnxEncoder.encode_parts

    def encode_parts(self: OnnxEncoder, text: str, *rest: Any) -> Any:
        asked.append(text)
        return real(self, text, *rest)

    monkeypatch.setattr(OnnxEncoder, "encode_parts", encode_parts)
    return asked


def files(kb: KnowledgeBase) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (kb.path / segments.FOLDER).iterdir()}


def test_a_build_embeds_what_changed_and_ends_as_one_from_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = KnowledgeBase.create(tmp_path / "kb", SETTINGS)
    for name in ("bakery.md", "reef.md"):
        kb.put(TEXTS[name].encode(), name)
    asked = counted(monkeypatch)
    kb.put(TEXTS["long.md"].encode(), "long.md")
    assert sorted(asked) == sorted(text for passage in ALL["long.md"] for _, text in passage_entries(passage))
    asked.clear()
    kb.put(TEXTS["long.md"].encode(), "long.md")
    kb.remove(["bakery.md"])
    assert asked == []
    other = KnowledgeBase.create(tmp_path / "other", SETTINGS)
    other.change([(name, TEXTS[name].encode()) for name in ("long.md", "reef.md")])
    assert files(kb) == files(other)
    assert kb.snapshot.manifest.documents == other.snapshot.manifest.documents
    assert kb.search("comet", 9) == other.search("comet", 9)


def test_what_a_stopped_build_embedded_is_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kb = KnowledgeBase.create(tmp_path, SETTINGS)

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("kg.storage.Folder.switch", stopped)
        kb.put(TEXTS["reef.md"].encode(), "reef.md")
    asked = counted(monkeypatch)
    kb.put(TEXTS["reef.md"].encode(), "reef.md")
    assert asked == [] and [hit.passage.document for hit in kb.search("lamp", 1)] == ["reef.md"]


def test_another_version_another_model_or_a_damaged_file_is_indexed_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = KnowledgeBase.create(tmp_path, SETTINGS)
    kb.change([(name, TEXTS[name].encode()) for name in ("bakery.md", "reef.md")])
    before, asked = files(kb), counted(monkeypatch)
    reef = tmp_path / segments.FOLDER / f"{kb.snapshot.manifest.documents['reef.md'].segment}{segments.SUFFIX}"
    reef.write_bytes(reef.read_bytes()[:-1])
    assert [problem.partition(":")[0] for problem in kb.check().problems] == ["reef.md"]
    assert kb.search("When was the lamp lit?", 1)[0].passage.document == "reef.md"
    asked.clear()
    kb.put(TEXTS["bakery.md"].encode(), "bakery.md")  # of other documents nobody asked
    assert asked == [] and files(kb) != before
    kb.put(TEXTS["reef.md"].encode(), "reef.md")
    assert len(asked) == len(ALL["reef.md"]) and files(kb) == before
    asked.clear()
    monkeypatch.setattr(versions, "INDEX", "another")
    kb.put(TEXTS["bakery.md"].encode(), "bakery.md")
    assert len(asked) == len(ALL["reef.md"]) + len(ALL["bakery.md"])
    assert {name.partition("-")[2] for name in files(kb)} == {name.partition("-")[2] for name in before}
    assert not files(kb).keys() & before.keys()
    assert segments.key("record", "one model") != segments.key("record", "another")
