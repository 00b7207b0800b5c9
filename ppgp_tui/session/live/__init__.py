"""The live session: what is watched and read again, and the picture composed of it."""
