"""A loop that runs: the runner and the agent it starts."""
