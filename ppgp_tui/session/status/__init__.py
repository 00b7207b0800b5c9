"""The status line: the same words as the screen from the little that one line needs."""
