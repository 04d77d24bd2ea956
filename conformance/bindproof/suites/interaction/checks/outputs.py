"""Checks of the chapter *Structured output* (STC)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bindproof.suite_api import Evidence, Json
from bindproof.suites.interaction.checks.common import Check, Found, astray, differs, goes, register
from bindproof.suites.interaction.outputs import Asked, output

CHECKS: dict[str, Check] = {}


def _comes_out(asked: Asked, text: str) -> Found:
    """Judge the output of a call that took as many requests as it should."""
    if asked.end is None or len(asked.places) != asked.fate.calls:
        return None
    due = {"output": output(asked.fate.calls)}
    return goes(text, due, asked.end.get("value", "an error"))


@register(CHECKS, "STC-001", Asked)
def payload(asked: Asked) -> Found:
    """A payload that satisfies the schema is the output."""
    if asked.fate.kind != "output" or asked.says(asked.fate.calls) != "payload":
        return None
    return _comes_out(asked, "a payload that satisfies the schema is the output")


@register(CHECKS, "STC-002", Asked)
def text(asked: Asked) -> Found:
    """JSON of the text that satisfies the schema is the output."""
    if asked.fate.kind != "output" or asked.says(asked.fate.calls) == "payload":
        return None
    return _comes_out(asked, "JSON of the text that satisfies the schema is the output")


@register(CHECKS, "STC-003", Asked)
def repaired(asked: Asked) -> Found:
    """What does not satisfy the schema is followed by a repair."""
    if asked.fate.calls < 2 or asked.guessed:
        return None
    if len(asked.places) >= asked.fate.calls:
        return []
    return [astray("a repair is asked for", asked.fate.calls, len(asked.places))]


@register(CHECKS, "STC-004", Asked)
def so_many(asked: Asked) -> Found:
    """So many repairs are asked for at most."""
    most = int(asked.scenario["repairs"]) + 1
    return [] if len(asked.places) <= most else [astray("so many requests are made at most", most, len(asked.places))]


@register(CHECKS, "STC-005", Asked)
def enough(asked: Asked) -> Found:
    """Nothing is asked for after an output."""
    if asked.fate.kind != "output" or asked.fate.calls > asked.scenario["repairs"]:
        return None
    count = len(asked.places)
    return [] if count <= asked.fate.calls else [astray("nothing is asked for any more", asked.fate.calls, count)]


@register(CHECKS, "STC-006", Asked)
def invalid(asked: Asked) -> Found:
    """A call whose repairs are used up fails for that."""
    if asked.fate.kind != "invalid" or asked.end is None or asked.guessed:
        return None
    kind = asked.end["error"]["kind"] if "error" in asked.end else "a value"
    return goes("the call fails because its output is invalid", "invalid", kind)


@register(CHECKS, "STC-007", Asked)
def no_second_guess(asked: Asked) -> Found:
    """The text is not looked into where there is a payload that does not satisfy the schema."""
    if not any(asked.says(nth) == "bad payload" for nth in range(1, asked.fate.calls + 1)):
        return None
    found = asked.guessed
    return [] if found is None else [astray("the text beside a payload is not the output", "a repair", found)]


def _each_repair(asked: Asked, judge: Callable[[int, int], Iterator[Evidence]]) -> Found:
    """Judge each repair that should be there; judge: takes its place, and its number among the requests, from 2 on."""
    numbered = list(enumerate(asked.places[: asked.fate.calls], 1))[1:]
    return [evidence for nth, at in numbered for evidence in judge(at, nth)] if numbered else None


@register(CHECKS, "STC-008", Asked)
def begins_anew(asked: Asked) -> Found:
    """A repair has what was asked first, and the last answer alone."""

    def judge(at: int, nth: int) -> Iterator[Evidence]:
        messages = asked.log[at]["messages"]
        first = asked.log[asked.places[0]]["messages"]
        yield from differs(at, "/messages", "a repair has what was asked first", first, messages[:-1])
        told = str(messages[-1].get("text")) if messages and isinstance(messages[-1], dict) else ""
        marks = [f"[{one}]" for one in range(1, nth) if f"[{one}]" in told]
        yield from differs(at, "/messages", "a repair has the last answer alone", [f"[{nth - 1}]"], marks)

    return _each_repair(asked, judge)


@register(CHECKS, "STC-009", Asked)
def without_tools(asked: Asked) -> Found:
    """A repair has no tools."""

    def judge(at: int, _: int) -> Iterator[Evidence]:
        yield from differs(at, "/tools", "a repair has no tools", False, asked.log[at]["tools"])

    return _each_repair(asked, judge)


@register(CHECKS, "STC-010", Asked)
def one_request(asked: Asked) -> Found:
    """A repair has the id and the key of the request that it repairs."""
    first: Json = asked.log[asked.places[0]] if asked.places else {}

    def judge(at: int, _: int) -> Iterator[Evidence]:
        for name in ("request", "key"):
            yield from differs(at, f"/{name}", "a repair is of the same request", first[name], asked.log[at][name])

    return _each_repair(asked, judge)


@register(CHECKS, "STC-011", Asked)
def in_time(asked: Asked) -> Found:
    """A request that gets no answer fails when its time is over."""
    if asked.fate.kind != "silent" or len(asked.places) != asked.fate.calls:
        return None
    if asked.end is None:
        return [astray("a request without an answer fails in time", "failed", "it hangs")]
    kind = asked.end["error"]["kind"] if "error" in asked.end else "a value"
    return goes("a request without an answer fails in time", "failed", kind)
