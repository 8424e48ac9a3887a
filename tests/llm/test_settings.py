"""Settings of the language model: short names, what is refused, and a key that isn't shown."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from kg.api.schemas import Report

from kg.errors import BadInput, CitegraphError
from kg.llm import make_extractor, make_helper
from kg.reports import BuildReport
from kg.settings import LlmSettings, Settings, load_settings


@pytest.fixture(autouse=True)
def clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_it_is_off_unless_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not load_settings().llm.on
    monkeypatch.setenv("KG_LLM_MODEL", "tiny")
    assert not load_settings().llm.on
    assert make_extractor(load_settings().llm) is None and make_helper(load_settings().llm) is None


@pytest.mark.parametrize("joint", ["_", "__"])
def test_variables_by_both_names(monkeypatch: pytest.MonkeyPatch, joint: str) -> None:
    given = {"URL": "http://x/v1", "MODEL": "tiny", "KEY": "sk-1", "USES": '["phrase"]', "CONCURRENCY": "2"}
    for name, value in given.items():
        monkeypatch.setenv(f"KG_LLM{joint}{name}", value)
    llm = load_settings().llm
    assert (llm.url, llm.model, llm.uses, llm.concurrency, llm.on) == ("http://x/v1", "tiny", ("phrase",), 2, True)
    assert llm.key.get_secret_value() == "sk-1"


def test_variables_go_before_the_file_and_the_long_name_before_the_short(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "kg.toml").write_text('[llm]\nurl = "http://file/v1"\nmodel = "filed"\nattempts = 2\n')
    assert load_settings().llm.model == "filed"
    monkeypatch.setenv("KG_LLM_MODEL", "short")
    assert (load_settings().llm.model, load_settings().llm.attempts) == ("short", 2)
    monkeypatch.setenv("KG_LLM__MODEL", "long")
    assert load_settings().llm.model == "long"


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({"URL": "http://x/v1"}, "url is given, and model isn't"),
        ({"URL": "ftp://x/v1", "MODEL": "m"}, "url must begin with http:// or https://"),
        ({"URL": "http://x", "MODEL": "m", "USES": "extract"}, "llm.uses"),
        ({"URL": "http://x", "MODEL": "m", "USES": '["guess"]'}, "llm.uses"),
        ({"URL": "http://x", "MODEL": "m", "CONCURRENCY": "0"}, "llm.concurrency"),
        ({"URL": "http://x", "MODEL": "m", "TIMEOUT_S": "soon"}, "llm.timeout_s"),
    ],
)
def test_what_is_refused(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], told: str) -> None:
    monkeypatch.setenv("KG_LLM_KEY", "sk-orchid")
    for name, value in variables.items():
        monkeypatch.setenv(f"KG_LLM_{name}", value)
    with pytest.raises(BadInput, match=told.replace("(", r"\(")) as refused:
        load_settings()
    assert "orchid" not in refused.value.message + refused.value.hint


def test_the_key_is_not_shown() -> None:
    settings = Settings(llm={"url": "http://x", "model": "m", "key": "sk-orchid"})
    shown = (repr(settings), str(settings), settings.model_dump_json(), json.dumps(settings.model_dump(), default=str))
    assert not any("orchid" in one for one in shown)


def test_without_httpx_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "httpx", None)
    with pytest.raises(CitegraphError, match="httpx isn't installed") as missing:
        make_extractor(LlmSettings(url="http://x", model="m"))
    assert missing.value.hint == "pip install 'citegraph[llm]'"


def test_a_question_waits_no_minute() -> None:
    helper = make_helper(LlmSettings(url="http://x", model="m", timeout_s=300))
    assert helper is not None and helper._client._settings.timeout_s == 20


def test_a_server_reports_its_changes_as_before() -> None:
    assert "warnings" not in Report.model_validate(asdict(BuildReport(warnings=("w",)))).model_dump()
