"""The network and its training on sentences with marked facts. Needs torch.

One encoding of a sentence, spans, and one score for each (subject span, relation, object span). A span is the sum of
what its first and last piece with their neighbours outside project to, and its width. A pair is what both spans project
to, their order and distance, and the pieces that both attend to (the idea of localised context in ATLOP, Zhou et al.
2021). A relation is a vector made from frozen embeddings of its label, definition, domain and range, so one that was
never trained on can be asked for: the score is the pair against the relation, plus how well each span alone fits it.

The loss has three parts: which spans are arguments at all; for each fact, which pair of spans states it (a softmax
over all pairs, so that the flipped direction and run-on spans are its negatives); and whether each (pair, relation) is
a fact (binary, over all pairs and all relations that the sentence was read for).
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from kg.relations.encoding import Encoded, Example, Relation, encode, enumerate_spans, places, relation_texts
from kg.relations.scoring import DISTANCES
from kg.syntax.parser import padded, tokenizer

# --- what the trainings of the project's networks share: a schedule, a step, filled-up rows ---


def half_is_fast() -> bool:
    """Whether this processor multiplies 16-bit numbers (bfloat16) by itself; training then takes half the time."""
    return bool(getattr(torch.cpu, "_is_avx512_bf16_supported", bool)())


def rate_at(step: int, steps: int) -> float:
    """What a step's learning rate is multiplied by: up over the first tenth, then down in a line.

    >>> [rate_at(step, 20) for step in (0, 1, 2, 11, 20)]
    [0.5, 1.0, 1.0, 0.5, 0.0]
    """
    warm = max(1, steps // 10)
    return (step + 1) / warm if step < warm else max(0.0, (steps - step) / max(1, steps - warm))


def filled(rows: Sequence[npt.NDArray[Any]], length: int) -> Tensor:
    """Matrices (T, hidden) of several sentences as one tensor (B, length, hidden), zeros behind the shorter ones."""
    table = torch.zeros((len(rows), length, rows[0].shape[1]))
    for at, row in enumerate(rows):
        table[at, : len(row)] = torch.from_numpy(row).float()
    return table


class Descent:
    """AdamW over groups of parameters, each at a learning rate of its own, with :func:`rate_at` over ``steps``."""

    def __init__(
        self, network: nn.Module, groups: Sequence[tuple[float, Sequence[nn.Parameter]]], steps: int, clip: float
    ):
        """``clip``: the gradient's greatest norm."""
        self._network, self._clip, self._half = network, clip, half_is_fast()
        named = [{"params": list(parameters), "lr": rate} for rate, parameters in groups]
        self._optimiser = torch.optim.AdamW(named, weight_decay=0.01)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(self._optimiser, lambda step: rate_at(step, steps))

    def step(self, loss_of: Callable[[], Tensor]) -> float:
        """One step down the gradient of a loss, and the loss before it."""
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self._half):
            loss = loss_of()
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), self._clip)
        self._optimiser.step()
        self._schedule.step()
        return float(loss.detach())


# --- the network ---


@dataclass(frozen=True, slots=True)
class Sizes:
    """Widths of the network's layers."""

    hidden: int = 384
    span: int = 256
    pair: int = 256
    heads: int = 4
    width: int = 12
    kept: int = 16


class Heads(nn.Module):
    """Everything above the encoder."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        s = self.sizes = sizes
        self.start, self.end = nn.Linear(3 * s.hidden, s.span), nn.Linear(2 * s.hidden, s.span)
        self.width = nn.Embedding(s.width, s.span)
        self.mention = nn.Linear(s.span, 1)
        self.query, self.keys = nn.Linear(s.span, s.pair), nn.Linear(s.hidden, s.pair)
        self.context = nn.Linear(s.hidden, s.pair)
        self.subject, self.object = nn.Linear(s.span, s.pair), nn.Linear(s.span, s.pair)
        self.distance = nn.Embedding(len(DISTANCES) + 1, s.pair)
        self.deep = nn.Linear(s.pair, s.pair)
        self.relation = nn.Linear(4 * s.hidden, 2 * s.pair)
        self.as_pair, self.as_sentence = nn.Linear(2 * s.pair, s.pair), nn.Linear(2 * s.pair, s.pair)
        self.as_subject, self.as_object = nn.Linear(2 * s.pair, s.span), nn.Linear(2 * s.pair, s.span)
        self.sentence = nn.Linear(s.hidden, s.pair)
        self.bias = nn.Linear(2 * s.pair, 1)
        self.drop = nn.Dropout(0.15)
        nn.init.constant_(self.bias.bias, -5.0)  # facts are rare among pairs
        nn.init.constant_(self.mention.bias, -2.0)

    def spans(self, hidden: Tensor, mask: Tensor, first: Tensor, last: Tensor, where: Tensor) -> Tensor:
        """Span vectors, shape (B, S, span), of ``where`` (B, S, 2): words, inclusive."""
        # Before the first piece stands the last, as in an unpadded row.
        closed = hidden[torch.arange(len(hidden)), mask.sum(1) - 1]
        before, after = torch.cat([closed[:, None], hidden[:, :-1]], 1), hidden.roll(-1, 1)
        opening = self.start(torch.cat([hidden, before, before.roll(1, 1)], -1))
        closing = self.end(torch.cat([hidden, after], -1))
        start = _gather(opening, torch.gather(first, 1, where[..., 0]))
        end = _gather(closing, torch.gather(last, 1, where[..., 1]))
        return F.relu(start + end + self.width((where[..., 1] - where[..., 0]).clamp(0, self.sizes.width - 1)))

    def attention(self, spans: Tensor, hidden: Tensor, mask: Tensor) -> Tensor:
        """What each span attends to, shape (B, heads, N, T)."""
        b, n, _ = spans.shape
        query = self.query(spans).view(b, n, self.sizes.heads, -1).transpose(1, 2)
        keys = self.keys(hidden).view(b, hidden.shape[1], self.sizes.heads, -1).permute(0, 2, 3, 1)
        logits = query @ keys / query.shape[-1] ** 0.5
        return torch.softmax(logits.masked_fill(~mask[:, None, None], -1e4), -1)

    def pairs(self, spans: Tensor, hidden: Tensor, mask: Tensor, where: Tensor) -> Tensor:
        """Pair vectors, shape (B, N, N, pair): subject first."""
        looked = self.attention(spans, hidden, mask)
        shared = torch.einsum("bhit,bhjt->bijt", looked, looked)
        shared = shared / (shared.sum(-1, keepdim=True) + 1e-6)
        context = shared @ self.context(hidden)[:, None]
        gap = where[:, None, :, 0] - where[:, :, None, 0]
        distance = self.distance(torch.bucketize(gap, torch.tensor(DISTANCES, device=gap.device)))
        joint = F.relu(self.subject(spans)[:, :, None] + self.object(spans)[:, None] + context + distance)
        return joint + F.relu(self.deep(joint))

    def relations(self, texts: Tensor) -> dict[str, Tensor]:
        """Relation vectors from ``texts`` (R, 4·hidden)."""
        base = F.relu(self.relation(self.drop(texts)))
        named = {name: getattr(self, f"as_{name}")(base) for name in ("pair", "subject", "object", "sentence")}
        return {**named, "bias": self.bias(base)[:, 0]}

    def scores(
        self, spans: Tensor, pairs: Tensor, hidden: Tensor, mask: Tensor, relations: dict[str, Tensor]
    ) -> Tensor:
        """Log-odds, shape (B, N, N, R)."""
        whole = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        fits = relations["bias"] + F.relu(self.sentence(whole)) @ relations["sentence"].T / 16
        subject = spans @ relations["subject"].T / 16
        object_ = spans @ relations["object"].T / 16
        return pairs @ relations["pair"].T / 16 + subject[:, :, None] + object_[:, None] + fits[:, None, None]


class Network(nn.Module):
    """Encoder and heads."""

    def __init__(self, encoder: Any, sizes: Sizes) -> None:
        super().__init__()
        self.encoder, self.heads = encoder, Heads(sizes)

    def lower(self, ids: Tensor, mask: Tensor, layers: int) -> Tensor:
        """Vectors of the pieces below the first trained layer, shape (B, T, hidden)."""
        return self._through(self.encoder.embeddings(input_ids=ids), mask, 0, layers)

    def upper(self, hidden: Tensor, mask: Tensor, layers: int) -> Tensor:
        """From :meth:`lower`'s vectors the contextual ones, shape (B, T, hidden)."""
        return self._through(hidden, mask, layers, len(self.encoder.encoder.layer))

    def hidden(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Contextual vectors of the pieces, shape (B, T, hidden)."""
        return self.upper(self.lower(ids, mask, 0), mask, 0)

    def _through(self, hidden: Tensor, mask: Tensor, first: int, last: int) -> Tensor:
        wide = mask[:, None, None].expand(-1, 1, mask.shape[1], -1)
        for layer in self.encoder.encoder.layer[first:last]:
            hidden = layer(hidden, attention_mask=wide)
        return hidden


def _gather(table: Tensor, at: Tensor) -> Tensor:
    return torch.gather(table, 1, at[..., None].expand(-1, -1, table.shape[-1]))


def load_encoder(folder: str) -> Any:
    """The sentence encoder of a model folder, for training. Needs torch and transformers."""
    from transformers import AutoModel

    return AutoModel.from_pretrained(folder, attn_implementation="sdpa")


_log = logging.getLogger(__name__)
# What an unmarked span, and an unmarked fact of a sentence whose marking isn't complete, count beside a marked one;
# what a guessed fact counts, its chance being the target.
_UNMARKED_SPAN, _UNMARKED_FACT, _GUESSED_FACT = 0.1, 0.3, 0.5
_MOST_RELATIONS = 40  # that a batch is scored for
_LIKELY = 0.5  # a guess from this chance on isn't a rival of the facts that are marked
Place = tuple[int, int]  # first and last word of a span


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train. ``frozen``: encoder layers kept as they are, from below (embeddings always are)."""

    epochs: int = 6
    batch: int = 16
    rate: float = 2.0e-4
    head_rate: float = 1.0e-3
    frozen: int = 3
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Item:
    """An example ready for the network: word places of facts' arguments, relations by number."""

    encoded: Encoded
    spans: npt.NDArray[np.int64]
    facts: tuple[tuple[int, tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]], ...]
    asked: tuple[int, ...]
    mentions: tuple[tuple[int, int], ...]
    exhaustive: bool
    guesses: tuple[tuple[int, Place, Place, float], ...] = ()
    below: npt.NDArray[np.float16] | None = None


def prepared(examples: Sequence[Example], numbers: Mapping[str, int], folder: Path) -> list[Item]:
    """Examples as items, those without a readable word left out."""
    pieces = tokenizer(folder)
    items = []
    for example in examples:
        encoded = encode(example.text, pieces)
        if encoded.size < 2:
            continue
        facts = []
        for fact in example.facts:
            subjects, objects = places(fact.subjects, encoded), places(fact.objects, encoded)
            if fact.relation in numbers and objects:
                facts.append((numbers[fact.relation], tuple(subjects), tuple(objects)))
        guesses = tuple(_guesses(example, numbers, encoded))
        mentions = {place for fact in facts for side in fact[1:] for place in side}
        mentions |= {place for guess in guesses if guess[3] >= _LIKELY for place in guess[1:3]}
        mentions |= set(places(example.mentions, encoded))
        asked = tuple(sorted({numbers[key] for key in example.asked if key in numbers}))
        spans, named = enumerate_spans(encoded), tuple(sorted(mentions))
        items.append(Item(encoded, spans, tuple(facts), asked, named, example.exhaustive, guesses))
    return items


def _guesses(
    example: Example, numbers: Mapping[str, int], encoded: Encoded
) -> Iterator[tuple[int, Place, Place, float]]:
    for guess in example.guesses:
        subject, object_ = places([guess.subject], encoded), places([guess.object], encoded)
        if guess.relation in numbers and subject and object_:
            yield numbers[guess.relation], subject[0], object_[0], guess.chance


def batches(items: Sequence[Item], size: int, chance: random.Random) -> Iterator[list[Item]]:
    """Shuffled batches of sentences that were read for the same relations and are of like length."""
    order = sorted(items, key=lambda item: (item.asked, len(item.encoded.ids) + chance.uniform(-4, 4)))
    groups = []
    for _, same in groupby(order, key=lambda item: item.asked):
        alike = list(same)
        groups += [alike[at : at + size] for at in range(0, len(alike), size)]
    chance.shuffle(groups)
    yield from groups


@dataclass(frozen=True, slots=True)
class Tensors:
    """A batch of sentences as tensors."""

    ids: Tensor
    mask: Tensor
    first: Tensor
    last: Tensor
    spans: Tensor
    real: Tensor

    @classmethod
    def of(cls, encoded: Sequence[Encoded], spans: Sequence[npt.NDArray[np.int64]]) -> Tensors:
        """Padded; ``real`` marks spans that are there."""
        ids = torch.from_numpy(padded([e.ids for e in encoded]))
        lengths = torch.tensor([len(e.ids) for e in encoded])
        mask = torch.arange(ids.shape[1])[None] < lengths[:, None]
        widest = max(len(s) for s in spans)
        table = np.zeros((len(spans), widest, 2), np.int64)
        for at, rows in enumerate(spans):
            table[at, : len(rows)] = rows
        real = torch.arange(widest)[None] < torch.tensor([len(s) for s in spans])[:, None]
        first, last = (padded([getattr(e, name) for e in encoded]) for name in ("first", "last"))
        return cls(ids, mask, torch.from_numpy(first), torch.from_numpy(last), torch.from_numpy(table), real)


def loss_of(network: Network, items: Sequence[Item], texts: Tensor, asked: Sequence[int], layers: int) -> Tensor:
    """The loss of a batch; ``asked`` numbers the relations scored, ``texts`` (R, 4·hidden) holds all relations."""
    heads = network.heads
    given = Tensors.of([item.encoded for item in items], [item.spans for item in items])
    below = filled([item.below for item in items if item.below is not None], given.ids.shape[1])
    hidden = heads.drop(network.upper(below, given.mask, layers))
    every = heads.spans(hidden, given.mask, given.first, given.last, given.spans)
    mention = heads.mention(every)[..., 0].float().masked_fill(~given.real, -1e4)
    target, weight = _mention_target(items, given)
    loss = (F.binary_cross_entropy_with_logits(mention, target, reduction="none") * weight).sum() / len(items)
    boosted = mention.detach() + 1e3 * target
    kept = torch.topk(boosted, min(heads.sizes.kept, mention.shape[1]), dim=1).indices
    where = torch.gather(given.spans, 1, kept[..., None].expand(-1, -1, 2))
    real = torch.gather(given.real, 1, kept)
    chosen = torch.gather(every, 1, kept[..., None].expand(-1, -1, every.shape[-1]))
    pairs = heads.pairs(chosen, hidden, given.mask, where)
    scores = heads.scores(chosen, pairs, hidden, given.mask, heads.relations(texts[list(asked)]))
    return loss + _fact_loss(items, scores.float(), where, real, asked)


def computed_below(network: Network, items: Sequence[Item], layers: int) -> list[Item]:
    """Items with the vectors that the frozen layers give, which no step of training changes."""
    network.eval()
    done = []
    with torch.no_grad():
        for item in items:
            ids = torch.from_numpy(item.encoded.ids)[None]
            below = network.lower(ids, torch.ones_like(ids, dtype=torch.bool), layers)[0]
            done.append(replace(item, below=below.numpy().astype(np.float16)))
    return done


def _mention_target(items: Sequence[Item], given: Tensors) -> tuple[Tensor, Tensor]:
    """Which spans are arguments, and how much each counts: unmarked spans less where marking isn't complete."""
    target = torch.zeros(given.real.shape)
    weight = given.real.float()
    for at, item in enumerate(items):
        wanted = set(item.mentions)
        hits = [i for i, span in enumerate(map(tuple, item.spans.tolist())) if span in wanted]
        target[at, hits] = 1.0
        weight[at] *= _UNMARKED_SPAN
        weight[at, hits] = 1.0
    return target, weight


def _fact_loss(items: Sequence[Item], scores: Tensor, where: Tensor, real: Tensor, asked: Sequence[int]) -> Tensor:
    """Ranking and binary loss over pairs and relations."""
    allowed = _allowed(where, real)
    column = {number: place for place, number in enumerate(asked)}
    spans = [[tuple(span) for span in rows] for rows in where.tolist()]
    positive = torch.zeros(scores.shape, dtype=torch.bool)
    counted = torch.zeros((len(items), scores.shape[-1]))
    vague = torch.zeros(counted.shape, dtype=torch.bool)
    groups: list[tuple[int, int, Tensor]] = []
    for at, item in enumerate(items):
        counted[at, [column[number] for number in item.asked if number in column]] = 1.0
        for number, subjects, objects in item.facts:
            if number not in column:
                continue
            place = column[number]
            inside = torch.tensor([s in subjects or not subjects for s in spans[at]])
            goal = torch.tensor([s in objects for s in spans[at]])
            hit = inside[:, None] & goal[None] & allowed[at]
            if not hit.any():
                continue
            groups.append((at, place, hit))
            if subjects:
                positive[at, :, :, place] |= hit
            else:
                vague[at, place] = True
    weight = counted[:, None, None] * (~vague[:, None, None]).float() * allowed[..., None]
    sparse = torch.tensor([not item.exhaustive for item in items])[:, None, None, None]
    chance = _chances(items, spans, positive, column)
    weight = torch.where(sparse & ~positive, torch.where(chance > 0, _GUESSED_FACT, _UNMARKED_FACT) * weight, weight)
    binary = F.binary_cross_entropy_with_logits(scores, positive.float() + chance, reduction="none")
    total = (binary * weight).sum()
    likely = positive | (chance >= _LIKELY)
    for at, place, hit in groups:
        logits = scores[at, :, :, place]
        others = allowed[at] & ~(likely[at, :, :, place] & ~hit)
        total = total + torch.logsumexp(logits[others], 0) - torch.logsumexp(logits[hit], 0)
    return total / len(items)


def _chances(
    items: Sequence[Item], spans: Sequence[Sequence[tuple[int, ...]]], positive: Tensor, column: Mapping[int, int]
) -> Tensor:
    """How likely unmarked facts are, as guessed; 0 for marked ones and where nothing was guessed."""
    chance = torch.zeros(positive.shape)
    for at, item in enumerate(items):
        where = {span: place for place, span in enumerate(spans[at])}
        for number, subject, object_, guessed in item.guesses:
            if number in column and subject in where and object_ in where:
                chance[at, where[subject], where[object_], column[number]] = guessed
    return chance.masked_fill(positive, 0.0)


def _allowed(where: Tensor, real: Tensor) -> Tensor:
    """Pairs of two real spans that don't overlap, shape (B, N, N)."""
    before = where[..., 1][:, :, None] < where[..., 0][:, None]
    return (before | before.transpose(1, 2)) & real[:, :, None] & real[:, None]


def asked_in(items: Sequence[Item], most: int, chance: random.Random) -> list[int]:
    """Relations to score for a batch: those of its facts, and of those asked a sample."""
    facts = {fact[0] for item in items for fact in item.facts}
    rest = sorted({number for item in items for number in item.asked} - facts)
    chance.shuffle(rest)
    return sorted(facts) + rest[: max(0, most - len(facts))]


def train(
    examples: Sequence[Example],
    relations: Sequence[Relation],
    embed: Callable[[Sequence[str]], npt.NDArray[np.float32]],
    folder: Path,
    plan: Plan | None = None,
    start: Network | None = None,
    sizes: Sizes | None = None,
    tell: Callable[[str], None] = _log.info,
) -> Network:
    """A trained network. ``embed`` makes the frozen vectors of relation texts, ``folder`` holds encoder and tokeniser.

    ``start`` is trained on from. The same arguments on the same machine give the same network.
    """
    plan = plan or Plan()
    torch.manual_seed(plan.seed)
    torch.set_num_threads(1)
    chance = random.Random(plan.seed)
    network = start or Network(load_encoder(str(folder)), sizes or Sizes())
    for part in (network.encoder.embeddings, *network.encoder.encoder.layer[: plan.frozen]):
        part.requires_grad_(False)
    texts = torch.from_numpy(relation_texts(relations, embed))
    items = prepared(examples, {relation.key: place for place, relation in enumerate(relations)}, folder)
    items = computed_below(network, items, plan.frozen)
    groups = (
        (plan.rate, [p for p in network.encoder.parameters() if p.requires_grad]),
        (plan.head_rate, list(network.heads.parameters())),
    )
    steps = plan.epochs * (-(-len(items) // plan.batch))
    _run(network, items, texts, plan, Descent(network, groups, steps, clip=1.0), chance, tell)
    return network.eval()


def _run(
    network: Network,
    items: Sequence[Item],
    texts: Tensor,
    plan: Plan,
    descent: Descent,
    chance: random.Random,
    tell: Callable[[str], None],
) -> None:
    network.train()
    begun = time.perf_counter()
    for epoch in range(plan.epochs):
        total = count = 0.0
        for batch in batches(items, plan.batch, chance):
            asked = asked_in(batch, _MOST_RELATIONS, chance)
            if not asked:
                continue
            total += descent.step(partial(loss_of, network, batch, texts, asked, plan.frozen))
            count += 1
        tell(
            f"epoch {epoch + 1} of {plan.epochs}: loss {total / max(count, 1):.3f}, {time.perf_counter() - begun:.0f} s"
        )
