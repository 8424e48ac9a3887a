"""The language model as an extractor: passages and the ontology's properties in, checked claims out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from kg.extract.source import Source
from kg.llm import prompts
from kg.llm.client import Client, ModelFailed, Reply
from kg.llm.facts import Reason, Terms, read
from kg.llm.passages import Shown, shown
from kg.llm.replies import items
from kg.model import Claim, Rejected
from kg.model.claims import LANGUAGE_MODEL
from kg.namespaces import digest
from kg.ontology import Ontology, OntologyProperty

if TYPE_CHECKING:
    from kg.settings import LlmSettings

_GIVE_UP = 3  # completions in a row that fail before the rest of the build does without
_MOST_LINES = 200  # facts that one reply may hold
_SHOWN = 300  # characters of a passage that a refusal is noted with
_STRING = {"type": "string"}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"subject": _STRING, "property": _STRING, "object": _STRING, "quote": _STRING},
                "required": ["subject", "property", "object", "quote"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}
BUDGET = "the token budget of the build is spent"


@dataclass(slots=True)
class Unread:
    """Passages of a build that the model hasn't read, by document, and why."""

    documents: dict[str, int] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)

    def add(self, document: str, count: int, reason: str) -> None:
        """Notes passages of a document."""
        self.documents[document] = self.documents.get(document, 0) + count
        if reason not in self.reasons:
            self.reasons.append(reason)


class ModelFacts:
    """Facts that a model finds in prose, for one build. A passage that it can't be asked about is noted as unread."""

    def __init__(self, client: Client, settings: LlmSettings) -> None:
        self.name = f"{LANGUAGE_MODEL}{client.model} {prompts.EXTRACT}"
        self.key = digest("llm", client.model, prompts.prompt(prompts.EXTRACT).sha256)
        """Names what its claims are made with."""
        self.unread = Unread()
        self._client, self._settings = client, settings
        self._left = settings.build_tokens
        self._asked_for = self._from_before = 0
        self._failures = 0
        self._stopped = ""

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def spent(self) -> str:
        """What the build has cost so far, in words."""
        tokens = self._settings.build_tokens - self._left
        passages = "passage" if self._asked_for == 1 else "passages"
        return (
            f"{tokens:,} of {self._settings.build_tokens:,} tokens spent on {self._asked_for:,} {passages}, "
            f"{self._from_before:,} more known from before"
        )

    def extract(self, source: Source) -> Iterator[Claim | Rejected]:
        """Claims and what was not kept, in document order."""
        terms = Terms.of(source.ontology)
        if not terms.by_id:
            return
        properties = "\n".join(_described(source.ontology, name, p) for name, p in terms.by_id.items())
        prompt = prompts.prompt(prompts.EXTRACT)
        asked = [(one, prompt.filled(properties=properties, passage=one.as_json())) for one in shown(source)]
        size = self._settings.concurrency
        for batch in (asked[start : start + size] for start in range(0, len(asked), size)):
            replies = self._replies(source.document_id, [filled for _, filled in batch])
            for (seen, _), reply in zip(batch, replies, strict=True):
                if reply is not None:
                    yield from self._read(source, seen, terms, reply)

    def _read(self, source: Source, seen: Shown, terms: Terms, reply: Reply) -> Iterator[Claim | Rejected]:
        if not reply.text:
            text = seen.passage.text[:_SHOWN]
            yield Rejected(seen.passage.id, self.name, Reason.REFUSED.value, text, *seen.span)
        for item, text in islice(items(reply.text, "facts"), _MOST_LINES):
            yield read(source, seen, terms, item, text, self.name)

    def _replies(self, document: str, batch: Sequence[prompts.Filled]) -> list[Reply | None]:
        """A reply for each prompt; None where there is none, which is noted. What is kept from before is free."""
        kept = [self._client.cached(filled) for filled in batch]
        new = [filled for filled, text in zip(batch, kept, strict=True) if text is None]
        self._from_before += len(batch) - len(new)
        if new and not self._stopped:
            expected = sum(filled.tokens + self._settings.reply_tokens for filled in new)
            if expected > self._left:
                self._stopped = BUDGET
        found = iter(self._asked(document, new))
        return [Reply(text, 0) if text is not None else next(found) for text in kept]

    def _asked(self, document: str, new: Sequence[prompts.Filled]) -> list[Reply | None]:
        if self._stopped or not new:
            if new:
                self.unread.add(document, len(new), self._stopped)
            return [None] * len(new)
        with ThreadPoolExecutor(self._settings.concurrency) as pool:
            replies = list(pool.map(self._completed, new))
        return [self._noted(document, reply) for reply in replies]

    def _completed(self, filled: prompts.Filled) -> Reply | ModelFailed:
        try:
            return self._client.complete(filled, SCHEMA)
        except ModelFailed as error:
            return error

    def _noted(self, document: str, reply: Reply | ModelFailed) -> Reply | None:
        if isinstance(reply, Reply):
            self._left -= reply.tokens
            self._asked_for += 1
            self._failures = 0
            return reply
        self._failures += 1
        if reply.lasting or self._failures >= _GIVE_UP:
            self._stopped = reply.reason
        self.unread.add(document, 1, reply.reason)
        return None

    def warnings(self) -> tuple[str, ...]:
        """A sentence on what the model hasn't read, if there is such."""
        if not self.unread.documents:
            return ()
        passages, documents = sum(self.unread.documents.values()), len(self.unread.documents)
        return (
            f"the language model {self._client.model} at {self._client.address} hasn't read {passages:,} "
            f"{'passage' if passages == 1 else 'passages'} of {documents:,} "
            f"{'document' if documents == 1 else 'documents'} ({'; '.join(self.unread.reasons)}); all else is done, "
            "and kg build asks for these again",
        )


def _described(ontology: Ontology, name: str, property_: OntologyProperty) -> str:
    """A property as the model sees it, in one line of JSON."""

    def labels(iris: Sequence[str]) -> str:
        return " or ".join(ontology.classes[iri].label for iri in iris if iri in ontology.classes)

    told = {
        "id": name,
        "label": property_.label,
        "definition": property_.definition,
        "domain": labels(property_.domains),
        "range": labels(property_.ranges) or (property_.datatype or "").rpartition("#")[2],
        "unit": (property_.canonical_unit or "").rpartition("/")[2],
    }
    return json.dumps({key: value for key, value in told.items() if value}, ensure_ascii=False)
