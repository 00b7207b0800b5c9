"""`ppgp-tui persist`: restart loops from the command line."""
