"""Planted faults of the chapter *Middleware* (MID)."""

from __future__ import annotations

from bindproof.core.model import Json, same
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant, stands
from bindproof.suites.relay.observation.in_flight import is_of_one_time
from bindproof.suites.relay.observation.spans import steady
from bindproof.suites.relay.observation.transcript import Act, Entry
from bindproof.suites.relay.scenario.families import CONDITIONALS

FAULTS: dict[str, Fault] = {}


def _working(spoiled: Spoiled) -> list[Act]:
    return [act for act in spoiled.transcript.acts if act.step["step"] in ("call", "helper") and act.runs]


def _is_odd(act: Act) -> bool:
    return bool(act.step.get("odd"))


def _alone(spoiled: Spoiled, run: Entry) -> bool:
    """Tell whether nothing was done inside a callback; events may have been told meanwhile."""
    inside = spoiled.log[run.entered + 1 : run.left]
    return run.left is not None and all(record["fact"] == "event" for record in inside)


def _exchange(spoiled: Spoiled, one: Entry, other: Entry) -> None:
    """Exchange the records of two callbacks."""
    for first, second in ((one.entered, other.entered), (one.left or 0, other.left or 0)):
        spoiled.log[first], spoiled.log[second] = spoiled.log[second], spoiled.log[first]


@plant(FAULTS, "intercept_first", "a request intercept runs before a conditional", "MID-001", also=("AUT-007",))
def intercept_first(spoiled: Spoiled) -> bool:
    """Exchange a call's first conditional with its first request intercept."""
    done = False
    for act in _working(spoiled):
        guards, intercepts = act.of(*CONDITIONALS), act.of("llm.request", "tool.request")
        if len(guards) == 1 and intercepts and _alone(spoiled, guards[0]) and _alone(spoiled, intercepts[0]):
            _exchange(spoiled, guards[0], intercepts[0])
            done = True
    return done


def _swap_names(spoiled: Spoiled, *, equal: bool, plugins: bool = False) -> bool:
    """Exchange the ids of two tool request intercepts that ran one after the other.

    plugins: those of two plugins, and not those of one level.
    """
    done, acts = False, spoiled.transcript.by_id
    for act in _working(spoiled):
        runs = [run for run in act.of("tool.request") if not run.step["break_chain"]]
        if len(runs) == 2 and len(act.of("tool.request")) == 2:
            one, other = runs
            apart = acts[one.step["as"]].nth != acts[other.step["as"]].nth
            tied = one.step["priority"] == other.step["priority"]
            alike = one.step["scope"] == other.step["scope"] and (apart is plugins or not tied)
            if tied is equal and alike and not any(map(stands, runs)):
                for run, callback in ((one, other.callback), (other, one.callback)):
                    for index in (run.entered, run.left or run.entered):
                        spoiled.log[index]["callback"] = callback
                done = True
    return done


@plant(FAULTS, "descending_priority", "a higher priority runs before a lower one", "MID-002")
def descending_priority(spoiled: Spoiled) -> bool:
    """Exchange two intercepts of different priority."""
    return _swap_names(spoiled, equal=False)


@plant(FAULTS, "descending_plugins", "of equal priority the plugin of a later name comes first", "MID-032")
def descending_plugins(spoiled: Spoiled) -> bool:
    """Exchange two intercepts of equal priority that two plugins registered."""
    return _swap_names(spoiled, equal=True, plugins=True)


@plant(FAULTS, "plugins_backwards", "plugins register in another order than they are configured in", "MID-031")
def plugins_backwards(spoiled: Spoiled) -> bool:
    """Ask the last plugin first, and the first one last, where they have different names."""
    done = False
    for act in spoiled.transcript.of_kind("install"):
        runs = [run for run in act.runs if run.part == "install"]
        if len(runs) > 1 and runs[0].given != runs[-1].given:
            first, last = spoiled.log[runs[0].entered], spoiled.log[runs[-1].entered]
            first["given"], last["given"] = last["given"], first["given"]
            done = True
    return done


@plant(FAULTS, "descending_names", "of equal priority the later name runs first", "MID-003")
def descending_names(spoiled: Spoiled) -> bool:
    """Exchange two intercepts of equal priority."""
    return _swap_names(spoiled, equal=True)


def later_work(spoiled: Spoiled) -> list[Act]:
    """The tool calls and helpers of request intercepts in which none of these ran."""
    acts = [act for act in spoiled.transcript.acts if act.step["step"] in ("call", "helper") and act.error is None]
    acts = [act for act in acts if act.step.get("kind") in ("tool", "tool.request")]
    return [act for act in acts if not act.of("tool.request", *CONDITIONALS)]


def let_run(spoiled: Spoiled, name: str, later: Act) -> bool:
    """Let a tool request intercept run first in a later call or helper, changing nothing."""
    first = next((run for run in later.runs if run.part in ("tool.execution", "provider")), None)
    at = later.done or 0 if first is None else first.entered
    args = spoiled.log[at]["value"] if first is None else spoiled.log[at]["given"]["args"]
    key = {"callback": name, "k": 9}
    given = {"name": later.step["name"], "args": args}
    spoiled.insert(at - 1, {"fact": "enter", **key, "given": given}, {"fact": "leave", **key, "reply": args})
    return True


def _registered(spoiled: Spoiled) -> dict[str, Json]:
    steps = [act.step for act in spoiled.transcript.acts if act.step["step"] == "register" and act.error is None]
    return {step["as"]: step for step in steps if step["family"] == "tool.request" and not step["break_chain"]}


@plant(FAULTS, "outlive_scope", "what a scope owns runs after it closed", "MID-004")
def outlive_scope(spoiled: Spoiled) -> bool:
    """Let an intercept of a closed scope run in the last tool call or helper, where it runs alone."""
    calls = later_work(spoiled)
    for end in spoiled.transcript.acts:
        for name, step in _registered(spoiled).items():
            owned = end.step["step"] == "end" and step["scope"] == end.step["of"] and end.error is None
            if owned and calls and calls[-1].began > (end.done or 0) and let_run(spoiled, name, calls[-1]):
                return True
    return False


@plant(FAULTS, "take_name_twice", "a name that is taken is taken again", "MID-005", also=("HLP-003",))
def take_name_twice(spoiled: Spoiled) -> bool:
    """Let every registration that was refused succeed, where nothing is deregistered later, but for subscribers."""
    acts = spoiled.transcript.acts
    if any(act.step["step"] == "deregister" for act in acts):
        return False
    found = [act for act in spoiled.transcript.of_kind("register") if act.error is not None and not act.plugin]
    found = [act for act in found if act.step["family"] != "subscriber"]
    for act in found:
        spoiled.succeed(act, None)
    return bool(found)


@plant(FAULTS, "always_there", "deregistering says that something was there that was not", "MID-006")
def always_there(spoiled: Spoiled) -> bool:
    """Turn every answer that nothing was there."""
    found = [act for act in spoiled.transcript.acts if act.step["step"] == "deregister" and act.value is False]
    for act in found:
        spoiled.log[act.done or 0]["value"] = True
    return bool(found)


@plant(FAULTS, "run_deregistered", "what was deregistered runs again", "MID-007")
def run_deregistered(spoiled: Spoiled) -> bool:
    """Let an intercept that was deregistered run in the last tool call or helper, where it runs alone."""
    calls = later_work(spoiled)
    ended = [act for act in spoiled.transcript.acts if act.step["step"] == "deregister" and act.error is None]
    gone = [act for act in ended if act.value is not False and not act.plugin]
    return _any_runs(spoiled, gone, calls)


def _any_runs(spoiled: Spoiled, gone: list[Act], calls: list[Act]) -> bool:
    """Let the first intercept that was deregistered so run in the last of these calls, if that came later."""
    return any(
        act.step["of"] in _registered(spoiled)
        and bool(calls)
        and calls[-1].began > (act.done or 0)
        and let_run(spoiled, act.step["of"], calls[-1])
        for act in gone
    )


@plant(FAULTS, "keep_plugin", "what a plugin had registered runs after it was taken back", "MID-024")
def keep_plugin(spoiled: Spoiled) -> bool:
    """Let an intercept of a plugin that was taken back run in the last tool call or helper, where it runs alone."""
    acts = spoiled.transcript.acts
    ended = {act.step["of"] for act in acts if act.step["step"] == "uninstall"}
    gone = [act for act in acts if act.step["step"] == "deregister" and act.plugin in ended]
    return _any_runs(spoiled, gone, later_work(spoiled))


@plant(FAULTS, "forget_plugin", "what a plugin registered does not run", "MID-021", also=("FLT-016",))
def forget_plugin(spoiled: Spoiled) -> bool:
    """Take out a plugin's intercept that changed nothing and ran alone."""
    return forget(spoiled, {act.step["as"] for act in spoiled.transcript.acts if act.plugin})


@plant(FAULTS, "forget_global", "what is registered globally does not run", "MID-025", also=("GAT-002",))
def forget_global(spoiled: Spoiled) -> bool:
    """Take out a global intercept that changed nothing and ran alone, in a call that came back."""
    acts = [act for act in spoiled.transcript.of_kind("register") if not act.plugin and act.within is None]
    names = {act.step["as"] for act in acts if act.step["scope"] == "global" and not act.step["async"]}
    return is_of_one_time(spoiled.full) and forget(spoiled, names)


def forget(spoiled: Spoiled, names: set[str]) -> bool:
    """Take out the first of these intercepts of tools that changed nothing, ran alone and did not break the chain."""
    for act in spoiled.transcript.calls("tool"):
        for run in act.of("tool.request"):
            if run.callback in names and _alone(spoiled, run) and same(run.reply, run.given["args"]):
                gone = (spoiled.log[run.entered], spoiled.log[run.left or run.entered])
                spoiled.log[:] = [record for record in spoiled.log if not any(record is one for one in gone)]
                return True
    return False


@plant(FAULTS, "share_names", "a plugin cannot take a name that the program has", "MID-022", also=("LIF-008",))
def share_names(spoiled: Spoiled) -> bool:
    """Refuse what a plugin registers under a name that the program has in the family."""
    acts = [act for act in spoiled.transcript.acts if act.step["step"] == "register" and act.error is None]
    own = {(act.step["family"], act.step["name"]) for act in acts if not act.plugin and act.step["scope"] == "global"}
    return _refuse(spoiled, [act for act in acts if act.plugin and (act.step["family"], act.step["name"]) in own])


def _refuse(spoiled: Spoiled, found: list[Act]) -> bool:
    """Refuse registrations, where no listing has them."""
    if spoiled.transcript.of_kind("list"):
        return False
    for act in found:
        spoiled.fail(act, {"type": "Planted", "message": "planted", "code": None, "same_as": None})
    return bool(found)


@plant(
    FAULTS, "share_plugins_names", "a plugin cannot take a name that another plugin has", "MID-022", also=("LIF-008",)
)
def share_plugins_names(spoiled: Spoiled) -> bool:
    """Refuse what a plugin registers under a name that the first one has in the family."""
    acts = [act for act in spoiled.transcript.of_kind("register") if act.error is None and act.plugin]
    own = {(act.plugin, act.step["family"], act.step["name"]) for act in acts if act.nth == 0}
    shared = [act for act in acts if act.nth and (act.plugin, act.step["family"], act.step["name"]) in own]
    return _refuse(spoiled, shared)


@plant(FAULTS, "keep_others", "what other plugins had registered runs though one of them raised", "MID-023")
def keep_others(spoiled: Spoiled) -> bool:
    """Let an intercept of a plugin that was not installed run in the last tool call or helper, where it runs alone."""
    raised = {act.step["as"] for act in spoiled.transcript.of_kind("install") if act.error is not None}
    gone = [act for act in spoiled.transcript.of_kind("deregister") if act.plugin in raised]
    return _any_runs(spoiled, gone, later_work(spoiled))


@plant(FAULTS, "install_anyway", "a plugin that raises is installed", "MID-023")
def install_anyway(spoiled: Spoiled) -> bool:
    """Let every installation succeed of a plugin that raises."""
    found = [act for act in spoiled.transcript.acts if act.step["step"] == "install" and act.error is not None]
    for act in found:
        spoiled.succeed(act, None)
    return bool(found)


def _rejected(spoiled: Spoiled, *steps: str) -> list[tuple[Act, Entry]]:
    return [
        (act, run)
        for act in _working(spoiled)
        for run in act.of(*CONDITIONALS)
        if isinstance(run.reply, str) and act.step["step"] in steps and act.error is not None
    ]


@plant(FAULTS, "vague_rejection", "a rejection reaches the caller without its reason", "MID-008")
def vague_rejection(spoiled: Spoiled) -> bool:
    """Say nothing of the reason in the error of every call that was rejected."""
    found = [(act, run) for act, run in _rejected(spoiled, "call") if run.reply]
    for act, _ in found:
        spoiled.log[act.done or 0]["error"]["message"] = "planted"
    return bool(found)


def _guards(spoiled: Spoiled) -> list[Json]:
    """Return what was told of guardrails, to those that stay and so are told of each."""
    found = [event for name in steady(spoiled.transcript) for _, event in spoiled.transcript.events.get(name, [])]
    return [event for event in found if event.get("category") == "guardrail"]


@plant(FAULTS, "rename_guard", "a conditional's scope has another name", "MID-009", also=("EVT-031",))
def rename_guard(spoiled: Spoiled) -> bool:
    """Rename the start of every guardrail that nothing saw before it was told, where each can be called."""
    if any("event" in run.given for run in spoiled.transcript.published) or any(map(_is_odd, spoiled.transcript.acts)):
        return False
    found = [event for event in _guards(spoiled) if event["scope_category"] == "start"]
    for event in found:
        event["name"] = "planted"
    return bool(found)


@plant(FAULTS, "forget_rejection", "a call that was rejected leaves no mark", "MID-010")
def forget_rejection(spoiled: Spoiled) -> bool:
    """Drop the marks that tell of rejections."""
    events = [event for told in spoiled.transcript.events.values() for _, event in told]
    found = [event for event in events if event["kind"] == "mark" and "rejected" in _members(event["data"])]
    spoiled.drop(found)
    return bool(found)


def _members(data: Json) -> Json:
    return data if isinstance(data, dict) else {}


@plant(FAULTS, "late_conditional", "a conditional is not given what the caller handed in", "MID-011", also=("MID-027",))
def late_conditional(spoiled: Spoiled) -> bool:
    """Replace what every conditional is given."""
    found = [run for act in _working(spoiled) for run in act.of(*CONDITIONALS)]
    for run in found:
        spoiled.log[run.entered]["given"]["args" if run.part.startswith("tool.") else "request"] = PLANTED
    return bool(found)


@plant(FAULTS, "forget_args", "what a tool request intercept replied is not handed on", "MID-012")
def forget_args(spoiled: Spoiled) -> bool:
    """Replace the args that come after a request intercept, where no intercept wraps the execution."""
    found = [
        after
        for act in _working(spoiled)
        for run, after in zip(act.runs, act.runs[1:], strict=False)
        if run.part == "tool.request" and run.replied and after.part in ("tool.request", "provider")
    ]
    for run in found:
        spoiled.log[run.entered]["given"]["args"] = PLANTED
    return bool(found)


@plant(FAULTS, "ignore_tool_break", "the chain goes on after a tool request intercept broke it", "MID-013")
def ignore_tool_break(spoiled: Spoiled) -> bool:
    """Let the intercept that a broken chain left out run after all, where there is but one."""
    steps = [act.step for act in spoiled.transcript.acts if act.step["step"] == "register"]
    for act in _working(spoiled):
        runs = act.of("tool.request")
        ran = {run.callback for run in runs}
        left = [step for step in steps if step["family"] == "tool.request" and step["as"] not in ran]
        broken = bool(runs) and runs[-1].step["break_chain"] and runs[-1].replied and len(left) == 1
        if broken and left[0]["priority"] > runs[-1].step["priority"] and left[0]["scope"] == "global":
            at = runs[-1].left or 0
            key, reply = {"callback": left[0]["as"], "k": 9}, spoiled.log[at]["reply"]
            enter = {"fact": "enter", **key, "given": {"name": act.step["name"], "args": reply}}
            spoiled.insert(at, enter, {"fact": "leave", **key, "reply": reply})
            return True
    return False


@plant(FAULTS, "hand_on_change", "what an intercept changed in place is handed on", "MID-012", "MID-016")
def hand_on_change(spoiled: Spoiled) -> bool:
    """Give the next tool request intercept what the one before it put into its arguments."""
    found = [
        (op["text"], after)
        for act in _working(spoiled)
        for run, after in zip(act.runs, act.runs[1:], strict=False)
        if run.part == after.part == "tool.request" and run.replied
        for op in run.step["do"]
        if op["op"] == "mutate"
    ]
    for text, run in found:
        spoiled.log[run.entered]["given"]["args"] = text
    return bool(found)


@plant(
    FAULTS,
    "not_awaited",
    "what comes after an asynchronous callback does not wait for its reply",
    "MID-017",
    also=("HLP-003", "LIF-005", "MID-001", "MID-012", "OUT-004"),
)
def not_awaited(spoiled: Spoiled) -> bool:
    """Move the reply of an asynchronous callback behind all that the callback after it did."""
    found = [
        (run, after)
        for act in _working(spoiled)
        for run, after in zip(act.runs, act.runs[1:], strict=False)
        if run.part in CONDITIONALS and run.step["async"] and _alone(spoiled, run) and _alone(spoiled, after)
    ]
    for run, after in found:
        reply = spoiled.log[run.left or 0]
        spoiled.log[(run.left or 0) : (after.left or 0) + 1] = spoiled.log[(run.left or 0) + 1 : (after.left or 0) + 1]
        spoiled.log.insert(after.left or 0, reply)
    return bool(found)


@plant(FAULTS, "let_odd_pass", "what cannot be called lets pass", "MID-020", "HLP-003")
def let_odd_pass(spoiled: Spoiled) -> bool:
    """Let the helpers of conditionals succeed that something failed which cannot be called."""
    odd = {act.step["family"] for act in spoiled.transcript.acts if act.step.get("odd")} & set(CONDITIONALS)
    acts = [act for act in spoiled.transcript.acts if act.step["step"] == "helper" and act.step["kind"] in odd]
    found = [act for act in acts if act.error is not None and not act.runs]
    for act in found:
        spoiled.succeed(act, None)
    return bool(found)
