"""Many sessions at a glance: finding roots, one row for each, and what they ask of a person."""
