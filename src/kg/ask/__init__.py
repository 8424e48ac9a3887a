"""Questions in English: units found, values read by kind, drafts judged, answers composed with citations."""
