"""What leaves the machine with a person's consent: texts made harmless, and nothing private."""
