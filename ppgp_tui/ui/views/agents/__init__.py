"""View 6: agents and restart loops."""
