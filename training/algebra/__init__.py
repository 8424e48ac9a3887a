"""Trains the ranker of forms over tables (:mod:`kg.algebra`)."""
