"""Chat completions of any OpenAI-compatible endpoint: retried, bounded in time and size, kept on disk.

What is sent is one system and one user message at temperature 0, with a JSON schema as ``response_format``: in the
form of ``llama-cpp-python``'s server where the endpoint refuses OpenAI's, and without where it refuses both. Nothing
but the text of the first choice is taken from the reply.

Replies kept on disk, so that a rebuild asks nothing twice and comes out the same.

Prompts: text files with a version in their name, filled in without ever being read as templates twice.

What a model's reply holds, read strictly: JSON and nothing else, each line for itself where there are several.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from platformdirs import user_cache_path

from kg.errors import CitegraphError
from kg.storage import write_atomically

if TYPE_CHECKING:
    import httpx

    from kg.settings import LlmSettings

EXTRACT, PROPOSE, PHRASE = "extract-1", "propose-1", "phrase-1"
"""The versions in use. What a file says is part of the key under which replies are kept, so they never go stale."""
_BREAK = "\n---\n"


@dataclass(frozen=True, slots=True)
class Filled:
    """A prompt as it is sent. ``key`` names its version and the exact words of its file."""

    key: str
    system: str
    user: str

    @property
    def tokens(self) -> int:
        """About how many tokens it has: three characters make one, a guess on the high side."""
        return (len(self.system) + len(self.user)) // 3


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: what the model is to do, and the form of what it is given."""

    version: str
    system: str
    user: str
    sha256: str

    def filled(self, **values: str) -> Filled:
        """With the values in place of ``$names``, taken as they are. Raises KeyError for a missing one."""
        return Filled(f"{self.version} {self.sha256}", self.system, Template(self.user).substitute(values))


@cache
def prompt(version: str) -> Prompt:
    """The prompt of a version, from the package's files."""
    text = files("kg.llm").joinpath("prompts", f"{version}.txt").read_text(encoding="utf-8")
    system, _, user = text.partition(_BREAK)
    return Prompt(version, system.strip(), user.strip(), hashlib.sha256(text.encode()).hexdigest()[:16])


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of replies, one JSON file each; a damaged one is asked for anew. It holds what documents say."""

    folder: Path

    @staticmethod
    def key(model: str, prompt: Filled) -> str:
        """SHA-256 over the prompt's version, the model's name and all that is sent."""
        said = json.dumps([prompt.key, model, prompt.system, prompt.user], ensure_ascii=True)
        return hashlib.sha256(said.encode()).hexdigest()

    def _file(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"

    def get(self, key: str) -> str | None:
        """The reply kept under a key."""
        try:
            found = json.loads(self._file(key).read_bytes())
        except (OSError, ValueError):
            return None
        text = found.get("reply") if isinstance(found, dict) else None
        return text if isinstance(text, str) else None

    def put(self, key: str, reply: str) -> None:
        """Keeps a reply; one that can't be written is not kept."""
        file = self._file(key)
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            os.chmod(self.folder, 0o700)
            write_atomically(file, json.dumps({"reply": reply}).encode())


_FENCE = re.compile(r"\A```[\w-]*[ \t]*\n(?P<body>.*)\n?```\Z", re.DOTALL)
NOT_JSON = object()
"""Stands for a line that is not the JSON asked for."""


def unfenced(text: str) -> str:
    """The reply without the code fence that may stand around the whole of it."""
    text = text.strip()
    fenced = _FENCE.match(text)
    return fenced["body"].strip() if fenced else text


def parsed(text: str) -> Any:
    """The JSON of a whole text, or NOT_JSON: prose around it, a cut, too deep a nest, NaN."""
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return NOT_JSON


def _refused(name: str) -> Any:
    raise ValueError(name)


def one(text: str) -> Mapping[str, Any] | None:
    """The reply's single JSON object, or None."""
    found = parsed(unfenced(text))
    return found if isinstance(found, dict) else None


def items(text: str, name: str) -> Iterator[tuple[Any, str]]:
    """The members of ``{name: […]}``, of a bare array or of JSON lines, each with its text; NOT_JSON for what is none.

    A reply that isn't JSON as a whole is read line by line, so that prose or a cut costs its own lines only.
    """
    whole = unfenced(text)
    lines = [whole] if parsed(whole) is not NOT_JSON else whole.splitlines()
    for line in filter(None, map(str.strip, lines)):
        value = parsed(line)
        members = value.get(name) if isinstance(value, dict) else value
        if isinstance(members, list):
            yield from ((member, json.dumps(member, ensure_ascii=False)) for member in members)
        else:
            yield value, line


MAX_BYTES = 2_000_000
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_FIRST_WAIT_S, _LONGEST_WAIT_S, _LONGEST_ASKED_S = 0.5, 20.0, 60.0
_SAID = 200  # characters of an endpoint's own error message


class ModelFailed(Exception):
    """A completion that could not be had, and why. ``lasting``: asking for another would fail as well."""

    def __init__(self, reason: str, lasting: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.lasting = reason, lasting


class _Passing(Exception):
    """A failure that may pass; ``after``: seconds that the endpoint asks to wait."""

    def __init__(self, reason: str, after: float | None = None) -> None:
        super().__init__(reason)
        self.after = after


class _NoSchema(Exception):
    """The endpoint refused a request that had a schema."""


_FORMS: tuple[Callable[[Mapping[str, Any]], dict[str, Any]], ...] = (
    lambda schema: {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": schema},
        }
    },
    lambda schema: {"response_format": {"type": "json_object", "schema": schema}},
    lambda schema: {},
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said, "" for a refusal, and the tokens that it cost: 0 for a reply kept from before."""

    text: str
    tokens: int


class Client:
    """Asks one model of one endpoint. Safe to use from several threads. ``sleep`` waits for seconds."""

    def __init__(self, settings: LlmSettings, sleep: Callable[[float], None] = time.sleep) -> None:
        """Raises CitegraphError without httpx."""
        try:
            import httpx
        except ImportError as error:
            raise CitegraphError(
                "a language model is configured and httpx isn't installed", "pip install 'citegraph[llm]'"
            ) from error
        self.model = " ".join(settings.model.split())
        self.address = settings.url.split("?", 1)[0].rstrip("/")
        self._settings, self._sleep = settings, sleep
        self._key = settings.key.get_secret_value()
        self._cache = Cache(settings.cache or user_cache_path("citegraph") / "llm")
        self._form = 0  # of _FORMS, the first that the endpoint hasn't refused
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        self._http = httpx.Client(headers=headers, timeout=settings.timeout_s, follow_redirects=False)
        self._lock = threading.Lock()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def cached(self, prompt: Filled) -> str | None:
        """The reply kept from before."""
        return self._cache.get(Cache.key(self.model, prompt))

    def complete(self, prompt: Filled, schema: Mapping[str, Any], attempts: int | None = None) -> Reply:
        """The reply to a prompt, in JSON as the schema says where the endpoint can do that. Raises ModelFailed."""
        if (kept := self.cached(prompt)) is not None:
            return Reply(kept, 0)
        reply = self._tried(prompt, schema, attempts or self._settings.attempts)
        self._cache.put(Cache.key(self.model, prompt), reply.text)
        return reply

    def _tried(self, prompt: Filled, schema: Mapping[str, Any], attempts: int) -> Reply:
        wait = _FIRST_WAIT_S
        for attempt in range(1, attempts + 1):
            try:
                return self._sent(prompt, schema)
            except _Passing as error:
                asked = error.after
                if attempt == attempts or (asked or 0) > _LONGEST_ASKED_S:
                    raise ModelFailed(str(error)) from None
                self._sleep(wait if asked is None else asked)
                wait = min(2 * wait, _LONGEST_WAIT_S)
        raise AssertionError("at least one attempt is made")

    def _sent(self, prompt: Filled, schema: Mapping[str, Any]) -> Reply:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
            "temperature": 0,
            "max_tokens": self._settings.reply_tokens,
        }
        for form in range(self._form, len(_FORMS)):
            try:
                return self._read(self._posted({**body, **_FORMS[form](schema)}, form < len(_FORMS) - 1), prompt)
            except _NoSchema:
                with self._lock:
                    self._form = max(self._form, form + 1)
        raise AssertionError("a request without a schema isn't refused for its schema")

    # --- one request -----------------------------------------------------------------------------

    def _posted(self, body: Mapping[str, Any], with_schema: bool) -> bytes:
        """The bytes of a successful response. Raises _Passing, _NoSchema, ModelFailed."""
        import httpx

        data = json.dumps(body).encode("ascii")  # a lone surrogate of a damaged document stays an escape
        until = time.monotonic() + self._settings.timeout_s
        try:
            with self._http.stream(
                "POST",
                f"{self.address}/chat/completions",
                content=data,
                headers={"Content-Type": "application/json"},
            ) as response:
                content = _content(response, until)
        except httpx.TimeoutException:
            raise _Passing(f"no answer within {self._settings.timeout_s:g} seconds") from None
        except (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.LocalProtocolError) as error:
            raise ModelFailed(f"the address can't be used: {self._scrubbed(str(error))}", lasting=True) from None
        except httpx.TransportError as error:
            raise _Passing(self._scrubbed(str(error)) or type(error).__name__) from None
        if response.status_code == 200:
            return content
        return self._refused(response, content, with_schema)

    def _refused(self, response: httpx.Response, content: bytes, with_schema: bool) -> bytes:
        status = response.status_code
        said = self._scrubbed(_error_text(content))
        # A server may fail on its own check of the parameter with 500, and names it then.
        if with_schema and (status in (400, 415, 422) or (status == 500 and "response_format" in said)):
            raise _NoSchema
        reason = f"status {status}" + (f": {said}" if said else "")
        if status in _PASSING:
            raise _Passing(reason, _seconds(response.headers.get("retry-after")))
        raise ModelFailed(reason, lasting=status in (301, 302, 303, 307, 308, 401, 402, 403, 404, 405))

    def _scrubbed(self, text: str) -> str:
        """A message without the key, should the endpoint repeat it, on one line."""
        clean = text.replace(self._key, "…") if self._key else text
        return " ".join(clean.split())[:_SAID]

    def _read(self, content: bytes, prompt: Filled) -> Reply:
        """The first choice's text. Raises _Passing for what no such endpoint would send."""
        try:
            found = json.loads(content.decode("utf-8"))
        except (ValueError, RecursionError):
            raise _Passing("the response is not JSON in UTF-8") from None
        choices = found.get("choices") if isinstance(found, dict) else None
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if isinstance(first, dict) else None
        if not isinstance(message, dict):
            raise _Passing("the response holds no choice")
        text = message.get("content")
        if message.get("refusal") or not isinstance(text, str):
            text = ""
        return Reply(text, _tokens(found.get("usage")) or prompt.tokens + len(text) // 3)


def _content(response: httpx.Response, until: float) -> bytes:
    """The body, given up when too much of it or too slow. Raises _Passing, ModelFailed."""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise ModelFailed("the response is compressed although that wasn't asked for", lasting=True)
    content = bytearray()
    for piece in response.iter_raw():
        content += piece
        if len(content) > MAX_BYTES:
            raise ModelFailed(f"the response has more than {MAX_BYTES:,} bytes")
        if time.monotonic() > until:
            raise _Passing("the response came too slowly")
    return bytes(content)


def _error_text(content: bytes) -> str:
    """What an endpoint says of an error: ``error.message``, ``error`` or ``detail`` of its JSON."""
    try:
        found = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        return ""
    error = (found.get("error") or found.get("detail")) if isinstance(found, dict) else None
    said = error.get("message") if isinstance(error, dict) else error
    return said if isinstance(said, str) else ""


def _seconds(header: str | None) -> float | None:
    """Seconds of a ``Retry-After`` header, which gives them or a date; None for anything else."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - time.time()
        except ValueError:
            return None
    return max(0.0, seconds) if seconds == seconds else None


def _tokens(usage: object) -> int:
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    return total if isinstance(total, int) and not isinstance(total, bool) and total > 0 else 0
