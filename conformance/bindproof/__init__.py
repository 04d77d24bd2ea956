"""bindproof judges whether a language binding keeps the contract of the library that it binds."""

__version__ = "0.1.0"
"""The version of this distribution; a test holds it equal to pyproject.toml's."""
