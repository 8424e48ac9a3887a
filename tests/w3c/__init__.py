"""The W3C's SPARQL 1.1 test suites, run over HTTP against a server of its own (``python -m tests.w3c``)."""
