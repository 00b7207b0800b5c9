"""Starting an agent so that it can be frozen, thawed and ended: `ppgp-tui run -- AGENT`."""
