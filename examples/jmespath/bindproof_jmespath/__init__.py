"""The suite `jmespath`. Nothing is imported here."""
