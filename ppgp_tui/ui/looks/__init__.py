"""How things look and what they are called: colours, signs, state words, ages."""
