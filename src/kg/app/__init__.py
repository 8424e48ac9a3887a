"""What is done with a knowledge base: changed, checked, exported, explained, queried, backed up."""
