"""A log's lines become a graph."""
