"""What a change of a spec breaks, for whom, and how that is known."""
