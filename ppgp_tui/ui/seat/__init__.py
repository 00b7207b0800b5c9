"""The seat: where the person is, what they left where, and what they are about to say."""
