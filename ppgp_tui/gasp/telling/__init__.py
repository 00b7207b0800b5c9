"""The log in sentences: events, runs, the story."""
