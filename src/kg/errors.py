"""The error tree: every refusal is one of these, with a sentence and a hint on what to do.

``kg`` prints ``message`` and ``hint`` on standard error and exits 1; the server turns them into
RFC 9457 problem details with ``http_status``.
"""

from __future__ import annotations

import re


class CitegraphError(Exception):
    """Root of all errors that Citegraph raises on purpose."""

    http_status = 500
    slug = "error"
    """What programs know it by: of those below the class's name in lower case with hyphens, where that isn't given.

    What is made of them elsewhere has the slug of what it is made of.
    """

    def __init_subclass__(cls) -> None:
        if cls.__module__ == __name__ and "slug" not in vars(cls):
            cls.slug = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class BadInput(CitegraphError):
    """What the caller handed over can't be used as it is."""

    http_status = 400


class UnreadableDocument(BadInput):
    """A file that no reader can turn into text (empty, wrong encoding, unknown format)."""

    http_status = 415


class DocumentClash(BadInput):
    """Two different files whose paths give the same document identifier."""

    http_status = 409


class BadOntology(BadInput):
    """An ontology file that doesn't parse or contradicts itself."""


class BadQuery(BadInput):
    """A SPARQL query that doesn't parse."""


class QueryRefused(BadInput):
    """A legal SPARQL query that is not run here (SERVICE, LOAD, update, too deep, too long)."""

    http_status = 403


class UpdateFailed(BadInput):
    """An update that parses and can't be done on what is there (dropping a graph that doesn't exist)."""

    http_status = 409


class ReadOnly(BadInput):
    """A change where nobody may make changes."""

    http_status = 403


class KeyNeeded(BadInput):
    """A request that only the holder of a key may make, without a key that fits."""

    http_status = 401


class QueryTimeout(CitegraphError):
    """A query killed at its deadline."""

    http_status = 503


class ResultTooLarge(CitegraphError):
    """A result that exceeds the row or byte limit; nothing of it is given."""

    http_status = 413


class NotFound(CitegraphError):
    """A document, entity, claim or knowledge base that isn't there."""

    http_status = 404


class UnsupportedBody(BadInput):
    """A request body of a type that can't be read here."""

    http_status = 415
    slug = "unsupported-media-type"


class Unsupported(BadInput):
    """A format or option that this version doesn't offer."""

    http_status = 406


class StoreLocked(CitegraphError):
    """Another process is writing to the knowledge base."""

    http_status = 503


class CorruptKnowledgeBase(CitegraphError):
    """Files on disk don't match the manifest and can't be rebuilt from the records."""


class ModelUnavailable(CitegraphError):
    """The embedding model named in the settings can't be found or doesn't have the expected hash."""


class QueryCrashed(CitegraphError):
    """A query that needed more memory or stack than its process may take; the process is gone, the server isn't."""

    http_status = 503


class StoreUnavailable(CitegraphError):
    """A store on a server that can't be reached, or doesn't do what it is asked; nothing of a change is seen."""

    http_status = 503


class StoreRefused(CitegraphError):
    """A server that wants other credentials for what it is asked, or allows it to nobody."""

    http_status = 503


class StoreMoved(CitegraphError):
    """The graph on a server isn't, or is no longer, that of the generation that is being read."""

    http_status = 503


class ClusterUnavailable(CitegraphError):
    """A cluster that can't be reached, has no workers, or whose workers would read otherwise than this machine."""

    http_status = 503
