"""The session as a report: what is so, what happened, and what it rests on."""
