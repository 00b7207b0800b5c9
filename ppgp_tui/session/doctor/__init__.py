"""What `ppgp-tui doctor` finds: sections of findings. Looking never writes and never waits long."""
