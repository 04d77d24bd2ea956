"""A cache of its own for every test here."""

from tests.targets.conftest import cache, said, terms

__all__ = ["cache", "said", "terms"]
