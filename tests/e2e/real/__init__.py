"""The real Claude Code and the real Codex, offline, beside the real app; see `__main__`."""
