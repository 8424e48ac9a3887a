"""Trains the encoder of questions: where a question's vector is to stand among those of the units that answer it."""
