"""The session in sentences: linear text for screen readers and pipes."""
