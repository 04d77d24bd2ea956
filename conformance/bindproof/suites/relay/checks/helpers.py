"""Checks of the chapter *Helpers* (HLP)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bindproof.core.model import Evidence, same
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, part, register
from bindproof.suites.relay.observation.gates import is_shut
from bindproof.suites.relay.observation.outcomes import names_of_marks
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import open_scopes
from bindproof.suites.relay.observation.spans import is_start, started, steady
from bindproof.suites.relay.observation.transcript import Act, Entry
from bindproof.suites.relay.scenario.families import CONDITIONALS

CHECKS: dict[str, Check] = {}

REQUESTS = ("llm.request", "tool.request")


def _helpers(reading: Reading, *kinds: str) -> list[Act]:
    found = [act for act in reading.transcript.acts if act.step["step"] == "helper"]
    return [act for act in found if not kinds or act.step["kind"] in kinds]


@register(CHECKS, "HLP-001")
def one_family_runs(reading: Reading) -> Found:
    """A helper runs callbacks of its own family and no others."""
    found = _helpers(reading)
    return judged(
        [
            Evidence(EVERY_LANE, "a helper runs its own family alone", run.entered, act.step["kind"], run.part)
            for act in found
            for run in act.all()
            if run.part != act.step["kind"]
        ],
        found,
    )


@register(CHECKS, "HLP-002")
def the_args_are_the_answer(reading: Reading) -> Found:
    """The helper of a tool's request intercepts answers with what the last one replied, or with what it was given."""
    found = [act for act in _helpers(reading, "tool.request") if act.error is None]
    found = [act for act in found if act.runs or "$get" not in str(act.step["args"])]
    return judged(
        [
            Evidence(EVERY_LANE, "the args are the answer", act.done, args, act.value)
            for act in found
            if not same(args := act.runs[-1].reply if act.runs else act.step["args"], act.value)
        ],
        found,
    )


@register(CHECKS, "HLP-003")
def all_that_is_effective_runs(reading: Reading) -> Found:
    """A helper that is not cut short runs all of its family that is registered globally and on open scopes."""
    found = [act for act in _helpers(reading) if not _is_cut_short(act)]
    return judged(
        [
            Evidence(EVERY_LANE, "what is registered runs in a helper", act.done, name, None)
            for act in found
            for name in _effective(reading, act)
            if name not in {run.callback for run in act.runs}
        ],
        found,
    )


def _is_cut_short(act: Act) -> bool:
    return act.error is not None or any(run.step.get("break_chain") for run in act.runs)


def _effective(reading: Reading, helper: Act) -> list[str]:
    """The callbacks of a helper's family that are registered when it runs."""
    levels = {"global", *(act.step["as"] for act in open_scopes(reading.transcript, helper.began))}
    names: list[str] = []
    for act in reading.transcript.acts:
        if act.done is not None and act.done < helper.began and act.error is None:
            if act.step["step"] == "register" and act.step["family"] == helper.step["kind"]:
                if act.step["scope"] in levels and not is_shut(reading.transcript, act.step, helper.began):
                    names.append(act.step["as"])
            elif act.step["step"] == "deregister":
                names = [name for name in names if name != act.step["of"]]
    return names


def _fails_unseen(reading: Reading, helper: Act) -> bool:
    """Tell whether something is due in a helper that cannot be called, and so leaves no record (MID-020)."""
    odd = {act.step["as"] for act in reading.transcript.acts if act.step.get("odd")}
    return not odd.isdisjoint(_effective(reading, helper))


@register(CHECKS, "HLP-004")
def letting_pass_succeeds(reading: Reading) -> Found:
    """A helper whose conditionals all let pass succeeds, with nothing to say."""
    found = [
        act
        for act in _helpers(reading, *CONDITIONALS)
        if all(run.replied and run.reply is None for run in _own(act)) and not _fails_unseen(reading, act)
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "all let pass", act.done, None, act.error or act.value)
            for act in found
            if act.error is not None or act.value is not None
        ],
        found,
    )


def _own(act: Act) -> list[Entry]:
    return [run for run in act.runs if run.part == act.step["kind"]]


@register(CHECKS, "HLP-005")
def requests_emit_nothing(reading: Reading) -> Found:
    """No start is told beyond those of calls and starts, and no mark that nobody but a helper stated."""
    if not _helpers(reading, *REQUESTS):
        return None
    return [
        evidence
        for subscriber, since in steady(reading.transcript).items()
        for evidence in _surplus(reading, subscriber, since)
    ]


def _surplus(reading: Reading, subscriber: str, since: int) -> Iterator[Evidence]:
    events = reading.transcript.events.get(subscriber, [])
    for kind in ("llm", "tool"):
        starts = [event for event in events if is_start(event[1]) and event[1].get("category") == kind]
        begun = [*started(reading.transcript, kind), *_scopes_of_type(reading, kind)]
        acts = [act for act in begun if act.started_at >= since]
        if len(starts) > len(acts):
            yield Evidence(EVERY_LANE, "a helper emits no start", starts[-1][0], len(acts), len(starts))
    stated = _stated(reading)
    told: Counter[str] = Counter()
    helped = {
        str(name) for act in _helpers(reading, *REQUESTS) for run in act.runs for name in names_of_marks(run.reply)
    }
    for index, event in events:
        name = str(event.get("name"))
        if event.get("kind") == "mark" and name in helped:
            told[name] += 1
            if told[name] > stated[name]:
                yield Evidence(EVERY_LANE, "a helper emits no mark", index, stated[name], name)


def _scopes_of_type(reading: Reading, kind: str) -> list[Act]:
    """Return the scopes that were started, of this type: their events are of that category too."""
    steps = [act for act in reading.transcript.acts if act.step["step"] == "start" and act.error is None]
    return [act for act in steps if act.step["kind"] == "scope" and act.step["type"] == kind]


def _stated(reading: Reading) -> Counter[str]:
    """How many marks of a name something else than a helper may have emitted."""
    names = Counter(
        str(act.step.get("name")) for act in reading.transcript.acts if act.step["step"] in ("mark", "call")
    )
    for act in reading.transcript.acts:
        if act.step["step"] == "call":
            names.update(str(name) for run in act.all() for name in names_of_marks(run.reply))
    return names


@register(CHECKS, "HLP-006")
def a_rejected_helper_leaves_no_mark(reading: Reading) -> Found:
    """There are no more marks of rejections than calls that were rejected."""
    found = [act for act in _helpers(reading, *CONDITIONALS) if any(isinstance(run.reply, str) for run in act.runs)]
    calls = [act for act in reading.transcript.acts if act.step["step"] == "call"]
    rejected = [act for act in calls if any(isinstance(run.reply, str) for run in act.of(*CONDITIONALS))]
    return judged(
        [
            Evidence(EVERY_LANE, "a rejected helper leaves no mark", marks[-1], len(rejected), len(marks))
            for subscriber in steady(reading.transcript)
            if len(marks := _rejections(reading, subscriber)) > len(rejected)
        ],
        found,
    )


def _rejections(reading: Reading, subscriber: str) -> list[int]:
    events = reading.transcript.events.get(subscriber, [])
    return [at for at, event in events if event.get("kind") == "mark" and part(event, "data", "rejected") is True]


@register(CHECKS, "HLP-007")
def what_raises_fails_the_helper(reading: Reading) -> Found:
    """A helper whose callback raises fails, and nothing runs after that callback."""
    found = [(act, run) for act in _helpers(reading) for run in act.runs if run.raised is not None]
    return judged(
        [
            Evidence(EVERY_LANE, "what a callback raises fails the helper", act.done, run.raised, act.value)
            for act, run in found
            if act.error is None
        ]
        + [
            Evidence(EVERY_LANE, "nothing runs after a failure", act.runs[-1].entered, None, act.runs[-1].callback)
            for act, run in found
            if act.runs[-1] is not run
        ],
        found,
    )
