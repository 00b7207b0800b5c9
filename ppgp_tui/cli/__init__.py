"""The command line: parse, read the snapshot, print."""
