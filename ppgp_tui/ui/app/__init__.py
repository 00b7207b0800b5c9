"""The running app: its start, its threads, what it does in the world, and how it paints."""
