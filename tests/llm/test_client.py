"""The client against an endpoint that fails in every usual way."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from email.utils import formatdate
from pathlib import Path

import pytest

from kg.llm.model_client import EXTRACT, MAX_BYTES, PHRASE, PROPOSE, Cache, Client, Filled, ModelFailed, prompt
from kg.settings import LlmSettings

from .server import Endpoint, Reply, completion, failure

Made = Callable[..., LlmSettings]
PROMPT = Filled("test-1", "Say so.", "What?")


class Clock:
    """Notes how long it was asked to sleep, and doesn't."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)


def fails(client: Client, attempts: int | None = None) -> ModelFailed:
    with pytest.raises(ModelFailed) as failed:
        client.complete(PROMPT, {}, attempts)
    return failed.value


def test_what_is_sent(endpoint: Endpoint, settings: Made) -> None:
    endpoint.answer = '{"so": 1}'
    reply = Client(settings(reply_tokens=77)).complete(PROMPT, {"type": "object"})
    assert (reply.text, reply.tokens) == ('{"so": 1}', 100)
    (sent,) = endpoint.requests
    assert sent["messages"] == [{"role": "system", "content": "Say so."}, {"role": "user", "content": "What?"}]
    assert (sent["model"], sent["temperature"], sent["max_tokens"]) == ("tiny", 0, 77)
    assert sent["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert endpoint.headers[0]["path"] == "/v1/chat/completions"
    assert endpoint.headers[0]["authorization"] == "Bearer sk-orchid"


def test_no_key_is_sent_where_there_is_none(endpoint: Endpoint, settings: Made) -> None:
    Client(settings(key="")).complete(PROMPT, {})
    assert "authorization" not in endpoint.headers[0]


def test_a_reply_is_asked_for_once(endpoint: Endpoint, settings: Made) -> None:
    first = Client(settings()).complete(PROMPT, {})
    again = Client(settings(url="http://127.0.0.1:9/v1")).complete(PROMPT, {})
    assert (again.text, again.tokens, len(endpoint.requests)) == (first.text, 0, 1)


@pytest.mark.parametrize(
    "other",
    [
        ("other", PROMPT),
        ("tiny", Filled("test-2", "Say so.", "What?")),
        ("tiny", Filled("test-1", "Say so!", "What?")),
        ("tiny", Filled("test-1", "Say so.", "Who?")),
    ],
)
def test_another_model_prompt_or_content_is_another_reply(other: tuple[str, Filled]) -> None:
    assert Cache.key(*other) != Cache.key("tiny", PROMPT)


def test_a_damaged_file_of_the_cache_is_asked_for_anew(endpoint: Endpoint, settings: Made, tmp_path: Path) -> None:
    Client(settings()).complete(PROMPT, {})
    (file,) = (tmp_path / "replies").rglob("*.json")
    for damage in (b"", b"{", b"[1]", b'{"reply": 3}', b"\xff"):
        file.write_bytes(damage)
        assert Client(settings()).complete(PROMPT, {}).tokens == 100
    assert len(endpoint.requests) == 6
    assert (tmp_path / "replies").stat().st_mode & 0o077 == 0


def test_an_endpoint_without_schemas_is_asked_plainly_from_then_on(endpoint: Endpoint, settings: Made) -> None:
    endpoint.formats = ()
    client = Client(settings())
    assert client.complete(PROMPT, {}).text == '{"facts": []}'
    client.complete(Filled("test-1", "", "Else?"), {})
    assert ["response_format" in r for r in endpoint.requests] == [True, True, False, False]


@pytest.mark.parametrize("status", [400, 415, 422, 500])
def test_an_endpoint_with_another_form_of_schemas_is_asked_in_that(
    endpoint: Endpoint, settings: Made, status: int
) -> None:
    endpoint.formats, endpoint.status = ("json_object",), status
    client = Client(settings())
    client.complete(PROMPT, {"type": "object"})
    client.complete(Filled("test-1", "", "Else?"), {"type": "object"})
    kinds = [r["response_format"]["type"] for r in endpoint.requests]
    assert kinds == ["json_schema", "json_object", "json_object"]
    assert endpoint.requests[-1]["response_format"]["schema"] == {"type": "object"}


def test_waits_as_long_as_it_is_told(endpoint: Endpoint, settings: Made) -> None:
    endpoint.first = [failure(429, Retry_After="7"), failure(503, Retry_After=formatdate(time.time() - 60))]
    clock = Clock()
    assert Client(settings(), clock).complete(PROMPT, {}).text
    assert clock.waits == [7, 0]


def test_waits_longer_each_time_where_nothing_is_said(endpoint: Endpoint, settings: Made) -> None:
    endpoint.first = [failure(500), failure(502, Retry_After="soon"), failure(504)]
    clock = Clock()
    assert Client(settings(), clock).complete(PROMPT, {}).tokens == 100
    assert clock.waits == [0.5, 1.0, 2.0]


def test_gives_up_after_so_many_attempts(endpoint: Endpoint, settings: Made) -> None:
    endpoint.answer = failure(500, "out of memory")
    clock = Clock()
    failed = fails(Client(settings(attempts=3), clock))
    assert (failed.reason, failed.lasting, len(endpoint.requests)) == ("status 500: out of memory", False, 3)
    fails(Client(settings(attempts=3), clock), attempts=1)
    assert len(endpoint.requests) == 4


def test_waits_no_hour(endpoint: Endpoint, settings: Made) -> None:
    endpoint.answer = failure(429, "quota", Retry_After="3600")
    clock = Clock()
    assert fails(Client(settings(), clock)).reason == "status 429: quota"
    assert (clock.waits, len(endpoint.requests)) == ([], 1)


@pytest.mark.parametrize("status", [401, 403, 404, 302])
def test_what_will_not_pass_is_not_tried_again(endpoint: Endpoint, settings: Made, status: int) -> None:
    endpoint.answer = failure(status, "go away", Location="http://127.0.0.1:9/")
    failed = fails(Client(settings()))
    assert (failed.reason, failed.lasting, len(endpoint.requests)) == (f"status {status}: go away", True, 1)


def test_the_key_is_never_told(endpoint: Endpoint, settings: Made) -> None:
    endpoint.answer = failure(401, "Incorrect key: sk-orchid\n" + "x" * 500)
    client = Client(settings())
    reason = fails(client).reason
    assert reason.startswith("status 401: Incorrect key: … xxx") and len(reason) < 230
    assert "orchid" not in reason + repr(settings()) + str(settings()) + settings().model_dump_json()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>busy</html>",
        b'{"choices": []}',
        b'{"choices": [{}]}',
        b'{"choices": null}',
        b'{"choices": [{"message": "hi"}]}',
        b"[1]",
        b'{"choices": [{"message": {"content": "cut',
        b'{"choices": [{"message": {"content": "\xff\xfe"}}]}',
        b"[" * 200_000,
    ],
)
def test_what_is_no_completion_is_asked_for_again(endpoint: Endpoint, settings: Made, body: bytes) -> None:
    endpoint.first = [Reply(body)]
    assert Client(settings(), Clock()).complete(PROMPT, {}).text == '{"facts": []}'
    endpoint.answer = Reply(body)
    assert fails(Client(settings(model="other", attempts=2), Clock())).reason.startswith("the response ")


@pytest.mark.parametrize("reply", [completion(None), completion(""), completion("No.", refusal="I can't")])
def test_a_refusal_is_an_empty_reply(endpoint: Endpoint, settings: Made, reply: Reply) -> None:
    endpoint.answer = reply
    assert Client(settings()).complete(PROMPT, {}).text == ""
    assert Client(settings()).complete(PROMPT, {}).tokens == 0
    assert len(endpoint.requests) == 1


def test_a_huge_response_is_given_up(endpoint: Endpoint, settings: Made) -> None:
    endpoint.answer = completion("x" * (MAX_BYTES + 1))
    failed = fails(Client(settings()))
    assert (failed.reason, len(endpoint.requests)) == ("the response has more than 2,000,000 bytes", 1)


def test_a_compressed_response_is_not_unpacked(endpoint: Endpoint, settings: Made) -> None:
    endpoint.answer = Reply(b"\x1f\x8b", headers={"Content-Encoding": "gzip"})
    assert "compressed" in fails(Client(settings())).reason


def test_an_endpoint_that_says_nothing_is_given_up(endpoint: Endpoint, settings: Made) -> None:
    endpoint.answer = Reply(b"{}", wait=1.5)
    began = time.monotonic()
    assert fails(Client(settings(timeout_s=0.3, attempts=2), Clock())).reason == "no answer within 0.3 seconds"
    assert time.monotonic() - began < 1.4


def test_a_response_that_drips_is_given_up(endpoint: Endpoint, settings: Made) -> None:
    endpoint.answer = Reply(completion("x" * 400).body, drip=0.05)
    began = time.monotonic()
    assert fails(Client(settings(timeout_s=0.4, attempts=1))).reason == "the response came too slowly"
    assert time.monotonic() - began < 1.4


def test_an_endpoint_that_is_down(settings: Made) -> None:
    clock = Clock()
    failed = fails(Client(settings(url="http://127.0.0.1:9/v1", attempts=2), clock))
    assert "refused" in failed.reason and not failed.lasting and clock.waits == [0.5]


def test_an_endpoint_that_names_no_cost_is_estimated(endpoint: Endpoint, settings: Made) -> None:
    body = json.loads(completion("y" * 30).body)
    for usage in (None, {}, {"total_tokens": "many"}, {"total_tokens": True}, {"total_tokens": -5}, 7):
        endpoint.answer = Reply(json.dumps({**body, "usage": usage}).encode())
        reply = Client(settings(model=f"m{usage!r}")).complete(PROMPT, {})
        assert reply.tokens == PROMPT.tokens + 10 == 14


def test_text_that_is_no_unicode_can_be_sent(endpoint: Endpoint, settings: Made) -> None:
    Client(settings()).complete(Filled("test-1", "", "a\ud800b"), {})
    assert endpoint.requests[0]["messages"][1]["content"] == "a\ud800b"


@pytest.mark.parametrize("version", [EXTRACT, PROPOSE, PHRASE])
def test_prompts_are_filled_whole(version: str) -> None:
    found = prompt(version)
    names = {w.strip("$.,:") for w in found.user.split() if w.startswith("$")}
    filled = found.filled(**{name: "$question ${x} $$" for name in names})
    assert filled.user.count("$question ${x} $$") == len(names) > 1
    assert found.version == version and "JSON" in found.system and "data" in found.system
    assert filled.key == f"{version} {found.sha256}"
    with pytest.raises(KeyError):
        found.filled()
