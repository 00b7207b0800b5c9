"""Pi Goal and Pi Todo: the plan an agent keeps. Values in, values out."""
