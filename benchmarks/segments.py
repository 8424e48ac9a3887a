"""Segments of the indexes beside embedding their passages alone, and how fast the encoder computes.

    python benchmarks/segments.py build DIR [--documents 25]     processor time of both, by turns
    python benchmarks/segments.py open KB                        putting the segments of a knowledge base together
    python benchmarks/segments.py speed                          the encoder beside a matrix product of ONNX Runtime

One line of JSON for each figure. Last figures: encoder.md.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kg.indexes.embedding import OnnxEncoder
from kg.indexes.segments import build_each, to_bytes
from kg.indexes.texts import passage_entries
from kg.knowledge_base import KnowledgeBase
from kg.namespaces import document_slug
from kg.readers import read
from kg.text.passages import split

TOKENS, HIDDEN, LAYERS = 133, 384, 6
# What one text of TOKENS tokens costs: the matrices of six layers, and attention.
OPERATIONS = LAYERS * (2 * TOKENS * 12 * HIDDEN**2 + 4 * TOKENS**2 * HIDDEN)


def took(run: Callable[[], Any]) -> float:
    """Seconds of processor time."""
    started = time.process_time()
    run()
    return time.process_time() - started


def build(folder: Path, documents: int) -> None:
    encoder = OnnxEncoder()
    encoder.encode(["a text", "another"])
    found = []
    for path in sorted(folder.rglob("*.md"))[:documents]:
        name = path.relative_to(folder).as_posix()
        found.append((name, split(read(path.read_bytes(), name), document_slug(name))))
    texts = [text for _, passages in found for passage in passages for _, text in passage_entries(passage)]
    size = 0

    def segments() -> None:
        nonlocal size
        size = sum(len(to_bytes(indexes)) for _, indexes in build_each(found, encoder))

    for _ in range(3):
        alone, whole = took(lambda: encoder.encode(texts)), took(segments)
        figures = {"passages": len(texts), "alone_s": alone, "segments_s": whole, "ratio": whole / alone, "bytes": size}
        print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


def opened(folder: Path) -> None:
    with KnowledgeBase.open(folder) as kb:
        kb.snapshot.encoder.encode(["a text"])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        seconds = took(lambda: kb.snapshot.indexes)
        more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
        counts = {"passages": len(kb.snapshot.indexes.passages), "units": len(kb.snapshot.indexes.units)}
        print(json.dumps({**counts, "open_s": round(seconds, 3), "more_mb": round(more)}))


def speed() -> None:
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    encoder = OnnxEncoder(workers=1)
    text = "comet " * (TOKENS - 2)
    encoder.encode([text, text])
    alone = min(took(lambda: encoder.encode([text] * 20)) / 20 for _ in range(5))
    weights = np.random.default_rng(0).random((HIDDEN, 4 * HIDDEN), dtype=np.float32)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "product",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [TOKENS, HIDDEN])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [TOKENS, 4 * HIDDEN])],
        [numpy_helper.from_array(weights, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    rows = {"x": np.ones((TOKENS, HIDDEN), np.float32)}

    def products() -> None:
        for _ in range(300):
            session.run(None, rows)

    products()
    product = min(took(products) / 300 for _ in range(5))
    encoded, most = OPERATIONS / alone / 1e9, 2 * TOKENS * 4 * HIDDEN**2 / product / 1e9
    print(json.dumps({"encoder_gflops": round(encoded, 1), "product_gflops": round(most, 1)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    building = commands.add_parser("build")
    building.add_argument("folder", type=Path)
    building.add_argument("--documents", type=int, default=25)
    opening = commands.add_parser("open")
    opening.add_argument("kb", type=Path)
    commands.add_parser("speed")
    options = parser.parse_args()
    if options.command == "build":
        build(options.folder, options.documents)
    elif options.command == "open":
        opened(options.kb)
    else:
        speed()


if __name__ == "__main__":
    main()
