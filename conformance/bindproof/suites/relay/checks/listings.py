"""Checks of the chapter *Middleware* (MID) about listings: what is registered, in which order, and whose it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, part, register
from bindproof.suites.relay.observation.plugins import number_of, plugin_of
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act, Transcript

CHECKS: dict[str, Check] = {}

Entry = tuple[str, str, str | None]
"""An entry of a listing: family, name, and the plugin whose it is."""

OF_EVENTS = ("subscriber", "event.metadata", "mark.sanitize", "start.sanitize", "end.sanitize")
OF_CALLS = ("sanitize_request", "sanitize_response", "conditional", "request", "execution", "stream")
ORDER = (*OF_EVENTS, *(f"{kind}.{family}" for kind in ("tool", "llm") for family in OF_CALLS))
"""The families as MID-015 has them."""


def _lists(transcript: Transcript) -> list[Act]:
    return [act for act in transcript.acts if act.step["step"] == "list"]


@register(CHECKS, "MID-014")
def the_listing_has_what_is_registered_globally(reading: Reading) -> Found:
    """A listing has what is registered globally at that moment, each once, and nothing else."""
    found = [(act, _registered(reading.transcript, act)) for act in _lists(reading.transcript)]
    return judged(
        [
            Evidence(EVERY_LANE, "what is registered globally", act.done, _names(due), act.error or act.value)
            for act, due in found
            if act.error is not None or not _has(act, due)
        ],
        found,
    )


def _registered(transcript: Transcript, asked: Act) -> list[Act]:
    """Return what is registered globally when a listing is asked for, of what it is asked for."""
    made: dict[str, Act] = {}
    there: dict[object, Act] = {}
    for act in transcript.acts:
        if act is asked:
            break
        if act.error is not None or act.step["step"] not in ("register", "deregister"):
            continue
        of = act if act.step["step"] == "register" else made.get(act.step["of"])
        if of is None or of.step["scope"] != "global":
            continue
        place = of.registry, of.step["family"], of.step["name"]
        if of is act:
            made[act.step["as"]] = there[place] = act
        elif act.value is not False:
            there.pop(place, None)
    return [act for act in there.values() if asked.step["only"] in (None, act.step["family"])]


def _has(listing: Act, due: list[Act]) -> bool:
    """Tell whether a listing has what the program has registered by its name, and of all of it each once.

    By which names it has what is a plugin's MID-033 says.
    """
    own = Counter((act.step["family"], act.step["name"]) for act in due if not act.plugin)
    seen = Counter((family, name) for family, name, plugin in _entries(listing) if plugin is None)
    return own <= seen and Counter(act.step["family"] for act in due) == Counter(one[0] for one in _entries(listing))


def _names(due: list[Act]) -> list[list[str]]:
    return sorted([act.step["family"], act.step["name"]] for act in due)


def _entries(act: Act) -> list[Entry]:
    """Return the entries of a listing."""
    entries = act.value if isinstance(act.value, list) else []
    return [(str(part(one, "family")), str(part(one, "name")), _text(part(one, "plugin"))) for one in entries]


def _text(value: Json) -> str | None:
    return None if value is None else str(value)


@register(CHECKS, "MID-015")
def a_listing_has_one_order(reading: Reading) -> Found:
    """A listing goes family by family, and has each by name, but for what is a plugin's."""
    found = [act for act in _lists(reading.transcript) if len(_entries(act)) > 1]
    return judged(
        [
            Evidence(EVERY_LANE, "family by family, by name", act.done, one, other)
            for act in found
            for one, other in _neighbours(_entries(act))
            if _place(one) > _place(other)
        ],
        found,
    )


def _neighbours(entries: list[Entry]) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield entries beside each other: of all of them the families, of the program's own the names too."""
    yield from pairwise([(family, "") for family, _, _ in entries])
    yield from pairwise([(family, name) for family, name, plugin in entries if plugin is None])


def _place(entry: tuple[str, str]) -> tuple[int, str]:
    family, name = entry
    return ORDER.index(family) if family in ORDER else len(ORDER), name


def _of_plugins(reading: Reading) -> list[tuple[Act, list[Act]]]:
    """Return the listings that were given while a plugin had something registered, each with what that is."""
    asked = [act for act in _lists(reading.transcript) if act.error is None]
    found = [(act, [one for one in _registered(reading.transcript, act) if one.plugin]) for act in asked]
    return [(act, due) for act, due in found if due]


@register(CHECKS, "MID-033")
def a_listing_says_which_plugins_it_is(reading: Reading) -> Found:
    """What a plugin has registered is listed as that plugin's, by the name that the plugin gave it."""
    found = _of_plugins(reading)
    return judged(
        [
            Evidence(EVERY_LANE, "each as its plugin's, by its name", act.done, _due(reading, due), act.value)
            for act, due in found
            if not _says_whose(act, _due(reading, due))
        ],
        found,
    )


def _due(reading: Reading, due: list[Act]) -> list[Entry]:
    """Return the entries of what plugins have registered."""
    return [(act.step["family"], act.step["name"], plugin_of(reading.transcript, act)) for act in due]


def _says_whose(listing: Act, due: list[Entry]) -> bool:
    return Counter(due) == Counter(entry for entry in _entries(listing) if entry[2] is not None)


@register(CHECKS, "MID-034")
def a_listing_numbers_plugins_of_one_name(reading: Reading) -> Found:
    """What a plugin has registered has the number of its plugin among those of its name, the first of which is 1.

    It is asked of listings that say whose it is.
    """
    found = [(act, due) for act, due in _of_plugins(reading) if _says_whose(act, _due(reading, due))]
    said = [(act, _due_numbers(reading, due), _numbered(act.value, _entries(act))) for act, due in found]
    return judged(
        [
            Evidence(EVERY_LANE, "each plugin with its number", act.done, expected, seen)
            for act, expected, seen in said
            if not same(expected, seen)
        ],
        found,
    )


def _due_numbers(reading: Reading, due: list[Act]) -> list[Json]:
    numbers = [{"number": number_of(reading.transcript, act)} for act in due]
    return _numbered(numbers, _due(reading, due))


def _numbered(said: list[Json], entries: list[Entry]) -> list[Json]:
    """Return the entries of plugins with their numbers, in an order of their own."""
    found = [[*entry, part(one, "number")] for one, entry in zip(said, entries, strict=True) if entry[2] is not None]
    return sorted(found, key=repr)
