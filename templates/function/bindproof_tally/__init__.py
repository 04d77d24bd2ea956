"""The suite `tally`. Nothing is imported here."""
