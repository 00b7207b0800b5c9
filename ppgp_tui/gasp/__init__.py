"""GASP, the Git Agent State Protocol: the event log. Values in, values out."""
