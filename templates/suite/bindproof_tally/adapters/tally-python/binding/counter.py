"""The binding that is judged: a counter. Your package would stand in its place."""

__version__ = "1.0.0"


class Counter:
    """A total, to which numbers are added and from which they are taken."""

    def __init__(self) -> None:
        self._total = 0

    def add(self, number: int) -> int:
        """Add a number and return the new total."""
        self._total += number
        return self._total

    def take(self, number: int) -> int:
        """Take a number away and return the new total, which is never negative."""
        # EDIT HERE: make it `self._total - number`, without `max`, and `bindproof run` is red.
        self._total = max(0, self._total - number)
        return self._total
