"""Training what labels are judged by (``kg.extract.label_kinds``)."""
