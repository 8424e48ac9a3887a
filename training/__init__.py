"""Trainings of the models that ship, each a command; not part of the wheel."""
