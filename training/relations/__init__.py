"""The general model of facts from prose: its data sets and their relations."""
