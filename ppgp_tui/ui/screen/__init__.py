"""The screen as lines: lamps, tabs, panes, notices, sheets and the key line."""
