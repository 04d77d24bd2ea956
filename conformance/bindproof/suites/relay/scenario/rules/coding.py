"""What steps have to keep that ask a codec, so that it is known which codec that is, and in which order it is asked.

A codec that a program has made of callbacks would run them once more: it is seen at work in the call itself.

Enters: the steps of a complete scenario, and what is in them. Leaves: the rules that they break, in words. Must not
know spelling.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import every_op, is_of_sanitizer

CODING = ("decode", "encode")
"""The kinds of step that ask a codec."""

SIDES = {"llm.sanitize_request": "request", "llm.sanitize_response": "response"}
"""Family whose callbacks may get the codec of their call → what that reads."""


def coding_misfits(steps: list[Json], said: frozenset[str]) -> Iterator[str]:
    """Say in words which rules the steps break, those inside callbacks too. said: see `program.words`."""
    own = [step for step in steps if step["step"] in CODING and step["codec"] == "own"]
    if own:
        yield from _misfits_beside(steps, said)
    inside: dict[str, str] = {}
    for step in steps:
        if step.get("family") in SIDES:
            asked = [op["step"] for op in every_op(step["do"]) if op["op"] == "step"]
            inside |= {one["as"]: step["family"] for one in asked if one["step"] in CODING}
            if asked and step["async"]:
                yield f"step {step['as']!r}: a sanitizer that asks its codec replies at once: leave out `async`"
    for step in steps:
        if step["step"] in CODING:
            yield from _misfit(step, inside.get(step["as"]))


def _misfits_beside(steps: list[Json], said: frozenset[str]) -> Iterator[str]:
    if "storm" in said or any(step.get("drain") is False for step in steps):
        yield "beside a sanitizer that asks its codec there is no storm, and each stream is drained"
    if any(isinstance(step.get("codec"), dict) for step in steps):
        yield "beside a sanitizer that asks its codec no call has a scripted one, which would run once more"


def _misfit(step: Json, family: str | None) -> Iterator[str]:
    """family: that of the sanitizer whose callback does the step, None for any other place."""
    name, side = step["as"], step.get("side", "request")
    if (step["codec"] == "own") is not (family is not None):
        yield f"step {name!r}: the codec of an LLM's sanitizer is `own`, and stands in its callback alone"
    elif family is None:
        yield from _misfit_payload(step, side)
    elif side != SIDES[family] or step["payload"] is not None:
        yield f"step {name!r}: {family} asks its codec for a {SIDES[family]}, and `payload` is what it was given: null"
    elif not is_of_sanitizer(name):
        yield f"step {name!r}: a step of a sanitizer has no `as` of its own"


def _misfit_payload(step: Json, side: str) -> Iterator[str]:
    payload = step["payload"]
    is_request = isinstance(payload, dict) and payload.keys() == {"headers", "content"}
    if side == "request" and not (is_request and isinstance(payload["headers"], dict)):
        yield f"step {step['as']!r}: `payload` is a request, with `headers` and `content`"
