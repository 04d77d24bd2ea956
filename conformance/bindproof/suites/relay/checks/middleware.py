"""Checks of the chapter *Middleware* (MID): order, levels, registrations, request intercepts of tools."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, PROGRAM, Check, Found, judged, part, register, working
from bindproof.suites.relay.checks.due import missing
from bindproof.suites.relay.checks.registrations import late, level_of, sanitizing_pairs
from bindproof.suites.relay.observation.names_taken import name_uses
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act, Entry, Transcript
from bindproof.suites.relay.scenario.families import CONDITIONALS

CHECKS: dict[str, Check] = {}

PHASES = {"llm.conditional": 0, "tool.conditional": 0, "llm.request": 1, "tool.request": 1}
"""Which callbacks come before the execution, and in which order; everything else but a codec comes after."""

CODEC = ("decode", "encode")


@register(CHECKS, "MID-001")
def phases_in_order(reading: Reading) -> Found:
    """Conditionals run first, then request intercepts, then the execution; all of them while the call goes on."""
    found = [[run for run in act.runs if run.part not in CODEC] for act in working(reading)]
    found = [runs for runs in found if len({PHASES.get(run.part, 2) for run in runs}) > 1]
    coded = [pair for act in working(reading) for pair in _coded_before_it_may(act)]
    own = _in_their_own_time(reading)
    early = [(act, run) for act in reading.transcript.of_kind("install") for run in act.runs if run.part != "install"]
    return judged(
        [
            Evidence(EVERY_LANE, "conditionals, request intercepts, execution", after.entered, run.part, after.part)
            for runs in found
            for run, after in pairwise(runs)
            if PHASES.get(run.part, 2) > PHASES.get(after.part, 2)
        ]
        + [
            Evidence(EVERY_LANE, "conditionals run before a codec does", run.entered, after.callback, run.callback)
            for run, after in coded
        ]
        + [
            Evidence(EVERY_LANE, "what is executed comes last", run.entered, None, run.callback)
            for act in working(reading)
            for run in _inside(act)
        ]
        + [evidence for before, act in own for evidence in _while_it_goes_on(before, act)]
        + [
            Evidence(EVERY_LANE, "nothing runs before the call", act.done, run.callback, None, also=(run.entered,))
            for act, run in early
        ],
        found or own or early or coded,
    )


def _coded_before_it_may(act: Act) -> Iterator[tuple[Entry, Entry]]:
    """Yield what a codec did first in a call, with a conditional that ran behind it, where there is one."""
    for run in [run for run in act.runs if run.part in CODEC][:1]:
        yield from [(run, after) for after in act.of(*CONDITIONALS) if after.entered > run.entered][:1]


def _inside(act: Act) -> list[Entry]:
    """Return the first conditional or request intercept of a call that ran when its execution had begun."""
    own = [run for run in act.everything if PHASES.get(run.part, 2) < 2]
    return [run for run in own if run not in act.runs][:1]


def _in_their_own_time(reading: Reading) -> list[tuple[int, Act]]:
    """Return the program's calls and helpers, each with where in the log the step before it was done.

    Of a call in the background nobody waits for the end, so of what comes after it the step before is another.
    """
    found: list[tuple[int, Act]] = []
    acts = reading.transcript.by_id
    before = -1
    for step in reading.full["steps"]:
        act = acts.get(step["as"])
        if act is None or act.done is None:
            continue
        if act.runs and step["step"] in ("call", "helper"):
            found.append((before, act))
        before = before if step.get("background") else act.done
    return found


def _while_it_goes_on(before: int, act: Act) -> Iterator[Evidence]:
    for run in act.runs:
        if run.entered < before:
            yield Evidence(EVERY_LANE, "nothing runs before the call", before, run.callback, None, also=(run.entered,))
            return
    for run in [] if act.stood or act.step["kind"] == "llm_stream" else act.everything:
        if run.left is None or (act.done is not None and run.left > act.done):
            also = () if run.left is None else (run.left,)
            yield Evidence(EVERY_LANE, "the call waits for what it runs", act.done, run.callback, None, also=also)
            return


def pairs(reading: Reading) -> Iterator[tuple[Entry, Entry]]:
    """Yield each two callbacks of one family of which the second ran next, or inside the first."""
    for act in working(reading):
        for family in (*PHASES, "llm.execution", "llm.stream", "tool.execution"):
            runs = _chain(act.runs, family)
            yield from pairwise(runs)
    yield from sanitizing_pairs(reading)
    for run, after in pairwise(reading.transcript.published):
        if (
            run.part == after.part
            and "event" in run.given
            and _uuid(run) == _uuid(after)
            and run.callback != after.callback
        ):
            yield run, after


def _chain(runs: list[Entry], family: str) -> list[Entry]:
    found = [run for run in runs if run.part == family]
    if found and family.endswith(("execution", "stream")):
        inner = [deeper for asked in found[0].asked[:1] for deeper in _chain(asked.inside, family)]
        return [found[0], *inner]
    return found


def _uuid(run: Entry) -> Json:
    """Identify the event that a callback looks at: a start and an end have one uuid, but not one time."""
    return part(run.given, "event", "uuid"), part(run.given, "event", "scope_category")


@register(CHECKS, "MID-002")
def ascending_priority(reading: Reading) -> Found:
    """A family's callbacks run in ascending priority, and of those that wrap an execution the lowest is outermost."""
    found = list(pairs(reading))
    return judged(
        [
            Evidence(EVERY_LANE, "ascending priority", after.entered, run.callback, after.callback)
            for run, after in found
            if run.step["priority"] > after.step["priority"]
        ],
        found,
    )


@register(CHECKS, "MID-003")
def levels_then_names(reading: Reading) -> Found:
    """Of equal priority, global ones come first, then those of outer scopes, then of inner ones; then by name.

    Injectors come by name alone. Of what several plugins registered MID-032 speaks.
    """
    depths = {act.step["as"]: at for at, act in enumerate(_scopes(reading.transcript), 1)}
    found = [pair for pair in pairs(reading) if is_tied(*pair) and not are_of_plugins(reading, *pair)]
    return judged(
        [
            Evidence(EVERY_LANE, "global, outer, inner, then by name", after.entered, run.callback, after.callback)
            for run, after in found
            if _rank(run, depths) > _rank(after, depths)
        ],
        found,
    )


def is_tied(run: Entry, after: Entry) -> bool:
    """Tell whether two callbacks have one priority."""
    return bool(run.step["priority"] == after.step["priority"])


def are_of_plugins(reading: Reading, run: Entry, after: Entry) -> bool:
    """Tell whether two callbacks are of two plugins, which are installed together."""
    one, other = (reading.transcript.by_id[entry.step["as"]] for entry in (run, after))
    return bool(one.plugin and other.plugin) and one.nth != other.nth


def _rank(run: Entry, depths: dict[str, int]) -> tuple[int, str]:
    depth = 0 if run.step["family"] == "event.metadata" else depths.get(run.step["scope"], 0)
    return depth, run.step["name"]


def _scopes(transcript: Transcript) -> list[Act]:
    return [act for act in transcript.acts if act.step["step"] == "start" and act.step["kind"] == "scope"]


@register(CHECKS, "MID-004")
def scope_local_ones_end_with_their_scope(reading: Reading) -> Found:
    """What is registered on a scope runs in calls that are made while it is open, and in none made after it closed."""
    ended = {
        act.step["of"]: act.done or 0
        for act in reading.transcript.acts
        if act.step["step"] == "end" and act.error is None
    }
    owned = [(act, run) for act in _acts(reading) for run in act.all() if run.step.get("scope", "global") != "global"]
    found = [(act, run) for act, run in owned if run.step["scope"] in ended]
    return judged(
        [
            Evidence(EVERY_LANE, "the scope that owns it is closed", run.entered, None, run.callback)
            for act, run in found
            if act.began > ended[run.step["scope"]]
        ]
        + [
            Evidence(EVERY_LANE, "the scope that owns it is closed", at, None, name)
            for at, name in late(reading, _owned(reading.transcript, ended))
        ]
        + [
            Evidence(EVERY_LANE, "the scope that owns it is open", act.done, one.step["as"], None)
            for act, one in missing(reading, "scope")
        ],
        owned or any(_owns(reading.transcript, scope) for scope in ended),
    )


def _owned(transcript: Transcript, ended: dict[str, int]) -> dict[str, int]:
    """Return what closed scopes own, each with where its scope was closed."""
    steps = (act.step for act in transcript.of_kind("register") if act.error is None)
    return {step["as"]: ended[step["scope"]] for step in steps if step["scope"] in ended}


def _acts(reading: Reading) -> list[Act]:
    """The calls, helpers and marks, also those in which nothing ran."""
    return [act for act in reading.transcript.acts if act.step["step"] in ("call", "helper", "mark")]


def _owns(transcript: Transcript, scope: str) -> bool:
    return any(act.step["step"] == "register" and act.step["scope"] == scope for act in transcript.acts)


@register(CHECKS, "MID-005")
def a_name_is_taken_once(reading: Reading) -> Found:
    """A name is taken once for each family and level; a closed scope takes none.

    What has to do with the names of plugins is MID-022's.
    """
    found = [one for one in name_uses(reading.transcript) if one.act.step["step"] == "register" and not one.of_plugin]
    return judged(
        [
            Evidence(
                EVERY_LANE,
                "a name is taken once on a level",
                one.act.done,
                "an error" if refused else None,
                one.act.error,
            )
            for one in found
            if (refused := one.taken or not one.is_open) is (one.act.error is None)
        ],
        found,
    )


@register(CHECKS, "MID-006")
def deregistering_says_whether_it_was_there(reading: Reading) -> Found:
    """Deregistering answers whether something was registered so."""
    found = [
        one
        for one in name_uses(reading.transcript)
        if one.act.step["step"] == "deregister" and one.is_open and not one.act.plugin
    ]
    return judged(
        [
            Evidence(PROGRAM, "whether it was registered", one.act.done, one.taken, one.act.error or one.act.value)
            for one in found
            if one.act.error is not None or one.act.value is not one.taken
        ],
        found,
    )


@register(CHECKS, "MID-007")
def what_is_deregistered_runs_no_more(reading: Reading) -> Found:
    """After it was deregistered, a callback runs in no later call or helper.

    A binding that answers null, which breaks MID-006, has deregistered all the same.
    """
    gone = {
        act.step["of"]: act.done or 0
        for act in reversed(reading.transcript.acts)  # of two that say so the first one counts
        if act.step["step"] == "deregister" and act.error is None and act.value is not False and not act.plugin
    }
    later = [act for act in _acts(reading) if any(act.began > at for at in gone.values())]
    return judged(
        [
            Evidence(EVERY_LANE, "it was deregistered", run.entered, None, run.callback)
            for act in later
            for run in act.all()
            if act.began > gone.get(run.step.get("as", ""), act.began)
        ]
        + [Evidence(EVERY_LANE, "it was deregistered", at, None, name) for at, name in late(reading, gone)],
        later,
    )


@register(CHECKS, "MID-025")
def what_is_registered_globally_runs_where_it_is_due(reading: Reading) -> Found:
    """What is registered globally runs in each call, helper and event in which its family is due, until it is gone."""
    acts = reading.transcript.of_kind("register")
    own = [
        act for act in acts if act.error is None and level_of(act) == "global" and act.step["family"] != "subscriber"
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "what is registered globally runs where it is due", act.done, one.step["as"], None)
            for act, one in (missing(reading, "global") if own else ())
        ],
        own,
    )


@register(CHECKS, "MID-012")
def request_intercepts_change_the_args(reading: Reading) -> Found:
    """Each tool request intercept is given what the one before replied, and the execution what the last one did.

    The first of all is given what the caller handed in.
    """
    found = [(run.reply, after) for act in working(reading) for run, after in _handed_on(act)]
    found += [one for act in working(reading) for one in _handed_in(act)]
    return judged(
        [
            Evidence(EVERY_LANE, "the args that were handed on", after.entered, args, after.given.get("args"))
            for args, after in found
            if not same(args, after.given.get("args"))
        ]
        + [
            Evidence(EVERY_LANE, "the call's name", run.entered, act.step["name"], run.given.get("name"))
            for act in working(reading)
            for run in act.of("tool.request", "tool.execution")
            if run.given.get("name", act.step["name"]) != act.step["name"]
        ],
        found,
    )


def _handed_in(act: Act) -> Iterator[tuple[Json, Entry]]:
    """Yield the first that is given the args of a tool call or helper, with what the caller handed in."""
    runs = [run for run in act.runs if run.part in ("tool.request", "tool.execution", "provider")]
    if runs and "args" in act.step and "$get" not in str(act.step["args"]) and "args" in runs[0].given:
        yield act.step["args"], runs[0]


def _handed_on(act: Act) -> Iterator[tuple[Entry, Entry]]:
    runs = [run for run in act.runs if run.part in ("tool.request", "tool.execution", "provider")]
    for run, after in pairwise(runs):
        if run.part == "tool.request" and run.replied:
            yield run, after


@register(CHECKS, "MID-013")
def breaking_ends_the_chain(reading: Reading) -> Found:
    """After a tool request intercept that breaks the chain no other runs."""
    found = [
        (run, act.runs[at + 1 :])
        for act in working(reading)
        for at, run in enumerate(act.runs)
        if run.part == "tool.request" and run.replied and run.step["break_chain"]
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "the chain is broken", after.entered, None, after.callback)
            for _, later in found
            for after in later
            if after.part == "tool.request"
        ],
        found,
    )
