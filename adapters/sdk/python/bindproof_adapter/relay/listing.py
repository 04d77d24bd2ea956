"""What a program is told of its binding's own listing, and what a gate finds there.

Enters: a binding. Leaves: JSON, names. Must not know any binding's types.
"""

from __future__ import annotations

from typing import Any

from bindproof_adapter.relay.binding import Binding, Listing
from bindproof_adapter.relay.families import Listed
from bindproof_adapter.signals import Unsupported

Json = Any


def told(binding: Binding, family: str | None) -> Json:
    """Return the listing, of one family or of all, as the step `list` gives it."""
    if not isinstance(binding, Listing):
        raise Unsupported("list", "a program cannot ask what is registered")
    return [_entry(one) for one in binding.listed(family)]


def _entry(one: Listed) -> Json:
    if one.plugin is None:
        return {"family": one.family, "name": one.name}
    number = {} if one.number is None else {"number": one.number}
    return {"family": one.family, "name": one.name, "plugin": one.plugin, **number}


def effective_of(binding: Binding, family: str, name: str, plugin: str) -> str:
    """Return by which name a gate finds what a plugin has registered; raises LookupError where nothing is listed so."""
    listing = binding.listed(family) if isinstance(binding, Listing) else ()
    found = [one.effective for one in listing if (one.name, one.plugin) == (name, plugin)]
    if not found:
        raise LookupError(f"nothing is listed as {name!r} of the plugin {plugin!r}")
    return found[0]
