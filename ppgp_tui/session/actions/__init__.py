"""Every action by name: one door for the command line, MCP, keys and hooks."""
