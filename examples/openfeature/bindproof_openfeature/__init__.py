"""The suite `openfeature`. Nothing is imported here."""
