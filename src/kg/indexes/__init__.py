"""Passage and name indexes: dense (:mod:`kg.indexes.faiss`) and lexical (:mod:`kg.indexes.lexical`)."""
