"""One suite over every store and every index."""
