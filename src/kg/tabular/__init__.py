"""Questions to a table and the paragraphs around it: cells found by their labels, and arithmetic over them."""
