"""The edge to the terminal: whether it can show us, what it sends, and how it is left behind."""
