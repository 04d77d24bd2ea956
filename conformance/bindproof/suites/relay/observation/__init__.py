"""What an observation says: its records, normalised, and the story that they tell."""
