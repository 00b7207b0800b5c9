"""The sources: each turns one kind of file into values, and keeps the last good picture."""
