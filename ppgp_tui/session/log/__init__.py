"""The event log: where its lines lie, what was read of it, and what it says."""
