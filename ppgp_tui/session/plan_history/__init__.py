"""The history of the plan: its revisions, what changed between any two, and who changed what."""
