"""The optional language model: an extractor of facts and a helper where the engine abstains. Off unless configured.

Nothing of it is believed: a fact must name a property of the ontology and quote the passage, a query must be answered
by claims with evidence, a phrasing may say nothing that the answer doesn't. What fails is dropped with its reason.
"""
