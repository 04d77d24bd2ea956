"""The binding that is judged: a function. Your package would stand in its place."""

import re

__version__ = "1.0.0"


def add_up(text: str) -> int:
    """Return the sum of the numbers in a text such as `1+2`; raises ValueError."""
    numbers = text.split("+")
    for number in numbers:
        # EDIT HERE: make it `number.isspace()`, and `bindproof run` is red.
        if not re.fullmatch("[0-9]+", number):
            raise ValueError(f"no number: {number!r}")
    return sum(map(int, numbers))
