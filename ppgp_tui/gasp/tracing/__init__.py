"""Why something is, and what came of it."""
