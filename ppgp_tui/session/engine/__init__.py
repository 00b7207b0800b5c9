"""The one door: every change is an action, validated against the log and recorded as one batch."""
