"""Values that every part speaks in, errors that users can mend, and where data lies."""
