"""Whether something can be called as it will be: the mistake is told where it is made, and not where it is met.

Enters: anything. Leaves: yes or no, or a TypeError. Must not know suites.
"""

from __future__ import annotations


def takes(function: object, count: int) -> bool:
    """Tell whether something can be called with so many arguments; what tells nobody what it takes can."""
    if not callable(function):
        return False
    import inspect

    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True


def need(name: str, function: object, count: int) -> None:
    """Raise TypeError for what cannot be called with so many arguments; None is no function, and may be left out."""
    if function is not None and not takes(function, count):
        arguments = f"{count} argument{'s' if count > 1 else ''}"
        raise TypeError(f"{name} has to be a function of {arguments}, and is {function!r:.100}")
