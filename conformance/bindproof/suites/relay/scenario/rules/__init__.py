"""What a scenario may not ask for, by what it is about."""
