"""Rows: measured in cells, set in columns, piled into panes, found and scrolled."""
