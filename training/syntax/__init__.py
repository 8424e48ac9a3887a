"""The dependency parser as it is trained."""
