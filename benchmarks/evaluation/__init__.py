"""Published metrics, one module a benchmark."""
