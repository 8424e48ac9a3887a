"""Settings of a run: defaults, then ``kg.toml``, then ``KG_…`` environment variables, then flags."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from kg.errors import BadInput
from kg.namespaces import DEFAULT_BASE


def _workers(value: Any) -> Any:
    text = str(value).strip()
    if text.isdecimal():
        return int(text)
    address = urlsplit(text)
    if address.scheme != "dask" or not address.hostname or not address.port or address.path.strip("/"):
        raise ValueError("a number of processes, or dask://HOST:PORT")
    return text.rstrip("/")


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BuildSettings(_Section):
    """``[build]``: how documents become a graph."""

    ontology: tuple[Path, ...] = Field((), description="Ontology files (Turtle); relative paths count from kg.toml.")
    base: str = Field(DEFAULT_BASE, description="Base IRI of entities, documents and claims.")
    model: str = Field(
        "",
        description="Embedding model: a folder in sentence-transformers' layout. Empty: the packaged all-MiniLM-L6-v2.",
    )
    max_file_mb: float = Field(50, gt=0, description="Larger files are refused (megabytes).")
    workers: Annotated[int | str, BeforeValidator(_workers)] = Field(
        0,
        description="Processes that read documents side by side; 0: one for each core, fewer for little text. "
        "Or the scheduler of a Dask cluster that reads and embeds: dask://HOST:PORT.",
    )
    document_timeout_s: float = Field(
        120,
        gt=0,
        description="Reading a document is stopped after so many seconds of processor time, one more for every 20 KB.",
    )
    document_memory_mb: int = Field(
        1500,
        ge=128,
        description="Memory that reading a document may take (megabytes; Linux), and a hundred times its size more.",
    )


class StoreSettings(_Section):
    """``[store]``: where the graph is kept; without an address in the knowledge base's folder."""

    url: str = Field(
        "",
        description="Address for queries of a SPARQL 1.1 server that keeps the graph "
        '("http://localhost:7878/query"). Empty: where it was kept before, at first in the folder; "folder": there.',
    )
    update_url: str = Field(
        "",
        description="Its address for updates; empty: …/update beside …/query, /sparql-auth for Virtuoso, or the same.",
    )
    engine: Literal["", "oxigraph", "virtuoso", "sparql"] = Field(
        "", description="What it is; empty: what it says itself. sparql: any that keeps to the standard."
    )
    user: str = Field("", description="Name to sign in with; best given as KG_STORE_USER.")
    password: SecretStr = Field(
        SecretStr(""), description="Password (Basic or Digest, as the server asks); KG_STORE_PASSWORD. Never printed."
    )
    token: SecretStr = Field(
        SecretStr(""), description="Bearer token in place of these; KG_STORE_TOKEN. Never printed."
    )
    timeout_s: float = Field(60, gt=0, description="Seconds until a request is given up.")
    attempts: int = Field(5, ge=1, description="Times that a request which fails in passing is sent.")

    @model_validator(mode="after")
    def _addresses(self) -> StoreSettings:
        for name, address in (("url", self.url), ("update_url", self.update_url)):
            if address and address != "folder" and not address.startswith(("http://", "https://")):
                raise ValueError(f"{name} must begin with http:// or https://")
            if "@" in urlsplit(address).netloc:
                raise ValueError(f"{name} must not hold a password: set KG_STORE_USER and KG_STORE_PASSWORD")
        return self


class AskSettings(_Section):
    """``[ask]``: how questions are answered."""

    reader: str = Field(
        "",
        description="Models that read passages and judge answers: a folder. Empty: the packaged ones; "
        '"none": queries of the graph alone.',
    )


class ServeSettings(_Section):
    """``[serve]``: the HTTP server."""

    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    query_timeout_s: float = Field(10, gt=0, description="A SPARQL query is killed after this many seconds.")
    query_workers: int = Field(2, ge=1, description="SPARQL queries that run side by side.")
    query_memory_mb: int = Field(700, ge=64, description="Memory that each query may take (megabytes; Linux).")
    max_rows: int = Field(100_000, ge=1, description="A SELECT with more rows is refused.")
    max_bytes: int = Field(100_000_000, ge=1, description="A larger serialised result is refused.")
    cache_mb: float = Field(16, ge=0, description="Memory for results of queries asked again (megabytes); 0: none.")
    document_timeout_s: float = Field(120, gt=0, description="Reading an uploaded document is stopped after so long.")
    document_memory_mb: int = Field(1500, ge=128, description="Memory that reading a document may take (Linux).")
    max_upload_mb: float = Field(60, gt=0, description="A larger upload is refused (megabytes, all files together).")
    read_keys: tuple[str, ...] = Field(
        (), description="SHA-256 (hexadecimal) of each key that may read; none (here and of kg key): everyone may."
    )
    write_keys: tuple[str, ...] = Field(
        (), description="SHA-256 of each key that may write; none (here and of kg key): the server is read-only."
    )
    admin_keys: tuple[str, ...] = Field((), description="SHA-256 of each key that may do everything.")
    hosts: tuple[str, ...] = Field(
        (), description='Names that requests may use for a server on loopback, beside "localhost" and 127.0.0.1.'
    )
    cors_origins: tuple[str, ...] = Field(
        (), description='Web sites whose scripts may read answers ("https://example.org"); "*" for all.'
    )
    requests_per_minute: int = Field(
        0, ge=0, description="Requests a minute that each key, or address without one, may send; 0: no limit."
    )
    requests_at_once: int = Field(64, ge=0, description="Requests of one key or address side by side; 0: no limit.")
    log: Literal["requests", "errors"] = Field("requests", description="What to log as JSON on standard error.")
    traces: bool = Field(
        False, description="Send a trace of each request to where OTEL_EXPORTER_OTLP_ENDPOINT says (OpenTelemetry)."
    )


class LlmSettings(_Section):
    """``[llm]``: an optional language model behind an OpenAI-compatible endpoint; off without an address."""

    url: str = Field(
        "", description='Address of the endpoint, up to its version ("http://localhost:11434/v1"). Empty: no model.'
    )
    model: str = Field("", description="Name of the model, as the endpoint knows it.")
    key: SecretStr = Field(SecretStr(""), description="Key that the endpoint wants; never printed or logged.")
    uses: tuple[Literal["extract", "propose", "phrase"], ...] = Field(
        ("extract", "propose"),
        description="What it may do: extract facts from passages, propose a query where an answer is missing, "
        "phrase answers.",
    )
    timeout_s: float = Field(60, gt=0, description="Seconds until a request is given up; for a question 20 at most.")
    attempts: int = Field(4, ge=1, description="Times that a request which fails in passing is sent.")
    concurrency: int = Field(4, ge=1, le=64, description="Requests of a build side by side.")
    reply_tokens: int = Field(2_000, ge=16, description="Tokens that a reply may have.")
    build_tokens: int = Field(
        2_000_000, ge=0, description="Tokens that a build may spend; what doesn't fit is read without the model."
    )
    cache: Path | None = Field(None, description="Folder where replies are kept; none: in the user's cache folder.")

    @property
    def on(self) -> bool:
        """Whether there is a model."""
        return bool(self.url)

    @model_validator(mode="after")
    def _whole(self) -> LlmSettings:
        if self.url and not self.url.startswith(("http://", "https://")):
            raise ValueError("url must begin with http:// or https://")
        if self.url and not self.model.strip():
            raise ValueError("url is given, and model isn't")
        return self


class _Short(PydanticBaseSettingsSource):
    """``KG_LLM_URL`` for ``KG_LLM__URL``, ``KG_STORE_…`` alike: the names under which people look for these."""

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        """What the environment has of a section under short names."""
        section = LlmSettings if field_name == "llm" else StoreSettings
        given = {name: os.environ.get(f"KG_{field_name}_{name}".upper()) for name in section.model_fields}
        found: dict[str, Any] = {name: value for name, value in given.items() if value}
        with contextlib.suppress(KeyError, ValueError):  # what isn't JSON is refused with its place, as it stands
            found["uses"] = json.loads(found["uses"])
        return found, field_name, True

    def __call__(self) -> dict[str, Any]:
        """What is found, by field of the settings."""
        given = {section: self.get_field_value(None, section)[0] for section in ("store", "llm")}
        return {section: values for section, values in given.items() if values}


class Settings(BaseSettings):
    """All settings. Environment: ``KG_KB=…``, ``KG_SERVE__PORT=…``; of ``[llm]``, ``[store]`` also ``KG_LLM_URL=…``."""

    model_config = SettingsConfigDict(
        env_prefix="KG_", env_nested_delimiter="__", frozen=True, extra="forbid", toml_file="kg.toml"
    )

    kb: Path = Field(Path("kb"), description="Folder of the knowledge base.")
    build: BuildSettings = Field(default_factory=lambda: BuildSettings())
    store: StoreSettings = Field(default_factory=lambda: StoreSettings())
    ask: AskSettings = Field(default_factory=lambda: AskSettings())
    serve: ServeSettings = Field(default_factory=lambda: ServeSettings())
    llm: LlmSettings = Field(default_factory=lambda: LlmSettings())

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags, then environment, then ``kg.toml`` of the current folder."""
        return init_settings, env_settings, _Short(settings_cls), TomlConfigSettingsSource(settings_cls)


def load_settings(**flags: Any) -> Settings:
    """The settings in force; ``flags`` are those given on the command line. Raises BadInput with the place."""
    try:
        return Settings(**flags)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise BadInput(f"the settings can't be used: {wrong}", "check kg.toml and KG_… variables") from error
    except ValueError as error:
        raise BadInput(f"kg.toml can't be read: {error}", "see toml.io for its syntax") from error
