"""The independent completion audit: what was claimed, what was found, and who may close the goal.

A claim is somebody's word. The audit compares it with the repository, runs the commands that prove
it where they can harm nothing, and may ask an auditor who never saw the work being done.
"""
