"""The view of the audit: its plan, its run, its verdict and what came before."""
