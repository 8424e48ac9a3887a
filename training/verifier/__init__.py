"""Training of the verifier, which reads a question with one answer beside what is quoted for it."""
