"""A person's authority: who may answer, signed answers, and waiting for one that holds."""
