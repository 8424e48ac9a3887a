"""What another package adds to Citegraph: see docs/how-to/write-a-plug-in.md."""
