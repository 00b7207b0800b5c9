"""Audits whose commands want out, and audits that are killed: real processes, real sandboxes."""
