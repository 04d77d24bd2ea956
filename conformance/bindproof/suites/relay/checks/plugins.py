"""Checks of the chapter *Middleware* (MID): what plugins install."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, part, register
from bindproof.suites.relay.checks.due import missing
from bindproof.suites.relay.checks.middleware import are_of_plugins, is_tied, pairs
from bindproof.suites.relay.checks.registrations import late
from bindproof.suites.relay.observation.names_taken import name_uses
from bindproof.suites.relay.observation.plugins import plugin_of
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act, Entry
from bindproof.suites.relay.scenario.rules.plugins import raises, raising_entry

CHECKS: dict[str, Check] = {}


@register(CHECKS, "MID-021")
def what_a_plugin_installs_is_global(reading: Reading) -> Found:
    """A plugin that does not raise is installed, and what it registered runs in every call until it goes."""
    found = [act for act in _of(reading, "install") if not raises(act.step)]
    silent = [
        Evidence(EVERY_LANE, "what a plugin installed runs in every call", act.done, one.step["as"], None)
        for act, one in missing(reading, "plugin")
    ]
    return judged(
        silent
        + [
            Evidence(EVERY_LANE, "a plugin that does not raise is installed", act.done, None, act.error)
            for act in found
            if act.error is not None
        ],
        found,
    )


def _of(reading: Reading, kind: str) -> list[Act]:
    return [act for act in reading.transcript.acts if act.step["step"] == kind]


@register(CHECKS, "MID-022")
def a_plugins_names_are_its_own(reading: Reading) -> Found:
    """Registering in a plugin fails where the plugin has the name itself, and never because of others, nor theirs."""
    found = [
        one
        for one in name_uses(reading.transcript)
        if one.act.step["step"] == "register" and one.of_plugin and one.is_open
    ]
    return judged(
        [
            Evidence(
                EVERY_LANE,
                "a plugin's names are its own",
                one.act.done,
                "an error" if one.taken else None,
                one.act.error,
            )
            for one in found
            if one.taken is (one.act.error is None)
        ],
        found,
    )


@register(CHECKS, "MID-023")
def a_plugin_that_raises_is_not_installed(reading: Reading) -> Found:
    """Installing a plugin fails where its callback raises, and nothing of it runs in any call."""
    raised = [act for act in _of(reading, "install") if raises(act.step)]
    found = [
        Evidence(EVERY_LANE, "a plugin that raises is not installed", act.done, {"error": "callback_raised"}, act.error)
        for act in raised
        if part(act.error, "kind") != "callback_raised"
    ]
    return judged(found + list(_running(reading, raised)), raised)


@register(CHECKS, "MID-024")
def what_a_plugin_installed_goes_with_it(reading: Reading) -> Found:
    """Taking back a plugin succeeds, and nothing that it registered runs in a call that is made afterwards."""
    ended = _of(reading, "uninstall")
    found = [
        Evidence(EVERY_LANE, "a plugin can be taken back", act.done, None, act.error)
        for act in ended
        if act.error is not None
    ]
    return judged(found + list(_running(reading, ended)), ended)


@register(CHECKS, "MID-031")
def plugins_register_one_by_one(reading: Reading) -> Found:
    """Of plugins that are installed together each is asked once to register, in their order, until one raises."""
    found = [act for act in _of(reading, "install") if act.error is None or raises(act.step)]
    return judged([evidence for act in found for evidence in _asked(act)], found)


def _asked(act: Act) -> Iterator[Evidence]:
    last = raising_entry(act.step)
    due = act.step["plugins"] if last is None else act.step["plugins"][: last + 1]
    runs = [run for run in act.runs if run.part == "install"]
    seen = [part(run.given, "plugin") for run in runs]
    if seen != due:
        also = tuple(run.entered for run in runs)
        yield Evidence(EVERY_LANE, "each plugin is asked once, in their order", act.done, due, seen, also=also)


@register(CHECKS, "MID-032")
def plugins_by_their_names(reading: Reading) -> Found:
    """Of equal priority, what one plugin registered comes before what another did whose name is later.

    Of one that is configured twice the first comes first.
    """
    found = [pair for pair in pairs(reading) if is_tied(*pair) and are_of_plugins(reading, *pair)]
    return judged(
        [
            Evidence(EVERY_LANE, "plugins by their names", after.entered, run.callback, after.callback)
            for run, after in found
            if _place(reading, run) > _place(reading, after)
        ],
        found,
    )


def _place(reading: Reading, run: Entry) -> tuple[str, int]:
    """Return the name of the plugin that registered a callback, and which of those that are installed it is."""
    act = reading.transcript.by_id[run.step["as"]]
    return str(plugin_of(reading.transcript, act)), act.nth


def _running(reading: Reading, ends: list[Act]) -> Iterator[Evidence]:
    """Yield evidence for each callback of a plugin that runs, or is told, for what is made after one of these steps."""
    gone = {act.step.get("of", act.step["as"]): act.done or 0 for act in ends}
    plugins = {act.step["as"]: act.plugin for act in reading.transcript.of_kind("register") if act.plugin in gone}
    for at, name in late(reading, {name: gone[plugin] for name, plugin in plugins.items()}):
        yield Evidence(EVERY_LANE, "its plugin is gone", at, None, name)
    for act in reading.transcript.acts:
        if act.step["step"] not in ("call", "helper"):
            continue
        for run in act.all():
            plugin = plugins.get(run.step.get("as", ""))
            if plugin is not None and act.began > gone[plugin]:
                yield Evidence(EVERY_LANE, "its plugin is gone", run.entered, None, run.callback)
