"""Requests to a SPARQL 1.1 server: who one is, how long one waits, how often one tries, and what its refusals mean."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from kg.errors import CitegraphError, StoreRefused, StoreUnavailable
from kg.stores.engines import ENGINES, Engine, engine_of

if TYPE_CHECKING:
    import httpx

    from kg.settings import StoreSettings

RESULTS = "application/sparql-results+json"
TRIPLES = "application/n-triples"
_PASSING = frozenset({408, 425, 429, 502, 503, 504})
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.2, 5.0
_SAID = 300


class Refused(Exception):
    """What a server says of a query or update that it doesn't take."""


class _Passing(Exception):
    """A failure that may pass."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response: its media type, without parameters, and its body."""

    media_type: str
    body: bytes


class Endpoint:
    """One server. Safe to use from several threads. ``sleep`` waits for seconds between attempts."""

    def __init__(self, url: str, settings: StoreSettings, sleep: Callable[[float], None] = time.sleep) -> None:
        """Raises CitegraphError without httpx."""
        try:
            import httpx
        except ImportError as error:
            raise CitegraphError(
                "a store on a server is configured and httpx isn't installed", "pip install 'citegraph[store]'"
            ) from error
        self.url = url.rstrip("/")
        self._settings, self._sleep = settings, sleep
        self._engine: Engine | None = ENGINES.get(settings.engine)
        self._http = httpx.Client(timeout=settings.timeout_s, follow_redirects=False, headers=self._token())
        self._named = f"the store at {shown(self.url)}"

    def _token(self) -> dict[str, str]:
        token = self._settings.token.get_secret_value()
        return {"Authorization": f"Bearer {token}"} if token else {}

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    @property
    def engine(self) -> Engine:
        """What kind of server it is: as the settings say, or else itself. Raises as :meth:`query` does."""
        if self._engine is None:
            self.query("ASK {}", ())
        assert self._engine is not None
        return self._engine

    @property
    def update_url(self) -> str:
        """Where updates go: as the settings say, or else where such servers take them."""
        if self._settings.update_url:
            return self._settings.update_url
        if self.url.endswith("/query"):
            return self.url.removesuffix("query") + "update"
        return self.url + "-auth" if self.engine.name == "virtuoso" and self.url.endswith("/sparql") else self.url

    def query(self, query: str, dataset: Sequence[tuple[str, str]], accept: str = RESULTS) -> Answer:
        """The answer to a query. ``dataset``: parameters of the protocol that name its graphs.

        Raises Refused (with what the server says of the query), StoreUnavailable, StoreRefused.
        """
        parameters: dict[str, Any] = {"query": query}
        for name, value in dataset:
            parameters.setdefault(name, []).append(value)
        return self._tried(self.url, {"data": parameters, "headers": {"Accept": accept}}, writes=False)

    def update(self, update: str) -> None:
        """Runs an update, again where it is not known whether it was done: it must be one that may be done twice.

        Raises StoreUnavailable, StoreRefused.
        """
        headers = {"Content-Type": "application/sparql-update"}
        try:
            self._tried(self.update_url, {"content": update.encode(), "headers": headers}, writes=True)
        except Refused as error:
            hint = "name its address for updates under [store] update_url, and look into its log"
            raise StoreUnavailable(f"{self._named} doesn't take an update: {error}", hint) from None

    def _tried(self, url: str, request: dict[str, Any], *, writes: bool) -> Answer:
        wait = _FIRST_WAIT_S
        for attempt in range(1, self._settings.attempts + 1):
            try:
                return self._sent(url, request, writes)
            except _Passing as error:
                if attempt == self._settings.attempts:
                    hint = "is it running, and is the address right ([store] url, --store)?"
                    raise StoreUnavailable(f"{self._named} can't be reached: {error}", hint) from None
                self._sleep(wait)
                wait = min(2 * wait, _LONGEST_WAIT_S)
        raise AssertionError("at least one attempt is made")

    def _sent(self, url: str, request: dict[str, Any], writes: bool) -> Answer:
        import httpx

        try:
            response = self._http.post(url, **request)
            if response.status_code == 401 and self._authenticate(response.headers.get("www-authenticate", "")):
                response = self._http.post(url, **request)
        except httpx.TimeoutException:
            raise _Passing(f"no answer within {self._settings.timeout_s:g} seconds") from None
        except (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.LocalProtocolError) as error:
            raise StoreUnavailable(f"the address {shown(url)} can't be used: {error}", "check [store]") from None
        except httpx.TransportError as error:
            raise _Passing(str(error) or type(error).__name__) from None
        return self._read(response, writes)

    def _authenticate(self, asked: str) -> bool:
        """Whether there are credentials to try, in the way that the server asks for."""
        import httpx

        user, password = self._settings.user, self._settings.password.get_secret_value()
        if not user or self._http.auth is not None:
            return False
        kind = httpx.DigestAuth if asked.lower().startswith("digest") else httpx.BasicAuth
        self._http.auth = kind(user, password)
        return True

    def _read(self, response: httpx.Response, writes: bool) -> Answer:
        status, said = response.status_code, " ".join(response.text[:_SAID].split()) if not response.is_success else ""
        media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if status in _PASSING:
            raise _Passing(f"status {status} {said}".strip())
        if status in (401, 403) or "SECURITY" in said or "No permission" in said:
            raise self._not_allowed(status, writes)
        if status in (404, 405, 410, 501) or response.is_redirect:
            raise self._wrong_address(response, writes)
        if not response.is_success:
            raise Refused(said or f"status {status}")
        if not writes and media_type == "text/html":
            raise StoreUnavailable(
                f"{self._named} answers with a web page", "name its SPARQL endpoint, not its home page"
            )
        if self._engine is None:
            self._engine = engine_of(response.headers.get("server", ""))
        self._check_whole(response, writes)
        return Answer(media_type, response.content)

    def _check_whole(self, response: httpx.Response, writes: bool) -> None:
        if not writes and (response.status_code == 206 or response.headers.get("x-sql-state") == "S1TAT"):
            raise StoreUnavailable(f"{self._named} gives a part of the result only", "raise its limit of time")
        most = response.headers.get("x-sparql-maxrows", "")
        if most.isdigit() and response.content.count(b"\n    { ") >= int(most):
            raise StoreUnavailable(
                f"{self._named} gives {int(most):,} rows at most", "raise or remove ResultSetMaxRows in virtuoso.ini"
            )

    def _not_allowed(self, status: int, writes: bool) -> StoreRefused:
        what = "changes to it" if writes else "queries"
        if not self._settings.user and not self._settings.token.get_secret_value():
            return StoreRefused(
                f"{self._named} wants a name and password for {what}", "set KG_STORE_USER and KG_STORE_PASSWORD"
            )
        hint = "check KG_STORE_USER and KG_STORE_PASSWORD (or KG_STORE_TOKEN), and what that user may do there"
        return StoreRefused(f"{self._named} doesn't allow {what} (status {status})", hint)

    def _wrong_address(self, response: httpx.Response, writes: bool) -> StoreUnavailable:
        where = response.headers.get("location", "")
        if response.is_redirect:
            return StoreUnavailable(f"{self._named} sends us on to {where}", "name that address under [store]")
        if writes:
            hint = "it may be read-only; if it takes updates elsewhere, name that under [store] update_url"
            return StoreUnavailable(f"{self._named} takes no updates (status {response.status_code})", hint)
        hint = "name its address for queries: http://localhost:7878/query, http://localhost:8890/sparql, …"
        return StoreUnavailable(f"there is no SPARQL endpoint at {shown(self.url)}", hint)


def shown(url: str) -> str:
    """An address as messages show it: without credentials."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
