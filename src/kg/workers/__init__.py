"""Processes that work on strangers' input: without network, bounded in time and memory, replaced when they go over.

Documents are read in them (:mod:`kg.workers.reading`), by the command line as by the server.
"""
