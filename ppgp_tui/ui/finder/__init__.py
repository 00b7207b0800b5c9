"""Finding anything by a few of its letters: what the palette lists."""
