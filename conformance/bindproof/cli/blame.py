"""Whose an exception is: the user's to mend, or ours.

Enters: an exception. Leaves: yes or no, and the text that goes with ours. Must not know commands.
"""

from __future__ import annotations

import errno

from bindproof.core.errors import UsageError
from bindproof.core.paths import homes

BUG_TEXT = (
    "\nThis is a bug in bindproof, not in your adapter or its target. Please report it with the text above and the "
    "command that you typed.\n"
)


NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
"""What the system says where nothing can be written: a disk or a quota is full, a file may not grow, a device fails."""


DENIED = frozenset({errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENAMETOOLONG, errno.EMFILE, errno.ENFILE})
"""What the system says where it lets nobody have a file, or no more of them."""


def is_the_users(error: BaseException) -> bool:
    """True for an error that tells the user what to type or mend: a usage error, a bad file, a full disk, no memory, a
    file that the system does not let us have, or a mistake in a suite of another package.
    """
    from bindproof.suites.mistakes import mistake_in
    from bindproof.targets import AdapterNotKnown

    return (
        isinstance(error, UsageError | AdapterNotKnown | MemoryError)
        or mistake_in(error) is not None
        or (isinstance(error, OSError) and error.errno in NO_ROOM | DENIED)
    )


def told(error: BaseException) -> str:
    """Return what the user is told of an error of theirs."""
    if isinstance(error, MemoryError):
        return "there is not enough memory to go on; what was judged before is kept"
    from bindproof.spec.problem import SpecError, placed
    from bindproof.suites.mistakes import mistake_in

    if isinstance(error, SpecError):
        return "\n".join(placed(problem, homes()) for problem in error.problems)
    mistake = mistake_in(error)
    if mistake is not None or not isinstance(error, OSError):
        return str(mistake or error)
    if error.errno in DENIED:
        return f"{error.filename or 'a file'} cannot be used: {error.strerror}"
    return f"{error.filename or 'output'} cannot be written: {error.strerror}"
