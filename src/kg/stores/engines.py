"""What SPARQL servers do otherwise than the standard says, and how a graph is kept there so that it comes back exactly.

Every quad is sent in the form that the embedded store would keep it in (:func:`canonical`). Blank nodes, which no
server keeps the names of, are sent as IRIs (RDF 1.1 §3.5). Where an engine alters literals, quads with such ones are
kept beside the graph as text as well, and are read from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import pyoxigraph as ox

from kg.errors import Unsupported
from kg.namespaces import XSD

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

    @property
    def default_graph(self) -> str | None:
        """The graph that stands for the default one, for the parameter ``default-graph-uri``."""
        return None if self.own_default else _PLACE.value

    def sent(self, quad: ox.Quad) -> ox.Quad | None:
        """A canonical quad as the server is to hold it; None where it would refuse its literal."""
        if not self.exact and _refused(quad.object):
            return None
        graph = quad.graph_name
        place = graph if self.own_default or graph != DEFAULT else _PLACE
        return ox.Quad(_hidden_blank(quad.subject), quad.predicate, self._object(quad.object), _hidden_blank(place))

    def _object(self, term: object) -> ox.NamedNode | ox.Literal:
        if not self.exact and isinstance(term, ox.Literal) and term.datatype.value == XSD + "decimal":
            whole = "." not in term.value  # Virtuoso takes a decimal without a point for an integer
            return ox.Literal(term.value + ".0", datatype=term.datatype) if whole else term
        return _hidden_blank(term)

    def read(self, quad: ox.Quad) -> ox.Quad | None:
        """The quad that a server's stands for; None for one that is read from :data:`EXACT`."""
        graph = DEFAULT if quad.graph_name == _PLACE else _blank(quad.graph_name)
        found = ox.Quad(_blank(quad.subject), quad.predicate, canonical(_blank(quad.object)), graph)
        return found if self.exact or not altered(found.object) else None

    def exactly(self, quad: ox.Quad) -> ox.Quad | None:
        """The quad of :data:`EXACT` that keeps a canonical quad; None where the engine keeps it well itself."""
        if self.exact or not altered(quad.object):
            return None
        graph = _PLACE if quad.graph_name == DEFAULT else _hidden_blank(quad.graph_name)
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


def engine_of(server: str) -> Engine:
    """The engine that the header ``Server`` speaks of; the standard's where it isn't known."""
    return next((e for name, e in ENGINES.items() if server.lower().startswith(name)), STANDARD)


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
