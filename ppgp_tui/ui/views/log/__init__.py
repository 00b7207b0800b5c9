"""View 4: events, stories, and the lineage of one thing."""
