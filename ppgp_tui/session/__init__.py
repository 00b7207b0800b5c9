"""One repository as a live session: sources, watching, and the one snapshot everything reads."""
