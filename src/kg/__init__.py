"""Citegraph: documents in, an RDF knowledge graph with evidence for every fact out."""

__version__ = "0.1.0"
