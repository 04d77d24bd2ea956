"""Checks of the chapter *Runs* (RUN)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from bindproof.suite_api import Evidence, Json
from bindproof.suites.interaction.checks.common import Check, Found, astray, differs, each, goes, is_last, register
from bindproof.suites.interaction.observation import PROGRAM, RUN
from bindproof.suites.interaction.reading import TERMINAL, Part, Reading
from bindproof.suites.interaction.states import EDGES, may_follow

CHECKS: dict[str, Check] = {}

FIELDS: Final = ("payload", "phase", "run_id", "schema_version", "timestamp_ms")
"""What a checkpoint has by its documentation."""


@register(CHECKS, "RUN-001")
def ends(reading: Reading) -> Found:
    """Whoever waits for a run is told how it came out."""
    if reading.end is not None:
        return []
    return [astray("who waits for the run is told how it came out", "an end", "it hangs")]


@register(CHECKS, "RUN-002")
def begins(reading: Reading) -> Found:
    """A run says first that it has begun."""
    if not reading.began or not reading.log:
        return None
    events = [(one["type"], one["state"]) for one in reading.log if one["fact"] == "event"]
    first = list(events[0]) if events else None
    return goes("the first event is that the run has begun", ["run_started", "running"], first)


@register(CHECKS, "RUN-003")
def states(reading: Reading) -> Found:
    """A state follows another one that may come before it."""
    events = [(at, one["state"]) for at, one in enumerate(reading.log) if one["fact"] == "event"]
    if not events:
        return None
    before, found = "pending", []
    for at, state in events:
        if not may_follow(before, state):
            text = f"of {before} the state becomes another one that may follow"
            found.append(Evidence(PROGRAM, text, at, list(EDGES.get(before, ())), state, "/state"))
        before = state
    return found


@register(CHECKS, "RUN-004")
def one_terminal_event(reading: Reading) -> Found:
    """One event says that the run is over, and no event comes later."""
    if not reading.began or reading.end is None:
        return None
    events = [one["type"] for one in reading.log if one["fact"] == "event"]
    over = [at for at, name in enumerate(events) if name in TERMINAL]
    expected = [len(events) - 1]
    return goes("one event says that the run is over, and it is the last one", expected, over)


@register(CHECKS, "RUN-005")
def terminal_checkpoint(reading: Reading) -> Found:
    """The last checkpoint is the terminal one."""
    if not reading.began or reading.end is None:
        return None
    last = [one["phase"] for one in reading.log if one["fact"] == "checkpoint"][-1:]
    return goes("the last checkpoint says that the run is over", ["run_terminal"], last)


@register(CHECKS, "RUN-006")
def numbered(reading: Reading) -> Found:
    """Steps are numbered from 1 on."""

    def judge(part: Part) -> Iterator[Evidence]:
        for at in part.places:
            number = part.log[at].get("step")
            if part.log[at]["fact"] in ("event", "checkpoint", "asked") and number != part.fate.number:
                text = "what is of a step has the number of the step"
                yield Evidence(PROGRAM, text, at, part.fate.number, number, "/step")

    return each(reading.parts, judge)


def _order(part: Part, *names: tuple[str, str | None]) -> list[Json]:
    """Return the facts of these names, as they come in a step."""
    places = sorted((at, fact, name) for fact, name in names for at in part.of(fact, name))
    return [fact if name is None else name for _, fact, name in places]


@register(CHECKS, "RUN-007")
def before_the_call(reading: Reading) -> Found:
    """A step keeps where it is before it asks the policy."""

    def judge(part: Part) -> list[Evidence]:
        at = [*part.of("checkpoint", "pre_llm")]
        later = [*part.of("event", "policy_decision"), *part.of("event", "llm_called"), *part.of("called")]
        early = len(at) == 1 and all(at[0] < one for one in later)
        return [] if early else [astray("one checkpoint is kept before the call", "pre_llm first", _seen(part))]

    return each(reading.parts, judge)


def _seen(part: Part) -> list[Json]:
    names = (("checkpoint", "pre_llm"), ("event", "policy_decision"), ("event", "llm_called"), ("called", None))
    return _order(part, *names)


@register(CHECKS, "RUN-008")
def called_once(reading: Reading) -> Found:
    """A step says once that it calls, before the first of its models."""

    def judge(part: Part) -> list[Evidence]:
        seen = _order(part, ("event", "llm_called"), ("called", None))
        due = ["llm_called", *["called"] * (len(seen) - 1)]
        return goes("`llm_called` comes once, before the models", due, seen)

    return each((part for part in reading.parts if part.calls and part.fate.models), judge)


@register(CHECKS, "RUN-009")
def answer_is_kept(reading: Reading) -> Found:
    """An answer is kept before it is told."""

    def judge(part: Part) -> list[Evidence]:
        seen = _order(part, ("called", None), ("checkpoint", "post_llm"), ("event", "llm_completed"))
        seen = [name for name in seen if name != "llm_completed"] if "post_llm" in seen[:-1] else seen
        due = ["called"] * (len(seen) - 1) + ["post_llm"]
        return goes("a checkpoint follows the answer, before `llm_completed`", due, seen)

    return each(reading.parts_of("goes_on", "completed"), judge)


@register(CHECKS, "RUN-010")
def snapshot(reading: Reading) -> Found:
    """A snapshot with the answer follows the checkpoint."""

    def judge(part: Part) -> list[Evidence]:
        seen = _order(part, ("checkpoint", "post_llm"), ("checkpoint", "runtime_state"))
        seen = [name for name in seen if name != "post_llm"] if seen[:1] == ["post_llm"] else seen
        return goes("one snapshot with the answer follows the checkpoint", ["runtime_state"], seen)

    return each(reading.parts_of("goes_on", "completed"), judge)


@register(CHECKS, "RUN-011")
def completed(reading: Reading) -> Found:
    """A step says that its call is completed where it has an answer, and only there."""

    def judge(part: Part) -> list[Evidence]:
        due = 1 if part.fate.answered else 0
        return goes(f"`llm_completed` comes {due} times", due, len(part.of("event", "llm_completed")))

    return each(reading.parts, judge)


@register(CHECKS, "RUN-012")
def returns(reading: Reading) -> Found:
    """A run that completes returns the last answer."""
    if reading.end is None or not is_last(reading, "completed"):
        return None
    due = {"state": "completed", "text": reading.fates[-1].step["text"]}
    return goes("the run returns the last answer", due, reading.log[reading.end].get("value"))


def _each_checkpoint(reading: Reading, member: str, text: str, due: Callable[[Json], Json]) -> Found:
    """Judge a member of each checkpoint."""
    places = reading.of("checkpoint")
    found = (differs(at, f"/{member}", text, due(reading.log[at]), reading.log[at].get(member)) for at in places)
    return [evidence for one in found for evidence in one] if places else None


@register(CHECKS, "RUN-015")
def key(reading: Reading) -> Found:
    """A checkpoint is kept by a key that is made of its run, its step and its phase."""
    text = "the key of a checkpoint is made of run, step and phase"
    return _each_checkpoint(reading, "key", text, lambda one: f"checkpoint:{RUN}:{one['step']}:{one['phase']}")


@register(CHECKS, "RUN-016")
def latest(reading: Reading) -> Found:
    """A checkpoint is kept as the latest one of its run, too."""
    return _each_checkpoint(reading, "latest", "a checkpoint is kept as the latest one, too", lambda _: True)


@register(CHECKS, "RUN-017")
def whole(reading: Reading) -> Found:
    """A checkpoint has all of its fields."""
    return _each_checkpoint(reading, "has", "a checkpoint has all fields", lambda _: list(FIELDS))
