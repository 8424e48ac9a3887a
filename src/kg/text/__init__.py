"""What plain text mentions: figures, dates, names, aliases, hedges. Pure functions; offsets are the text's own."""
