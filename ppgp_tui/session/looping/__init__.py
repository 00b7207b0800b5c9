"""A restart loop in its repository: what it is told, what it leaves behind, what holds it."""
