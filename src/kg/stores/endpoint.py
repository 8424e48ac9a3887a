"""Requests to a SPARQL 1.1 server: who one is, how long one waits, how often one tries, and what its refusals mean.

What SPARQL servers do otherwise than the standard says, and how a graph is kept there so that it comes back exactly.

Every quad is sent in the form that the embedded store would keep it in (:func:`canonical`). Blank nodes, which no
server keeps the names of, are sent as IRIs (RDF 1.1 §3.5). Where an engine alters literals, quads with such ones are
kept beside the graph as text as well, and are read from there.

The mark by which a server says which generation of a graph it holds, and whether it is being changed.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pyoxigraph as ox

from kg.errors import CitegraphError, StoreRefused, StoreUnavailable, Unsupported
from kg.namespaces import XSD

if TYPE_CHECKING:
    import httpx

    from kg.settings import StoreSettings

OWN = "urn:citegraph:"
STATE = ox.NamedNode(OWN + "state")
"""The graph that says which generation a server holds."""
EXACT = ox.NamedNode(OWN + "exact")
"""The graph of quads whose literals the engine alters: subject, graph, and the quad as a line of N-Quads."""
_PLACE = ox.NamedNode(OWN + "default")
BLANK = OWN + "blank:"
DEFAULT = ox.DefaultGraph()
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_ROUNDED = frozenset({XSD + "double", XSD + "float", XSD + "decimal"})
_DATES = frozenset({XSD + "date", XSD + "gYear", XSD + "gYearMonth"})
_AS_WRITTEN = frozenset({XSD + "string", XSD + "boolean", XSD + "anyURI"})
_UNBOXED = frozenset({*_ROUNDED, *_DATES, XSD + "string", XSD + "boolean", XSD + "integer", XSD + "dateTime"})
_LANGUAGE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


@dataclass(frozen=True, slots=True)
class Engine:
    """A kind of server.

    ``atomic``: one update request is done whole or not at all, as SPARQL 1.1 Update §2.2 asks. ``own_default``: it
    has a default graph that is no union of the others. ``exact``: literals come back as they went. ``batch``: quads
    that a request may carry. ``hidden``: graphs of its own, ``hidden_prefixes``: what the names of others begin with.
    ``deletes_boxed``: a request may delete several triples with literals that have a language or a datatype which isn't
    one of SQL's (Virtuoso 7.2.5 leaves them there unless each is deleted by itself).
    """

    name: str
    atomic: bool = True
    own_default: bool = True
    exact: bool = True
    batch: int = 20_000
    deletes_boxed: bool = True
    hidden: tuple[str, ...] = ()
    hidden_prefixes: tuple[str, ...] = ()

    @property
    def hides(self) -> str:
        """The condition on ``?graph`` that leaves out what isn't part of the dataset."""
        names = [STATE.value, *([] if self.own_default else [_PLACE.value])]
        names += [*([] if self.exact else [EXACT.value]), *self.hidden]
        listed = ", ".join(f"<{name}>" for name in names)
        starts = [f'!STRSTARTS(STR(?graph), "{prefix}")' for prefix in self.hidden_prefixes]
        return " && ".join([f"?graph NOT IN ({listed})", *starts])

    def sent(self, quad: ox.Quad) -> ox.Quad | None:
        """A canonical quad as the server is to hold it; None where it would refuse its literal."""
        if not self.exact and _refused(quad.object):
            return None
        place, term = self.graph(quad.graph_name) or DEFAULT, _hidden_blank(quad.object)
        if not self.exact and isinstance(term, ox.Literal) and term.datatype.value == XSD + "decimal":
            # Virtuoso takes a decimal without a point for an integer.
            term = term if "." in term.value else ox.Literal(term.value + ".0", datatype=term.datatype)
        return ox.Quad(_hidden_blank(quad.subject), quad.predicate, term, place)

    def read(self, quad: ox.Quad) -> ox.Quad | None:
        """The quad that a server's stands for; None for one that is read from :data:`EXACT`."""
        graph = DEFAULT if quad.graph_name == _PLACE else _blank(quad.graph_name)
        found = ox.Quad(_blank(quad.subject), quad.predicate, canonical(_blank(quad.object)), graph)
        return found if self.exact or not altered(found.object) else None

    def exactly(self, quad: ox.Quad) -> ox.Quad | None:
        """The quad of :data:`EXACT` that keeps a canonical quad; None where the engine keeps it well itself."""
        if self.exact or not altered(quad.object):
            return None
        graph = self.graph(quad.graph_name) or _PLACE
        return ox.Quad(_hidden_blank(quad.subject), graph, ox.Literal(f"{quad} ."), EXACT)

    def all_sent(self, quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
        """The quads as the server is to hold them, those of :data:`EXACT` among them."""
        for whole in map(canonical_quad, quads):
            for found in (self.sent(whole), self.exactly(whole)):
                if found is not None:
                    yield found

    def deleted_alone(self, quad: ox.Quad) -> bool:
        """Whether a quad needs an operation to itself to be deleted."""
        term = quad.object
        return not self.deletes_boxed and isinstance(term, ox.Literal) and term.datatype.value not in _UNBOXED

    def graph(self, name: ox.NamedNode | ox.DefaultGraph | ox.BlankNode) -> ox.NamedNode | None:
        """The name under which the server holds a graph; None for a default graph of its own."""
        if isinstance(name, ox.DefaultGraph):
            return None if self.own_default else _PLACE
        return _hidden_blank(name)


STANDARD = Engine("sparql")
OXIGRAPH = Engine("oxigraph")
VIRTUOSO = Engine(
    "virtuoso",
    atomic=False,
    own_default=False,
    exact=False,
    deletes_boxed=False,
    batch=1_000,  # its parser runs out of stack between 4,000 and 5,000
    hidden=("http://localuriqaserver/sparql", "http://www.w3.org/ns/ldp#", "http://www.w3.org/2002/07/owl#"),
    hidden_prefixes=("http://www.openlinksw.com/", "http://localhost:8890/", "urn:rules.", "urn:virtuoso:"),
)
ENGINES = {engine.name: engine for engine in (STANDARD, OXIGRAPH, VIRTUOSO)}


def canonical(term: object) -> ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple:
    """A term as the embedded store gives it back: numbers and truth values have one form each."""
    if isinstance(term, ox.Literal) and term.datatype.value.startswith(XSD) and term.datatype.value != XSD + "string":
        return _stored(term)
    return term  # type: ignore[return-value]


@lru_cache(maxsize=10_000)
def _stored(literal: ox.Literal) -> ox.Literal:
    store = ox.Store()
    store.add(ox.Quad(STATE, STATE, literal))
    return next(iter(store)).object  # type: ignore[no-any-return]


def canonical_quad(quad: ox.Quad) -> ox.Quad:
    """A quad as the embedded store gives it back."""
    return ox.Quad(quad.subject, quad.predicate, canonical(quad.object), quad.graph_name)


def altered(term: object) -> bool:
    """Whether Virtuoso gives a canonical term back in another form, or refuses it."""
    if not isinstance(term, ox.Literal):
        return False
    return term.datatype.value in _ROUNDED or _refused(term)


def _refused(term: object) -> bool:
    if not isinstance(term, ox.Literal):
        return False
    kind, value = term.datatype.value, term.value
    if kind in _AS_WRITTEN or kind in _ROUNDED or kind == _LANGUAGE:
        return value in ("NaN", "INF", "-INF") and kind in _ROUNDED
    if kind in _DATES:
        return not _DATE.fullmatch(value)
    if kind == XSD + "dateTime":
        return not _MOMENT.fullmatch(value)
    if kind == XSD + "integer":
        return not _INTEGER.fullmatch(value)
    return kind.startswith((XSD, _RDF))


def _hidden_blank(term: object) -> ox.NamedNode:
    """A term with a blank node's name made an IRI. Raises Unsupported for triples as terms."""
    if isinstance(term, ox.BlankNode):
        return ox.NamedNode(BLANK + term.value)
    if isinstance(term, ox.Triple):
        raise Unsupported("triples as terms can't be kept on a server", "keep that graph in the folder: --store folder")
    return term  # type: ignore[return-value]


def _blank(term: object) -> ox.NamedNode:
    """The blank node that such an IRI stands for; every other term as it is."""
    if isinstance(term, ox.NamedNode) and term.value.startswith(BLANK):
        return ox.BlankNode(term.value.removeprefix(BLANK))  # type: ignore[return-value]
    return term  # type: ignore[return-value]


_STORE, _IS = f"<{OWN}store>", f"<{OWN}is>"


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """The ``number``-th state of a server: a ``generation``, or on the way to that in ``writing``.

    Numbers rise with every change, so that a generation that comes again has another mark.
    """

    number: int
    generation: str
    writing: str = ""

    def is_at(self, generation: str) -> bool:
        """Whether that generation is there, whole."""
        return self.generation == generation and not self.writing

    def on_the_way(self, generation: str) -> Mark:
        """The mark of a change to that generation which is under way."""
        return Mark(self.number + 1, self.generation, generation)

    def there(self, generation: str) -> Mark:
        """The mark of that generation, arrived at."""
        return Mark(self.number + 1, generation)

    @property
    def _triple(self) -> str:
        text = f"{self.number} {self.generation or '-'} {self.writing}".strip()
        return f"GRAPH {STATE} {{ {_STORE} {_IS} {ox.Literal(text)} }}"

    def replacing(self, others: Iterable[Mark]) -> str:
        """The update that puts this mark in the place of others. In between both are there, never none."""
        gone = " ".join(mark._triple for mark in others if mark != self)
        return f"INSERT DATA {{ {self._triple} }}" + (f" ;\nDELETE DATA {{ {gone} }}" if gone else "")


MARKS = f"SELECT ?mark {{ GRAPH {STATE} {{ {_STORE} {_IS} ?mark }} }}"
"""The query for the marks of a server."""


def marked(rows: Iterable[list[Any]]) -> tuple[Mark, ...]:
    """Marks of the rows of :data:`MARKS`, in the order of their numbers."""
    found = []
    for (literal,) in rows:
        number, generation, *writing = literal.value.split(" ")
        found.append(Mark(int(number), generation.replace("-", "", 1) if generation == "-" else generation, *writing))
    return tuple(sorted(found))


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
    """One server. Safe to use from several threads."""

    def __init__(self, url: str, settings: StoreSettings) -> None:
        """Raises CitegraphError without httpx."""
        try:
            import httpx
        except ImportError as error:
            raise CitegraphError(
                "a store on a server is configured and httpx isn't installed", "pip install 'citegraph[store]'"
            ) from error
        self.url = url.rstrip("/")
        self._settings = settings
        self._engine: Engine | None = ENGINES.get(settings.engine)
        token = settings.token.get_secret_value()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(timeout=settings.timeout_s, follow_redirects=False, headers=headers)
        self._named = f"the store at {shown(self.url)}"

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
                time.sleep(wait)
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
            server = response.headers.get("server", "").lower()
            self._engine = next((engine for name, engine in ENGINES.items() if server.startswith(name)), STANDARD)
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
