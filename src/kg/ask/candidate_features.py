"""What speaks for or against each candidate of a question, by name; its worth is learned (``training/judge``)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from kg.algebra.forms import parts
from kg.ask.candidates import Candidate, Read, Source, leaning
from kg.ask.drafts import normal
from kg.ask.question_kinds import measures, shape_of_question
from kg.indexes.lexical import STOP_WORDS
from kg.model import UnitKind
from kg.reading import FAR, Span, bounded
from kg.text.spans import numbers
from kg.text.tokens import stem, words

_NUMBER = re.compile(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|half)\b")
_NEGATION = re.compile(r"\b(?:not|no|never|nor|neither|none|nobody|nothing|without|cannot)\b|n['’]t\b", re.IGNORECASE)
_DATE = re.compile(
    r"\b(?:1\d{3}|20\d{2})\b|"
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
)


def shape_of_label(candidate: Candidate) -> dict[str, float]:
    """What an answer looks like."""
    labels = [v.label for v in candidate.draft.values]
    text = " ".join(labels)
    words = text.split()
    return {
        "digits": float(bool(_NUMBER.search(text.casefold()))),
        "dated": float(bool(_DATE.search(text.casefold()))),
        "capital": float(bool(words) and words[0][:1].isupper()),
        "words": math.log1p(len(words)),
        "values": math.log1p(len(labels)),
        "polar": float(candidate.draft.kind == "boolean"),
        "empty": float(not text.strip()),
    }


_ELSEWHERE = (Source.STEP, Source.COMPARED)  # read for other questions
_READ = (Source.SPAN, Source.LIST, Source.POLAR, Source.ITEMS)  # in a view, at a place

CROSSED = (
    ("how_many", "digits"), ("when", "dated"), ("who", "capital"), ("who", "digits"), ("where", "capital"),
    ("reason", "words"), ("means", "words"), ("several", "values"), ("whether", "polar"), ("how_many", "words"),
    ("when", "words"), ("who", "words"), ("count", "digits"), ("or", "polar"),
)  # fmt: skip

# A way of asking and a step of what is computed that go together.
COMPUTED_AS_ASKED = (("most", "Extreme"), ("most", "Commonest"), ("how_many", "Count"), ("count", "Count"))

# Ways of asking that tell whether a whole list is wanted.
LISTED_AS_ASKED = ("several", "or", "who", "most", "means", "reason", "where", "when")


def features(read: Read, candidates: Sequence[Candidate]) -> list[dict[str, float]]:
    """Of each candidate what speaks for or against it, by name; what is not known is left out (0)."""
    asked = shape_of_question(read.asking.question.text)
    common = {f"asks_{name}": value for name, value in asked.items()}
    typed = bool(read.asking.retriever.view.ontology)
    common["typed"] = float(typed)
    common["unknown_name"] = float(bool(read.asking.found.unknown_names))
    answers = sorted((r.answers for r in read.readings), reverse=True)
    common["best_answers"] = bounded(answers[0]) if answers else -FAR
    common["mean_answers"] = bounded(sum(answers) / len(answers)) if answers else -FAR
    own = _stems(read.asking.question.text)
    said = Counter(c.label for c in candidates)
    scores = [(c.label, c.place[1].score) for c in candidates if c.source == Source.SPAN and c.place]
    best = max((score for _, score in scores), default=-FAR)
    masses = _masses(scores)
    shares = {unit.scored.key: unit.share for unit in read.ranked}
    found = []
    for candidate in candidates:
        one = dict(common)
        looks = shape_of_label(candidate)
        one |= {f"label_{name}": value for name, value in looks.items()}
        one |= {f"{a}*{b}": asked[a] * looks[b] for a, b in CROSSED}
        one |= {f"{a}!{b}": asked[a] * (1 - min(1.0, looks[b])) for a, b in CROSSED if b not in ("words", "values")}
        one |= {f"from_{source}": float(candidate.source == source) for source in Source}
        ruled = _ruled(candidate)
        # What an ontology types is read and queried more surely; that is learned apart.
        one |= {f"typed_{name}": value for name, value in ruled.items()} if typed else {}
        one |= _computed(candidate, asked) | dict(candidate.signs)
        one |= ruled | _retrieved(read, candidate) | _read(read, candidate, best)
        one |= _denied(read, candidate) if candidate.draft.kind == "boolean" else {}
        if candidate.source == Source.ITEMS:
            one |= {f"items*asks_{name}": asked[name] for name in LISTED_AS_ASKED}
        one |= _measured(read, candidate) | _new(own, candidate, asked)
        one |= _ranked(shares, candidate) | _off_row(candidate, asked)
        one["mass"] = masses.get(candidate.label, -FAR)
        one["agree"] = math.log(said[candidate.label]) if candidate.label else 0.0
        one["echo"] = float(bool(candidate.label) and candidate.label in normal(read.asking.question.text))
        found.append(one)
    return found


def _ruled(candidate: Candidate) -> dict[str, float]:
    verdict, draft = candidate.verdict, candidate.draft
    kind = candidate.source
    if verdict is None:
        return {}
    sure = verdict.confidence if verdict.reason is None else 0.0
    found = {
        f"{kind}_sure": sure,
        f"{kind}_steps": float(bool(draft.via)),
        f"{kind}_refused": float(verdict.reason is not None),
        f"{kind}_fit": draft.fit,
        f"{kind}_kind_{draft.kind}": 1.0,
    }
    if draft.explained is not None:
        backed = float(draft.backing is not None)
        found |= {"explained": draft.explained, "exact": float(draft.exact), "backed": backed}
    return found


def _retrieved(read: Read, candidate: Candidate) -> dict[str, float]:
    scored = candidate.draft.evidence[0]
    top = read.asking.found.units[0].score if read.asking.found.units else scored.score
    return {
        "score": scored.score, "behind": top - scored.score, "share": scored.share, "strict": scored.strict,
        "own": scored.own, "names": scored.names, "focus": scored.focus, "cosine": scored.cosine, "near": scored.near,
    }  # fmt: skip


def _ranked(shares: Mapping[tuple[str, int], float], candidate: Candidate) -> dict[str, float]:
    """How likely what is quoted is evidence, among the units that were read."""
    told = [shares[s.key] for s in candidate.draft.evidence if s.key in shares]
    if not told:
        return {"unranked": 1.0}
    share, first = max(told), float(max(told) >= max(shares.values()))
    polar = candidate.draft.kind == "boolean"
    return {"unit_share": share, "unit_first": first} | ({"polar*unit_share": share} if polar else {})


def _off_row(candidate: Candidate, asked: Mapping[str, float]) -> dict[str, float]:
    """Whether it was read off one row of a table, which doesn't tell of an extreme that it is one."""
    row = candidate.source in _READ and candidate.draft.evidence[0].unit.kind == UnitKind.ROW
    return {"off_row": 1.0, "off_row*most": asked["most"], "off_row*count": asked["count"]} if row else {}


def _read(read: Read, candidate: Candidate, best: float) -> dict[str, float]:
    """What the reader thinks of a candidate: of its own span, or of where its label stands in what was read."""
    place = candidate.place or (_standing(read, candidate) if candidate.source not in _ELSEWHERE else None)
    if place is None:
        return {"unread": 1.0, f"{candidate.source}_unread": 1.0}
    at, span = place
    reading = read.readings[at]
    yes, no, unsaid = (bounded(x) for x in reading.polar)
    kind = "read" if candidate.source in _READ else "checked"
    found = {"answers": bounded(reading.answers), "view": math.log1p(at)}
    if candidate.source == Source.POLAR or candidate.draft.kind == "boolean":
        lean = leaning(reading, 0 if candidate.draft.values[0].label == "Yes" else 1)
        return found | {f"{kind}_lean": lean, f"{kind}_unsaid": unsaid - max(yes, no)}
    score = bounded(span.score)
    if candidate.source in (Source.LIST, Source.ITEMS):
        single = next((s.score for s in reading.spans(1)), -FAR)
        return found | {"list_score": score, "list_span": bounded(single)}
    return found | {f"{kind}_score": score, f"{kind}_behind": min(FAR, best - span.score)}


def _standing(read: Read, candidate: Candidate) -> tuple[int, Span] | None:
    """Where a label stands in what was read of its own passage, scored as a span; the likeliest place."""
    best: tuple[int, Span] | None = None
    scored, label = candidate.draft.evidence[0], candidate.draft.values[0].label if candidate.draft.values else ""
    for at, (view, reading) in enumerate(zip(read.views, read.readings, strict=True)):
        if view.passage.id != scored.passage.id:
            continue
        if candidate.draft.kind == "boolean" and scored.number in view.numbers:
            return at, Span(0, 0, 0.0)
        for match in re.finditer(re.escape(label), view.text) if label else ():
            span = reading.score(match.start(), match.end())
            if span is not None and (best is None or span.score > best[1].score):
                best = at, span
    return best


def _computed(candidate: Candidate, asked: Mapping[str, float]) -> dict[str, float]:
    """How sure the computing of an answer is of itself, for each kind of question, what it did, how its table fits."""
    computed = candidate.computed
    if computed is None:
        return {}
    chance = min(1 - 1e-6, max(1e-6, computed.confidence))
    odds = math.log(chance / (1 - chance))
    own = {f"computed_{name}": value for name, value in computed.features.items() if not name.startswith("shape=")}
    steps = sorted({type(part).__name__ for part in parts(computed.form)})
    own |= {f"computed_by_{step}": 1.0 for step in steps}
    own |= {f"asks_{name}&by_{step}": asked[name] for name, step in COMPUTED_AS_ASKED if step in steps}
    whole = math.log1p(len(candidate.draft.values))
    own |= {f"computed_odds*{name}": odds * value for name, value in asked.items()}
    return own | {"computed_odds": odds, "computed_values": whole}


def _denied(read: Read, candidate: Candidate) -> dict[str, float]:
    """Whether a yes or no fits what is quoted: its negations against the question's, and its figures against those."""
    told = candidate.draft.evidence
    said = next((s.plain for s in told if not s.asks), told[0].plain)
    asked = read.asking.question.text
    sign = 1.0 if candidate.draft.values[0].label == "No" else -1.0
    against = bool(_NEGATION.search(said)) != bool(_NEGATION.search(asked))
    wanted, stated = numbers(asked), numbers(said)
    other = bool(wanted and stated) and not any(s.low <= w.high and w.low <= s.high for w in wanted for s in stated)
    return {"denied": sign * (2.0 * against - 1), "other_figures": sign * float(other)}


def _measured(read: Read, candidate: Candidate) -> dict[str, float]:
    """Whether an answer's figures measure what is asked ("how fast": a speed), or something else ("35 minutes")."""
    asked = measures(read.asking.question)
    told = {n.measure for v in candidate.draft.values for n in numbers(v.label)} if asked else set()
    return {"measured": float(bool(asked & told)), "mismeasured": float(bool(told - {""}) and not asked & told)}


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text) if word not in STOP_WORDS)


def _new(own: frozenset[str], candidate: Candidate, asked: Mapping[str, float]) -> dict[str, float]:
    """How much an answer says beyond the question's words, ``own``: that said again is no reason."""
    told = _stems(" ".join(v.label for v in candidate.draft.values))
    new = told - own
    share = len(new) / max(1, len(told))
    reason = asked["reason"]
    return {
        "novel": share, "novel_none": float(bool(told) and not new),
        "novel*reason": reason * share, "novel_count*reason": reason * math.log1p(len(new)),
    }  # fmt: skip


def _masses(scores: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Of each label the logarithm of its share of what all spans read are worth, an answer in none of them included."""
    total = 1 + sum(math.exp(bounded(score)) for _, score in scores)
    held: dict[str, float] = {}
    for label, score in scores:
        held[label] = held.get(label, 0.0) + math.exp(bounded(score))
    return {label: bounded(math.log(worth / total)) for label, worth in held.items()}
