"""View 2: the plan as a graph and as a list, its figures and its revisions."""
