"""Whose an exception is: the user's to mend, or ours.

Enters: an exception. Leaves: yes or no, and the text that goes with ours. Must not know commands.
"""

from __future__ import annotations

from bindproof.core.errors import UsageError

BUG_TEXT = (
    "\nThis is a bug in bindproof, not in your adapter or its target. Please report it with the text above and the "
    "command that you typed.\n"
)


def is_the_users(error: BaseException) -> bool:
    """True for an error that tells the user what to type or mend: a usage error, a bad file, an unknown adapter."""
    from bindproof.targets import AdapterNotKnown

    return isinstance(error, UsageError | AdapterNotKnown)
