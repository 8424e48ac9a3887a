"""Claims, documents and passages as RDF: literals, provenance, statements, what disagrees."""
