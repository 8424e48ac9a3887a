"""Weights of readings, and how far a reading is to be believed, learned from questions on graphs with known rows."""
