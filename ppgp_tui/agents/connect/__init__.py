"""Putting our hooks into the settings of an agent, and taking them out again."""
