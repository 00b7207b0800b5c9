"""persist: the loop that starts a fresh agent again and again until an outside check says done.

Meaning is here and pure. What touches files is in `disk`, what starts and ends processes in
`running`; both get clocks, the session and the screen passed in.
"""
