"""PPGP, the Portable Persistent Goal Protocol: reading goal documents. Values in, values out."""
