"""The reader of passages."""
