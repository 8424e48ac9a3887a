"""Who does what in a sentence: words, universal part-of-speech tags and labelled dependencies."""
