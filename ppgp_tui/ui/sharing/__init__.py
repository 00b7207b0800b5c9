"""What a person takes away from the screen: copies, pictures, reports."""
