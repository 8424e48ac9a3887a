"""A knowledge base as it is kept: generations of its graph, and a reader's view of one."""
