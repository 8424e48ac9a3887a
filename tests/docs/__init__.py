"""The documentation says what is so: examples run, links lead somewhere, nothing is left out."""
