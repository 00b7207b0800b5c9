"""The loops of a user as files: home, log, lock, orders, kept output."""
