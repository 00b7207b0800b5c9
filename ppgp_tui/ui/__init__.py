"""The terminal app: it reads the snapshot and never touches a file, a lock or Git."""
