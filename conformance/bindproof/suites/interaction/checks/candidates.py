"""Checks of the chapter *Candidates* (CND)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from bindproof.suite_api import Evidence, Json
from bindproof.suites.interaction.checks.common import (
    Check,
    Found,
    astray,
    comes_to,
    differs,
    each,
    fails_under,
    goes,
    is_last,
    register,
)
from bindproof.suites.interaction.fates import candidates
from bindproof.suites.interaction.observation import RUN, THREAD
from bindproof.suites.interaction.reading import Part, Reading
from bindproof.suites.interaction.trying import fails_at

CHECKS: dict[str, Check] = {}

AGENT: Final = "agent"
"""What the agent of a run is called."""

OWN: Final = "AgentExecutionError"
"""What a runner makes of an error that is none of its own."""


def _calling(reading: Reading) -> list[Part]:
    return [part for part in reading.parts if part.calls and part.fate.models]


def _each_call(reading: Reading, member: str, text: str, due: Callable[[Part], Json]) -> Found:
    """Return evidence for each call whose member is not as is due in its step."""

    def judge(part: Part) -> Iterator[Evidence]:
        for at in part.of("called"):
            yield from differs(at, f"/{member}", text, due(part), part.log[at][member])

    return each(_calling(reading), judge)


@register(CHECKS, "CND-001")
def request(reading: Reading) -> Found:
    """A request is identified by its run and its step."""
    return _each_call(
        reading, "request", "the id of a request is made of run and step", lambda part: f"{RUN}:step:{part.fate.number}"
    )


@register(CHECKS, "CND-002")
def key(reading: Reading) -> Found:
    """A request can be repeated by a key that is made of its run and its step."""
    return _each_call(
        reading, "key", "the key of a request is made of run and step", lambda part: f"{RUN}:step:{part.fate.number}"
    )


@register(CHECKS, "CND-003")
def primary(reading: Reading) -> Found:
    """Each step begins with the primary model, unless its breaker is open."""

    def judge(part: Part) -> list[Evidence]:
        return goes("the primary model is called first", reading.scenario["model"], part.calls[0]["model"])

    primary = reading.scenario["model"]
    return each((part for part in _calling(reading) if primary not in part.fate.breakers), judge)


@register(CHECKS, "CND-004")
def in_order(reading: Reading) -> Found:
    """The models of the chain are called in its order."""
    order = candidates(reading.scenario)[1:]

    def judge(part: Part) -> list[Evidence]:
        seen = list(dict.fromkeys(model for model, _ in part.taken if model in order))
        return goes("the chain is tried in its order", [name for name in order if name in seen], seen)

    return each((part for part in _calling(reading) if len(part.taken) > 1), judge)


@register(CHECKS, "CND-005")
def once(reading: Reading) -> Found:
    """No step comes back to a model, or calls one that has no name or is not of the chain."""
    known = candidates(reading.scenario)

    def judge(part: Part) -> list[Evidence]:
        seen = [model for model, _ in part.taken]
        odd = [name for at, name in enumerate(seen) if name in seen[:at] or name not in known]
        return goes("a step comes back to no model", [], odd)

    return each(_calling(reading), judge)


@register(CHECKS, "CND-006")
def after_an_answer(reading: Reading) -> Found:
    """Once a model has answered, none is called in that step."""

    def judge(part: Part) -> list[Evidence]:
        names = [call["model"] for call in part.calls]
        counts = [names[: at + 1].count(name) for at, name in enumerate(names)]
        tried = list(zip(names, counts, strict=True))
        first = next((at for at, one in enumerate(tried) if not fails_at(part.fate.step, *one)), len(names))
        return goes("no model is called after the one that answered", [], names[first + 1 :])

    return each((part for part in _calling(reading) if part.fate.answered), judge)


@register(CHECKS, "CND-007")
def after_a_failure(reading: Reading) -> Found:
    """Where a model fails, the next one of the chain is called."""

    def judge(part: Part) -> list[Evidence]:
        seen = {call["model"] for call in part.calls}
        return goes("each model is called until one answers", [], [one for one in part.fate.models if one not in seen])

    return each((part for part in _calling(reading) if len(part.fate.models) > 1), judge)


@register(CHECKS, "CND-008")
def transcript(reading: Reading) -> Found:
    """A request has all that was said before."""
    said: list[Json] = [{"role": "user", "text": "hello"}]
    found: list[Evidence] = []
    for part in reading.parts:
        step = part.fate.step
        for at in part.of("called") if part.fate.models else ():
            messages = part.log[at]["messages"]
            told = messages[:-1] if _was_told(step) else messages
            found += differs(at, "/messages", "a request has all that was said before its step", said, told)
        said = said + ([{"role": "user", "text": step["says"]}] if _was_told(step) else [])
        said = said + ([{"role": "assistant", "text": step["text"]}] if step["text"] else []) + [{"role": "tool"}]
    return found if _calling(reading) else None


def _was_told(step: Json) -> bool:
    return bool(step["gate"] == "input" and step["answer"] == "allow" and step["says"])


@register(CHECKS, "CND-009")
def tools(reading: Reading) -> Found:
    """A request has the tools, and leaves the choice to the model."""
    if reading.scenario["bare"]:
        return None
    due = ("the request has the tools", True), ("the model chooses among the tools", "auto")
    return _each_of_tools(reading, *due)


@register(CHECKS, "CND-019")
def no_tools(reading: Reading) -> Found:
    """A request of an agent without tools has none, and nothing to choose."""
    if not reading.scenario["bare"]:
        return None
    due = ("the request has no tools", False), ("nothing is chosen among no tools", None)
    return _each_of_tools(reading, *due)


def _each_of_tools(reading: Reading, tools: tuple[str, Json], choice: tuple[str, Json]) -> Found:
    """Judge what each request has of tools and of a choice among them: in words, and the value that is due."""

    def judge(part: Part) -> Iterator[Evidence]:
        for at in part.of("called"):
            call = part.log[at]
            yield from differs(at, "/tools", *tools, call["tools"])
            yield from differs(at, "/choice", *choice, call["choice"])

    return each(_calling(reading), judge)


@register(CHECKS, "CND-010")
def tokens(reading: Reading) -> Found:
    """The last tokens that an answer had go with the requests that follow."""
    kept: dict[str, str | None] = {"session": None, "checkpoint": None}
    found: list[Evidence] = []
    judged = False
    for part in reading.parts:
        for at in part.of("called") if any(kept.values()) and part.fate.models else ():
            judged = True
            for name, token in kept.items():
                found += differs(at, f"/{name}", "the last token goes with a request", token, part.log[at][name])
        kept = {name: part.fate.step.get(name) or kept[name] for name in kept}
    return found if judged else None


@register(CHECKS, "CND-011")
def last_error(reading: Reading) -> Found:
    """Where all fail, and the run with them, the last error is the run's."""
    if not is_last(reading, "failed") or not fails_under(reading.scenario["on_failure"]) or reading.end is None:
        return None
    error = reading.log[reading.end].get("error", {})
    silent = reading.fates[-1].step["error"] == "slow"
    words = "" if silent else f"[{candidates(reading.scenario)[-1]} fails]"
    found = error.get("kind") == "failed" and words in error.get("message", "")
    return [] if found else [astray("the run fails with the last model's error", words, error or "no error")]


@register(CHECKS, "CND-012")
def degraded(reading: Reading) -> Found:
    """Where all fail, and the policy spares the run, it is degraded."""
    if not is_last(reading, "failed") or fails_under(reading.scenario["on_failure"]):
        return None
    return comes_to(reading, "the run ends degraded", "degraded")


@register(CHECKS, "CND-013")
def warned(reading: Reading) -> Found:
    """Where all fail, and the policy spares the run, a warning says so."""
    if fails_under(reading.scenario["on_failure"]):
        return None

    def judge(part: Part) -> list[Evidence]:
        count = len(reading.of("event", "warning"))
        return goes("one warning says that no model answered", 1, count)

    return each(reading.parts_of("failed"), judge)


def _each_metadata(reading: Reading, member: str, text: str, expected: Json, holds: Callable[[Json], bool]) -> Found:
    """Judge a member of the metadata of each call."""

    def judge(part: Part) -> Iterator[Evidence]:
        for at in part.of("called"):
            about = part.log[at].get("metadata")
            seen = about.get(member) if isinstance(about, dict) else None
            yield from [] if holds(seen) else differs(at, f"/metadata/{member}", text, expected, seen)

    return each(_calling(reading), judge)


@register(CHECKS, "CND-014")
def thread(reading: Reading) -> Found:
    """The metadata of a request has the thread of the run."""
    text = "the metadata of a request has the run's thread"
    return _each_metadata(reading, "thread", text, THREAD, lambda seen: bool(seen == THREAD))


@register(CHECKS, "CND-015")
def agent(reading: Reading) -> Found:
    """The metadata of a request has the agent's name."""
    text = "the metadata of a request has the agent's name"
    return _each_metadata(reading, "agent", text, AGENT, lambda seen: bool(seen == AGENT))


@register(CHECKS, "CND-016")
def trust(reading: Reading) -> Found:
    """The metadata of a request marks what tools gave otherwise than what the system says."""

    def marks(seen: Json) -> bool:
        return isinstance(seen, dict) and bool(seen.get("system")) and seen.get("tool") not in (None, seen["system"])

    text = "the metadata of a request marks what tools gave"
    return _each_metadata(reading, "channels", text, {"system": "trusted", "tool": "otherwise"}, marks)


@register(CHECKS, "CND-018")
def sanitized(reading: Reading) -> Found:
    """The metadata of a request says whether what tools give is sanitized."""
    text, due = "the metadata of a request says whether what tools give is sanitized", reading.scenario["sanitizes"]
    return _each_metadata(reading, "sanitized", text, due, lambda seen: seen is due)


@register(CHECKS, "CND-017")
def own_error(reading: Reading) -> Found:
    """Where all fail, and the run with them, its error is the runner's own."""
    if not is_last(reading, "failed") or not fails_under(reading.scenario["on_failure"]) or reading.end is None:
        return None
    error = reading.log[reading.end].get("error", {})
    if error.get("kind") != "failed":
        return None  # whose error it is, CND-011 judges
    return differs(reading.end, "/error/type", "the run fails by an error of the runner's own", OWN, error["type"])
