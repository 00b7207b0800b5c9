"""View 5: the goal document, field by field and word for word."""
