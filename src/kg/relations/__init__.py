"""Facts from prose: a trainable extractor for relations given by label, definition, domain and range."""
