"""The human's seat beside a working coding agent."""
