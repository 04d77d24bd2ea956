"""Planted faults of the chapter *Middleware* (MID) about what runs when an event is published."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.core.model import Json, same
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import AGAIN, Spoiled, plant
from bindproof.suites.relay.observation.in_flight import is_of_one_time
from bindproof.suites.relay.observation.published import MEMBER, payloads
from bindproof.suites.relay.observation.spans import steady
from bindproof.suites.relay.observation.transcript import Act, Entry

FAULTS: dict[str, Fault] = {}


def _idle(spoiled: Spoiled) -> list[Entry]:
    """Return the sanitizers of payloads that ran and changed nothing, where none of their family does anything."""
    acts = spoiled.transcript.of_kind("register")
    busy = {act.step["family"] for act in acts if act.step["do"]}
    return [
        run
        for run in spoiled.transcript.published
        if run.part in MEMBER
        and run.part not in busy
        and run.left is not None
        and same(run.reply, run.given[MEMBER[run.part]])
    ]


@plant(FAULTS, "skip_on_scope", "a sanitizer that is registered on a scope does not run", "MID-004")
def skip_on_scope(spoiled: Spoiled) -> bool:
    """Take out the records of a sanitizer that a scope owns, where nothing names a parent."""
    parents = [act for act in spoiled.transcript.of_kind("start") if act.step["parent"] is not None]
    return not parents and _skip(spoiled, lambda act: act.step["scope"] != "global")


@plant(FAULTS, "skip_globally", "a sanitizer that is registered globally does not run", "MID-025", also=("GAT-002",))
def skip_globally(spoiled: Spoiled) -> bool:
    """Take out the records of a sanitizer that the program has registered globally."""
    return _skip(spoiled, lambda act: act.step["scope"] == "global" and not act.plugin)


@plant(FAULTS, "skip_of_plugin", "a sanitizer that a plugin registered does not run", "MID-021")
def skip_of_plugin(spoiled: Spoiled) -> bool:
    """Take out the records of a sanitizer of a plugin."""
    return _skip(spoiled, lambda act: bool(act.plugin))


def _skip(spoiled: Spoiled, wanted: Callable[[Act], bool]) -> bool:
    """Take out the records of a sanitizer that is registered so, where it is due: beside a subscriber that stays.

    It is in a call that nothing goes before; nothing of the program is taken back but plugins.
    """
    transcript = spoiled.transcript
    calls = [act for act in transcript.of_kind("call") if act.error is None and act.within is None]
    named = [act for act in calls if act.step["parent"] is not None]
    taken = [act for act in transcript.of_kind("deregister") if not act.plugin]
    if named or taken or not calls or not is_of_one_time(spoiled.full) or not steady(transcript):
        return False
    if calls[0].began < min(steady(transcript).values()):
        return False
    owned = [run for run in _idle(spoiled) if wanted(transcript.by_id[run.step["as"]]) and not run.step["async"]]
    callbacks = {run.callback for run in owned[:1]}
    spoiled.remove(lambda record: record.get("callback") in callbacks)
    return bool(callbacks)


@plant(FAULTS, "sanitize_after_removal", "a sanitizer that was deregistered runs", "MID-007")
def sanitize_after_removal(spoiled: Spoiled) -> bool:
    """Let a sanitizer that was taken back run behind another one of its family, later than the next flush."""
    gone = [act for act in spoiled.transcript.of_kind("deregister") if act.value is True and not act.plugin]
    return _run_later(spoiled, [(_step_of(spoiled, act.step["of"]), act.done or 0) for act in gone])


@plant(FAULTS, "sanitize_after_scope", "a sanitizer runs whose scope is closed", "MID-004")
def sanitize_after_scope(spoiled: Spoiled) -> bool:
    """Let a sanitizer of a closed scope run behind another one of its family, later than the next flush."""
    ended = [act for act in spoiled.transcript.of_kind("end") if act.error is None]
    kept = {act.step["of"] for act in spoiled.transcript.of_kind("deregister")}
    steps = [act.step for act in spoiled.transcript.of_kind("register") if act.error is None]
    owned = [(step, act.done or 0) for act in ended for step in steps if step["scope"] == act.step["of"]]
    return _run_later(spoiled, [(step, at) for step, at in owned if step["as"] not in kept])


@plant(FAULTS, "sanitize_after_plugin", "a sanitizer runs whose plugin was taken back", "MID-024")
def sanitize_after_plugin(spoiled: Spoiled) -> bool:
    """Let a sanitizer of a plugin that is gone run behind another one of its family, later than the next flush."""
    ended = {act.step["of"] for act in spoiled.transcript.of_kind("uninstall") if act.error is None}
    gone = [act for act in spoiled.transcript.of_kind("deregister") if act.plugin in ended]
    return _run_later(spoiled, [(_step_of(spoiled, act.step["of"]), act.done or 0) for act in gone])


def _run_later(spoiled: Spoiled, gone: list[tuple[Json, int]]) -> bool:
    """Let one of what is gone run behind another sanitizer of its family, later than the next flush.

    gone: registrations, each with where in the log it was taken back.
    """
    flushed = [act for act in spoiled.transcript.of_kind("flush") if act.done is not None]
    for step, at in gone:
        later = [act.done or 0 for act in flushed if act.began >= at]
        if not later or not is_of_one_time(spoiled.full):
            continue
        for run in _idle(spoiled):
            if run.part == step["family"] and run.entered > later[0]:
                name = f"{step['as']}.sanitize"
                own = [{**spoiled.log[at], "callback": name, "k": AGAIN} for at in (run.entered, run.left or 0)]
                spoiled.insert(run.left or 0, *own)
                return True
    return False


@plant(FAULTS, "sanitize_backwards", "sanitizers of a payload run in descending priority", "MID-002")
def sanitize_backwards(spoiled: Spoiled) -> bool:
    """Exchange the first and the last sanitizer of a payload, where their priorities differ and they go together."""
    acts = spoiled.transcript.by_id
    idle = {run.callback for run in _idle(spoiled)}
    for payload in payloads(spoiled.transcript):
        one, other = payload.runs[0], payload.runs[-1]
        together = acts[one.step["as"]].plugin == acts[other.step["as"]].plugin
        if together and one.step["priority"] < other.step["priority"] and {one.callback, other.callback} <= idle:
            names = {one.callback: other.callback, other.callback: one.callback}
            for record in spoiled.log:
                if record.get("callback") in names:
                    record["callback"] = names[record["callback"]]
            return True
    return False


def _step_of(spoiled: Spoiled, name: str) -> Json:
    return spoiled.transcript.by_id[name].step
