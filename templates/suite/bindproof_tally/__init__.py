"""The suite `tally`. Nothing is imported here: the reference is started where there is no bindproof."""
