"""Questions on real documents, and what makes those documents again."""
