"""Widgets: there is one, which shows finished lines."""
