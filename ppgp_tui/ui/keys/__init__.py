"""Which keys there are: the table of actions, the user's key map, prefixes and refusals."""
