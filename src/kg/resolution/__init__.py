"""From names in documents to entities: their senses, which names are one, and what all documents say together."""
