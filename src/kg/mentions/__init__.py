"""What plain text mentions: figures, dates, names, aliases, and how it hedges. Pure functions; offsets are the text's."""
