"""Planted faults about what a program asks of the binding: registrations (MID), the current scope and handles (LIF)."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import FOREIGN_UUID, Spoiled, plant
from bindproof.suites.relay.observation.scopes import open_scopes

FAULTS: dict[str, Fault] = {}


def _listings(spoiled: Spoiled) -> list[Json]:
    """Return the listings that were given, which are the copy's own."""
    acts = [act for act in spoiled.transcript.acts if act.step["step"] == "list" and act.error is None]
    return [spoiled.log[act.done or 0]["value"] for act in acts]


@plant(FAULTS, "forget_listed", "a listing leaves something out", "MID-014")
def forget_listed(spoiled: Spoiled) -> bool:
    """Take the last entry out of every listing that is of the program's own."""
    found = [
        (listing, own)
        for listing in _listings(spoiled)
        for own in [[entry for entry in listing if "plugin" not in entry]]
        if own
    ]
    for listing, own in found:
        listing.remove(own[-1])
    return bool(found)


@plant(FAULTS, "list_scope_local", "a listing has what a scope owns", "MID-014")
def list_scope_local(spoiled: Spoiled) -> bool:
    """Put a subscriber that a scope owns in front of every listing of all families that has it behind no other."""
    steps = [act.step for act in spoiled.transcript.acts if act.step["step"] == "register" and act.error is None]
    owned = sorted(step["name"] for step in steps if step["family"] == "subscriber" and step["scope"] != "global")
    found = [listing for listing in _listings(spoiled) if listing and owned and owned[0] < listing[0]["name"]]
    for listing in found:
        listing.insert(0, {"family": "subscriber", "name": owned[0]})
    return bool(found)


def _of_plugins(spoiled: Spoiled) -> list[Json]:
    """Return the entries of listings that are said to be a plugin's, which are the copy's own."""
    return [entry for listing in _listings(spoiled) for entry in listing if "plugin" in entry]


@plant(FAULTS, "disown_listed", "a listing says of what a plugin has that it is another one's", "MID-033")
def disown_listed(spoiled: Spoiled) -> bool:
    """List what plugins have as what another plugin has."""
    found = _of_plugins(spoiled)
    for entry in found:
        entry["plugin"] = "other"
    return bool(found)


@plant(FAULTS, "rename_listed", "a listing has what a plugin has by the runtime's name", "MID-033")
def rename_listed(spoiled: Spoiled) -> bool:
    """List what plugins have as theirs, by names of the runtime's making."""
    found = _of_plugins(spoiled)
    for entry in found:
        entry["name"] = f"runtime:{entry['name']}"
    return bool(found)


@plant(FAULTS, "miscount_listed", "a listing counts plugins from 0", "MID-034")
def miscount_listed(spoiled: Spoiled) -> bool:
    """Take one from the number of each plugin."""
    found = _of_plugins(spoiled)
    for entry in found:
        entry["number"] -= 1
    return bool(found)


@plant(FAULTS, "reverse_listing", "a listing goes backwards", "MID-015")
def reverse_listing(spoiled: Spoiled) -> bool:
    """Turn every listing around."""
    found = [listing for listing in _listings(spoiled) if len(listing) > 1]
    for listing in found:
        listing.reverse()
    return bool(found)


def _current(spoiled: Spoiled, *, inside: bool) -> list[Json]:
    """Return what was given as the current scope, where some is open or where none is, when a subscriber listens."""
    acts = [act for act in spoiled.transcript.acts if act.step["step"] == "current" and act.error is None]
    acts = [act for act in acts if bool(open_scopes(spoiled.transcript, act.done or 0)) is inside]
    return [spoiled.log[act.done or 0]["value"] for act in acts] if spoiled.transcript.events.get("s") else []


@plant(FAULTS, "another_current", "the current scope is one that nobody started", "LIF-024")
def another_current(spoiled: Spoiled) -> bool:
    """Give the first scope that was given inside another another uuid."""
    found = _current(spoiled, inside=True)
    for scope in found[:1]:
        scope["uuid"] = FOREIGN_UUID
    return bool(found)


@plant(FAULTS, "rename_current", "the current scope has another name", "LIF-024")
def rename_current(spoiled: Spoiled) -> bool:
    """Rename every scope that was given inside another."""
    found = _current(spoiled, inside=True)
    for scope in found:
        scope["name"] = "planted"
    return bool(found)


@plant(
    FAULTS,
    "another_root",
    "outside any scope the current one is another than events name",
    "LIF-025",
    also=("REF-000",),  # in a context of which nothing is told
)
def another_root(spoiled: Spoiled) -> bool:
    """Give every scope that was given outside any another uuid."""
    found = _current(spoiled, inside=False)
    for scope in found:
        scope["uuid"] = FOREIGN_UUID
    return bool(found)


def _handles(spoiled: Spoiled) -> list[Json]:
    """Return what handles said, which is the copy's own."""
    acts = [act for act in spoiled.transcript.of_kind("handle") if act.error is None]
    return [spoiled.log[act.done or 0]["value"] for act in acts]


@plant(FAULTS, "forget_data", "a handle forgets the data that its scope or call was started with", "LIF-028")
def forget_data(spoiled: Spoiled) -> bool:
    """Take the data out of all that handles say."""
    found = [said for said in _handles(spoiled) if said.get("data") is not None]
    for said in found:
        said["data"] = None
    return bool(found)


@plant(FAULTS, "rename_handle", "a handle says another name", "LIF-028")
def rename_handle(spoiled: Spoiled) -> bool:
    """Rename all that handles say."""
    found = _handles(spoiled)
    for said in found:
        said["name"] = "planted"
    return bool(found)


@plant(FAULTS, "another_parent", "a handle says another parent than the start", "LIF-028")
def another_parent(spoiled: Spoiled) -> bool:
    """Give all that handles say a parent that nobody started, where somebody listens."""
    found = _handles(spoiled) if spoiled.transcript.events.get("s") else []
    for said in found:
        said["parent_uuid"] = FOREIGN_UUID
    return bool(found)
