"""The picture at any event of the log, made only of what the log knew up to it."""
