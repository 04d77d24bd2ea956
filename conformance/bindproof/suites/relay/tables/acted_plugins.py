"""Faults of a binding in what becomes of several plugins, acted out.

Enters: a place, that is a lawful run with whose registrations a binding is at fault with. Leaves: the log of a binding
that has the fault, or None where it changes nothing. Must not know the checks.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.tables.place import Log, Place


def by_other_names(place: Place) -> Log | None:
    """Let the plugins come in the opposite order of their names, and be asked as they are."""

    def changed(full: Json) -> bool:
        installs = [step for step in full["steps"] if step["step"] == "install" and len(set(step["plugins"])) > 1]
        for step in installs:
            names = sorted(set(step["plugins"]))
            became = dict(zip(names, reversed(names), strict=True))
            step["plugins"] = [became[name] for name in step["plugins"]]
        return bool(installs) and place.family != "subscriber"

    log = place.otherwise(changed)
    asked = [record for record in place.log if _is_asked(record)]
    return log and [asked.pop(0) if _is_asked(record) else record for record in log]


def _is_asked(record: Json) -> bool:
    """Tell whether a plugin is asked to register."""
    return bool(record["fact"] == "enter" and record["given"].keys() == {"plugin"})


def asked_in_turn(place: Place) -> Log | None:
    """Ask each plugin when it is the turn of the one before, and the first one last."""
    log = [dict(record) for record in place.log]
    asked = [record for record in log if _is_asked(record)]
    for record, given in zip(asked, [one["given"] for one in asked[1:] + asked[:1]], strict=True):
        record["given"] = given
    return log
