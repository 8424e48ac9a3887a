"""Exports against sentence-transformers itself. This is where the tests import torch."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kg.errors import ModelUnavailable
from kg.indexes import embedding, export_model
from kg.indexes.embedding import DESCRIPTION_FILE, FORMAT, MODEL_FILE, TOKENIZER_FILE, OnnxEncoder

NOUNS = (
    "lighthouse",
    "bakery",
    "comet",
    "telescope",
    "Skerryvore",
    "oven",
    "the 1.2 m mirror",
    "GPT-4",
    "café",
    "$3.5bn",
)
VERBS = ("lights", "was built in 1811 by", "is heavier than", "bakes", "observed", "doesn't own", "≈", "→")


def varied_texts() -> list[str]:
    """Sentences, fragments, tables, other scripts, odd spaces, from nothing to far beyond the model's limit."""
    chance = random.Random(11)
    sentences = [f"{chance.choice(NOUNS)} {chance.choice(VERBS)} {chance.choice(NOUNS)}" for _ in range(100)]
    joined = [". ".join(chance.choices(sentences, k=chance.choice((2, 4, 8, 16, 64)))) for _ in range(90)]
    odd = [
        "",
        " ",
        "a",
        "  both ends  ",
        "\n\n# Heading\n\n- item\n",
        "ALL CAPS",
        "東京の灯台",
        "Маяк на скале",
        "☃🕯️",
        "e\u0301",
    ]
    return [*sentences, *joined, *odd, *(f"| {n} | {i:,} kg |" for i, n in enumerate(NOUNS))]


def reference(folder: Path) -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def test_vectors_equal_sentence_transformers() -> None:
    texts = varied_texts()[::3]
    assert len(texts) >= 65
    encoder = OnnxEncoder()
    expected = reference(encoder.folder).encode(texts, show_progress_bar=False)
    assert float(np.abs(encoder.encode(texts) - expected).max()) < 1e-3


def tiny_model(folder: Path, pooling: str, architecture: str = "bert", normalise: bool = True, **more: Any) -> Path:
    """A small model of random weights with the packaged model's tokeniser, in sentence-transformers' layout."""
    import torch
    from sentence_transformers import SentenceTransformer, models
    from transformers import BertConfig, BertModel, DistilBertConfig, DistilBertModel, PreTrainedTokenizerFast

    torch.manual_seed(5)
    words = folder / "words"
    if architecture == "bert":
        bert = BertConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=48)
        BertModel(bert).save_pretrained(words)
    else:
        distil = DistilBertConfig(dim=32, n_layers=2, n_heads=2, hidden_dim=48)
        DistilBertModel(distil).save_pretrained(words)
    inputs = ["input_ids", "attention_mask"] + (["token_type_ids"] if architecture == "bert" else [])
    PreTrainedTokenizerFast(
        tokenizer_file=str(embedding.model_folder() / "tokenizer.json"),
        pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]", unk_token="[UNK]", mask_token="[MASK]",
        model_input_names=inputs,
    ).save_pretrained(words)  # fmt: skip
    transformer = models.Transformer(str(words), max_seq_length=40)
    modules: list[Any] = [transformer, models.Pooling(32, pooling_mode=pooling)]
    modules += [models.Dense(32, 12)] if more.pop("dense", False) else []
    modules += [models.Normalize()] if normalise else []
    SentenceTransformer(modules=modules, device="cpu", **more).save(str(folder / "model"))
    return folder / "model"


@pytest.mark.parametrize(
    ("pooling", "architecture", "options"),
    [
        ("cls", "bert", {}),
        ("mean_sqrt_len_tokens", "bert", {"normalise": False}),
        pytest.param("max", "distilbert", {}, marks=pytest.mark.long),
        pytest.param("weightedmean", "bert", {}, marks=pytest.mark.long),
        pytest.param("lasttoken", "distilbert", {}, marks=pytest.mark.long),
        pytest.param("mean", "bert", {"dense": True}, marks=pytest.mark.long),
        ("mean", "distilbert", {"prompts": {"any": "passage: "}, "default_prompt_name": "any"}),
    ],
)
def test_any_model_is_exported_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pooling: str, architecture: str, options: dict[str, Any]
) -> None:
    monkeypatch.setenv("KG_MODEL_CACHE", str(tmp_path / "cache"))
    folder = tiny_model(tmp_path, pooling, architecture, **options)
    encoder = OnnxEncoder(folder)
    export_model.export_into_cache(folder, encoder.model_hash)
    texts = varied_texts()[::10]
    expected = reference(folder).encode(texts, show_progress_bar=False)
    expected = expected / np.linalg.norm(expected, axis=1, keepdims=True)
    assert float(np.abs(encoder.encode(texts) - expected).max()) < 1e-5
    # Only then have parts of a text vectors of the same kind.
    assert encoder.pools == (pooling in ("mean", "mean_sqrt_len_tokens") and "dense" not in options)


def test_an_export_is_the_same_bytes_again_and_names_no_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tiny_model(tmp_path, "mean")
    moved = shutil.copytree(folder, tmp_path / "moved")
    contents = []
    for place, source in (("one", folder), ("two", moved)):
        monkeypatch.setenv("KG_MODEL_CACHE", str(tmp_path / place))
        assert export_model.main(["--model", str(source)]) == 0
        export = Path(capsys.readouterr().out.strip())
        assert export == tmp_path / place / f"{embedding.model_hash(source)}-{FORMAT}"
        assert [path.name for path in (tmp_path / place).iterdir()] == [export.name]
        contents.append({path.name: path.read_bytes() for path in export.iterdir()})
    assert contents[0] == contents[1]
    assert contents[0].keys() == {MODEL_FILE, TOKENIZER_FILE, DESCRIPTION_FILE}
    for content in contents[0].values():
        assert str(tmp_path).encode() not in content and b"site-packages" not in content


def test_the_encoder_exports_in_its_own_process_and_mends_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KG_MODEL_CACHE", str(tmp_path / "cache"))
    folder = tiny_model(tmp_path, "mean")
    export = export_model.export_into_cache(folder, embedding.model_hash(folder))
    first = OnnxEncoder(folder).encode(["lamp"])
    (export / MODEL_FILE).write_bytes(b"damaged")
    assert embedding.read_export(export) is None
    assert np.array_equal(OnnxEncoder(folder).encode(["lamp"]), first)
    description = embedding.read_export(export)
    assert description is not None
    assert np.array_equal(embedding.Runtime(export, description).vector("lamp"), first[0])


def test_what_cannot_be_exported_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export_model.main(["--model", str(tmp_path)]) == 1
    assert "modules.json is missing" in capsys.readouterr().err
    folder = tiny_model(tmp_path, "mean")
    (tmp_path / "file").write_text("not a folder", "utf-8")
    monkeypatch.setenv("KG_MODEL_CACHE", str(tmp_path / "file"))
    with pytest.raises(ModelUnavailable, match="can be written"):
        export_model.export_into_cache(folder, "0")
    monkeypatch.setenv("KG_MODEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(export_model, "TOLERANCE", -1.0)
    with pytest.raises(ModelUnavailable, match="differ from the original's"):
        export_model.export_into_cache(folder, "0")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_prompt_left_out_of_pooling_is_refused(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path, "mean", prompts={"any": "passage: "}, default_prompt_name="any")
    pooling = folder / "1_Pooling" / "config.json"
    pooling.write_text(json.dumps({**json.loads(pooling.read_text("utf-8")), "include_prompt": False}), "utf-8")
    (tmp_path / "target").mkdir()
    with pytest.raises(ModelUnavailable, match="prompt"):
        export_model.export(folder, "0", tmp_path / "target")


def test_of_two_exports_at_once_the_first_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KG_MODEL_CACHE", str(tmp_path / "cache"))
    final = export_model.export_into_cache(folder := tiny_model(tmp_path, "mean"), embedding.model_hash(folder))
    late = shutil.copytree(final, tmp_path / "late")
    before = (final / MODEL_FILE).stat().st_ino
    assert export_model._put(late, final) == final
    assert (final / MODEL_FILE).stat().st_ino == before
