"""What an observation says: its records, normalised, and the transcript that they tell."""
