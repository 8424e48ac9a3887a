"""Semantic parsing: a question in English → a query over any RDF graph, from the graph's own vocabulary.

``graph`` holds the triples for typing and denotations, ``lexicon`` links words to the graph's names, ``chart`` composes
``logic`` forms from them, ``tables`` reads requests for rows, ``sparql`` and ``render`` write a form as a query and as
English, ``engine`` ranks, runs and declines.
"""
