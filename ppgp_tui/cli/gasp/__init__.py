"""The commands `ppgp-tui gasp …`, one module each."""
