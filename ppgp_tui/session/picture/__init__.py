"""What the snapshot says, one subject a module: values worked out of what was read."""
