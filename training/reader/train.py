"""Trains the reader, one stage at a time; the same command goes on after a stop (``training/README.md``)."""

from __future__ import annotations

import argparse
import json
import logging
import random
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from kg.indexes.embedding import model_folder
from training.descent import descend, narrow
from training.reader import documents
from training.reader.batches import Item, batches, items, tensors, tokenizer
from training.reader.data import (
    Example,
    columns,
    elsewhere,
    lookups,
    polar_examples,
    qamr,
    records,
    squad,
    strangers,
    tables,
)
from training.reader.evaluate import figures
from training.reader.network import Reader, likeness, loss_of

_log = logging.getLogger("training.reader")
_TABLE_LENGTH = 900  # characters of a table that is read whole
_ANSWERING, _SILENT = 2, 2  # views of a question that answer it, and that don't, in one pass


def first_stage(data: Path, seed: int) -> list[Example]:
    """Single sentences: many short questions, cheap to learn from."""
    rows = records(data / "qamr" / "train.jsonl")
    return [*qamr(data / "qamr" / "train.jsonl"), *strangers("qamr", rows, "sentence", 4000, seed)]


def second_stage(data: Path, seed: int) -> list[Example]:
    """Paragraphs and tables, and some of the sentences again."""
    rows = records(data / "squad_dev" / "train.jsonl")
    chance = random.Random(seed)
    every = [*squad(data / "squad_dev" / "train.jsonl", chance), *strangers("squad", rows, "article", 2500, seed)]
    every += polar_examples("squad", rows, 4500, seed)
    every += tables(data / "wikitablequestions", _TABLE_LENGTH)
    every += columns(data / "wikitablequestions", 600, seed)
    sentences = records(data / "qamr" / "train.jsonl")
    every += chance.sample(list(qamr(data / "qamr" / "train.jsonl")), 5000)
    return every + polar_examples("qamr", sentences, 5000, seed + 1)


def third_stage(data: Path, seed: int) -> list[Example]:
    """Some of all that, and tables of which many don't answer: how well a column fits is no reason to quote it."""
    chance = random.Random(seed)
    squad_rows, sentences = (records(data / name / "train.jsonl") for name in ("squad_dev", "qamr"))
    every = chance.sample(list(squad(data / "squad_dev" / "train.jsonl", chance)), 7000)
    every += strangers("squad", squad_rows, "article", 2000, seed)
    every += polar_examples("squad", squad_rows, 3000, seed)
    wiki = data / "wikitablequestions"
    every += [*tables(wiki, _TABLE_LENGTH), *columns(wiki, 600, seed)]
    every += [*lookups(wiki, 2500, seed), *elsewhere(wiki, 2000, seed)]
    every += chance.sample(list(qamr(data / "qamr" / "train.jsonl")), 2500)
    return every + polar_examples("qamr", sentences, 2500, seed + 1)


def everything(data: Path, seed: int) -> list[Example]:
    """All paragraphs, and more of them that don't answer, with some of the rest: for a teacher and who learns of it."""
    chance = random.Random(seed)
    squad_rows, sentences = (records(data / name / "train.jsonl") for name in ("squad_dev", "qamr"))
    every = [*squad(data / "squad_dev" / "train.jsonl", chance), *strangers("squad", squad_rows, "article", 3000, seed)]
    every += polar_examples("squad", squad_rows, 2500, seed)
    wiki = data / "wikitablequestions"
    every += chance.sample(list(tables(wiki, _TABLE_LENGTH)), 1500)
    every += [*columns(wiki, 500, seed), *lookups(wiki, 1200, seed), *elsewhere(wiki, 1200, seed)]
    every += chance.sample(list(qamr(data / "qamr" / "train.jsonl")), 5000)
    return every + polar_examples("qamr", sentences, 2500, seed + 1)


def put_to_documents(given: Sequence[Example], seed: int) -> list[Example]:
    """Questions put to real documents: every view that answers, and of the others a few for each question."""
    chance = random.Random(seed)
    by_question: dict[str, list[Example]] = {}
    for one in given:
        by_question.setdefault(one.question, []).append(one)
    found: list[Example] = []
    for own in by_question.values():
        told, others = [e for e in own if e.spans], [e for e in own if not e.spans]
        found += chance.sample(told, min(len(told), _ANSWERING))
        found += chance.sample(others, min(len(others), _SILENT))
    return found


def fourth_stage(data: Path, seed: int) -> list[Example]:
    """Some of what came before, beside questions on real documents."""
    chance = random.Random(seed)
    squad_rows = records(data / "squad_dev" / "train.jsonl")
    every = chance.sample(list(squad(data / "squad_dev" / "train.jsonl", chance)), 3000)
    every += strangers("squad", squad_rows, "article", 400, seed)
    every += polar_examples("squad", squad_rows, 400, seed)
    wiki = data / "wikitablequestions"
    every += chance.sample(list(tables(wiki, _TABLE_LENGTH)), 300)
    every += [*columns(wiki, 150, seed), *lookups(wiki, 300, seed), *elsewhere(wiki, 200, seed)]
    return every + chance.sample(list(qamr(data / "qamr" / "train.jsonl")), 400)


STAGES = {
    "sentences": first_stage,
    "paragraphs": second_stage,
    "tables": third_stage,
    "documents": fourth_stage,
    "everything": everything,
}


def schedule(options: argparse.Namespace, pieces: object) -> list[list[Item]]:
    """All batches of the training in order, the same for the same seed."""
    of = STAGES[options.stage]
    stages = [of(options.data, options.seed + n) for n in range(options.epochs)]
    given = [one for file in options.documents for one in documents.load(file)]
    stages = [stage + put_to_documents(given, options.seed + n) for n, stage in enumerate(stages)]
    made: list[list[Item]] = []
    for number, stage in enumerate(stages):
        chance = random.Random(options.seed + number)
        counts: dict[str, int] = {}
        for example in stage:
            counts[example.source] = counts.get(example.source, 0) + 1
        _log.info("stage %d: %s", number, counts)
        chance.shuffle(stage)
        made += batches(items(stage, pieces, options.length, chance), options.tokens, chance)  # type: ignore[arg-type]
    return made


def optimiser_of(network: Reader, rate: float) -> torch.optim.AdamW:
    """The heads learn ten times as fast as the encoder, which knows the language already."""
    encoder = [p for p in network.encoder.parameters() if p.requires_grad]
    heads = [*network.tokens.parameters(), *network.pair.parameters()]
    groups = [{"params": encoder, "lr": rate, "base": rate}, {"params": heads, "lr": 10 * rate, "base": 10 * rate}]
    return torch.optim.AdamW(groups, weight_decay=0.01)


def teacher_of(options: argparse.Namespace, device: torch.device) -> Reader | None:
    """The trained network to be learned from, where one is named; nothing of it is trained."""
    if options.teacher is None:
        return None
    teacher = Reader(model_folder(options.teacher_encoder)).to(device)
    teacher.load_state_dict(torch.load(options.teacher, weights_only=True, map_location=device)["network"])
    return teacher.eval().requires_grad_(False)


def train(options: argparse.Namespace) -> None:
    """The training, from its last checkpoint where there is one."""
    torch.manual_seed(options.seed)
    folder = model_folder(options.encoder)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = Reader(folder, options.frozen).to(device)
    teacher = teacher_of(options, device)
    plan = schedule(options, tokenizer(folder))[: options.steps]
    optimiser = optimiser_of(network, options.rate)
    options.out.mkdir(parents=True, exist_ok=True)
    if options.start is not None:
        network.load_state_dict(torch.load(options.start, weights_only=True)["network"])
    _log.info("%d tokens", sum(len(i.ids) for b in plan for i in b))

    def loss(batch: list[Item]) -> Tensor:
        given = {name: value.to(device) for name, value in tensors(batch).items()}
        with narrow(device):
            made = network(given["ids"], given["mask"], given["kinds"])
            taught = teacher(given["ids"], given["mask"], given["kinds"]) if teacher is not None else None
        own = loss_of(*made, given)
        return own if taught is None else options.own * own + likeness(*made, taught, given)

    descend(network, optimiser, plan, loss, options.out / "checkpoint.pt", options.minutes, _log)
    results = figures(network, folder, options.data, options.length, options.stage != "sentences")
    (options.out / "figures.json").write_text(json.dumps(results, indent=1) + "\n")
    _log.info("%s", results)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with qamr, squad_dev, wikitablequestions")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--stage", choices=sorted(STAGES), required=True)
    parser.add_argument("--documents", type=Path, nargs="*", default=[], help="what training.reader.documents wrote")
    parser.add_argument("--start", type=Path, help="checkpoint of the stage before")
    parser.add_argument("--encoder", default="", help="folder of the encoder to begin with; without it the package's")
    parser.add_argument("--frozen", type=int, default=0, help="lower layers of the encoder that stay as they are")
    parser.add_argument("--teacher", type=Path, help="checkpoint of a trained reader to learn from")
    parser.add_argument("--teacher-encoder", default="", help="the encoder's folder that the teacher was trained with")
    parser.add_argument("--own", type=float, default=0.5, help="weight of the answers themselves beside a teacher")
    parser.add_argument("--epochs", type=int, default=1, help="passes over the stage's examples")
    parser.add_argument("--steps", type=int, help="at most so many batches")
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--tokens", type=int, default=2400, help="a batch")
    parser.add_argument("--length", type=int, default=224, help="tokens of a question with its text")
    parser.add_argument("--minutes", type=float, default=4.0, help="between checkpoints")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
