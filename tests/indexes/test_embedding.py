"""The encoder: whose company a vector keeps, which models it takes, what it never imports."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import ModelUnavailable
from kg.indexes import embedding
from kg.indexes.embedding import DESCRIPTION_FILE, MODEL_FILE, OnnxEncoder

ENCODER = OnnxEncoder()
TEXTS = [
    "",
    "Fog.",
    "The lamp of the lighthouse was lit at dusk.",
    "| Oven | Heat |\n|---|---|\n| Deck | 250 °C |",
    "Rye, wheat, spelt, barley, oats " * 5,
    "東京の灯台 Маяк\u00a0☃",
    "\ud800 half a pair",
    "comet " * 400,
]
VECTORS = {text: ENCODER.encode([text])[0].tobytes() for text in TEXTS}
FORBIDDEN = ("torch", "sentence_transformers", "transformers")


def python(code: str, **variables: str) -> str:
    env = {"PYTHONPATH": ":".join(p for p in sys.path if p), "PATH": "", **variables}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(TEXTS), max_size=10), st.integers(1, 3))
def test_a_vector_does_not_depend_on_company_place_or_workers(texts: list[str], workers: int) -> None:
    encoder = OnnxEncoder(workers=workers)
    encoder._runtime = ENCODER._ready()
    rows = encoder.encode(texts)
    assert rows.shape == (len(texts), 384) and rows.dtype == np.float32
    assert [row.tobytes() for row in rows] == [VECTORS[text] for text in texts]


def test_vectors_are_of_length_one() -> None:
    assert np.linalg.norm(ENCODER.encode(TEXTS).astype(np.float64), axis=1) == pytest.approx(1, abs=1e-6)


def test_meaning_is_near() -> None:
    rows = ENCODER.encode(["When was the lighthouse built?", "The tower was erected in 1811.", "Rye bread is dark."])
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2


def test_text_beyond_the_limit_is_cut() -> None:
    within = "comet " * 254  # one token each, and two special ones
    assert np.array_equal(ENCODER.encode([within]), ENCODER.encode([within + "bread " * 50]))
    assert not np.array_equal(ENCODER.encode(["comet " * 253]), ENCODER.encode(["comet " * 253 + "bread"]))


def test_parts_of_a_text_are_means_of_its_tokens() -> None:
    text = "Rye bread. The comet faded."
    whole, parts = ENCODER.encode_parts(text, [((0, 10),), ((11, 27),), ((0, 3), (11, 27)), ((10, 11),)])
    assert np.array_equal(whole, ENCODER.encode([text])[0])
    assert np.linalg.norm(parts, axis=1) == pytest.approx(1, abs=1e-6)
    assert np.array_equal(parts[3], whole)  # a space has no words
    bread, comet = ENCODER.encode(["rye bread", "a comet"])
    assert parts[0] @ bread > parts[1] @ bread + 0.2 and parts[1] @ comet > parts[0] @ comet + 0.2
    assert parts[2] @ bread > parts[1] @ bread


def test_parts_beyond_the_limit_are_read_after_the_head() -> None:
    sentences = [f"{what} number {n} was seen from the reef." for n in range(40) for what in ("Comet", "Rye loaf")]
    head = "Log of the keeper\n"
    starts = [len(head) + sum(len(s) + 1 for s in sentences[:n]) for n in range(len(sentences))]
    spans = [((0, len(head) - 1), (at, at + len(s))) for at, s in zip(starts, sentences, strict=True)]
    whole, parts = ENCODER.encode_parts(head + " ".join(sentences), spans, len(head))
    assert np.array_equal(whole, ENCODER.encode([head + " ".join(sentences)])[0])
    query = ENCODER.encode(["bread"])[0]
    assert all(loaf @ query > comet @ query for comet, loaf in zip(parts[::2], parts[1::2], strict=True))
    assert len({part.tobytes() for part in parts}) == len(parts)


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_any_parts_have_vectors(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([*TEXTS, "comet " * 300 + "reef", "x" * 3_000, "# " * 700]))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=8)))
    head = data.draw(st.integers(0, cuts[0]))
    spans = [((0, head), (start, end)) for start, end in itertools.pairwise(cuts)]
    whole, parts = ENCODER.encode_parts(text, spans, head)
    assert np.array_equal(whole, ENCODER.encode([text])[0])
    assert parts.shape == (len(spans), 384) and np.linalg.norm(parts, axis=1) == pytest.approx(1, abs=1e-6)


def test_one_text_is_not_a_sequence_of_texts() -> None:
    with pytest.raises(TypeError):
        ENCODER.encode("lamp")


def test_torch_is_never_imported_and_another_process_agrees() -> None:
    code = (
        "import sys; from kg.indexes.embedding import OnnxEncoder; from kg.indexes.faiss import DenseIndex;"
        "from kg.indexes.lexical import LexicalIndex; e = OnnxEncoder();"
        "print(e.encode(['Fog.'])[0].tobytes().hex(), e.model_hash);"
        "DenseIndex.build([('a', 'lamp')], e).search('lamp', 1);"
        f"print([m for m in {FORBIDDEN} if m in sys.modules])"
    )
    for threads in ("1", "2"):
        first, second = python(code, OMP_NUM_THREADS=threads).splitlines()
        assert first == f"{VECTORS['Fog.'].hex()} {ENCODER.model_hash}"
        assert second == "[]"


def copy_of_the_model(folder: Path) -> Path:
    """The packaged model, linked rather than copied but for its small files."""
    for path in sorted(ENCODER.folder.rglob("*")):
        target = folder / path.relative_to(ENCODER.folder)
        if path.is_dir():
            target.mkdir(parents=True)
        elif path.stat().st_size > 1_000_000:
            target.symlink_to(path)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    return folder


def test_only_the_publishers_files_are_taken_for_the_packaged_model(tmp_path: Path) -> None:
    folder = copy_of_the_model(tmp_path / "model")
    assert embedding.model_hash(folder, pinned=True) == ENCODER.model_hash
    tokenizer = folder / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(ModelUnavailable, match=r"tokenizer\.json .* isn't the publisher's") as caught:
        embedding.model_hash(folder, pinned=True)
    assert "[build] model" in caught.value.hint
    assert embedding.model_hash(folder) != ENCODER.model_hash
    shutil.copyfile(ENCODER.folder / "tokenizer.json", tokenizer)
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors").write_bytes(b"weights")
    with pytest.raises(ModelUnavailable, match=r"model\.safetensors"):
        embedding.model_hash(folder, pinned=True)


def test_the_hash_covers_what_defines_vectors_and_nothing_else(tmp_path: Path) -> None:
    folder = copy_of_the_model(tmp_path / "model")
    for harmless in ("README.md", "data_config.json"):
        (folder / harmless).write_text("changed", "utf-8")
    (folder / "pytorch_model.bin").write_bytes(b"the same weights in the unsafe form")
    assert embedding.model_hash(folder) == ENCODER.model_hash
    pooling = folder / "1_Pooling" / "config.json"
    pooling.write_text(pooling.read_text("utf-8").replace("false", "true", 1), "utf-8")
    assert embedding.model_hash(folder) != ENCODER.model_hash


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"modules\.json is missing"):
        OnnxEncoder(tmp_path)
    for bad in ("{", "[1]", "[{}]", '[{"path": "../elsewhere"}]'):
        (tmp_path / "modules.json").write_text(bad, "utf-8")
        with pytest.raises(ModelUnavailable, match=r"modules\.json"):
            OnnxEncoder(tmp_path)


def test_a_missing_package_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "PACKAGE", "no_such_package")
    with pytest.raises(ModelUnavailable, match="isn't installed") as caught:
        OnnxEncoder()
    assert "pip install" in caught.value.hint


def test_a_damaged_export_is_not_used(tmp_path: Path) -> None:
    whole = embedding.find_export(ENCODER.model_hash)
    assert whole is not None
    folder = shutil.copytree(whole[0], tmp_path / "export")
    assert embedding.read_export(folder) == whole[1]
    data = bytearray((folder / MODEL_FILE).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / MODEL_FILE).write_bytes(data)
    assert embedding.read_export(folder) is None
    (folder / MODEL_FILE).unlink()
    assert embedding.read_export(folder) is None
    shutil.copyfile(whole[0] / MODEL_FILE, folder / MODEL_FILE)
    description = json.loads((folder / DESCRIPTION_FILE).read_text("utf-8"))
    for damaged in ("", "[]", "{}", json.dumps({**description, "files": {}}), json.dumps({**description, "more": 1})):
        (folder / DESCRIPTION_FILE).write_text(damaged, "utf-8")
        assert embedding.read_export(folder) is None


def test_a_model_that_cannot_be_exported_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copy_of_the_model(tmp_path / "model")
    (folder / "config.json").write_text('{"model_type": "no-such-architecture"}', "utf-8")
    monkeypatch.setenv("KG_MODEL_CACHE", str(tmp_path / "cache"))
    encoder = OnnxEncoder(folder)
    with pytest.raises(ModelUnavailable, match=r"can't be exported: .*no-such-architecture"):
        encoder.encode(["lamp"])
    assert list((tmp_path / "cache").iterdir()) == []


def test_workers_follow_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert embedding.default_workers() == 3
    for odd in ("", "0", "all"):
        monkeypatch.setenv("OMP_NUM_THREADS", odd)
        assert embedding.default_workers() >= 1
