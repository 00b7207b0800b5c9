"""Settings of the repository and of the user."""
