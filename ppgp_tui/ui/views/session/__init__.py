"""View 1: the session in one look, and the ribbon made of it."""
