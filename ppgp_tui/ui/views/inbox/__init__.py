"""View 3: requests, one of them whole, and what is decided."""
