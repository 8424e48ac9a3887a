"""The judge of candidates."""
