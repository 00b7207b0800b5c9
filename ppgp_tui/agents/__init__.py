"""How agents reach the session: their doors, every one of them leading to the one engine."""
