"""Measurements of the library, each a command; not part of the wheel."""
