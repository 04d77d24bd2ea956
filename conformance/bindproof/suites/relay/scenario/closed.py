"""What every struct of the scenario language is: closed.

Enters: nothing. Leaves: the base of the structs of `language`. Must not know any step.
"""

import msgspec


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What has no members besides those that it names."""
